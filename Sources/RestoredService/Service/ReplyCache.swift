import JSONText
import RestoreStore
import Varlink

/// Finished replies to `Restore`, found by the very bytes of the call's parameters.
///
/// An entry is good while the stamps of all that its answer depends on stand where they stood: the scene's, the
/// app's, and those of the kinds that it asked for. A kind's stamp that has moved does no harm where the changes were
/// of entities that were not asked for, as most are; where that is not known, the questions that the restore asked of
/// the entity table are asked again. Bounded in bytes; what was not asked for lately goes first.
final class ReplyCache {
  /// One finished reply.
  final class Entry {
    fileprivate let uid: UInt32
    fileprivate let parameters: [UInt8]
    /// Those of the app and the scene.
    fileprivate let stamps: [StampedCount]
    /// Those of the kinds that were asked for, in the order of `asked.kinds`.
    fileprivate var kinds: [StampedCount]
    fileprivate let asked: EntityAnswers
    /// The wall clock's time after which the scene counts as expired; nil: it never does.
    fileprivate let expiresAt: Int?
    /// The whole message, ready to be sent.
    let frame: [UInt8]
    /// The routes that it reports as dropped.
    let dropped: Int
    fileprivate let bytes: Int

    fileprivate init(
      _ parameters: ArraySlice<UInt8>,
      uid: UInt32,
      frame: [UInt8],
      _ restored: RestoredScene,
      stamps: [ReplyStamp],
      kinds: [ReplyStamp]
    ) {
      self.uid = uid
      self.parameters = Array(parameters)
      self.stamps = stamps.map(StampedCount.init)
      self.kinds = kinds.map(StampedCount.init)
      asked = restored.asked
      expiresAt = restored.expiresAt
      self.frame = frame
      dropped = restored.dropped.count
      bytes = frame.count + parameters.count + (stamps.count + kinds.count) * 16 + asked.bytes + 192
    }

    /// Whether the entity table would answer as it did, as far as the changes since tell.
    ///
    /// - Parameter confirm: asks the entity table where they do not.
    fileprivate func isGoodOfKinds(_ confirm: (EntityAnswers) -> Bool) -> Bool {
      if kinds.allSatisfy(\.isGood) { return true }
      let isUntouched = zip(kinds, asked.kinds).allSatisfy { $0.isGood || $0.isPastBy(asked, ofKind: $1.key) }
      guard isUntouched || confirm(asked) else { return false }
      for place in kinds.indices { kinds[place].renew() }
      return true
    }
  }

  private struct SceneKey: Hashable {
    let uid: UInt32
    let app: ExactName
    let scene: ExactName?
  }

  private static let halfBytes = 1 << 20
  private static let entryBytes = 64 << 10
  private static let parameterBytes = 1 << 10
  private static let stampMaximum = 8_192

  /// Entries asked for lately, and those of before; when the first fill half the room, they become the second.
  private var young: [UInt64: Entry] = [:]
  private var old: [UInt64: Entry] = [:]
  private var youngBytes = 0
  private var scenes: [SceneKey: ReplyStamp] = [:]
  private var kinds: [Int64: ReplyStamp] = [:]
  private let wall: () -> Int
  private let seed = UInt64.random(in: .min ... .max)

  /// - Parameter wall: the wall clock, in milliseconds since 1970.
  init(wall: @escaping () -> Int = StoreClock.system.wall) { self.wall = wall }

  /// The finished reply to a call of these parameters, if it is still good.
  ///
  /// - Parameter confirm: asks the entity table again what was asked for the reply; false where it answers otherwise.
  func find(_ parameters: ArraySlice<UInt8>, uid: UInt32, confirm: (EntityAnswers) -> Bool) -> Entry? {
    guard parameters.count <= Self.parameterBytes else { return nil }
    let key = key(parameters, uid)
    if let entry = young[key] { return isAnswer(entry, parameters, uid, confirm) ? entry : nil }
    guard let entry = old.removeValue(forKey: key), isAnswer(entry, parameters, uid, confirm) else { return nil }
    insert(entry, key)
    return entry
  }

  private func isAnswer(
    _ entry: Entry,
    _ parameters: ArraySlice<UInt8>,
    _ uid: UInt32,
    _ confirm: (EntityAnswers) -> Bool
  ) -> Bool {
    if let end = entry.expiresAt, end < wall() { return false }
    return entry.uid == uid && entry.stamps.allSatisfy(\.isGood)
      && entry.parameters.withUnsafeBytes(parameters.equals) && entry.isGoodOfKinds(confirm)
  }

  private func key(_ parameters: ArraySlice<UInt8>, _ uid: UInt32) -> UInt64 {
    parameters.withUnsafeBytes { XXH64.hash($0, seed: seed ^ UInt64(uid)) }
  }

  /// Keeps the reply to a call.
  ///
  /// - Parameters:
  ///   - restored: what the frame was made of, in the read transaction that is still open or older.
  func add(
    _ frame: [UInt8],
    _ parameters: ArraySlice<UInt8>,
    uid: UInt32,
    _ request: RestoreRequest,
    _ restored: RestoredScene
  ) {
    guard parameters.count <= Self.parameterBytes, frame.count <= Self.entryBytes, restored.faults.isEmpty else {
      return
    }
    if scenes.count + kinds.count > Self.stampMaximum { forgetAll() }
    let app = ExactName(request.app)
    let stamps = [nil, ExactName(request.scene)].map { stamp(SceneKey(uid: uid, app: app, scene: $0)) }
    let consulted = restored.asked.kinds.map { kind in
      let stamp = kinds[kind.key] ?? ReplyStamp()
      kinds[kind.key] = stamp
      return stamp
    }
    let entry = Entry(parameters, uid: uid, frame: frame, restored, stamps: stamps, kinds: consulted)
    insert(entry, key(parameters, uid))
  }

  private func stamp(_ key: SceneKey) -> ReplyStamp {
    if let stamp = scenes[key] { return stamp }
    let stamp = ReplyStamp()
    scenes[key] = stamp
    return stamp
  }

  private func insert(_ entry: Entry, _ key: UInt64) {
    if youngBytes + entry.bytes > Self.halfBytes {
      old = young
      young = [:]
      youngBytes = 0
    }
    youngBytes += entry.bytes - (young[key]?.bytes ?? 0)
    young[key] = entry
  }

  /// Forgets every reply, where the database is another.
  func forgetAll() {
    young = [:]
    old = [:]
    youngBytes = 0
    scenes = [:]
    kinds = [:]
  }

  /// Makes stale what the changes touch.
  func apply(_ changes: [StoreChange]) {
    for change in changes {
      let app = SceneKey(uid: change.uid, app: ExactName(change.app), scene: nil)
      switch change.subject {
      case .scene(let name):
        scenes[SceneKey(uid: change.uid, app: app.app, scene: ExactName(name))]?.move()
      case .routes: scenes[app]?.move()
      case .kind(_, let key):
        kinds[key]?.move(touching: change.touched)
        // A kind that begins or ceases to be declared changes answers that asked for it in vain, or in truth.
        switch change.type {
        case .entitiesChanged(declared: true, syncing: _), .forgotten: scenes[app]?.move()
        default: break
        }
      }
    }
  }
}
