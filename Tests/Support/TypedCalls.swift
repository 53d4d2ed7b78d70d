import JSONText
import RestoreInterface
import Varlink

extension VarlinkClient {
  /// Calls a method of `io.restored` and waits for its reply.
  ///
  /// - Throws: the reply's `InterfaceError`, or a `VarlinkError` where the error is another interface's.
  package func call<M: InterfaceMethod>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
    let reply = try call(M.fullName, parameters.encoded)
    if let name = reply.error {
      if let error = InterfaceError(name: name, parameters: reply.parameters) { throw error }
      throw VarlinkError(name, parameters: Array(reply.parameters))
    }
    return try M.Reply(leniently: reply.parameters)
  }

  /// Saves a state given as JSON text.
  @discardableResult package func save(
    _ state: String,
    app: String = "app",
    scene: String = "main",
    ifRevision: Int? = nil,
    autosave: Bool? = nil
  ) throws -> Save.Reply {
    try call(
      Save.self,
      Save.Parameters(
        app: app,
        scene: scene,
        state: JSONObjectText(state.utf8),
        ifRevision: ifRevision,
        autosave: autosave
      )
    )
  }

  /// Restores a scene.
  package func restore(
    app: String = "app",
    scene: String = "main",
    revision: Int? = nil
  ) throws -> Restore.Reply {
    try call(Restore.self, Restore.Parameters(app: app, scene: scene, revision: revision))
  }

  /// Puts entities.
  @discardableResult package func put(_ kind: String, _ ids: [String], app: String = "app") throws -> Int {
    try call(PutEntities.self, PutEntities.Parameters(app: app, kind: kind, ids: ids)).added
  }

  /// Deletes entities.
  @discardableResult package func delete(_ kind: String, _ ids: [String], app: String = "app") throws -> Int {
    try call(DeleteEntities.self, DeleteEntities.Parameters(app: app, kind: kind, ids: ids)).deleted
  }

  /// How many connections the daemon has open, this one too.
  package func openConnections() throws -> Int { try call(GetStatus.self, GetStatus.Parameters()).connections }
}

extension Restore.Reply {
  /// The state as text.
  package var text: String { String(decoding: state.bytes, as: UTF8.self) }
}
