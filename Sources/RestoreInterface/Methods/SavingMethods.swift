import JSONText
import SceneModel

/// Saves a scene's state; answers once it is on disk.
package enum Save: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Save"

  /// What a call of `Save` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The scene's id.
    package var scene: String
    /// The state: the text of one JSON object, byte for byte.
    package var state: JSONObjectText
    /// The revision that must be the newest, 0 for a scene that must not exist; nil for no condition.
    package var ifRevision: Int?
    /// Whether the app saves by itself; one a minute of these stays in the history.
    package var autosave: Bool?

    /// One with these members.
    package init(app: String, scene: String, state: JSONObjectText, ifRevision: Int? = nil, autosave: Bool? = nil) {
      self.app = app
      self.scene = scene
      self.state = state
      self.ifRevision = ifRevision
      self.autosave = autosave
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      scene = try fields.string("scene")
      state = try fields.object("state")
      ifRevision = try fields.optionalInt("ifRevision")
      autosave = try fields.optionalBool("autosave")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
      fields.write("state", state)
      fields.write("ifRevision", ifRevision)
      fields.write("autosave", autosave)
    }
  }

  /// What `Save` answers.
  package struct Reply: WireRecord {
    /// The revision.
    package var revision: Int
    /// When it was saved: RFC 3339 in UTC with milliseconds.
    package var savedAt: String
    /// Whether something was written.
    package var changed: Bool

    /// One with these members.
    package init(revision: Int, savedAt: String, changed: Bool) {
      self.revision = revision
      self.savedAt = savedAt
      self.changed = changed
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      revision = try fields.int("revision")
      savedAt = try fields.string("savedAt")
      changed = try fields.bool("changed")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("revision", revision)
      fields.write("savedAt", savedAt)
      fields.write("changed", changed)
    }
  }
}

/// Returns a scene's state with every stale route dealt with and reported.
package enum Restore: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Restore"

  /// What a call of `Restore` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The scene's id.
    package var scene: String
    /// The revision.
    package var revision: Int?
    /// What to do with stale routes; nil for the route table's choice, else `drop`.
    package var stale: StalePolicy?
    /// Whether to serve a state older than the app's maximum age.
    package var expired: Bool?

    /// One with these members.
    package init(app: String, scene: String, revision: Int? = nil, stale: StalePolicy? = nil, expired: Bool? = nil) {
      self.app = app
      self.scene = scene
      self.revision = revision
      self.stale = stale
      self.expired = expired
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      scene = try fields.string("scene")
      revision = try fields.optionalInt("revision")
      stale = try fields.optionalChoice("stale")
      expired = try fields.optionalBool("expired")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
      fields.write("revision", revision)
      fields.write("stale", stale)
      fields.write("expired", expired)
    }
  }

  /// What `Restore` answers.
  package struct Reply: WireRecord {
    /// The state: the text of one JSON object, byte for byte.
    package var state: JSONObjectText
    /// The revision.
    package var revision: Int
    /// The scene's newest revision, for `ifRevision`.
    package var newest: Int
    /// When it was saved: RFC 3339 in UTC with milliseconds.
    package var savedAt: String
    /// What did not survive, in the order of the contract.
    package var dropped: [Dropped]
    /// The tabs that were saved with routes and have none now.
    package var emptied: [String]
    /// The kinds that could not be checked.
    package var unverified: [String]

    /// One with these members.
    package init(
      state: JSONObjectText,
      revision: Int,
      newest: Int,
      savedAt: String,
      dropped: [Dropped],
      emptied: [String],
      unverified: [String]
    ) {
      self.state = state
      self.revision = revision
      self.newest = newest
      self.savedAt = savedAt
      self.dropped = dropped
      self.emptied = emptied
      self.unverified = unverified
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      state = try fields.object("state")
      revision = try fields.int("revision")
      newest = try fields.int("newest")
      savedAt = try fields.string("savedAt")
      dropped = try fields.records("dropped")
      emptied = try fields.strings("emptied")
      unverified = try fields.strings("unverified")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("state", state)
      fields.write("revision", revision)
      fields.write("newest", newest)
      fields.write("savedAt", savedAt)
      fields.write("dropped", dropped)
      fields.write("emptied", emptied)
      fields.write("unverified", unverified)
    }
  }
}

/// Checks a state as a restore would, without saving it.
package enum Check: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Check"

  /// What a call of `Check` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The state: the text of one JSON object, byte for byte.
    package var state: JSONObjectText
    /// What to do with stale routes; nil for the route table's choice, else `drop`.
    package var stale: StalePolicy?

    /// One with these members.
    package init(app: String, state: JSONObjectText, stale: StalePolicy? = nil) {
      self.app = app
      self.state = state
      self.stale = stale
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      state = try fields.object("state")
      stale = try fields.optionalChoice("stale")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("state", state)
      fields.write("stale", stale)
    }
  }

  /// What `Check` answers.
  package struct Reply: WireRecord {
    /// The state: the text of one JSON object, byte for byte.
    package var state: JSONObjectText
    /// What did not survive, in the order of the contract.
    package var dropped: [Dropped]
    /// The tabs that were saved with routes and have none now.
    package var emptied: [String]
    /// The kinds that could not be checked.
    package var unverified: [String]

    /// One with these members.
    package init(state: JSONObjectText, dropped: [Dropped], emptied: [String], unverified: [String]) {
      self.state = state
      self.dropped = dropped
      self.emptied = emptied
      self.unverified = unverified
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      state = try fields.object("state")
      dropped = try fields.records("dropped")
      emptied = try fields.strings("emptied")
      unverified = try fields.strings("unverified")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("state", state)
      fields.write("dropped", dropped)
      fields.write("emptied", emptied)
      fields.write("unverified", unverified)
    }
  }
}
