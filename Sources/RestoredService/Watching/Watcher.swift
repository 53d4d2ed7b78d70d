import Varlink

/// One call of `Watch` that goes on.
final class Watcher {
  /// Where it is.
  enum Phase {
    /// It is told what it missed before it came, as the store has it, and is not told yet what happens now.
    case catchingUp
    /// It is told each change as it happens.
    case live
    /// It was live, and its peer does not take it all: the first change not sent is at this place of the recent ones.
    case lagging(from: Int, after: Int)
  }

  /// Bytes that may wait in its connection before what follows is kept back: with one piece more, for as many watchers
  /// as there may be connections, less than `ServerLimits.unsentBytesPerUser`.
  static let unreadBytes = 4 << 10

  let id: UInt64
  let filter: WatchFilter
  let stream: ReplyStream
  var phase = Phase.catchingUp
  /// All that passes the filter up to this number was sent, or waits in the backlog.
  var position: Int
  /// Whether it goes on in the next turn.
  var isWaiting = false
  /// Messages of the catch-up that were not sent yet, several in each piece, the next one last.
  private var backlog: [[UInt8]] = []
  /// Bytes in the backlog.
  private(set) var backlogBytes = 0

  init(id: UInt64, filter: WatchFilter, stream: ReplyStream, position: Int) {
    self.id = id
    self.filter = filter
    self.stream = stream
    self.position = position
  }

  /// Whether its peer must read first.
  var isFull: Bool { stream.pendingBytes > Self.unreadBytes }

  /// Sets what is to be sent next.
  func setBacklog(_ pieces: [[UInt8]]) {
    backlog = pieces.reversed()
    backlogBytes = pieces.reduce(0) { $0 + $1.count }
  }

  /// Sends one piece of the backlog; false: there is none.
  func sendBacklog() -> Bool {
    guard let piece = backlog.popLast() else { return false }
    backlogBytes -= piece.count
    stream.send(frame: piece)
    return true
  }
}
