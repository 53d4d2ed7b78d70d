import RestoreInterface
import Varlink

/// Makes typed calls, and asks again where a reply was lost and asking again does no harm.
struct Caller: Sendable {
  /// How often one call is sent at most: a daemon that ends at the call itself must not be asked for ever.
  static let maximumAttempts = 5

  let link: DaemonLink
  /// The app that all calls are for.
  let app: String
  /// How long one call may take, with all its attempts.
  let timeout: Duration

  /// Makes a call that may be made twice: it reads, or doing it again changes nothing more.
  func call<Method: InterfaceMethod>(
    _ method: Method.Type,
    _ parameters: Method.Parameters
  ) async throws(RestoreError) -> Method.Reply {
    var attempts = Attempts(within: timeout)
    let text = parameters.encoded
    while true {
      do throws(ExchangeFault) {
        return try Self.read(method, try await link.exchange(method.fullName, text, deadline: attempts.deadline))
      } catch { try attempts.next(after: error) }
    }
  }

  /// Makes a call that must not be made twice.
  func callOnce<Method: InterfaceMethod>(
    _ method: Method.Type,
    _ parameters: Method.Parameters
  ) async throws(RestoreError) -> Method.Reply {
    let deadline = ContinuousClock.now + timeout
    do throws(ExchangeFault) {
      return try Self.read(
        method,
        try await link.exchange(method.fullName, parameters.encoded, deadline: deadline)
      )
    } catch { throw error.error }
  }

  /// The reply to a call, or the error that it is.
  ///
  /// Nothing of a fault in it is for asking again.
  static func read<Method: InterfaceMethod>(
    _: Method.Type,
    _ reply: VarlinkReply
  ) throws(ExchangeFault) -> Method.Reply {
    if let name = reply.error { throw .notSent(RestoreError(name: name, parameters: reply.parameters)) }
    do throws(WireFault) {
      return try Method.Reply(leniently: reply.parameters)
    } catch { throw .notSent(.unexpectedReply("\(Method.name) without what it must hold: \(error)")) }
  }
}

/// The attempts of one call.
struct Attempts {
  /// When the last one must be over.
  let deadline: ContinuousClock.Instant
  private var count = 1

  init(within timeout: Duration) { deadline = ContinuousClock.now + timeout }

  /// Goes on to the next attempt, or throws where there is none.
  mutating func next(after fault: ExchangeFault) throws(RestoreError) {
    guard case .unanswered(let error) = fault else { throw fault.error }
    guard error != .timedOut || deadline > .now, count < Caller.maximumAttempts else { throw error }
    count += 1
  }
}
