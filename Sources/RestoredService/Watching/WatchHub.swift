import RestoreInterface
import RestoreStore
import Varlink

/// Tells watchers what changes: first what they missed, then each change once it is on disk.
///
/// A watcher catches up from the store's tables to the last change that was applied here, and is live from the next one
/// on: nothing is missed between the two, and nothing comes twice. What it costs is bounded: what waits in its
/// connection, a share of the backlog, and the recent changes that all share. See `docs/decisions/0009-watch.md`.
///
/// Confined to the loop's thread.
final class WatchHub: TurnTask {
  /// Bytes of catch-up that all watchers together may have waiting, beyond the least that each may.
  private static let backlogBytes = 8 << 20
  /// About what an event takes, and the events that each watcher may have waiting whatever the others have.
  private static let eventBytes = 192
  private static let leastEvents = 64
  /// Bytes of one piece of a backlog.
  private static let pieceBytes = 2 << 10
  /// Watchers that are told more behind one another, before others get their turn.
  private static let watchersAtOnce = 8
  /// Watchers of one user that are told of a change before its maker is answered; more are told in time to spare.
  private static let toldAtOnce = 16
  /// Changes that wait for that at most.
  private static let untoldMaximum = 256
  /// Places by which the first recent change moves on before it is looked who has fallen behind it.
  private static let sweptPlaces = 64

  private let loop: EventLoop
  // Not kept: it is to be closed when the service ends.
  private weak var reader: StoreReader?
  private var feeds: [UInt32: UserFeed] = [:]
  private var recent = RecentChanges()
  /// The place of the first recent change that those who are live are still to be told of.
  private var untold = 0
  /// The first recent change when it was last looked who had fallen behind.
  private var swept = 0
  private var watchers: [UInt64: Watcher] = [:]
  private var lagging: [UInt64: Watcher] = [:]
  private var lastID: UInt64 = 0
  private var backlogBytes = 0
  /// To be told more in the next turn.
  private var waiting: [Watcher] = []
  private var resumeIsDue = false

  /// Begins to listen, before the first change that `apply` will be told of.
  ///
  /// - Throws: what the store reports.
  init(loop: EventLoop, reader: StoreReader) throws(StoreError) {
    self.loop = loop
    self.reader = reader
    for count in try reader.userCounts() {
      feeds[count.uid] = UserFeed(newest: count.revision, forgotten: count.forgotten)
    }
  }

  /// How many watch.
  var count: Int { watchers.count }

  private func feed(_ uid: UInt32) -> UserFeed {
    if let feed = feeds[uid] { return feed }
    let feed = UserFeed(newest: 0, forgotten: 0)
    feeds[uid] = feed
    return feed
  }

  // MARK: Beginning and ending

  /// Begins a watch.
  ///
  /// - Parameter after: the number from which on changes are wanted; nil: from now on.
  func begin(_ filter: WatchFilter, after: Int?, _ stream: ReplyStream) {
    let feed = feed(filter.uid)
    lastID += 1
    let watcher = Watcher(id: lastID, filter: filter, stream: stream, position: after ?? feed.newest)
    stream.send(frame: WatchEvent(.ready, revision: watcher.position).frame)
    if watcher.position > feed.newest, isUnknown(watcher.position, of: filter.uid) {
      // A number that was never given: another database's, or of one that was set back.
      stream.send(frame: WatchEvent(.gap, revision: feed.newest).frame)
      watcher.position = feed.newest
    }
    watchers[watcher.id] = watcher
    feed.add(watcher)
    stream.onClose = { [weak self, weak watcher] in if let watcher { self?.end(watcher) } }
    stream.onDrain = { [weak self, weak watcher] in if let watcher { self?.pump(watcher) } }
    pump(watcher)
  }

  /// Whether the store has not come to that number either; it may be ahead of what was applied.
  private func isUnknown(_ number: Int, of uid: UInt32) -> Bool {
    do throws(StoreError) { return try reader?.newest(of: uid) ?? 0 < number } catch { return false }
  }

  private func end(_ watcher: Watcher) {
    guard watchers.removeValue(forKey: watcher.id) != nil else { return }
    lagging[watcher.id] = nil
    backlogBytes -= watcher.backlogBytes
    feeds[watcher.filter.uid]?.remove(watcher)
    if watchers.isEmpty { forgetRecent() }
  }

  private func fail(_ watcher: Watcher, _ error: VarlinkError) {
    watcher.stream.fail(error)
    end(watcher)
  }

  /// Goes on with another database, whose numbers go on far ahead: every watcher is told that it may have missed
  /// something.
  ///
  /// - Throws: what the store reports; nobody was told anything then.
  func restart(_ reader: StoreReader) throws(StoreError) {
    let counts = try reader.userCounts()
    self.reader = reader
    forgetRecent()
    lagging = [:]
    backlogBytes = 0
    for count in counts {
      let feed = feed(count.uid)
      feed.newest = max(feed.newest, count.revision)
      feed.forgotten = ForgottenLog(unknown: max(feed.newest, count.forgotten))
    }
    for watcher in watchers.values {
      watcher.setBacklog([])
      watcher.position = feed(watcher.filter.uid).newest
      watcher.phase = .live
      watcher.stream.send(frame: WatchEvent(.gap, revision: watcher.position).frame)
    }
  }

  // MARK: Live

  /// Tells of changes that are on disk; called before anyone who made them is answered.
  ///
  /// Where many watch, that waits for time to spare: their number is not to hold up the answer.
  func apply(_ changes: [StoreChange]) {
    for change in changes {
      guard change.revision > 0 else { continue }
      let feed = feed(change.uid)
      feed.newest = max(feed.newest, change.revision)
      feed.forgotten.note(change)
      guard feed.count > 0, let event = WatchEvent(change) else { continue }
      recent.append(RecentChanges.Entry(change, event.frame))
      let isNext = untold == recent.end - 1
      if isNext && feed.count <= Self.toldAtOnce || recent.end - untold > Self.untoldMaximum { tellNext() }
    }
    if untold < recent.end { scheduleResume() }
    if recent.first - swept >= Self.sweptPlaces { sweep() }
  }

  /// Ends the watches that were not told of changes which are no longer kept.
  private func sweep() {
    swept = recent.first
    for watcher in Array(lagging.values) { _ = failIfBehind(watcher) }
  }

  private func failIfBehind(_ watcher: Watcher) -> Bool {
    guard case .lagging(let from, let after) = watcher.phase, from < recent.first else { return false }
    fail(watcher, VarlinkError(reply: .watchBehind(revision: after)))
    return true
  }

  /// Tells those who are live of the first change that they do not know of.
  ///
  /// Where many watch, each is told when its turn comes, of all that has happened by then.
  private func tellNext() {
    let place = untold
    untold += 1
    let entry = recent[place]
    let feed = feed(entry.change.uid)
    let isCrowd = feed.count > Self.toldAtOnce
    feed.visit(entry.change) { watcher in
      guard case .live = watcher.phase, entry.change.revision > watcher.position else { return }
      if isCrowd || watcher.isFull {
        watcher.phase = .lagging(from: place, after: entry.change.revision - 1)
        lagging[watcher.id] = watcher
        resumeLater(watcher)
      } else {
        watcher.position = entry.change.revision
        watcher.stream.send(frame: entry.frame)
      }
    }
  }

  private func forgetRecent() {
    recent.removeAll()
    (untold, swept) = (recent.end, recent.end)
  }

  // MARK: Telling more when there is room

  /// Tells of some more changes, and goes on with some of those that were full; one whose peer is slow is called by its
  /// stream.
  func resume() {
    resumeIsDue = false
    for _ in 0..<min(recent.end - untold, Self.watchersAtOnce) { tellNext() }
    let ready = waiting.prefix(Self.watchersAtOnce)
    waiting.removeFirst(ready.count)
    if !waiting.isEmpty || untold < recent.end { scheduleResume() }
    for watcher in ready { watcher.isWaiting = false }
    for watcher in ready where !watcher.isFull { pump(watcher) }
  }

  func flush() {}

  private func resumeLater(_ watcher: Watcher) {
    guard !watcher.isWaiting else { return }
    watcher.isWaiting = true
    waiting.append(watcher)
    scheduleResume()
  }

  private func scheduleResume() {
    guard !resumeIsDue else { return }
    resumeIsDue = true
    loop.resumeLater(self)
  }

  /// Sends what there is room for.
  private func pump(_ watcher: Watcher) {
    guard watchers[watcher.id] != nil, !watcher.stream.isClosed else { return }
    switch watcher.phase {
    case .live: return
    case .catchingUp: catchUp(watcher)
    case .lagging(let from, _): goOn(watcher, from: from)
    }
    if case .live = watcher.phase { return }
    if watchers[watcher.id] != nil { resumeLater(watcher) }
  }

  private func goOn(_ watcher: Watcher, from: Int) {
    if failIfBehind(watcher) { return }
    var place = from
    while let next = recent.next(from: place, passing: watcher.filter) {
      let entry = recent[next]
      if watcher.isFull {
        watcher.phase = .lagging(from: next, after: entry.change.revision - 1)
        return
      }
      watcher.position = entry.change.revision
      watcher.stream.send(frame: entry.frame)
      place = next + 1
    }
    watcher.phase = .live
    lagging[watcher.id] = nil
  }

  private func catchUp(_ watcher: Watcher) {
    let newest = feed(watcher.filter.uid).newest
    while !watcher.isFull {
      let before = watcher.backlogBytes
      if watcher.sendBacklog() {
        backlogBytes += watcher.backlogBytes - before
      } else if watcher.position >= newest {
        watcher.phase = .live
        return
      } else {
        do throws(StoreError) { try fill(watcher, upTo: newest) } catch {
          return fail(watcher, VarlinkError(error))
        }
      }
    }
  }

  // MARK: Catching up

  /// Gives a watcher the next part of what it missed, up to the last change that was applied.
  ///
  /// The store may be ahead of that; what it has beyond comes with `apply`.
  private func fill(_ watcher: Watcher, upTo newest: Int) throws(StoreError) {
    let filter = watcher.filter
    let limit = max(Self.leastEvents, (Self.backlogBytes - backlogBytes) / Self.eventBytes)
    guard let reader else { return watcher.position = newest }
    let stored = try reader.lastChanges(
      uid: filter.uid,
      app: filter.app?.text,
      scene: filter.scene?.text,
      numbers: watcher.position + 1...newest,
      limit: limit
    )
    let end = stored.count < limit ? newest : stored.last?.revision ?? newest
    let forgotten = feed(filter.uid).forgotten
    let numbers = watcher.position + 1...end
    var events = (stored + forgotten.changes(numbers, passing: filter)).sorted { $0.revision < $1.revision }
      .compactMap { WatchEvent($0) }
    if numbers.contains(forgotten.unknown) {
      let place = events.firstIndex { $0.revision > forgotten.unknown } ?? events.endIndex
      events.insert(WatchEvent(.gap, revision: forgotten.unknown), at: place)
    }
    watcher.setBacklog(Self.pieces(events))
    backlogBytes += watcher.backlogBytes
    watcher.position = end
  }

  private static func pieces(_ events: [WatchEvent]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    for event in events {
      piece += event.frame
      guard piece.count >= pieceBytes else { continue }
      pieces.append(piece)
      piece = []
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }
}
