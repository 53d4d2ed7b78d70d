import Varlink

/// What a client asks: a daemon at a socket, or the same rules inside this process.
package protocol Exchange: Sendable {
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
  ) async throws(ExchangeFault) -> VarlinkReply

  /// Where it is, for messages.
  var place: String { get }
}

/// Why an exchange brought no reply.
package enum ExchangeFault: Error, Hashable {
  /// The call was not sent: nothing of it was done.
  case notSent(RestoreError)
  /// The call was sent, and no reply came: whether it was done is unknown.
  case unanswered(RestoreError)
  /// The caller's task was cancelled; the call may have been sent.
  case cancelled

  /// The error for whoever cannot ask again.
  package var error: RestoreError {
    switch self {
    case .notSent(let error), .unanswered(let error): error
    case .cancelled: .cancelled
    }
  }
}
