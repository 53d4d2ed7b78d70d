import JSONText

// What several methods take or answer.

/// One revision.
package struct RevisionNumber: WireRecord {
  /// The revision.
  package var revision: Int

  /// One with these members.
  package init(revision: Int) {
    self.revision = revision
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    revision = try fields.int("revision")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("revision", revision)
  }
}

/// Which scene.
package struct SceneAddress: WireRecord {
  /// The app's id.
  package var app: String
  /// The scene's id.
  package var scene: String

  /// One with these members.
  package init(app: String, scene: String) {
    self.app = app
    self.scene = scene
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
    scene = try fields.string("scene")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
    fields.write("scene", scene)
  }
}

/// Nothing.
package struct NoMembers: WireRecord {
  /// There are no members.
  package init() {}

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {}

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {}
}

/// How many scenes went.
package struct SceneCount: WireRecord {
  /// How many scenes went.
  package var scenes: Int

  /// One with these members.
  package init(scenes: Int) {
    self.scenes = scenes
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    scenes = try fields.int("scenes")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("scenes", scenes)
  }
}

/// How many entities went.
package struct DeletionCount: WireRecord {
  /// How many were there and are gone.
  package var deleted: Int

  /// One with these members.
  package init(deleted: Int) {
    self.deleted = deleted
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    deleted = try fields.int("deleted")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("deleted", deleted)
  }
}

/// Which kind of entity.
package struct KindAddress: WireRecord {
  /// The app's id.
  package var app: String
  /// The kind of entity.
  package var kind: String

  /// One with these members.
  package init(app: String, kind: String) {
    self.app = app
    self.kind = kind
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
    kind = try fields.string("kind")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
    fields.write("kind", kind)
  }
}

/// Which app.
package struct AppAddress: WireRecord {
  /// The app's id.
  package var app: String

  /// One with these members.
  package init(app: String) {
    self.app = app
  }

  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    app = try fields.string("app")
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("app", app)
  }
}
