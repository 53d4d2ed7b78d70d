import RestoreInterface
import Varlink

/// The socket that a client connects to.
///
/// Chosen anew each time: an app may be there before its daemon's socket.
struct SocketChoice: Connector {
  /// The longest that connecting may block the thread of all clients, in milliseconds.
  private static let milliseconds = 1

  private let named: String?

  /// The socket at `path`; nil: the one that is there when it is looked for.
  init(named path: String?) { named = path }

  var place: String { SocketPath.choose(named: named) }

  func connect() throws(VarlinkClientError) -> Descriptor {
    let path = place
    do throws(SystemFault) {
      return try UnixSocket.connect(path: path, timeoutMilliseconds: Self.milliseconds)
    } catch { throw VarlinkClientError(connecting: error, to: path) }
  }
}
