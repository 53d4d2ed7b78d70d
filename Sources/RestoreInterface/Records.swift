import JSONText
import SceneModel

/// One saved scene.
///
/// `Scene` in the interface.
package struct SceneEntry: WireRecord {
  /// The app's id.
  package var app: String
  /// The scene's id.
  package var scene: String
  /// Its newest revision.
  package var revision: Int
  /// When it was saved: RFC 3339 in UTC with milliseconds.
  package var savedAt: String
  /// Bytes of JSON.
  package var size: Int
  /// The selected tab; nil where the state names none.
  package var selectedTab: String?
  /// Routes on all stacks.
  package var routes: Int
  /// When it was closed; nil while it is open.
  package var closedAt: String?
  /// Launches since the last confirmation.
  package var unconfirmedLaunches: Int

  /// One with these members.
  package init(
    app: String,
    scene: String,
    revision: Int,
    savedAt: String,
    size: Int,
    selectedTab: String? = nil,
    routes: Int,
    closedAt: String? = nil,
    unconfirmedLaunches: Int
  ) {
    self.app = app
    self.scene = scene
    self.revision = revision
    self.savedAt = savedAt
    self.size = size
    self.selectedTab = selectedTab
    self.routes = routes
    self.closedAt = closedAt
    self.unconfirmedLaunches = unconfirmedLaunches
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
    scene = try fields.string("scene")
    revision = try fields.int("revision")
    savedAt = try fields.string("savedAt")
    size = try fields.int("size")
    selectedTab = try fields.optionalString("selectedTab")
    routes = try fields.int("routes")
    closedAt = try fields.optionalString("closedAt")
    unconfirmedLaunches = try fields.int("unconfirmedLaunches")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
    fields.write("scene", scene)
    fields.write("revision", revision)
    fields.write("savedAt", savedAt)
    fields.write("size", size)
    fields.write("selectedTab", selectedTab)
    fields.write("routes", routes)
    fields.write("closedAt", closedAt)
    fields.write("unconfirmedLaunches", unconfirmedLaunches)
  }
}

/// One revision of a scene's history.
///
/// `Revision` in the interface.
package struct RevisionEntry: WireRecord {
  /// The revision.
  package var revision: Int
  /// When it was saved: RFC 3339 in UTC with milliseconds.
  package var savedAt: String
  /// Bytes of JSON.
  package var size: Int
  /// Routes on all stacks.
  package var routes: Int
  /// The selected tab; nil where the state names none.
  package var selectedTab: String?
  /// Whether an app showed it and lived.
  package var confirmed: Bool
  /// Whether the guard keeps it from being launched.
  package var quarantined: Bool

  /// One with these members.
  package init(
    revision: Int,
    savedAt: String,
    size: Int,
    routes: Int,
    selectedTab: String? = nil,
    confirmed: Bool,
    quarantined: Bool
  ) {
    self.revision = revision
    self.savedAt = savedAt
    self.size = size
    self.routes = routes
    self.selectedTab = selectedTab
    self.confirmed = confirmed
    self.quarantined = quarantined
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    revision = try fields.int("revision")
    savedAt = try fields.string("savedAt")
    size = try fields.int("size")
    routes = try fields.int("routes")
    selectedTab = try fields.optionalString("selectedTab")
    confirmed = try fields.bool("confirmed")
    quarantined = try fields.bool("quarantined")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("revision", revision)
    fields.write("savedAt", savedAt)
    fields.write("size", size)
    fields.write("routes", routes)
    fields.write("selectedTab", selectedTab)
    fields.write("confirmed", confirmed)
    fields.write("quarantined", quarantined)
  }
}

/// A kind of entity that the app has declared.
///
/// `EntityKind` in the interface.
package struct KindEntry: WireRecord {
  /// The kind of entity.
  package var kind: String
  /// How many there are now.
  package var count: Int
  /// The app's own mark of its model.
  package var version: String?
  /// Whether a sync is under way.
  package var syncing: Bool

  /// One with these members.
  package init(kind: String, count: Int, version: String? = nil, syncing: Bool) {
    self.kind = kind
    self.count = count
    self.version = version
    self.syncing = syncing
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    kind = try fields.string("kind")
    count = try fields.int("count")
    version = try fields.optionalString("version")
    syncing = try fields.bool("syncing")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("kind", kind)
    fields.write("count", count)
    fields.write("version", version)
    fields.write("syncing", syncing)
  }
}

/// One change, as a watch streams it.
///
/// `Event` in the interface.
package struct WatchEvent: WireRecord {
  /// What happened.
  package var type: WatchEventType
  /// The revision.
  package var revision: Int
  /// When: RFC 3339 in UTC with milliseconds.
  package var time: String
  /// The app's id.
  package var app: String?
  /// The scene's id.
  package var scene: String?
  /// The kind of entity.
  package var kind: String?

  /// One with these members.
  package init(
    type: WatchEventType,
    revision: Int,
    time: String,
    app: String? = nil,
    scene: String? = nil,
    kind: String? = nil
  ) {
    self.type = type
    self.revision = revision
    self.time = time
    self.app = app
    self.scene = scene
    self.kind = kind
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    type = try fields.choice("type")
    revision = try fields.int("revision")
    time = try fields.string("time")
    app = try fields.optionalString("app")
    scene = try fields.optionalString("scene")
    kind = try fields.optionalString("kind")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("type", type)
    fields.write("revision", revision)
    fields.write("time", time)
    fields.write("app", app)
    fields.write("scene", scene)
    fields.write("kind", kind)
  }
}
