import RestoreClient
import RestoreInterface
import TestSupport
import Varlink

/// Stands between a client and the real daemon, and breaks the connection at the calls that a test names.
final class LossyProxy: Sendable {
  /// What becomes of a call.
  enum Fate: Sendable {
    /// It goes to the daemon, and the reply comes back.
    case answered
    /// It never reaches the daemon, and the connection breaks.
    case lostBefore
    /// The daemon carries it out, and the connection breaks before the reply.
    case lostAfter
    /// It is kept from the daemon, and nothing comes, until the client gives up.
    case held
    /// As the case of that name, and before the client is back somebody else acts.
    case lostBeforeThen(@Sendable (VarlinkClient) throws -> Void)
    case lostAfterThen(@Sendable (VarlinkClient) throws -> Void)
  }

  private let peer: ScriptedPeer

  /// The socket to connect to.
  var socket: String { peer.path }
  /// The calls that came, in their order.
  var calls: [String] { peer.calls }

  /// - Parameter fates: by a word, as a method's name, of the first calls that hold it; all others are answered.
  init(_ daemon: DaemonProcess, _ fates: [String: [Fate]]) throws {
    let box = FateBox(fates)
    let path = daemon.socket
    peer = try ScriptedPeer { connection in
      guard let client = try? VarlinkClient(path: path) else { return }
      while let call = connection.nextCall() {
        guard Self.serve(call, box.next(call), client, connection) else { return }
      }
    }
  }

  private final class FateBox: Sendable {
    private let left: Locked<[String: [Fate]]>

    init(_ fates: [String: [Fate]]) { left = Locked(fates) }

    func next(_ call: String) -> Fate {
      left.withLock { left in
        for name in left.keys where call.contains(name) && left[name]?.isEmpty == false {
          return left[name]?.removeFirst() ?? .answered
        }
        return .answered
      }
    }
  }

  /// Serves one call; false: the connection is to break.
  private static func serve(
    _ call: String,
    _ fate: Fate,
    _ client: VarlinkClient,
    _ connection: ScriptedPeer.Connection
  ) -> Bool {
    func carryOut() -> VarlinkReply? {
      try? client.send(frame: Array(call.utf8) + [0])
      return try? client.receive()
    }
    switch fate {
    case .answered:
      guard let reply = carryOut() else { return false }
      let text = String(decoding: reply.parameters, as: UTF8.self)
      let error = reply.error.map { "\"error\":\"\($0)\"," } ?? ""
      connection.reply("{\(error)\"parameters\":\(text)}")
      return true
    case .lostBefore: break
    case .held: while connection.nextCall() != nil {}
    case .lostAfter: _ = carryOut()
    case .lostBeforeThen(let act): try? act(client)
    case .lostAfterThen(let act):
      _ = carryOut()
      try? act(client)
    }
    return false
  }
}
