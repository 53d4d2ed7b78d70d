/// What a store should hold, as simply as it can be said: the whole of it, in arrays and sets.
struct Model {
  struct Revision {
    var number: Int
    var state: Int
    var placedAt: Int?
    var confirmed = false
    var quarantined = false
  }

  struct Scene {
    var revisions: [Revision] = []
    var launched: [Int] = []
    var launches = 0
    var isClosed = false

    var newest: Revision { revisions[revisions.count - 1] }
  }

  struct Kind {
    var isDeclared = false
    var ids: Set<String> = []
    var sync: Sync?
  }

  struct Sync {
    var name: String
    var lastCall: Int
    var seen: Set<String> = []
    var deleted: Set<String> = []
  }

  enum Refusal: Error { case noScene, noRevision, conflict(Int), noSync }

  let history: Int
  var now = 0
  var number = 0
  var scenes: [String: Scene] = [:]
  var kinds: [String: Kind] = [:]

  init(history: Int) { self.history = history }

  mutating func next() -> Int {
    number += 1
    return number
  }

  func scene(_ name: String) throws(Refusal) -> Scene {
    guard let scene = scenes[name] else { throw .noScene }
    return scene
  }

  mutating func save(_ name: String, _ state: Int, ifRevision: Int?, autosave: Bool) throws(Refusal) -> (Int, Bool) {
    var scene = scenes[name] ?? Scene()
    if let newest = scene.revisions.last, newest.state == state, !newest.quarantined {
      if !autosave { scenes[name]?.revisions[scene.revisions.count - 1].placedAt = nil }
      return (newest.number, false)
    }
    let newest = scene.revisions.last?.number ?? 0
    if let ifRevision, ifRevision != newest { throw .conflict(newest) }
    append(state, to: &scene, autosave: autosave)
    scenes[name] = scene
    return (number, true)
  }

  private mutating func append(_ state: Int, to scene: inout Scene, autosave: Bool) {
    var placedAt = autosave ? now : nil
    if autosave, let newest = scene.revisions.last, let taken = newest.placedAt, now - taken < 60_000,
      !newest.confirmed, !newest.quarantined, !scene.launched.contains(newest.number)
    {
      scene.revisions.removeLast()
      placedAt = taken
      scene.revisions.append(Revision(number: next(), state: state, placedAt: placedAt))
    } else {
      scene.revisions.append(Revision(number: next(), state: state, placedAt: placedAt))
      let kept = Set(
        scene.revisions.suffix(history).map(\.number) + scene.launched
          + [scene.revisions.last { $0.confirmed }, scene.revisions.last { $0.quarantined }].compactMap { $0?.number }
      )
      scene.revisions.removeAll { !kept.contains($0.number) }
    }
    scene.isClosed = false
  }

  mutating func rollback(_ name: String, _ revision: Int) throws(Refusal) -> Int {
    var scene = try scene(name)
    guard let index = scene.revisions.firstIndex(where: { $0.number == revision }) else { throw .noRevision }
    let wasNewest = index == scene.revisions.count - 1
    let newest = scene.newest
    scene.revisions[index].quarantined = false
    scene.launches = 0
    if !wasNewest && (newest.quarantined || newest.state != scene.revisions[index].state) {
      append(scene.revisions[index].state, to: &scene, autosave: false)
    }
    scenes[name] = scene
    return scene.newest.number
  }

  mutating func launch(_ name: String) throws(Refusal) -> Int {
    var scene = try scene(name)
    if scene.launches == 3 {
      let confirmed = scene.revisions.last { $0.confirmed }?.number ?? 0
      for index in scene.revisions.indices {
        let number = scene.revisions[index].number
        if number > confirmed || number == scene.launched.first { scene.revisions[index].quarantined = true }
      }
      scene.launches = 0
    }
    scene.launches += 1
    let served = scene.revisions.last { !$0.quarantined }?.number ?? 0
    scene.launched = Array(([served] + scene.launched).prefix(3))
    if scene.isClosed { _ = next() }
    scene.isClosed = false
    scenes[name] = scene
    return served
  }

  mutating func confirm(_ name: String) throws(Refusal) -> Int {
    var scene = try scene(name)
    guard let served = scene.launched.first else { throw .noRevision }
    if let index = scene.revisions.firstIndex(where: { $0.number == served }) {
      scene.revisions[index].confirmed = true
      scene.revisions[index].quarantined = false
    }
    scene.launches = 0
    scenes[name] = scene
    return served
  }

  mutating func close(_ name: String) throws(Refusal) {
    if try !scene(name).isClosed { _ = next() }
    scenes[name]?.isClosed = true
  }

  mutating func forget(_ name: String) throws(Refusal) {
    _ = try scene(name)
    scenes[name] = nil
    _ = next()
  }

  // MARK: Entities

  mutating func put(_ name: String, _ ids: [String]) -> Int {
    var kind = kinds[name] ?? Kind()
    let added = Set(ids).subtracting(kind.ids).count
    if added > 0 || !kind.isDeclared { _ = next() }
    kind.isDeclared = true
    kind.ids.formUnion(ids)
    kind.sync?.seen.formUnion(ids)
    kind.sync?.deleted.subtract(ids)
    kinds[name] = kind
    return added
  }

  mutating func put(_ name: String, _ ids: [String], sync: String) throws(Refusal) -> Int {
    guard var kind = kinds[name], var running = kind.sync, running.name == sync else { throw .noSync }
    let ids = Set(ids).subtracting(running.deleted)
    let added = ids.subtracting(kind.ids).count
    if added > 0 { _ = next() }
    kind.ids.formUnion(ids)
    running.seen.formUnion(ids)
    running.lastCall = now
    kind.sync = running
    kinds[name] = kind
    return added
  }

  mutating func delete(_ name: String, _ ids: [String]) -> Int {
    guard var kind = kinds[name] else { return 0 }
    let deleted = kind.ids.intersection(ids).count
    if deleted > 0 { _ = next() }
    kind.ids.subtract(ids)
    kind.sync?.deleted.formUnion(ids)
    kind.sync?.seen.subtract(ids)
    kinds[name] = kind
    return deleted
  }

  mutating func begin(_ name: String, sync: String) {
    kinds[name, default: Kind()].sync = Sync(name: sync, lastCall: now)
  }

  mutating func end(_ sync: String) throws(Refusal) -> Int {
    guard let (name, kind) = kinds.first(where: { $0.value.sync?.name == sync }), let running = kind.sync else {
      throw .noSync
    }
    let deleted = kind.ids.subtracting(running.seen).count
    kinds[name] = Kind(isDeclared: true, ids: kind.ids.intersection(running.seen))
    _ = next()
    return deleted
  }

  mutating func forgetKind(_ name: String) {
    guard kinds[name] != nil else { return }
    kinds[name] = nil
    _ = next()
  }

  /// Ends what lapses by itself.
  mutating func lapse() {
    for (name, kind) in kinds {
      if let sync = kind.sync, now - sync.lastCall >= 600_000 { kinds[name]?.sync = nil }
    }
  }

  mutating func restart() {
    for name in kinds.keys { kinds[name]?.sync = nil }
  }
}
