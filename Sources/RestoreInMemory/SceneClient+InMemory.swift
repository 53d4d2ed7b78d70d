public import RestoreClient

extension SceneClient {
  /// A client without a daemon, for tests and previews: the daemon's own service, in this process and for it alone.
  ///
  /// All rules hold, with the same results and errors, watches too; what is kept is gone with the last copy of the
  /// client, or with the process. Calls of this client see nothing of another one's.
  ///
  /// - Parameter app: as for `SceneClient.init`.
  public static func inMemory(app: String) -> SceneClient {
    SceneClient(app: app, MemoryConnector(), timeout: patience)
  }

  /// Nothing on the way can be lost, so that only a machine that is very busy keeps a test waiting.
  private static let patience = Duration.seconds(600)
}
