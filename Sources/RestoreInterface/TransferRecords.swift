import JSONText

/// One record of an export, which an import takes.
///
/// One of the objects in `records` of `ExportRecords` and `ImportRecords`; its member `type` says which.
package enum TransferRecord: Sendable {
  /// One revision of a scene.
  case state(StateRecord)
  /// Ids of a kind, all of them or a portion.
  case entities(EntitiesRecord)
  /// An app's route table.
  case routes(RoutesRecord)

  private enum Kind: String { case state, entities, routes }

  /// Reads a record from the text of one JSON object, refusing members that it does not know.
  ///
  /// What is inside a state or a table is left to whoever takes it.
  ///
  /// - Throws: `WireFault` naming the member that is missing, mistyped or unknown.
  package init(strictly text: ArraySlice<UInt8>) throws(WireFault) {
    var fields = try FieldReader(text)
    switch try fields.choice("type") as Kind {
    case .state: self = .state(try StateRecord(from: &fields))
    case .entities: self = .entities(try EntitiesRecord(from: &fields))
    case .routes: self = .routes(try RoutesRecord(from: &fields))
    }
    try fields.finish()
  }

  /// The record as the text of one JSON object.
  package var encoded: [UInt8] {
    switch self {
    case .state(let record): Self.encode(.state, record, reserving: record.state.bytes.count)
    case .entities(let record): Self.encode(.entities, record, reserving: record.ids.count * 40)
    case .routes(let record): Self.encode(.routes, record, reserving: record.table.bytes.count)
    }
  }

  private static func encode(_ kind: Kind, _ record: some WireRecord, reserving capacity: Int) -> [UInt8] {
    var text = JSONWriter(reserving: capacity + 512)
    text.beginObject()
    text.write("type", kind)
    record.write(to: &text)
    text.endObject()
    return text.bytes
  }
}

/// One revision of a scene, as it is carried from one daemon to another.
package struct StateRecord: WireRecord {
  /// The app's id.
  package var app: String
  /// The scene's id.
  package var scene: String
  /// Whether it is the oldest one of its scene.
  package var first: Bool
  /// When it was saved: RFC 3339 in UTC with milliseconds; nil: when it is imported.
  package var savedAt: String?
  /// When the scene was closed; nil while it is open.
  package var closedAt: String?
  /// Whether an app showed it and lived.
  package var confirmed: Bool
  /// The state, byte for byte as it was saved.
  package var state: JSONObjectText

  /// One with these members.
  package init(
    app: String,
    scene: String,
    first: Bool,
    savedAt: String?,
    closedAt: String? = nil,
    confirmed: Bool,
    state: JSONObjectText
  ) {
    self.app = app
    self.scene = scene
    self.first = first
    self.savedAt = savedAt
    self.closedAt = closedAt
    self.confirmed = confirmed
    self.state = state
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
    scene = try fields.string("scene")
    first = try fields.optionalBool("first") ?? false
    savedAt = try fields.optionalString("savedAt")
    closedAt = try fields.optionalString("closedAt")
    confirmed = try fields.optionalBool("confirmed") ?? false
    state = try fields.object("state")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
    fields.write("scene", scene)
    fields.write("first", first)
    fields.write("savedAt", savedAt)
    fields.write("closedAt", closedAt)
    fields.write("confirmed", confirmed)
    fields.write("state", state)
  }
}

/// Ids of a kind, as they are carried from one daemon to another.
package struct EntitiesRecord: WireRecord {
  /// The app's id.
  package var app: String
  /// The kind of entity.
  package var kind: String
  /// The app's own mark of its model, with the last portion of the kind's ids; nil: none, or more portions follow.
  package var version: String?
  /// The ids.
  package var ids: [String]

  /// One with these members.
  package init(app: String, kind: String, version: String? = nil, ids: [String]) {
    self.app = app
    self.kind = kind
    self.version = version
    self.ids = ids
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped; `limitExceeded` for more ids than one
  ///   call may bring.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
    kind = try fields.string("kind")
    version = try fields.optionalString("version")
    ids = try fields.strings("ids", maximum: RestoredInterface.maximumIDs)
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
    fields.write("kind", kind)
    fields.write("version", version)
    fields.write("ids", ids)
  }
}

/// An app's route table, as it is carried from one daemon to another.
package struct RoutesRecord: WireRecord {
  /// The app's id.
  package var app: String
  /// The table, byte for byte as it was set.
  package var table: JSONObjectText

  /// One with these members.
  package init(app: String, table: JSONObjectText) {
    self.app = app
    self.table = table
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
    table = try fields.object("table")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
    fields.write("table", table)
  }
}
