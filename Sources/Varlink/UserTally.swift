/// What the connections of one uid hold together.
///
/// It goes with the last of them.
final class UserTally {
  /// Connections that count against the limit of one user.
  var connections = 0
  /// Bytes received and not yet begun.
  var unfinishedBytes = 0
  /// Connections there are, also those that were refused.
  var members = 0

  /// Bytes of calls that are being worked on.
  private var workingBytes = 0
  /// Bytes of replies that are not yet with the kernel.
  private(set) var unsentBytes = 0
  /// Whether those who read nothing are being waited for.
  var isTried = false
  private let limits: ServerLimits
  private var waiting: [Connection] = []

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Whether another call may be begun.
  ///
  /// - Parameter quarters: of the room, as `Connection.share` says.
  func hasRoom(_ quarters: Int) -> Bool {
    workingBytes <= limits.workingBytesPerUser / 4 * quarters && unsentBytes <= limits.unsentBytesPerUser / 4 * quarters
  }
  /// Whether calls wait for others of the user to be answered, or for their answers to be read.
  var isCrowded: Bool { !waiting.isEmpty }

  /// Has the connection resumed once there is room; those who want little are let in first.
  func wait(_ connection: Connection) {
    let place = waiting.firstIndex { $0.share < connection.share } ?? waiting.endIndex
    waiting.insert(connection, at: place)
  }

  /// Counts a call that is being worked on, or with negative bytes one that is no more.
  func work(_ bytes: Int) {
    workingBytes += bytes
    letIn()
  }

  /// Counts bytes of replies, or with negative bytes those that went.
  func queue(_ bytes: Int) {
    unsentBytes += bytes
    if bytes < 0 { letIn() }
  }

  /// Lets the one in that has waited longest; when it has begun what it can it calls this for the next one.
  func letIn() {
    guard !waiting.isEmpty, hasRoom(waiting[0].share) else { return }
    waiting.removeFirst().resumeAfterWait()
  }
}
