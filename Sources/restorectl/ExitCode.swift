/// How the process ends, for scripts to rely on.
///
/// The numbers are those of sysexits(3), and this file is the one place that assigns them.
enum ExitCode: Int32, Sendable {
  /// Done.
  case done = 0
  /// `--exit-code`: something was dropped (`restore`, `check`), or the daemon is degraded (`status`).
  case reported = 1
  /// `restore --launch --exit-code`: the guard served an older or an empty state.
  case guarded = 2
  /// The command line is wrong.
  case usage = 64
  /// What was given to save, check, put or set is wrong, or over whatever limit: the one of connections too.
  case input = 65
  /// There is no such scene or revision, or FILE cannot be read.
  case absent = 66
  /// No daemon at the socket, or one that lacks the method.
  case noDaemon = 69
  /// The daemon's reply breaks the interface.
  case brokenReply = 70
  /// The disk is full or failed: the daemon's, or the one that this process writes to.
  case storage = 74
  /// Try again, after having looked: a conflict, a lapsed sync, a time-out.
  case again = 75
  /// Not permitted.
  case refused = 77
  /// The reader of standard output has gone: what a process that dies of SIGPIPE is reported as.
  case brokenPipe = 141

  /// What `--json` calls an error that this program found; scripts may rely on it as on the number.
  var errorName: String {
    switch self {
    case .done, .reported, .guarded, .brokenPipe: "restorectl.None"
    case .usage: "restorectl.WrongUsage"
    case .input: "restorectl.WrongInput"
    case .absent: "restorectl.NotFound"
    case .noDaemon: "restorectl.NoDaemon"
    case .brokenReply: "restorectl.BrokenReply"
    case .storage: "restorectl.WriteFailed"
    case .again: "restorectl.TimedOut"
    case .refused: "restorectl.NotPermitted"
    }
  }

  /// The exit code of an error that the daemon replied with.
  ///
  /// - Parameter error: the error's whole name, with its interface.
  /// - Returns: `brokenReply` for an error that the interface does not declare.
  static func of(error: String) -> ExitCode {
    switch error {
    case "io.restored.InvalidState", "io.restored.InvalidRoutes", "io.restored.InvalidRecord",
      "io.restored.LimitExceeded", "io.restored.NoMatchingLink", "org.varlink.service.InvalidParameter":
      .input
    case "io.restored.SceneNotFound", "io.restored.RevisionNotFound", "io.restored.SceneExpired": .absent
    case "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound",
      "org.varlink.service.MethodNotImplemented":
      .noDaemon
    case "io.restored.StorageFull", "io.restored.StorageFailed", "io.restored.QuotaExceeded": .storage
    case "io.restored.RevisionConflict", "io.restored.SyncNotFound", "io.restored.WatchBehind": .again
    case "org.varlink.service.PermissionDenied": .refused
    default: .brokenReply
    }
  }
}
