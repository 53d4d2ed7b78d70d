import RestoreInterface
import Varlink

/// A call of `Watch` that goes on, on a connection of its own.
package final class WatchStream {
  private let client: VarlinkClient

  /// Begins a watch; its first event is still to be taken.
  package init(_ daemon: DaemonProcess, app: String? = nil, scene: String? = nil, after: Int? = nil) throws {
    client = try daemon.client()
    try client.send(Watch.fullName, Watch.Parameters(app: app, scene: scene, after: after).encoded, more: true)
  }

  /// Waits for the next event, in short: `saved 5 app/main`, `entitiesChanged 6 app:card`, `ready 4`.
  ///
  /// - Throws: the `InterfaceError` that ended the watch.
  package func next() throws -> String { try nextEvent().told }

  /// Waits for the next event.
  package func nextEvent() throws -> WatchEvent {
    let reply = try client.receive()
    if let name = reply.error {
      if let error = InterfaceError(name: name, parameters: reply.parameters) { throw error }
      throw VarlinkError(name, parameters: Array(reply.parameters))
    }
    return try Watch.Reply(leniently: reply.parameters).event
  }

  /// Waits for as many events.
  package func next(_ count: Int) throws -> [String] { try (0..<count).map { _ in try next() } }
}

extension WatchEvent {
  /// The event in short.
  package var told: String {
    "\(type.rawValue) \(revision)" + (app.map { " \($0)" } ?? "") + (scene.map { "/\($0)" } ?? "")
      + (kind.map { ":\($0)" } ?? "")
  }
}
