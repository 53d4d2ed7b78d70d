import JSONText
import SceneModel

/// Begins to replace all ids of a kind.
package enum BeginSync: InterfaceMethod {
  /// The name in the interface.
  package static let name = "BeginSync"

  /// What a call of `BeginSync` takes.
  package typealias Parameters = KindAddress

  /// What `BeginSync` answers.
  package struct Reply: WireRecord {
    /// The sync under way.
    package var sync: String

    /// One with these members.
    package init(sync: String) {
      self.sync = sync
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      sync = try fields.string("sync")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("sync", sync)
    }
  }
}

/// Ends a sync: what was not put since it began goes.
package enum EndSync: InterfaceMethod {
  /// The name in the interface.
  package static let name = "EndSync"

  /// What a call of `EndSync` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The sync under way.
    package var sync: String
    /// The app's own mark of its model.
    package var version: String?

    /// One with these members.
    package init(app: String, sync: String, version: String? = nil) {
      self.app = app
      self.sync = sync
      self.version = version
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      sync = try fields.string("sync")
      version = try fields.optionalString("version")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("sync", sync)
      fields.write("version", version)
    }
  }

  /// What `EndSync` answers.
  package struct Reply: WireRecord {
    /// How many were not there before.
    package var added: Int
    /// How many were there and are gone.
    package var deleted: Int
    /// How many there are now.
    package var count: Int

    /// One with these members.
    package init(added: Int, deleted: Int, count: Int) {
      self.added = added
      self.deleted = deleted
      self.count = count
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      added = try fields.int("added")
      deleted = try fields.int("deleted")
      count = try fields.int("count")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("added", added)
      fields.write("deleted", deleted)
      fields.write("count", count)
    }
  }
}
