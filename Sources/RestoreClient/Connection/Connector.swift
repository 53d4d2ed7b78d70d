import Varlink

/// Where a client finds its daemon.
package protocol Connector: Sendable {
  /// What messages call it: the socket's path.
  var place: String { get }

  /// Connects, without waiting; the connection is non-blocking.
  ///
  /// - Throws: `timedOut` where it is to be tried again in a moment; else why there is none.
  func connect() throws(VarlinkClientError) -> Descriptor
}

extension VarlinkChannel {
  /// Connects, and begins to read; as `init`.
  static func connect(
    _ connector: any Connector,
    on loop: EventLoop,
    onEvent: @escaping (Event) -> Void
  ) throws(VarlinkClientError) -> VarlinkChannel {
    let socket = try connector.connect()
    do throws(SystemFault) { return try VarlinkChannel(socket, on: loop, onEvent: onEvent) } catch {
      throw .system(error)
    }
  }
}
