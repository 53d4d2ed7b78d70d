import JSONText

/// The one answer that a call gets.
///
/// Consuming it answers; a call cannot be answered twice, nor forgotten: dropped, it answers `ServerPolicy.unanswered`.
/// Answers to a peer that is gone, or that called `oneway`, go nowhere.
///
/// What is answered in a turn of the loop is sent at the turn's end, after `EventLoop.didDispatch`.
package struct Responder: ~Copyable {
  private let connection: Connection
  private let serial: UInt64
  /// Someone else answers: a pending reply or a stream.
  private var isHandedOver = false

  init(_ connection: Connection, serial: UInt64) {
    self.connection = connection
    self.serial = serial
  }

  deinit {
    if !isHandedOver { connection.leaveUnanswered(serial) }
  }

  /// Replies.
  ///
  /// - Parameter parameters: one JSON object; not checked.
  package consuming func reply(_ parameters: some Collection<UInt8>) {
    connection.answer(serial) { ReplyFrame.make(parameters) }
  }

  /// Replies without parameters.
  package consuming func reply() { reply("{}".utf8) }

  /// Replies with the parameters that `body` writes: one JSON object.
  package consuming func reply(reserving capacity: Int = 256, _ body: (inout JSONWriter) -> Void) {
    connection.answer(serial) { ReplyFrame.make(reserving: capacity, body) }
  }

  /// Replies with a message that `ReplyFrame.make` made, without copying it.
  package consuming func reply(frame: [UInt8]) { connection.answer(serial) { frame } }

  /// Answers with an error.
  package consuming func fail(_ error: VarlinkError) { connection.answer(serial) { ReplyFrame.make(error) } }

  /// Puts the answer off: it is given through what this returns, in a later turn of the loop.
  package consuming func detach() -> PendingReply {
    isHandedOver = true
    return PendingReply(connection, serial: serial)
  }

  /// Begins a stream of replies, to a call with `more`.
  ///
  /// The connection's next call waits until it ends.
  ///
  /// - Returns: nil where the call was made without `more`: then `ExpectedMore` has been answered.
  package consuming func stream() -> ReplyStream? {
    guard connection.mayStream else {
      fail(.expectedMore)
      return nil
    }
    isHandedOver = true
    return ReplyStream(connection, serial: serial)
  }
}
