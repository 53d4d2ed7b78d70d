import Varlink

/// The replies to one call that goes on, on a connection of its own; for one task at a time.
///
/// It connects at the first `next`. What comes is read ahead a little, and no further: a service whose reader is slow
/// finds that out. The connection ends when nobody has the reader any more.
final class ReplyStreamReader: Sendable {
  private let core: StreamCore

  /// - Parameter mayWait: whether to wait for a daemon that is not there.
  init(_ connector: any Connector, _ frame: [UInt8], mayWait: Bool) {
    core = StreamCore(connector, frame, mayWait: mayWait)
  }

  deinit { try? ClientLoop.post { [core] _ in core.close() } }

  /// Waits for the next reply.
  ///
  /// - Throws: `notSent` where there is no connection, `unanswered` where it has ended; nothing comes after either.
  func next() async throws(ExchangeFault) -> VarlinkReply {
    let core = core
    let call = PendingCall([], deadline: .now)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        do throws(SystemFault) {
          try ClientLoop.post { loop in if call.begin(waiting) { core.give(to: call, on: loop) } }
        } catch {
          waiting.resume(returning: .failure(.notSent(.unavailable(socket: "", reason: error.sentence))))
        }
      }
    } onCancel: {
      try? ClientLoop.post { _ in core.abandon(call) }
    }
    Handover.take(at: call)
    return try outcome.get()
  }
}

/// The state of a `ReplyStreamReader`; confined to the loop's thread.
final class StreamCore: @unchecked Sendable {
  /// Replies that may be read ahead; half of them, and it goes on reading.
  private static let readAhead = 128
  /// Milliseconds between attempts to connect: doubled from the first to the last.
  private static let firstPause = 10
  private static let lastPause = 1_000

  private let connector: any Connector
  private let frame: [UInt8]
  private let mayWait: Bool
  private var channel: VarlinkChannel?
  private var retry: TimerToken?
  private var pause = firstPause
  private var replies: [VarlinkReply] = []
  private var fault: ExchangeFault?
  private var waiting: PendingCall?

  init(_ connector: any Connector, _ frame: [UInt8], mayWait: Bool) {
    self.connector = connector
    self.frame = frame
    self.mayWait = mayWait
  }

  /// Ends the connection.
  func close() {
    channel?.close()
    channel = nil
    fault = fault ?? .cancelled
  }

  /// Settles `call` with the next reply, now or once it is there.
  func give(to call: PendingCall, on loop: EventLoop) {
    waiting = call
    if channel == nil, fault == nil, retry == nil { connect(on: loop) }
    serve()
  }

  func abandon(_ call: PendingCall) {
    call.settle(.failure(.cancelled))
    if waiting === call { waiting = nil }
  }

  private func serve() {
    guard let call = waiting else { return }
    if !replies.isEmpty {
      waiting = nil
      call.settle(.success(replies.removeFirst()))
      if replies.count <= Self.readAhead / 2 { channel?.isReading = true }
    } else if let fault {
      waiting = nil
      call.settle(.failure(fault))
    }
  }

  private func connect(on loop: EventLoop) {
    do throws(VarlinkClientError) {
      let connected = try VarlinkChannel.connect(connector, on: loop) { [weak self] event in self?.take(event) }
      channel = connected
      connected.send(frame)
    } catch {
      guard error == .timedOut || mayWait && error.isAbsence else {
        fault = .notSent(RestoreError(error, socket: connector.place))
        return serve()
      }
      retry = loop.schedule(afterMilliseconds: pause) { [weak self] in
        self?.retry = nil
        // Nobody waits any more, and the next who does begins anew.
        if let self, waiting != nil, fault == nil { connect(on: loop) }
      }
      pause = min(pause * 2, Self.lastPause)
    }
  }

  private func take(_ event: VarlinkChannel.Event) {
    switch event {
    case .ended(let error): end(error)
    case .message(let message):
      do throws(VarlinkClientError) {
        replies.append(try VarlinkReply(message))
        if replies.count >= Self.readAhead { channel?.isReading = false }
        serve()
      } catch {
        channel?.close()
        end(error)
      }
    }
  }

  private func end(_ error: VarlinkClientError) {
    channel = nil
    fault = fault ?? .unanswered(RestoreError(error, socket: connector.place))
    serve()
  }
}

extension VarlinkClientError {
  /// Whether nobody listens, now.
  var isAbsence: Bool {
    switch self {
    case .missing, .refused: true
    default: false
    }
  }
}
