/// Which part of a user's room a connection may take; those that may take more are let in first.
///
/// The last part is kept for those who want little, so that peers of their own user that do not read never keep them
/// waiting; the one before it for those of whom no more is known than that they may be such.
enum RoomClaim: Int, CaseIterable {
  /// Served at once.
  case quick
  /// Has not called yet, and wants little as far as is known.
  case newcomer
  /// Sends ahead.
  case light
  /// Its calls take long.
  case heavy

  /// Of the room, in eighths.
  var eighths: Int {
    switch self {
    case .quick: 8
    case .newcomer: 7
    case .light: 6
    case .heavy: 4
    }
  }
}

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
  private struct Waiting {
    let connection: Connection
    /// Who has a lower one has waited longer.
    let ticket: UInt64
  }

  /// Those that wait for room, by their claim, the oldest first.
  private var waiting = [[Waiting]](repeating: [], count: RoomClaim.allCases.count)
  private var waitingCount = 0
  private var tickets: UInt64 = 0
  private var letIns = 0
  /// One in so many times the one that has waited longest is let in, whoever it is: nobody waits for ever.
  private static let longestWaiterIn = 4

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Whether another call may be begun.
  func hasRoom(for claim: RoomClaim) -> Bool {
    workingBytes <= limits.workingBytesPerUser / 8 * claim.eighths
      && unsentBytes <= limits.unsentBytesPerUser / 8 * claim.eighths
  }
  /// Whether calls wait for others of the user to be answered, or for their answers to be read.
  var isCrowded: Bool { waitingCount > 0 }

  /// Has the connection resumed once there is room.
  func wait(_ connection: Connection) {
    tickets += 1
    waitingCount += 1
    waiting[connection.claim.rawValue].append(Waiting(connection: connection, ticket: tickets))
  }

  /// Has the connection, which waits, no longer resumed.
  func stopWaiting(_ connection: Connection) {
    for claim in waiting.indices {
      guard let index = waiting[claim].firstIndex(where: { $0.connection === connection }) else { continue }
      waiting[claim].remove(at: index)
      waitingCount -= 1
    }
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

  /// Lets one in that waits; when it has begun what it can it calls this for the next one.
  ///
  /// Of the newcomers the last one is first: those before it may be a crowd that never reads, which a single one would have
  /// to wait for else.
  func letIn() {
    guard isCrowded else { return }
    let open = RoomClaim.allCases.filter { !waiting[$0.rawValue].isEmpty && hasRoom(for: $0) }
    guard let first = open.first else { return }
    letIns += 1
    let longest = open.min { waiting[$0.rawValue][0].ticket < waiting[$1.rawValue][0].ticket }
    let next: Waiting
    if letIns % Self.longestWaiterIn == 0, let longest {
      next = waiting[longest.rawValue].removeFirst()
    } else if first == .newcomer {
      next = waiting[first.rawValue].removeLast()
    } else {
      next = waiting[first.rawValue].removeFirst()
    }
    waitingCount -= 1
    next.connection.resumeAfterWait()
  }
}
