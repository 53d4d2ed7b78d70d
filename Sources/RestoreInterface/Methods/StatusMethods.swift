import JSONText
import SceneModel

/// Tells how the daemon is.
package enum GetStatus: InterfaceMethod {
  /// The name in the interface.
  package static let name = "GetStatus"

  /// What a call of `GetStatus` takes.
  package typealias Parameters = NoMembers

  /// What `GetStatus` answers.
  package struct Reply: WireRecord {
    /// The version of the daemon.
    package var version: String
    /// Whether all is well.
    package var health: Health
    /// One sentence for each problem, with what to do.
    package var problems: [String]
    /// Seconds since the start.
    package var uptimeSeconds: Int
    /// Open connections.
    package var connections: Int
    /// How many scenes.
    package var scenes: Int
    /// How many entities.
    package var entities: Int
    /// The newest revision that was given out.
    package var revision: Int
    /// When the newest save was made; nil before the first.
    package var lastSaveAt: String?
    /// Bytes of the database file.
    package var databaseBytes: Int
    /// Bytes of its write-ahead log.
    package var walBytes: Int
    /// The quota in bytes; nil where there is none.
    package var quotaBytes: Int?
    /// Bytes of states and ids.
    package var usedBytes: Int
    /// Saves since the start.
    package var saves: Int
    /// Restores since the start.
    package var restores: Int
    /// Routes dropped by restores since the start.
    package var droppedRoutes: Int

    /// One with these members.
    package init(
      version: String,
      health: Health,
      problems: [String],
      uptimeSeconds: Int,
      connections: Int,
      scenes: Int,
      entities: Int,
      revision: Int,
      lastSaveAt: String? = nil,
      databaseBytes: Int,
      walBytes: Int,
      quotaBytes: Int? = nil,
      usedBytes: Int,
      saves: Int,
      restores: Int,
      droppedRoutes: Int
    ) {
      self.version = version
      self.health = health
      self.problems = problems
      self.uptimeSeconds = uptimeSeconds
      self.connections = connections
      self.scenes = scenes
      self.entities = entities
      self.revision = revision
      self.lastSaveAt = lastSaveAt
      self.databaseBytes = databaseBytes
      self.walBytes = walBytes
      self.quotaBytes = quotaBytes
      self.usedBytes = usedBytes
      self.saves = saves
      self.restores = restores
      self.droppedRoutes = droppedRoutes
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      version = try fields.string("version")
      health = try fields.choice("health")
      problems = try fields.strings("problems")
      uptimeSeconds = try fields.int("uptimeSeconds")
      connections = try fields.int("connections")
      scenes = try fields.int("scenes")
      entities = try fields.int("entities")
      revision = try fields.int("revision")
      lastSaveAt = try fields.optionalString("lastSaveAt")
      databaseBytes = try fields.int("databaseBytes")
      walBytes = try fields.int("walBytes")
      quotaBytes = try fields.optionalInt("quotaBytes")
      usedBytes = try fields.int("usedBytes")
      saves = try fields.int("saves")
      restores = try fields.int("restores")
      droppedRoutes = try fields.int("droppedRoutes")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("version", version)
      fields.write("health", health)
      fields.write("problems", problems)
      fields.write("uptimeSeconds", uptimeSeconds)
      fields.write("connections", connections)
      fields.write("scenes", scenes)
      fields.write("entities", entities)
      fields.write("revision", revision)
      fields.write("lastSaveAt", lastSaveAt)
      fields.write("databaseBytes", databaseBytes)
      fields.write("walBytes", walBytes)
      fields.write("quotaBytes", quotaBytes)
      fields.write("usedBytes", usedBytes)
      fields.write("saves", saves)
      fields.write("restores", restores)
      fields.write("droppedRoutes", droppedRoutes)
    }
  }
}
