import RestoreInterface

/// What to do when a call got no reply in time.
enum Outcome {
  /// Where nothing can have come of it.
  static let tryAgain = "try again, or wait longer with --timeout SECONDS"

  /// Where it was sent: what was to be read is asked for again, what may have been done is looked at first.
  ///
  /// - Parameters:
  ///   - method: its whole name.
  ///   - which: what names the same daemon, app and scene.
  static func unknown(_ method: String, _ which: Which) -> String {
    guard let look = look(method, which) else { return "nothing was changed; \(tryAgain)" }
    return "whether it was done is unknown; look with: restorectl \(look); or repeat the command with a longer "
      + "--timeout"
  }

  /// The command that shows what came of a call; nil: it changes nothing.
  private static func look(_ method: String, _ which: Which) -> String? {
    switch method {
    case Restore.fullName, Check.fullName, ListScenes.fullName, ListRevisions.fullName, ListEntities.fullName,
      ListKinds.fullName, GetRoutes.fullName, ResolveLink.fullName, Watch.fullName, ExportRecords.fullName,
      GetStatus.fullName:
      nil
    case PutEntities.fullName, DeleteEntities.fullName, BeginSync.fullName, EndSync.fullName, ForgetKind.fullName:
      "entities kinds\(which.app)"
    case SetRoutes.fullName: "routes show\(which.app)"
    case CloseScene.fullName, ReopenScene.fullName, ForgetScene.fullName, ResetApp.fullName:
      "scenes\(which.app), and with --closed"
    case ImportRecords.fullName, ForgetUser.fullName: "scenes\(which.daemon) --all-apps"
    default: "history\(which.scene)"
    }
  }
}
