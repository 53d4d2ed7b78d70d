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
  private let workingLimit: Int
  private var waiting: [Connection] = []

  init(_ limits: ServerLimits) { workingLimit = limits.workingBytesPerUser }

  /// Whether another call may be begun.
  var hasRoom: Bool { workingBytes <= workingLimit }

  /// Has the connection resumed once there is room.
  func wait(_ connection: Connection) { waiting.append(connection) }

  /// Counts a call that is being worked on, or with negative bytes one that is no more.
  func work(_ bytes: Int) {
    workingBytes += bytes
    guard hasRoom, !waiting.isEmpty else { return }
    for connection in waiting { connection.resumeAfterWait() }
    waiting = []
  }
}
