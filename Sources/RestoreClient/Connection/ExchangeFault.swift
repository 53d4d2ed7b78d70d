/// Why a call brought no reply.
enum ExchangeFault: Error, Hashable {
  /// The call was not sent, or was refused: nothing of it was done.
  case notSent(RestoreError)
  /// The call was sent, and no reply came: whether it was done is unknown.
  case unanswered(RestoreError)
  /// The caller's task was cancelled; the call may have been sent.
  case cancelled

  /// The error for whoever cannot ask again.
  var error: RestoreError {
    switch self {
    case .notSent(let error), .unanswered(let error): error
    case .cancelled: .cancelled
    }
  }
}
