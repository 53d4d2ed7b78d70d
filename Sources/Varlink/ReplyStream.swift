/// Replies to one call with `more`, until it is finished or the peer goes.
///
/// Confined to the loop's thread. Dropped unfinished, it answers `ServerPolicy.unanswered`.
package final class ReplyStream {
  /// Called once, in the loop's next turn, when the peer goes, or the server stops, before the stream was finished.
  ///
  /// Nothing can be sent then.
  package var onClose: (() -> Void)?
  /// Called, in time to spare, when all that was sent has gone out: time to send more, for who waits for room.
  package var onDrain: (() -> Void)?

  private let connection: Connection
  let serial: UInt64

  init(_ connection: Connection, serial: UInt64) {
    self.connection = connection
    self.serial = serial
    connection.stream = self
  }

  deinit { connection.leaveUnanswered(serial) }

  /// Whether nothing can be sent any more: finished, or the peer is gone.
  package var isClosed: Bool { !connection.isWaiting(for: serial) }

  /// Bytes that wait for the peer to read them.
  ///
  /// Who sends without looking at it is cut off at `ServerLimits.streamBytes`.
  package var pendingBytes: Int { connection.unsentBytes }

  /// Who reads the stream.
  package var peer: Peer { connection.peer }

  /// Sends one reply of several.
  ///
  /// - Parameter parameters: one JSON object; not checked.
  package func send(_ parameters: some Collection<UInt8>) {
    send(frame: ReplyFrame.make(parameters, continues: true))
  }

  /// Sends a message that `ReplyFrame.make` made with `continues`; the same one can go out on many streams.
  package func send(frame: [UInt8]) { connection.send(frame, onStream: serial) }

  /// Sends the last reply.
  package func finish(_ parameters: some Collection<UInt8>) { end(ReplyFrame.make(parameters)) }

  /// Ends the stream with an error.
  package func fail(_ error: VarlinkError) { end(ReplyFrame.make(error)) }

  private func end(_ frame: [UInt8]) {
    onClose = nil
    onDrain = nil
    connection.answer(serial) { frame }
  }

  func closed() {
    let callback = onClose
    onClose = nil
    onDrain = nil
    callback?()
  }
}
