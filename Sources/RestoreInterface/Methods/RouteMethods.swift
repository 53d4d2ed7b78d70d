import JSONText
import SceneModel

/// Sets an app's route table, and counts what that does to the scenes saved already.
package enum SetRoutes: InterfaceMethod {
  /// The name in the interface.
  package static let name = "SetRoutes"

  /// What a call of `SetRoutes` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The route table: the text of one JSON object.
    package var table: JSONObjectText
    /// Whether only to tell what would happen.
    package var dryRun: Bool?

    /// One with these members.
    package init(app: String, table: JSONObjectText, dryRun: Bool? = nil) {
      self.app = app
      self.table = table
      self.dryRun = dryRun
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      table = try fields.object("table")
      dryRun = try fields.optionalBool("dryRun")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("table", table)
      fields.write("dryRun", dryRun)
    }
  }

  /// What `SetRoutes` answers.
  package struct Reply: WireRecord {
    /// Whether something was written.
    package var changed: Bool
    /// How many scenes the app has saved.
    package var scenes: Int
    /// Routes that become renamed.
    package var renamed: Int
    /// Routes whose case becomes unknown.
    package var unknown: Int
    /// Routes that would be dropped.
    package var stale: Int

    /// One with these members.
    package init(changed: Bool, scenes: Int, renamed: Int, unknown: Int, stale: Int) {
      self.changed = changed
      self.scenes = scenes
      self.renamed = renamed
      self.unknown = unknown
      self.stale = stale
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      changed = try fields.bool("changed")
      scenes = try fields.int("scenes")
      renamed = try fields.int("renamed")
      unknown = try fields.int("unknown")
      stale = try fields.int("stale")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("changed", changed)
      fields.write("scenes", scenes)
      fields.write("renamed", renamed)
      fields.write("unknown", unknown)
      fields.write("stale", stale)
    }
  }
}

/// Returns an app's route table.
package enum GetRoutes: InterfaceMethod {
  /// The name in the interface.
  package static let name = "GetRoutes"

  /// What a call of `GetRoutes` takes.
  package typealias Parameters = AppAddress

  /// What `GetRoutes` answers.
  package struct Reply: WireRecord {
    /// The route table; nil where the app has none.
    package var table: JSONObjectText?

    /// One with these members.
    package init(table: JSONObjectText? = nil) {
      self.table = table
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      table = try fields.optionalObject("table")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("table", table)
    }
  }
}

/// Turns a link into the state that it leads to.
package enum ResolveLink: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ResolveLink"

  /// What a call of `ResolveLink` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The link.
    package var url: String

    /// One with these members.
    package init(app: String, url: String) {
      self.app = app
      self.url = url
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      url = try fields.string("url")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("url", url)
    }
  }

  /// What `ResolveLink` answers.
  package struct Reply: WireRecord {
    /// The state: the text of one JSON object, byte for byte.
    package var state: JSONObjectText
    /// What did not survive, in the order of the contract.
    package var dropped: [Dropped]

    /// One with these members.
    package init(state: JSONObjectText, dropped: [Dropped]) {
      self.state = state
      self.dropped = dropped
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      state = try fields.object("state")
      dropped = try fields.records("dropped")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("state", state)
      fields.write("dropped", dropped)
    }
  }
}
