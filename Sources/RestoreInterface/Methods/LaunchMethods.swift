import JSONText
import SceneModel

/// A restore that counts as one launch of the scene.
package enum Launch: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Launch"

  /// What a call of `Launch` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The scene's id.
    package var scene: String
    /// What to do with stale routes; nil for the route table's choice, else `drop`.
    package var stale: StalePolicy?
    /// Whether to serve a state older than the app's maximum age.
    package var expired: Bool?

    /// One with these members.
    package init(app: String, scene: String, stale: StalePolicy? = nil, expired: Bool? = nil) {
      self.app = app
      self.scene = scene
      self.stale = stale
      self.expired = expired
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      scene = try fields.string("scene")
      stale = try fields.optionalChoice("stale")
      expired = try fields.optionalBool("expired")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
      fields.write("stale", stale)
      fields.write("expired", expired)
    }
  }

  /// What `Launch` answers.
  package struct Reply: WireRecord {
    /// The state: the text of one JSON object, byte for byte.
    package var state: JSONObjectText
    /// The revision.
    package var revision: Int
    /// The scene's newest revision, for `ifRevision`.
    package var newest: Int
    /// When it was saved: RFC 3339 in UTC with milliseconds.
    package var savedAt: String?
    /// What did not survive, in the order of the contract.
    package var dropped: [Dropped]
    /// The tabs that were saved with routes and have none now.
    package var emptied: [String]
    /// The kinds that could not be checked.
    package var unverified: [String]
    /// How the launch was answered.
    package var outcome: GuardOutcome
    /// Launches since the last confirmation.
    package var unconfirmedLaunches: Int
    /// What the guard keeps from being launched.
    package var quarantined: [Int]

    /// One with these members.
    package init(
      state: JSONObjectText,
      revision: Int,
      newest: Int,
      savedAt: String? = nil,
      dropped: [Dropped],
      emptied: [String],
      unverified: [String],
      outcome: GuardOutcome,
      unconfirmedLaunches: Int,
      quarantined: [Int]
    ) {
      self.state = state
      self.revision = revision
      self.newest = newest
      self.savedAt = savedAt
      self.dropped = dropped
      self.emptied = emptied
      self.unverified = unverified
      self.outcome = outcome
      self.unconfirmedLaunches = unconfirmedLaunches
      self.quarantined = quarantined
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      state = try fields.object("state")
      revision = try fields.int("revision")
      newest = try fields.int("newest")
      savedAt = try fields.optionalString("savedAt")
      dropped = try fields.records("dropped")
      emptied = try fields.strings("emptied")
      unverified = try fields.strings("unverified")
      outcome = try fields.choice("outcome")
      unconfirmedLaunches = try fields.int("unconfirmedLaunches")
      quarantined = try fields.integers("quarantined")
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
      fields.write("outcome", outcome)
      fields.write("unconfirmedLaunches", unconfirmedLaunches)
      fields.write("quarantined", quarantined)
    }
  }
}

/// Tells that what a launch was served has been shown, and the app lived.
package enum Confirm: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Confirm"

  /// What a call of `Confirm` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The scene's id.
    package var scene: String
    /// The revision.
    package var revision: Int?

    /// One with these members.
    package init(app: String, scene: String, revision: Int? = nil) {
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
      revision = try fields.optionalInt("revision")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
      fields.write("revision", revision)
    }
  }

  /// What `Confirm` answers.
  package typealias Reply = RevisionNumber
}
