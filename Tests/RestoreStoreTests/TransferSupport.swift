import SceneModel
import Testing

@testable import RestoreStore

extension Session {
  /// All that the user owns, or what the app owns.
  func export(app: String? = nil) throws -> [StoredRecord] {
    var walk = RecordWalk(uid: Fixture.uid, app: app)
    var records: [StoredRecord] = []
    while !walk.isDone {
      if let record = try reader.advance(&walk) { records.append(record) }
    }
    #expect(walk.faults.isEmpty)
    return records
  }

  /// Takes records in, in one call; answers how many.
  @discardableResult
  func take(_ records: [ImportedRecord], replace: Bool = false) throws -> Int {
    guard case .imported(let count) = try outcome(.importRecords(source(records), replace: replace)) else {
      throw Unexpected()
    }
    return count
  }

  /// Takes in what another store gave, in one call.
  @discardableResult
  func take(_ records: [StoredRecord], replace: Bool = false) throws -> Int {
    try take(records.map { try ImportedRecord($0) }, replace: replace)
  }
}

/// A source of records that are there already.
func source(_ records: [ImportedRecord]) -> RecordSource {
  RecordSource(count: records.count) { .success(records[$0]) }
}

func table(_ text: String) throws -> RouteTable { try RouteTable(validating: Array(text.utf8)) }

/// A revision to be taken in.
func imported(
  _ scene: String,
  _ state: String,
  at savedAt: Int? = nil,
  isFirst: Bool = false,
  closedAt: Int? = nil
) -> ImportedRecord {
  guard let state = try? SceneState(validating: Array(state.utf8)) else { fatalError("no state: \(state)") }
  return .state(
    ImportedState(
      app: "app",
      scene: scene,
      isFirst: isFirst,
      savedAt: savedAt,
      closedAt: closedAt,
      isConfirmed: false,
      content: StateContent(state)
    )
  )
}

/// Ids to be taken in.
func ids(_ kind: String, _ ids: [String], version: String? = nil, app: String = "app") -> ImportedRecord {
  .entities(app: app, kind: kind, version: version, ids: ids.compactMap { EntityID($0) })
}

extension ImportedRecord {
  /// A record as an import brings it that an export gave.
  init(_ record: StoredRecord) throws {
    switch record {
    case .state(let app, let scene, let first, let savedAt, let closedAt, let confirmed, let bytes):
      self = .state(
        ImportedState(
          app: app,
          scene: scene,
          isFirst: first,
          savedAt: savedAt,
          closedAt: closedAt,
          isConfirmed: confirmed,
          content: StateContent(try SceneState(validating: bytes))
        )
      )
    case .entities(let app, let kind, let version, let ids):
      self = .entities(app: app, kind: kind, version: version, ids: ids.compactMap { EntityID($0) })
    case .routes(let app, let bytes): self = .routes(app: app, try RouteTable(validating: bytes))
    }
  }
}

extension StoredRecord {
  /// The record in short.
  var told: String {
    switch self {
    case .state(let app, let scene, let first, let savedAt, let closedAt, let confirmed, let bytes):
      var parts = ["\(app)/\(scene)"]
      if first { parts.append("first") }
      parts.append("\(savedAt)")
      if let closedAt { parts.append("closed \(closedAt)") }
      if confirmed { parts.append("confirmed") }
      parts.append(String(decoding: bytes, as: UTF8.self))
      return parts.joined(separator: " ")
    case .entities(let app, let kind, let version, let ids):
      return "\(app):\(kind) \(version ?? "-") \(ids.joined(separator: ","))"
    case .routes(let app, let bytes): return "\(app) \(String(decoding: bytes, as: UTF8.self))"
    }
  }
}
