import Foundation
import Synchronization
import TestSupport
import Varlink

/// Listens at a socket and says what a test tells it to, whether or not a daemon would.
final class ScriptedPeer: Sendable {
  /// One connection, for the script to read from and write to.
  struct Connection: Sendable {
    fileprivate let descriptor: Int32
    fileprivate let peer: ScriptedPeer

    /// The next call without its NUL; nil once the other end has closed.
    func nextCall() -> String? {
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) == 1 {
        guard byte != 0 else {
          let call = String(decoding: bytes, as: UTF8.self)
          peer.recorded.withLock { $0.append(call) }
          return call
        }
        bytes.append(byte)
      }
      return nil
    }

    /// Sends text, and the NUL that ends a message.
    func reply(_ text: String) { send(Array(text.utf8) + [0]) }

    /// Sends bytes as they are.
    func send(_ bytes: [UInt8]) {
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

  let path: String
  private let folder = TemporaryFolder()
  private let listener: Descriptor
  private let recorded = Mutex<[String]>([])

  /// The calls that came, in their order.
  var calls: [String] { recorded.withLock { $0 } }

  /// Serves one connection after another, each by the script, until it goes away.
  init(_ script: @escaping @Sendable (Connection) -> Void) throws {
    path = folder.file("s")
    listener = try UnixSocket.listen(path: path, mode: 0o600)
    let number = listener.number
    _ = fcntl(number, F_SETFL, 0)
    let reference = Unmanaged.passRetained(self)
    Thread.detachNewThread {
      let peer = reference.takeUnretainedValue()
      while true {
        let descriptor = accept(number, nil, nil)
        guard descriptor >= 0 else { break }
        script(Connection(descriptor: descriptor, peer: peer))
        close(descriptor)
      }
      reference.release()
    }
  }

  /// Answers each call with the next of some messages, then waits for the end.
  convenience init(replies: [String]) throws {
    try self.init { connection in
      for reply in replies {
        guard connection.nextCall() != nil else { return }
        connection.reply(reply)
      }
      while connection.nextCall() != nil {}
    }
  }

  /// Ends the service.
  func stop() { shutdown(listener.number, Int32(SHUT_RDWR)) }
}
