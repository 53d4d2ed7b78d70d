import RestoreInterface
import TestSupport
import Varlink

/// Keeps the ids of a kind of its own: puts, deletes and replaces them.
final class EntityClient: LoadClient, @unchecked Sendable {
  private static let most = 400

  /// The ids that there may be: two sets while a call is not acknowledged, the one before it and the one after.
  private var possible: [Set<String>] = [[]]
  private var last = 0
  /// Whether a call that declares the kind was acknowledged, and whether one was made.
  private var isDeclared = false
  private var mayBeDeclared = false

  override func step() throws {
    let present = possible[0]
    switch Int.random(in: 0...5, using: &random) {
    case 0 where !present.isEmpty: try delete(some(of: present))
    case 1: try replace(present)
    case _ where present.count > Self.most: try delete(Array(present))
    default: try put(fresh())
    }
  }

  private func fresh() -> [String] {
    (0..<Int.random(in: 1...25, using: &random)).map { _ in
      last += 1
      return "\(name)-\(random.seed)-\(last)"
    }
  }

  private func some(of ids: Set<String>) -> [String] { ids.sorted().filter { _ in Bool.random(using: &random) } }

  /// Carries out a call that makes the ids what `after` says: all of it, or nothing.
  private func change(to after: Set<String>, _ body: () throws -> Void) throws {
    possible = [possible[0], after]
    try body()
    possible = [after]
    count(\.entityCalls)
  }

  private func put(_ ids: [String], sync: String? = nil) throws {
    mayBeDeclared = mayBeDeclared || sync == nil
    try change(to: possible[0].union(ids)) {
      let parameters = PutEntities.Parameters(app: loadedApp, kind: name, ids: ids, sync: sync)
      let added = try call(PutEntities.self, parameters).added
      if added != ids.count { complain("\(added) of \(ids.count) new ids were added") }
    }
    isDeclared = isDeclared || sync == nil
  }

  private func delete(_ ids: [String]) throws {
    try change(to: possible[0].subtracting(ids)) {
      let parameters = DeleteEntities.Parameters(app: loadedApp, kind: name, ids: ids)
      let deleted = try call(DeleteEntities.self, parameters).deleted
      if deleted != ids.count { complain("\(deleted) of \(ids.count) ids were deleted") }
    }
  }

  /// A sync that keeps some ids and brings new ones.
  private func replace(_ present: Set<String>) throws {
    let sync = try call(BeginSync.self, BeginSync.Parameters(app: loadedApp, kind: name)).sync
    let added = fresh()
    let kept = some(of: present)
    try put(added, sync: sync)
    let parameters = PutEntities.Parameters(app: loadedApp, kind: name, ids: kept, sync: sync)
    _ = try call(PutEntities.self, parameters)
    mayBeDeclared = true
    try change(to: Set(kept + added)) {
      _ = try call(EndSync.self, EndSync.Parameters(app: loadedApp, sync: sync))
    }
    isDeclared = true
  }

  override func compare(_ client: VarlinkClient) throws -> [String] {
    guard mayBeDeclared else { return [] }
    let kinds = try client.call(ListKinds.self, ListKinds.Parameters(app: loadedApp)).kinds
    let isListed = kinds.contains { $0.kind == name }
    if !isListed && !isDeclared {
      // The call that would have declared it was not acknowledged, and is not there. Ids of a sync before it are.
      mayBeDeclared = false
      possible = [possible[0]]
      return []
    }
    isDeclared = true
    let ids = isListed ? Set(try client.allIDs(of: name)) : []
    defer { possible = [ids] }
    if possible.contains(ids) { return [] }
    let sizes = possible.map { "\($0.count)" }.joined(separator: " or ")
    let missing = possible[0].intersection(possible.last!).subtracting(ids)
    return [
      "kind \(name) has \(ids.count) ids, not one of the sets of \(sizes); missing: \(missing.sorted().prefix(3))"
    ]
  }
}

extension VarlinkClient {
  /// Every id of a kind, page by page.
  fileprivate func allIDs(of kind: String) throws -> [String] {
    var ids: [String] = []
    var after: String?
    repeat {
      let parameters = ListEntities.Parameters(app: loadedApp, kind: kind, after: after)
      let page = try call(ListEntities.self, parameters)
      ids += page.ids
      after = page.next
    } while after != nil
    return ids
  }
}
