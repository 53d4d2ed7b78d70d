import RestoreInterface

/// Which socket a client connects to.
struct SocketChoice: Sendable {
  private let named: String?

  /// The socket at `path`; nil: the one that is there when it is looked for.
  init(named path: String?) { named = path }

  /// The socket's path.
  ///
  /// Chosen anew each time: an app may be there before its daemon's socket.
  var path: String { SocketPath.choose(named: named) }
}
