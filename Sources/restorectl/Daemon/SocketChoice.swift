import Glibc
import RestoreInterface

/// Which socket is meant, when several may be.
enum SocketChoice {
  /// The socket's path.
  ///
  /// The one named, else `$RESTORED_SOCKET`, else the user's where there is one, else the system's.
  ///
  /// - Parameter exists: whether there is something at a path.
  static func path(
    named: String?,
    environment: (String) -> String? = Environment.value,
    uid: UInt32 = getuid(),
    exists: (String) -> Bool = { access($0, F_OK) == 0 || errno == EACCES }
  ) -> String {
    SocketPath.choose(named: named, environment: environment, uid: uid, exists: exists)
  }

  /// A command line that starts a daemon at the socket.
  static func start(_ socket: String) -> String { SocketPath.starting(Shown.text(socket)) }
}
