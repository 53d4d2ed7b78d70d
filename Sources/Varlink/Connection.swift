import CLinux
import Glibc

/// One peer: its messages in, its replies out, in order.
///
/// Confined to the loop's thread.
///
/// While a call is unanswered, or replies lie unread, nothing is read from the peer: order and back-pressure in one.
/// Only calls that their interface lets overlap are begun behind one another, a few at a time.
final class Connection: EventHandler, TurnTask {
  let id: UInt64
  let peer: Peer
  let descriptor: Int32
  let server: VarlinkServer
  /// What all connections of the peer's uid hold.
  let user: UserTally
  var mailbox: LoopMailbox { server.loop.mailbox }

  var input = FrameBuffer()
  var output = OutputBuffer()
  /// The events that the loop waits for.
  var interest: EventSet = .readable
  /// The peer sends no more.
  var inputEnded = false
  /// Nothing can be sent to the peer any more.
  var outputBroken = false
  /// The loop no longer waits for the descriptor, since the peer is gone; what it sent before is still to be done.
  var isOrphan = false
  var isProcessing = false
  /// Counts among the server's connections; one that was refused does not.
  var isCounted = true

  private var lastSerial: UInt64 = 0
  private(set) var calls = CallsInFlight()
  /// A message that has been taken from the input, and whose call waits for all before it.
  var held: ArraySlice<UInt8>?
  weak var stream: ReplyStream?

  private(set) var phase = Phase.open
  /// Below 0 its turn comes in time to spare; see `Connection+Standing.swift`.
  var standing = -1
  /// It has not called yet, and what it has sent so far is one small call at most.
  var isNewcomer = true
  /// What has happened on the descriptor and is to be looked at in time to spare.
  var putOff: EventSet = []
  /// The loop does not wait for the descriptor until then.
  var isSuspended = false
  private var resumeIsDue = false
  /// Whether it does what was put off.
  private var isResuming = false
  private var flushIsDue = false
  private var flushIsPutOff = false
  private var outputWasBlocked = false
  private var streamIsDrained = false
  private(set) var isWaitingForRoom = false
  /// It waited for room, and the next one waits for it to have used what it needs.
  private var isLetIn = false
  /// Bytes of replies that the user's tally knows of.
  private var countedBytes = 0
  /// Whether the peer has taken bytes since its patience began to be tried.
  var hasRead = false

  /// Bytes of replies that are sent at the end of a turn, whoever waits for them; more wait for time to spare.
  private static let quickBytes = 64 << 10

  /// Whether it takes no bytes, as far as is known.
  var isBlocked: Bool { outputWasBlocked && !hasRead && putOff.isEmpty }

  enum Phase {
    case open
    /// To be closed once all is sent; `lingering` as below.
    case closing(lingering: Bool)
    /// All is sent, and the peer told so; what it still sends is thrown away, so that it gets to read the reply
    /// instead of an error from its own sending.
    case lingering(TimerToken)
    case closed
  }

  init(_ descriptor: Int32, id: UInt64, peer: Peer, server: VarlinkServer, user: UserTally) {
    self.descriptor = descriptor
    self.id = id
    self.peer = peer
    self.server = server
    self.user = user
  }

  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isClosed: Bool { if case .closed = phase { true } else { false } }
  var unsentBytes: Int { output.count }
  /// Bytes received of calls that have not begun.
  var unfinishedBytes: Int { input.count + (held.map { $0.count + 1 } ?? 0) }
  /// Whether a call is unanswered.
  var isBusy: Bool { !calls.isEmpty }
  /// Whether the call that has just begun wants several replies.
  var mayStream: Bool { calls.last?.mayStream == true }

  // MARK: Answering

  /// Hands a sound call to its interface.
  func begin(_ call: VarlinkCall, _ interface: any VarlinkInterface) {
    lastSerial &+= 1
    calls.append(
      CallsInFlight.Call(
        serial: lastSerial,
        method: call.method,
        isOneway: call.oneway,
        mayStream: call.more && !call.oneway,
        mayOverlap: interface.mayOverlap(call.method)
      )
    )
    interface.handle(call, Responder(self, serial: lastSerial))
  }

  /// Counts the call as worked on where its answer was put off; what a stream needs is its sender's to bound.
  func keepWorking(on bytes: Int) {
    if stream == nil, calls.keepWorking(on: bytes) { user.work(bytes) }
  }

  /// Begins no call before others of the same uid are answered.
  func waitForRoom() {
    guard !isWaitingForRoom else { return }
    isWaitingForRoom = true
    user.wait(self)
    server.tryPatience(of: user)
  }

  /// There is room now.
  func resumeAfterWait() {
    isWaitingForRoom = false
    isLetIn = true
    // What it has sent meanwhile it reads now: a turn later others would have the room.
    if !input.hasMessage() { putOff.insert(.readable) }
    scheduleResume()
  }

  /// Whether the call of this number is unanswered, and there is someone to answer to.
  func isWaiting(for serial: UInt64) -> Bool { !isClosed && calls.isWaiting(for: serial) }

  /// Ends the call of this number with the message for a call that the program forgot.
  func leaveUnanswered(_ serial: UInt64) {
    guard let call = calls.call(serial) else { return }
    answer(serial) { ReplyFrame.make(server.policy.unanswered(call.method)) }
  }

  /// Ends the call of this number, unless it has ended already.
  func answer(_ serial: UInt64, _ frame: () -> [UInt8]) {
    guard !isClosed, let call = calls.call(serial) else { return }
    calls.answer(serial, call.isOneway ? [] : frame())
    if stream?.serial == serial { stream = nil }
    while let call = calls.takeAnswered() {
      if !call.isOneway, let answer = call.answer { send(answer) }
      if call.workingBytes > 0 { user.work(-call.workingBytes) }
    }
    let hasMore = input.count > 0 || held != nil
    if !isProcessing, hasMore || isOrphan || inputEnded || server.isStopping || !interest.contains(.readable) {
      scheduleResume()
    }
  }

  /// Sends one reply of a stream.
  func send(_ frame: [UInt8], onStream serial: UInt64) {
    guard isWaiting(for: serial) else { return }
    send(frame)
    if output.count > server.policy.limits.streamBytes { close() }
  }

  /// Sends a message at the end of the turn.
  func send(_ frame: consuming [UInt8]) {
    guard !outputBroken, !isClosed else { return }
    output.append(frame)
    countOutput()
    scheduleFlush()
  }

  // MARK: The loop

  func scheduleResume() {
    guard !resumeIsDue else { return }
    resumeIsDue = true
    server.loop.resumeLater(self)
  }

  private func scheduleFlush() {
    guard !flushIsDue else { return }
    // A thousand streams may be sent the same event: each of them is then a task of its own.
    let isNow = stream == nil ? server.loop.isInSpareTime || output.count <= Self.quickBytes : isResuming
    if isNow {
      flushIsDue = true
      server.loop.flushLater(self)
    } else {
      flushIsPutOff = true
      scheduleResume()
    }
  }

  func resume() {
    resumeIsDue = false
    isResuming = true
    goOn()
    isResuming = false
    guard isLetIn else { return }
    isLetIn = false
    user.letIn()
  }

  private func goOn() {
    if isClosed {
      stream?.closed()
      stream = nil
      return
    }
    if flushIsPutOff { flush() }
    if isClosed { return }
    if streamIsDrained {
      streamIsDrained = false
      stream?.onDrain?()
    }
    lookAtWhatWasPutOff()
    // Where it has put off what it has seen, that is for then.
    if !isClosed, !resumeIsDue { process() }
  }

  func flush() {
    flushIsDue = false
    flushIsPutOff = false
    guard !isClosed else { return }
    let before = output.count
    let sending = output.send(to: descriptor)
    if output.count < before { hasRead = true }
    countOutput()
    switch sending {
    case .done: sentAll()
    case .blocked:
      // Nobody waits for this peer any more.
      if server.isOverdue && !isBusy { return close() }
      outputWasBlocked = true
      setInterest(interest.union(.writable))
    case .failed: peerStoppedReading()
    }
  }

  private func sentAll() {
    setInterest(interest.subtracting(.writable))
    if case .closing(let lingering) = phase { return lingering ? linger() : close() }
    // Calls may have waited for the room, read already or not.
    let mayHaveCalls = input.count > 0 || held != nil || !interest.contains(.readable)
    guard outputWasBlocked || stream != nil || (!isBusy && mayHaveCalls) else { return }
    streamIsDrained = stream != nil
    outputWasBlocked = false
    scheduleResume()
  }

  private func peerStoppedReading() {
    breakOutput()
    if stream != nil || !isOpen { return close() }
    sentAll()
  }

  /// Throws away what is unsent: nobody will read it.
  func breakOutput() {
    outputBroken = true
    output.removeAll()
    countOutput()
  }

  private func countOutput() {
    let change = output.count - countedBytes
    countedBytes = output.count
    if change != 0 { user.queue(change) }
  }

  func setInterest(_ events: EventSet) {
    guard events != interest, !isOrphan, !isClosed else { return }
    interest = events
    if !isSuspended { server.loop.modify(descriptor, events) }
  }

  // MARK: Closing

  /// Closes once all is sent.
  ///
  /// No call is begun any more.
  ///
  /// - Parameter lingering: throw away what the peer still sends until it has seen the end, for a moment.
  func closeWhenSent(lingering: Bool) {
    guard isOpen else { return }
    phase = .closing(lingering: lingering)
    discardInput()
    scheduleFlush()
  }

  private func linger() {
    guard !isOrphan, server.mayLinger else { return close() }
    shutdown(descriptor, Int32(SHUT_WR))
    server.lingering += 1
    let timer = server.loop.schedule(afterMilliseconds: VarlinkServer.lingerMilliseconds) { [weak self] in
      self?.close()
    }
    phase = .lingering(timer)
    setInterest(.readable)
  }

  /// Closes now.
  ///
  /// A stream is told in the next turn.
  func close() {
    guard !isClosed else { return }
    if case .lingering(let timer) = phase {
      server.loop.cancel(timer)
      server.lingering -= 1
    }
    phase = .closed
    if isWaitingForRoom { user.stopWaiting(self) }
    user.work(-calls.removeAll())
    discardInput()
    breakOutput()
    if !isOrphan { server.loop.remove(descriptor) }
    Glibc.close(descriptor)
    if stream != nil { scheduleResume() }
    server.connectionClosed(self)
  }

  /// The server stops: what was received is answered first, a stream has no end to wait for.
  func serverStops() {
    if stream != nil { return close() }
    switch phase {
    case .lingering: close()
    default: if !isBusy { scheduleResume() }
    }
  }

  private func discardInput() {
    user.unfinishedBytes -= unfinishedBytes
    input = FrameBuffer()
    held = nil
  }
}
