import JSONText
import SceneModel

/// Lists what a scene's history holds.
package enum ListRevisions: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ListRevisions"

  /// What a call of `ListRevisions` takes.
  package typealias Parameters = SceneAddress

  /// What `ListRevisions` answers.
  package struct Reply: WireRecord {
    /// The revisions, newest first.
    package var revisions: [RevisionEntry]

    /// One with these members.
    package init(revisions: [RevisionEntry]) {
      self.revisions = revisions
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      revisions = try fields.records("revisions")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("revisions", revisions)
    }
  }
}

/// Saves an earlier revision again as the newest.
package enum Rollback: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Rollback"

  /// What a call of `Rollback` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The scene's id.
    package var scene: String
    /// The revision.
    package var revision: Int

    /// One with these members.
    package init(app: String, scene: String, revision: Int) {
      self.app = app
      self.scene = scene
      self.revision = revision
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      scene = try fields.string("scene")
      revision = try fields.int("revision")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
      fields.write("revision", revision)
    }
  }

  /// What `Rollback` answers.
  package typealias Reply = RevisionNumber
}
