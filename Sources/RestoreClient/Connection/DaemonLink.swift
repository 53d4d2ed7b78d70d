import Varlink

/// One client's way to its daemon: connects at the first call, and again whenever the connection has ended.
final class DaemonLink: Exchange {
  private let core: LinkCore
  private let socket: SocketChoice

  /// A way to the daemon at that socket.
  init(_ socket: SocketChoice) {
    self.socket = socket
    core = LinkCore(socket)
  }

  deinit {
    // With no thread there is no connection either.
    try? LoopThread.post { [core] _ in core.close() }
  }

  var place: String { socket.path }

  func exchange(
    _ method: String,
    _ parameters: [UInt8],
    deadline: ContinuousClock.Instant
  ) async throws(ExchangeFault) -> VarlinkReply {
    let call = PendingCall(CallFrame.make(method, parameters), deadline: deadline)
    let core = core
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        do throws(SystemFault) {
          try LoopThread.post { loop in if call.begin(waiting) { core.begin(call, on: loop) } }
        } catch {
          waiting.resume(returning: .failure(.notSent(.unavailable(socket: socket.path, reason: error.sentence))))
        }
      }
    } onCancel: {
      try? LoopThread.post { _ in core.abandon(call) }
    }
    return try outcome.get()
  }
}
