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
  private let workingLimit: Int
  private let unsentLimit: Int
  private var waiting: [Connection] = []

  init(_ limits: ServerLimits) {
    workingLimit = limits.workingBytesPerUser
    unsentLimit = limits.unsentBytesPerUser
  }

  /// Whether another call may be begun.
  var hasRoom: Bool { workingBytes <= workingLimit && unsentBytes <= unsentLimit }
  /// Whether calls wait for others of the user to be answered, or for their answers to be read.
  var isCrowded: Bool { !waiting.isEmpty }

  /// Has the connection resumed once there is room.
  func wait(_ connection: Connection) { waiting.append(connection) }

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

  private func letIn() {
    guard hasRoom, !waiting.isEmpty else { return }
    let resumed = waiting
    waiting = []
    for connection in resumed { connection.resumeAfterWait() }
  }
}
