import JSONText

/// An answer that comes in a later turn of the loop.
///
/// The first one given counts, later ones are ignored. It may travel through other threads, but answers are given on
/// the loop's thread only. Dropped unanswered, on whatever thread, it answers `ServerPolicy.unanswered`.
package final class PendingReply: @unchecked Sendable {
  // Only touched on the loop's thread: `deinit`, which may run elsewhere, sends it home.
  private var connection: Connection?
  private let serial: UInt64
  private let mailbox: LoopMailbox

  init(_ connection: Connection, serial: UInt64) {
    self.connection = connection
    self.serial = serial
    mailbox = connection.mailbox
  }

  deinit {
    guard let connection else { return }
    let home = Home(connection: connection, serial: serial)
    mailbox.post { home.connection.leaveUnanswered(home.serial) }
  }

  private struct Home: @unchecked Sendable {
    let connection: Connection
    let serial: UInt64
  }

  /// Whether nobody waits for this answer any more: given already, or the peer is gone.
  package var isMoot: Bool { connection?.isWaiting(for: serial) != true }

  /// Replies.
  ///
  /// - Parameter parameters: one JSON object; not checked.
  package func reply(_ parameters: some Collection<UInt8>) { answer { ReplyFrame.make(parameters) } }

  /// Replies without parameters.
  package func reply() { reply("{}".utf8) }

  /// Replies with the parameters that `body` writes: one JSON object.
  package func reply(reserving capacity: Int = 256, _ body: (inout JSONWriter) -> Void) {
    answer { ReplyFrame.make(reserving: capacity, body) }
  }

  /// Replies with a message that `ReplyFrame.make` made, without copying it.
  package func reply(frame: [UInt8]) { answer { frame } }

  /// Answers with an error.
  package func fail(_ error: VarlinkError) { answer { ReplyFrame.make(error) } }

  private func answer(_ frame: () -> [UInt8]) {
    connection?.answer(serial, frame)
    connection = nil
  }
}
