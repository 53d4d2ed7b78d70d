import Glibc

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
    if let path = named ?? environment("RESTORED_SOCKET") { return path }
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
      let path = runtime + suffix
      if exists(path) { return path }
    }
    let path = "/run/user/\(uid)" + suffix
    return exists(path) ? path : system
  }

  /// A command line that starts a daemon at the socket.
  static func start(_ socket: String) -> String {
    if socket == system {
      return "systemctl start restored.socket, or your own: systemctl --user start restored.socket"
    }
    let byHand = "restored --socket \(Shown.text(socket))"
    return socket.hasSuffix(suffix) ? "systemctl --user start restored.socket, or: \(byHand)" : byHand
  }

  private static let suffix = "/restored/io.restored"
  private static let system = "/run/restored/io.restored"
}
