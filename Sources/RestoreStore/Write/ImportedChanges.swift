/// What an import changed: of each thing the last change of each type, so that a large one tells watchers no more than
/// they need.
struct ImportedChanges {
  private struct Key: Hashable {
    let app: ExactName
    let subject: Subject
    let type: Int
  }
  private enum Subject: Hashable { case scene(ExactName), kind(Int64), routes }

  private var last: [Key: StoreChange] = [:]

  mutating func add(_ changes: [StoreChange]) {
    for change in changes { add(change) }
  }

  private mutating func add(_ change: StoreChange) {
    let subject: Subject =
      switch change.subject {
      case .scene(let name): .scene(ExactName(name))
      case .kind(_, let key): .kind(key)
      case .routes: .routes
      }
    let key = Key(app: ExactName(change.app), subject: subject, type: Self.order(change.type))
    // That a kind was declared must not be forgotten for what followed.
    if case .entitiesChanged(declared: true, _) = last[key]?.type,
      case .entitiesChanged(_, let syncing) = change.type
    {
      last[key] = StoreChange(
        uid: change.uid,
        app: change.app,
        subject: change.subject,
        type: .entitiesChanged(declared: true, syncing: syncing),
        revision: change.revision,
        time: change.time
      )
    } else {
      last[key] = change
    }
  }

  private static func order(_ type: StoreChange.Kind) -> Int {
    switch type {
    case .saved: 0
    case .closed: 1
    case .reopened: 2
    case .forgotten: 3
    case .entitiesChanged: 4
    case .routesChanged: 5
    case .syncing: 6
    }
  }

  /// The changes in the order of their numbers.
  var inOrder: [StoreChange] { last.values.sorted { $0.revision < $1.revision } }
}
