import Varlink

/// One client's way to its daemon: connects at the first call, and again whenever the connection has ended.
final class DaemonLink: Sendable {
  private let core: LinkCore
  /// Where the daemon is.
  let connector: any Connector

  /// A way to the daemon that `connector` finds.
  init(_ connector: any Connector) {
    self.connector = connector
    core = LinkCore(connector)
  }

  deinit {
    // With no thread there is no connection either.
    try? ClientLoop.post { [core] _ in core.close() }
  }

  /// Sends one call and waits for its reply.
  ///
  /// Calls that one task makes are carried out in their order. Cancelling the task ends the wait at once.
  ///
  /// - Parameters:
  ///   - method: the qualified name.
  ///   - parameters: one JSON object.
  ///   - deadline: when to give up.
  /// - Returns: the reply, which may be one of an error.
  func exchange(
    _ method: String,
    _ parameters: [UInt8],
    deadline: ContinuousClock.Instant
  ) async throws(ExchangeFault) -> VarlinkReply {
    let call = PendingCall(CallFrame.make(method, parameters), deadline: deadline)
    let (core, place) = (core, connector.place)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        do throws(SystemFault) {
          try ClientLoop.post { loop in if call.begin(waiting) { core.begin(call, on: loop) } }
        } catch {
          waiting.resume(returning: .failure(.notSent(.unavailable(socket: place, reason: error.sentence))))
        }
      }
    } onCancel: {
      try? ClientLoop.post { _ in core.abandon(call) }
    }
    Handover.take(at: call)
    return try outcome.get()
  }
}
