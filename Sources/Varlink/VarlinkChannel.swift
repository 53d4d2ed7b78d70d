import CLinux
import Glibc

/// The client's end of a connection on an event loop: messages go out and come in, and nothing waits.
///
/// It knows no calls: which reply is whose is for whoever owns it to say. Confined to the loop's thread.
package final class VarlinkChannel: EventHandler {
  /// What happens on a channel.
  package enum Event {
    /// A whole message came, without its NUL.
    case message(ArraySlice<UInt8>)
    /// The connection has ended; nothing comes after this.
    case ended(VarlinkClientError)
  }

  private static let chunkBytes = 64 << 10

  private let loop: EventLoop
  private let socket: Descriptor
  private let onEvent: (Event) -> Void
  private var input = FrameBuffer()
  private var output = OutputBuffer()
  private var interest: EventSet = .readable
  private var isClosed = false

  /// Whether what comes is read.
  ///
  /// While it is not, the other end has to wait, and an end of the connection may go unnoticed.
  package var isReading = true {
    didSet { if !isClosed { update() } }
  }

  /// Takes a connected, non-blocking socket over, and begins to read.
  ///
  /// - Parameter onEvent: called on the loop's thread; it may send and close. Kept until the channel has closed.
  /// - Throws: what epoll_ctl(2) says; the socket is closed then.
  package init(
    _ connected: consuming Descriptor,
    on loop: EventLoop,
    onEvent: @escaping (Event) -> Void
  ) throws(SystemFault) {
    socket = connected
    self.loop = loop
    self.onEvent = onEvent
    try loop.add(socket.number, interest, self)
  }

  /// Sends a message, its NUL included: as much at once as the kernel takes, the rest as the other end reads.
  package func send(_ frame: consuming [UInt8]) {
    guard !isClosed else { return }
    output.append(frame)
    flush()
  }

  /// Closes the connection; nothing more is told of it.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.remove(socket.number)
    // The number is the kernel's again only when the last reference goes: the other end is told now.
    shutdown(socket.number, Int32(SHUT_RDWR))
    output.removeAll()
    input = FrameBuffer()
  }

  /// Reads and writes what can be.
  package func ready(_ events: EventSet) {
    if events.contains(.writable) { flush() }
    if !isClosed, !events.isDisjoint(with: [.readable, .hungUp, .failed]) { read() }
  }

  private func flush() {
    if case .failed(let code) = output.send(to: socket.number) {
      // What the other end sent before it hung up says why: it is still there to be read.
      output.removeAll()
      if code != EPIPE && code != ECONNRESET { return end(.system(SystemFault("send", code: code))) }
    }
    if !isClosed { update() }
  }

  private func update() {
    var wanted: EventSet = []
    if isReading { wanted.insert(.readable) }
    if output.count > 0 { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    loop.modify(socket.number, wanted)
  }

  private func read() {
    let count = withUnsafeTemporaryAllocation(byteCount: Self.chunkBytes, alignment: 16) { chunk in
      let count = clinux_receive(socket.number, chunk.baseAddress, chunk.count)
      if count > 0 { input.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
      return count
    }
    if count > 0 { return take() }
    if count == 0 || errno == ECONNRESET { return end(.closed) }
    if errno != EAGAIN && errno != EINTR { end(.system(SystemFault("recv"))) }
  }

  private func take() {
    while !isClosed, let message = input.next() { onEvent(.message(message)) }
    guard !isClosed, input.partial.count > VarlinkClient.maximumReplyBytes else { return }
    end(.replyTooLarge(maximum: VarlinkClient.maximumReplyBytes))
  }

  private func end(_ error: VarlinkClientError) {
    guard !isClosed else { return }
    close()
    onEvent(.ended(error))
  }
}
