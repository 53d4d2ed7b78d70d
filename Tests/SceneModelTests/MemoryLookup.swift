import SceneModel

/// An entity table in memory, which also counts what it is asked.
struct MemoryLookup: EntityLookup {
  private struct Kind {
    let name: String
    var ids: Set<EntityID>
    var syncing = false
  }

  private var kinds: [Kind]
  private(set) var kindQuestions: [String] = []
  private(set) var idQuestions = 0

  init(_ entities: [String: [String]], syncing: Set<String> = []) {
    kinds = entities.sorted { $0.key < $1.key }.map { name, ids in
      Kind(name: name, ids: Set(ids.compactMap { EntityID($0) }), syncing: syncing.contains(name))
    }
  }

  mutating func kind(named name: String) -> KindAnswer {
    kindQuestions.append(name)
    let exact = kinds.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    let found = exact ?? kinds.firstIndex { Self.folded($0.name) == Self.folded(name) }
    guard let found else { return .undeclared }
    return .declared(key: Int64(found), syncing: kinds[found].syncing)
  }

  mutating func contains(_ id: EntityID, in kind: Int64) -> Bool {
    idQuestions += 1
    return kinds[Int(kind)].ids.contains(id)
  }

  func name(of kind: Int64) -> String { kinds[Int(kind)].name }

  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }
}

/// Restores a state that must be valid.
func restore(
  _ state: String,
  _ entities: [String: [String]] = [:],
  syncing: Set<String> = [],
  _ stale: StalePolicy? = nil,
  table: String? = nil
) throws -> Restoration {
  var lookup = MemoryLookup(entities, syncing: syncing)
  return try SceneState(validating: Array(state.utf8)).restoration(
    stale: stale,
    rules: table.map { try RouteTable(validating: Array($0.utf8)).rules } ?? .byConvention,
    lookup: &lookup
  )
}

extension Restoration {
  /// The state as text.
  var text: String { String(decoding: state, as: UTF8.self) }
  /// The pointers of what was dropped.
  var paths: [String] { dropped.map(\.path) }
}
