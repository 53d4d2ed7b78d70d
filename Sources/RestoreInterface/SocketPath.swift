import Glibc

/// Where daemons listen, by agreement; nothing here opens anything.
package enum SocketPath {
  /// The end of the path of a user's own socket, below the runtime folder.
  package static let suffix = "/restored/io.restored"
  /// The socket of a daemon that serves all users.
  package static let system = "/run/restored/io.restored"

  /// The socket that is meant, when several may be.
  ///
  /// The one named, else `$RESTORED_SOCKET`, else the user's where there is one, else the system's.
  ///
  /// - Parameters:
  ///   - named: a path that was asked for; nil: none was.
  ///   - environment: the value of a variable.
  ///   - uid: whose socket.
  ///   - exists: whether there is something at a path.
  package static func choose(
    named: String?,
    environment: (String) -> String? = variable,
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

  /// A command line that starts a daemon at a socket.
  package static func starting(_ socket: String) -> String {
    if socket == system {
      return "systemctl start restored.socket, or your own: systemctl --user start restored.socket"
    }
    let byHand = "restored --socket \(socket)"
    return socket.hasSuffix(suffix) ? "systemctl --user start restored.socket, or: \(byHand)" : byHand
  }

  /// The value of an environment variable; nil: not set, set to nothing, or no UTF-8.
  package static func variable(_ name: String) -> String? {
    guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
    return String(validatingCString: pointer)
  }
}
