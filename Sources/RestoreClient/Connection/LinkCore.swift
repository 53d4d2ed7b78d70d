import Varlink

/// The state of a `DaemonLink`; confined to the loop's thread.
///
/// Calls are sent ahead of their replies, a few at a time, so that what a dying daemon leaves open is little. A reply
/// belongs to the oldest call that was sent. What was sent and not answered when the connection ends is for its caller
/// to judge; what was not sent goes out on the next connection.
final class LinkCore: @unchecked Sendable {
  /// Calls that are sent and not answered at one time.
  private static let maximumUnanswered = 8
  /// Milliseconds between attempts to connect: doubled from the first to the last.
  private static let firstPause = 5
  private static let lastPause = 250

  private let connector: any Connector
  private var channel: VarlinkChannel?
  private var unsent: [PendingCall] = []
  private var sent: [PendingCall] = []
  private var retry: TimerToken?
  private var pause = firstPause
  /// Whether a daemon that is not there is one that is being restarted.
  ///
  /// One that never was there is not waited for, nor one that was waited for in vain.
  private var mayComeBack = false
  private var lastFault: VarlinkClientError?

  init(_ connector: any Connector) { self.connector = connector }

  // MARK: Calls

  /// Takes a call in.
  func begin(_ call: PendingCall, on loop: EventLoop) {
    call.timer = loop.schedule(afterMilliseconds: call.deadline.millisecondsLeft) { [weak self, weak call] in
      if let call { self?.giveUp(call, on: loop) }
    }
    unsent.append(call)
    advance(on: loop)
  }

  /// Nobody waits for the call any more; one that was sent keeps its place, for its reply still comes.
  func abandon(_ call: PendingCall) {
    call.settle(.failure(.cancelled))
    unsent.removeAll { $0 === call }
  }

  /// Ends the connection; no call is under way.
  func close() {
    channel?.close()
    channel = nil
  }

  private func giveUp(_ call: PendingCall, on loop: EventLoop) {
    call.timer = nil
    if let index = unsent.firstIndex(where: { $0 === call }) {
      unsent.remove(at: index)
      // Waited for in vain: whoever comes next is told at once.
      if channel == nil { mayComeBack = false }
      return call.settle(.failure(.notSent(channel == nil ? unavailable : .timedOut)))
    }
    guard sent.contains(where: { $0 === call }) else { return }
    call.settle(.failure(.unanswered(.timedOut)))
    // The replies to all others come after the one that does not come.
    lose(.timedOut, on: loop)
  }

  private var unavailable: RestoreError {
    lastFault.map { RestoreError($0, socket: connector.place) } ?? .timedOut
  }

  private func settle(_ call: PendingCall, _ outcome: PendingCall.Outcome, on loop: EventLoop) {
    if let timer = call.timer { loop.cancel(timer) }
    call.timer = nil
    call.settle(outcome)
  }

  // MARK: Sending

  /// Does what can be done now: connects, and sends.
  private func advance(on loop: EventLoop) {
    guard !unsent.isEmpty else { return }
    if channel == nil {
      guard retry == nil else { return }
      connect(on: loop)
    }
    while let channel, sent.count < Self.maximumUnanswered, !unsent.isEmpty {
      let call = unsent.removeFirst()
      sent.append(call)
      channel.send(call.takeFrame())
    }
  }

  private func connect(on loop: EventLoop) {
    do throws(VarlinkClientError) {
      channel = try VarlinkChannel.connect(connector, on: loop) { [weak self] event in self?.take(event, on: loop) }
      mayComeBack = true
      pause = Self.firstPause
      lastFault = nil
    } catch {
      lastFault = error
      guard isPassing(error) else { return refuseAll(on: loop) }
      retry = loop.schedule(afterMilliseconds: pause) { [weak self] in
        self?.retry = nil
        self?.advance(on: loop)
      }
      pause = min(pause * 2, Self.lastPause)
    }
  }

  private func isPassing(_ error: VarlinkClientError) -> Bool {
    switch error {
    // The daemon is there, and has more callers than it can take in at once.
    case .timedOut: true
    case .missing, .refused: mayComeBack
    default: false
    }
  }

  private func refuseAll(on loop: EventLoop) {
    let refused = unsent
    unsent = []
    for call in refused { settle(call, .failure(.notSent(unavailable)), on: loop) }
  }

  // MARK: Receiving

  private func take(_ event: VarlinkChannel.Event, on loop: EventLoop) {
    switch event {
    case .ended(let error): lose(error, on: loop)
    case .message(let message):
      guard !sent.isEmpty else { return lose(.malformedReply(reason: "it replies to no call"), on: loop) }
      do throws(VarlinkClientError) {
        let reply = try VarlinkReply(message)
        guard !reply.continues else { throw .malformedReply(reason: "it goes on, and nobody asked for more") }
        settle(sent.removeFirst(), .success(reply), on: loop)
        advance(on: loop)
      } catch { lose(error, on: loop) }
    }
  }

  /// The connection is of no more use.
  private func lose(_ error: VarlinkClientError, on loop: EventLoop) {
    close()
    lastFault = error
    let lost = sent
    sent = []
    let fault = RestoreError(error, socket: connector.place)
    for call in lost { settle(call, .failure(.unanswered(fault)), on: loop) }
    advance(on: loop)
  }
}
