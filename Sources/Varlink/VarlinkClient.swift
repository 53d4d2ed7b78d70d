import CLinux
import Glibc

/// A connection to a service, for one thread, whose calls block.
///
/// Calls may be sent ahead of their replies (`send`, `send`, `receive`, `receive`): replies come in the order of the
/// calls. After an error that is thrown, no more calls can be sent.
package final class VarlinkClient {
  /// The longest reply taken, without its NUL.
  package static let maximumReplyBytes = 64 << 20
  private static let chunkBytes = 64 << 10

  /// Milliseconds that each wait for the other end may take; nil: for ever.
  package var timeoutMilliseconds: Int?

  private let socket: Descriptor
  private var input = FrameBuffer()

  /// Connects to the service at `path`.
  ///
  /// - Throws: `missing`, `refused`, `notPermitted`, `timedOut` or `system`.
  package init(path: String, timeoutMilliseconds: Int? = 10_000) throws(VarlinkClientError) {
    do throws(SystemFault) {
      socket = try UnixSocket.connect(path: path, timeoutMilliseconds: timeoutMilliseconds)
    } catch { throw VarlinkClientError(connecting: error, to: path) }
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  /// Takes a connected socket over.
  package init(_ connected: consuming Descriptor, timeoutMilliseconds: Int? = 10_000) {
    socket = connected
    self.timeoutMilliseconds = timeoutMilliseconds
    _ = clinux_set_nonblocking(socket.number)
  }

  /// The socket, to wait on it beside others.
  package var descriptor: Int32 { socket.number }

  /// Calls a method and waits for its reply; with `more`, for the first one.
  ///
  /// - Parameters:
  ///   - method: the qualified name.
  ///   - parameters: one JSON object; not checked.
  package func call(
    _ method: String,
    _ parameters: some Collection<UInt8> = "{}".utf8,
    more: Bool = false
  ) throws(VarlinkClientError) -> VarlinkReply {
    do throws(VarlinkClientError) { try send(method, parameters, more: more) } catch {
      // A service that hangs up on a call has said why, if it could.
      guard error == .closed else { throw error }
    }
    return try receive()
  }

  /// Sends a call and does not wait for its reply; to `oneway` there is none.
  ///
  /// Blocks while the service does not read. Replies that come meanwhile are kept for `receive`, also those before a
  /// `closed` that is thrown.
  package func send(
    _ method: String,
    _ parameters: some Collection<UInt8> = "{}".utf8,
    more: Bool = false,
    oneway: Bool = false
  ) throws(VarlinkClientError) {
    try send(frame: CallFrame.make(method, parameters, more: more, oneway: oneway))
  }

  /// Sends bytes as they are.
  package func send(frame: [UInt8]) throws(VarlinkClientError) {
    var sent = 0
    while sent < frame.count {
      let count = frame.withUnsafeBytes { clinux_send(socket.number, $0.baseAddress! + sent, $0.count - sent, nil, 0) }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        // A service that waits for its replies to be read reads no more: take them in, or both wait for ever.
        let ready = try wait(for: Int16(POLLIN | POLLOUT))
        if ready & Int16(POLLIN) != 0 { try fill() }
      } else if errno != EINTR {
        throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(SystemFault("send"))
      }
    }
  }

  /// Waits for the next reply.
  ///
  /// - Throws: `timedOut`, `closed`, `replyTooLarge` or `malformedReply`.
  package func receive() throws(VarlinkClientError) -> VarlinkReply {
    while true {
      if let frame = input.next() { return try VarlinkReply(frame) }
      guard input.partial.count <= Self.maximumReplyBytes else {
        throw .replyTooLarge(maximum: Self.maximumReplyBytes)
      }
      try fill()
    }
  }

  /// Tells the service that no more calls come.
  ///
  /// Replies can still be received.
  package func finishSending() { shutdown(socket.number, Int32(SHUT_WR)) }

  /// Reads what is there, after waiting for something.
  private func fill() throws(VarlinkClientError) {
    let result: Result<Void, VarlinkClientError> = withUnsafeTemporaryAllocation(
      byteCount: Self.chunkBytes,
      alignment: 16
    ) { chunk in
      do throws(VarlinkClientError) { return .success(try fill(through: chunk)) } catch { return .failure(error) }
    }
    try result.get()
  }

  private func fill(through chunk: UnsafeMutableRawBufferPointer) throws(VarlinkClientError) {
    while true {
      let count = clinux_receive(socket.number, chunk.baseAddress, chunk.count)
      if count > 0 { return input.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
      if count == 0 || errno == ECONNRESET { throw .closed }
      if errno == EAGAIN {
        _ = try wait(for: Int16(POLLIN))
      } else if errno != EINTR {
        throw .system(SystemFault("recv"))
      }
    }
  }

  /// Waits until one of the events has happened; an end or an error of the connection counts.
  private func wait(for events: Int16) throws(VarlinkClientError) -> Int16 {
    let deadline = timeoutMilliseconds.map { Self.now() + $0 }
    while true {
      var entry = pollfd(fd: socket.number, events: events, revents: 0)
      let remaining = deadline.map { max(0, $0 - Self.now()) } ?? -1
      let count = poll(&entry, 1, Int32(clamping: remaining))
      if count > 0 { return entry.revents }
      if count == 0 { throw .timedOut }
      guard errno == EINTR else { throw .system(SystemFault("poll")) }
    }
  }

  private static func now() -> Int { Int(SteadyClock.nanoseconds() / 1_000_000) }
}
