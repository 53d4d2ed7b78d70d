import JSONText
import SceneModel

/// Lists a user's scenes.
package enum ListScenes: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ListScenes"

  /// What a call of `ListScenes` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String?
    /// Whether closed scenes are meant.
    package var closed: Bool?

    /// One with these members.
    package init(app: String? = nil, closed: Bool? = nil) {
      self.app = app
      self.closed = closed
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.optionalString("app")
      closed = try fields.optionalBool("closed")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("closed", closed)
    }
  }

  /// What `ListScenes` answers.
  package struct Reply: WireRecord {
    /// The scenes, last saved first.
    package var scenes: [SceneEntry]

    /// One with these members.
    package init(scenes: [SceneEntry]) {
      self.scenes = scenes
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      scenes = try fields.records("scenes")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("scenes", scenes)
    }
  }
}

/// Takes a scene out of the list, and keeps it.
package enum CloseScene: InterfaceMethod {
  /// The name in the interface.
  package static let name = "CloseScene"

  /// What a call of `CloseScene` takes.
  package typealias Parameters = SceneAddress

  /// What `CloseScene` answers.
  package typealias Reply = NoMembers
}

/// Takes a closed scene back into the list.
package enum ReopenScene: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ReopenScene"

  /// What a call of `ReopenScene` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The scene's id; nil asks for the one closed last.
    package var scene: String?

    /// One with these members.
    package init(app: String, scene: String? = nil) {
      self.app = app
      self.scene = scene
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      scene = try fields.optionalString("scene")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
    }
  }

  /// What `ReopenScene` answers.
  package struct Reply: WireRecord {
    /// The scene's id; nil asks for the one closed last.
    package var scene: String

    /// One with these members.
    package init(scene: String) {
      self.scene = scene
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      scene = try fields.string("scene")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("scene", scene)
    }
  }
}

/// Erases a scene and its history.
package enum ForgetScene: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ForgetScene"

  /// What a call of `ForgetScene` takes.
  package typealias Parameters = SceneAddress

  /// What `ForgetScene` answers.
  package typealias Reply = NoMembers
}

/// Erases every scene of an app, and its entities: logout.
package enum ResetApp: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ResetApp"

  /// What a call of `ResetApp` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// Whether the entities stay.
    package var keepEntities: Bool?

    /// One with these members.
    package init(app: String, keepEntities: Bool? = nil) {
      self.app = app
      self.keepEntities = keepEntities
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      keepEntities = try fields.optionalBool("keepEntities")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("keepEntities", keepEntities)
    }
  }

  /// What `ResetApp` answers.
  package typealias Reply = SceneCount
}

/// Erases all that a user owns.
package enum ForgetUser: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ForgetUser"

  /// What a call of `ForgetUser` takes.
  package struct Parameters: WireRecord {
    /// The user whose data goes.
    package var uid: Int

    /// One with these members.
    package init(uid: Int) {
      self.uid = uid
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      uid = try fields.int("uid")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("uid", uid)
    }
  }

  /// What `ForgetUser` answers.
  package typealias Reply = SceneCount
}
