import CLinux
import Foundation
import Varlink

/// Listens at a socket and says what a test tells it to, whether or not a daemon would.
package final class ScriptedPeer: Sendable {
  /// One connection, for the script to read from and write to.
  package final class Connection {
    private let descriptor: Int32
    private let peer: ScriptedPeer
    private var pending: [UInt8] = []

    fileprivate init(descriptor: Int32, peer: ScriptedPeer) {
      self.descriptor = descriptor
      self.peer = peer
    }

    /// The next call without its NUL; nil once the other end has closed.
    package func nextCall() -> String? {
      var scanned = 0
      while true {
        if let end = pending[scanned...].firstIndex(of: 0) {
          let call = String(decoding: pending[..<end], as: UTF8.self)
          pending.removeSubrange(...end)
          peer.recorded.withLock { $0.append(call) }
          return call
        }
        scanned = pending.count
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return nil }
        pending += piece[..<count]
      }
    }

    /// Sends text, and the NUL that ends a message.
    package func reply(_ text: String) { send(Array(text.utf8) + [0]) }

    /// Sends bytes as they are.
    package func send(_ bytes: [UInt8]) {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return }
        sent += count
      }
    }
  }

  /// Where it listens.
  package let path: String
  private let folder = TemporaryFolder()
  private let listener: Descriptor
  private let recorded = Locked<[String]>([])

  /// The calls that came, in their order.
  package var calls: [String] { recorded.withLock { $0 } }

  /// Serves one connection after another, each by the script, until it goes away.
  package init(_ script: @escaping @Sendable (Connection) -> Void) throws {
    path = folder.file("s")
    listener = try UnixSocket.listen(path: path, mode: 0o600)
    let number = listener.number
    _ = fcntl(number, F_SETFL, 0)
    let reference = Unmanaged.passRetained(self)
    Thread.detachNewThread {
      let peer = reference.takeUnretainedValue()
      while true {
        // Closed in children: one that a test starts meanwhile would else hold a connection that the script hangs up.
        let descriptor = clinux_accept(number)
        guard descriptor >= 0 else { break }
        _ = fcntl(descriptor, F_SETFL, 0)
        script(Connection(descriptor: descriptor, peer: peer))
        close(descriptor)
      }
      reference.release()
    }
  }

  /// Answers each call with the next of some messages, then waits for the end.
  package convenience init(replies: [String]) throws {
    try self.init { connection in
      for reply in replies {
        guard connection.nextCall() != nil else { return }
        connection.reply(reply)
      }
      while connection.nextCall() != nil {}
    }
  }

  /// Ends the service.
  package func stop() { shutdown(listener.number, Int32(SHUT_RDWR)) }
}
