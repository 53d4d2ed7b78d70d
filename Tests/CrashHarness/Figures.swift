/// What a run counts.
struct Figures {
  var saves = 0
  var entityCalls = 0
  var launches = 0
  var forgets = 0
  var scenesChecked = 0
  var revisionsChecked = 0
  var integrityChecks = 0

  static func += (left: inout Figures, right: Figures) {
    left.saves += right.saves
    left.entityCalls += right.entityCalls
    left.launches += right.launches
    left.forgets += right.forgets
    left.scenesChecked += right.scenesChecked
    left.revisionsChecked += right.revisionsChecked
    left.integrityChecks += right.integrityChecks
  }

  static func + (left: Figures, right: Figures) -> Figures {
    var sum = left
    sum += right
    return sum
  }

  /// The figures as lines of text.
  var lines: [String] {
    [
      "acknowledged: \(saves) saves, \(entityCalls) calls on entities, \(launches) launches, closes and the like, "
        + "\(forgets) erasures",
      "checked: \(scenesChecked) scenes, \(revisionsChecked) revisions byte by byte, \(integrityChecks) databases",
    ]
  }
}
