/// What a store should hold of one app, as simply as it can be said: the whole of it, in arrays and sets.
///
/// A state is a number. Each operation answers as the store should, and throws where it should refuse.
package struct StoreModel {
  /// A revision.
  package struct Revision {
    /// Its number.
    package var number: Int
    /// What was saved.
    package var state: Int
    /// Of an autosave: when its place was first taken.
    package var placedAt: Int?
    /// Whether an app showed it and lived.
    package var confirmed = false
    /// Whether launches are served it no longer.
    package var quarantined = false
  }

  /// A scene.
  package struct Scene {
    /// Oldest first.
    package var revisions: [Revision] = []
    /// What the last launches were served, the last one first, 3 at most.
    package var launched: [Int] = []
    /// Launches since the last confirm.
    package var launches = 0
    /// The number of its last close.
    package var closed = 0
    /// Whether it is closed.
    package var isClosed = false

    /// The newest revision.
    package var newest: Revision { revisions[revisions.count - 1] }
  }

  /// A kind.
  package struct Kind {
    /// Whether it is declared.
    package var isDeclared = false
    /// Its ids.
    package var ids: Set<String> = []
    /// The sync that runs.
    package var sync: Sync?
  }

  /// A sync.
  package struct Sync {
    /// Its name.
    package var name: String
    /// When it was last heard of.
    package var lastCall: Int
    /// What was put since it began.
    package var seen: Set<String> = []
    /// What was deleted since it began.
    package var deleted: Set<String> = []
  }

  /// A change, as watchers are told of it.
  package struct Event {
    /// What happened.
    package var type: String
    /// Its number.
    package var number: Int
    /// `/scene` or `:kind`.
    package var subject: String
    /// As `WatchEvent.told` says it, of app `app`.
    package var told: String { "\(type) \(number) app\(subject)" }
  }

  /// Why an operation is refused.
  package enum Refusal: Error { case noScene, noRevision, conflict(Int), noSync }

  /// Revisions kept.
  package let history: Int
  /// Milliseconds.
  package var now = 0
  /// The newest number given.
  package var number = 0
  /// Every change there was, in order.
  package private(set) var events: [Event] = []
  /// The scenes there are.
  package var scenes: [String: Scene] = [:]
  /// The kinds there are.
  package var kinds: [String: Kind] = [:]
  /// The route table that was last set.
  private var table: String?

  /// A store that holds nothing.
  package init(history: Int) { self.history = history }

  /// Gives the next number to a change, of a scene `/name` or a kind `:name`.
  private mutating func next(_ type: String, _ subject: String) -> Int {
    number += 1
    events.append(Event(type: type, number: number, subject: subject))
    return number
  }

  /// The scene of this name.
  package func scene(_ name: String) throws(Refusal) -> Scene {
    guard let scene = scenes[name] else { throw .noScene }
    return scene
  }

  /// Saves; answers the newest revision, and whether it is new.
  package mutating func save(_ name: String, _ state: Int, ifRevision: Int?, autosave: Bool) throws(Refusal) -> (
    Int, Bool
  ) {
    var scene = scenes[name] ?? Scene()
    if let newest = scene.revisions.last, newest.state == state, !newest.quarantined {
      if !autosave { scenes[name]?.revisions[scene.revisions.count - 1].placedAt = nil }
      return (newest.number, false)
    }
    let newest = scene.revisions.last?.number ?? 0
    if let ifRevision, ifRevision != newest { throw .conflict(newest) }
    append(name, state, to: &scene, autosave: autosave)
    scenes[name] = scene
    return (number, true)
  }

  private mutating func append(_ name: String, _ state: Int, to scene: inout Scene, autosave: Bool) {
    var placedAt = autosave ? now : nil
    if autosave, let newest = scene.revisions.last, let taken = newest.placedAt, now - taken < 60_000,
      !newest.confirmed, !newest.quarantined, !scene.launched.contains(newest.number)
    {
      scene.revisions.removeLast()
      placedAt = taken
      scene.revisions.append(Revision(number: next("saved", "/\(name)"), state: state, placedAt: placedAt))
    } else {
      scene.revisions.append(Revision(number: next("saved", "/\(name)"), state: state, placedAt: placedAt))
      let kept = Set(
        scene.revisions.suffix(history).map(\.number) + scene.launched
          + [scene.revisions.last { $0.confirmed }, scene.revisions.last { $0.quarantined }].compactMap { $0?.number }
      )
      scene.revisions.removeAll { !kept.contains($0.number) }
    }
    scene.isClosed = false
  }

  /// Rolls back; answers the newest revision.
  package mutating func rollback(_ name: String, _ revision: Int) throws(Refusal) -> Int {
    var scene = try scene(name)
    guard let index = scene.revisions.firstIndex(where: { $0.number == revision }) else { throw .noRevision }
    let wasNewest = index == scene.revisions.count - 1
    let newest = scene.newest
    scene.revisions[index].quarantined = false
    scene.launches = 0
    if !wasNewest && (newest.quarantined || newest.state != scene.revisions[index].state) {
      append(name, scene.revisions[index].state, to: &scene, autosave: false)
    }
    scenes[name] = scene
    return scene.newest.number
  }

  /// Launches; answers what is served.
  package mutating func launch(_ name: String) throws(Refusal) -> Int {
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
    if scene.isClosed { _ = next("reopened", "/\(name)") }
    scene.isClosed = false
    scenes[name] = scene
    return served
  }

  /// Confirms what the last launch was served, or the named revision, 0 being the empty state; answers which.
  package mutating func confirm(_ name: String, _ revision: Int? = nil) throws(Refusal) -> Int {
    var scene = try scene(name)
    let named = scene.revisions.contains { $0.number == revision } || (revision == 0 && !scene.launched.isEmpty)
    guard let served = revision.map({ named ? $0 : nil }) ?? scene.launched.first else { throw .noRevision }
    if let index = scene.revisions.firstIndex(where: { $0.number == served }) {
      scene.revisions[index].confirmed = true
      scene.revisions[index].quarantined = false
    }
    scene.launches = 0
    scenes[name] = scene
    return served
  }

  /// Sets the route table: a changed one sets every count of launches to 0 and frees what is quarantined.
  ///
  /// - Returns: whether it is another one than before.
  package mutating func setRoutes(_ table: String) -> Bool {
    guard table != self.table else { return false }
    self.table = table
    _ = next("routesChanged", "")
    for name in scenes.keys {
      scenes[name]?.launches = 0
      for index in scenes[name]?.revisions.indices ?? 0..<0 { scenes[name]?.revisions[index].quarantined = false }
    }
    return true
  }

  /// Closes.
  package mutating func close(_ name: String) throws(Refusal) {
    if try !scene(name).isClosed {
      let number = next("closed", "/\(name)")
      scenes[name]?.closed = number
    }
    scenes[name]?.isClosed = true
  }

  /// Reopens a scene, or the one closed last; answers which.
  package mutating func reopen(_ name: String?) throws(Refusal) -> String {
    let last = scenes.filter(\.value.isClosed).max { $0.value.closed < $1.value.closed }?.key
    guard let name = name ?? last else { throw .noScene }
    if try scene(name).isClosed { _ = next("reopened", "/\(name)") }
    scenes[name]?.isClosed = false
    return name
  }

  /// Forgets all scenes, and the kinds unless they are kept; answers how many scenes there were.
  package mutating func reset(keepEntities: Bool) -> Int {
    let names = scenes.keys.sorted()
    scenes = [:]
    for name in names { _ = next("forgotten", "/\(name)") }
    if !keepEntities { for name in kinds.keys.sorted() { forgetKind(name) } }
    return names.count
  }

  /// Forgets.
  package mutating func forget(_ name: String) throws(Refusal) {
    _ = try scene(name)
    scenes[name] = nil
    _ = next("forgotten", "/\(name)")
  }

  /// What is told to who watches again after `after`: the last change of each scene and kind; or, where the store was
  /// restarted since, a gap for what was forgotten.
  package func missed(after: Int, restarted: Bool) -> [String] {
    let since = events.filter { $0.number > after }
    let last = since.filter { event in !since.contains { $0.subject == event.subject && $0.number > event.number } }
    guard restarted else { return last.map(\.told) }
    let gap = since.last { $0.type == "forgotten" }?.number
    var told = last.filter { $0.type != "forgotten" }.map { (number: $0.number, told: $0.told) }
    if let gap { told.append((gap, "gap \(gap)")) }
    return told.sorted { $0.number < $1.number }.map(\.told)
  }

  // MARK: Entities

  /// Puts; answers how many were added.
  package mutating func put(_ name: String, _ ids: [String]) -> Int {
    var kind = kinds[name] ?? Kind()
    let added = Set(ids).subtracting(kind.ids).count
    if added > 0 || !kind.isDeclared { _ = next("entitiesChanged", ":\(name)") }
    kind.isDeclared = true
    kind.ids.formUnion(ids)
    kind.sync?.seen.formUnion(ids)
    kind.sync?.deleted.subtract(ids)
    kinds[name] = kind
    return added
  }

  /// Puts with a sync; answers how many were added.
  package mutating func put(_ name: String, _ ids: [String], sync: String) throws(Refusal) -> Int {
    guard var kind = kinds[name], var running = kind.sync, running.name == sync else { throw .noSync }
    let ids = Set(ids).subtracting(running.deleted)
    let added = ids.subtracting(kind.ids).count
    if added > 0 { _ = next("entitiesChanged", ":\(name)") }
    kind.ids.formUnion(ids)
    running.seen.formUnion(ids)
    running.lastCall = now
    kind.sync = running
    kinds[name] = kind
    return added
  }

  /// Deletes; answers how many.
  package mutating func delete(_ name: String, _ ids: [String]) -> Int {
    guard var kind = kinds[name] else { return 0 }
    let deleted = kind.ids.intersection(ids).count
    if deleted > 0 { _ = next("entitiesChanged", ":\(name)") }
    kind.ids.subtract(ids)
    kind.sync?.deleted.formUnion(ids)
    kind.sync?.seen.subtract(ids)
    kinds[name] = kind
    return deleted
  }

  /// Begins a sync of that name.
  package mutating func begin(_ name: String, sync: String) {
    kinds[name, default: Kind()].sync = Sync(name: sync, lastCall: now)
  }

  /// Ends a sync; answers how many it took away.
  package mutating func end(_ sync: String) throws(Refusal) -> Int {
    guard let (name, kind) = kinds.first(where: { $0.value.sync?.name == sync }), let running = kind.sync else {
      throw .noSync
    }
    let deleted = kind.ids.subtracting(running.seen).count
    kinds[name] = Kind(isDeclared: true, ids: kind.ids.intersection(running.seen))
    _ = next("entitiesChanged", ":\(name)")
    return deleted
  }

  /// Forgets a kind.
  package mutating func forgetKind(_ name: String) {
    guard kinds[name] != nil else { return }
    kinds[name] = nil
    _ = next("forgotten", ":\(name)")
  }

  /// Ends what lapses by itself.
  package mutating func lapse() {
    for (name, kind) in kinds {
      if let sync = kind.sync, now - sync.lastCall >= 600_000 { kinds[name]?.sync = nil }
    }
  }

  /// Ends what a restart ends.
  package mutating func restart() {
    for name in kinds.keys { kinds[name]?.sync = nil }
  }
}
