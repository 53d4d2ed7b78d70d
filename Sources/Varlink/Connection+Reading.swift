import CLinux
import Glibc

/// What comes in on a connection.
extension Connection {
  /// Pieces read at once of a large message.
  private static let piecesAtOnce = 4

  /// Acts on what has happened on the descriptor.
  func look(at events: EventSet) {
    if events.contains(.writable) { flush() }
    if isClosed { return }
    if case .lingering = phase { return discard() }
    if !events.isDisjoint(with: [.hungUp, .failed]) && !isReading { return peerIsGone() }
    guard !events.isDisjoint(with: [.readable, .hungUp, .failed]) else { return }
    // Not asked for beforehand: most peers wait for their reply, and each change is a system call.
    guard isReading else {
      if mayBegin && !hasRoom { waitForRoom() }
      return setInterest(interest.subtracting(.readable))
    }
    readPieces()
    guard staysNewcomer() else { return scheduleResume() }
    process()
  }

  /// Reads on while a large message comes in, as far as there is time.
  private func readPieces() {
    for _ in 0..<(isQuick || isNewcomer ? 1 : Self.piecesAtOnce) where isOpen {
      guard read(), !input.hasMessage(), !isTooLong else { return }
      // The rest of a large message comes in time to spare.
      standing = min(standing, -1)
    }
  }

  /// Whether the user's tally lets it begin a call.
  private var hasRoom: Bool { user.hasRoom(for: claim) }

  /// Whether the peer's next bytes are wanted.
  private var isReading: Bool { mayBegin && hasRoom && !inputEnded && !input.hasMessage() && !isTooLong }

  /// Whether what has been read is longer than a message may be, and still is to be refused.
  private var isTooLong: Bool { input.count > server.policy.limits.messageBytes }

  /// Whether a call can be begun.
  private var mayBegin: Bool {
    guard isOpen, output.count <= server.policy.limits.unreadBytes else { return false }
    guard let last = calls.last else { return true }
    return last.mayOverlap && held == nil && calls.count < server.policy.limits.overlappingCalls
      && !server.isOverdue
  }

  /// The peer closed its end while a call of it is being worked on, or replies lie unread.
  ///
  /// A stream ends; else what it has sent already is done all the same, in `process`.
  private func peerIsGone() {
    breakOutput()
    if stream != nil || !isOpen { return close() }
    server.loop.remove(descriptor)
    isOrphan = true
    if !isBusy { scheduleResume() }
  }

  /// Reads once.
  ///
  /// - Returns: whether there may be more.
  @discardableResult
  private func read() -> Bool {
    let count = receive()
    if count > 0 {
      input.append(UnsafeRawBufferPointer(rebasing: server.scratch[..<count]))
      server.received(count, on: self)
      return count == server.scratch.count
    }
    if count == 0 { inputEnded = true }
    if count < 0 && errno != EAGAIN {
      // It has closed its end with replies unread; what it had sent before that was read.
      inputEnded = true
      if !isOrphan { peerIsGone() }
    }
    return false
  }

  private func receive() -> Int {
    while true {
      let count = clinux_receive(descriptor, server.scratch.baseAddress, server.scratch.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private func discard() {
    let count = receive()
    if count == 0 || (count < 0 && errno != EAGAIN) { close() }
  }

  /// Begins the calls that are there, one after the other, as far as they are answered at once.
  func process() {
    guard !isProcessing else { return }
    if server.isOverdue && !isBusy { return closeWhenSent(lingering: false) }
    isProcessing = true
    var began: Int64?
    let limits = server.policy.limits
    let quick = Int64(limits.quickMicroseconds) * 1_000
    var budget = limits.callsPerTurn
    while budget > 0, mayBegin, hasRoom, let frame = nextMessage() {
      budget -= 1
      let start = began ?? SteadyClock.nanoseconds()
      began = start
      guard server.dispatch(frame, on: self) else {
        held = frame
        break
      }
      user.unfinishedBytes -= frame.count + 1
      keepWorking(on: frame.count)
      let tookLong = SteadyClock.nanoseconds() - start > quick
      rate(wereLong: tookLong && server.loop.hasWorked(nanoseconds: quick))
      if tookLong { break }
    }
    isProcessing = false
    settle()
  }

  private func nextMessage() -> ArraySlice<UInt8>? {
    if let frame = held {
      held = nil
      return frame
    }
    // A refusal comes after the replies to all calls before it.
    if isBusy && isTooLong { return nil }
    if let frame = input.next() {
      guard frame.count > server.policy.limits.messageBytes else { return frame }
      user.unfinishedBytes -= frame.count + 1
      refuse(tooLarge: frame)
      return nil
    }
    if isTooLong { refuse(tooLarge: input.partial) }
    return nil
  }

  private func refuse(tooLarge message: ArraySlice<UInt8>) {
    if CallEnvelope.wantsReply(beginning: message) {
      send(ReplyFrame.make(server.policy.beyond(.message, server.policy.limits.messageBytes, message.count)))
    }
    closeWhenSent(lingering: true)
  }

  /// Decides what to wait for, once no more calls can be begun.
  private func settle() {
    if server.isStopping && stream != nil { return close() }
    guard mayBegin else { return }
    guard hasRoom else { return waitForRoom() }
    if input.hasMessage() { return isBusy && isTooLong ? () : scheduleResume() }
    if (isOrphan || server.isStopping) && !inputEnded {
      // The last look at what has been sent: the loop does not tell any more, or nothing sent later counts.
      if !read() { inputEnded = true }
      return isClosed ? () : scheduleResume()
    }
    if inputEnded { return isBusy ? () : closeWhenSent(lingering: false) }
    setInterest(interest.union(.readable))
  }
}
