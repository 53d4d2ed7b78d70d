import RestoreStore
import Varlink

/// Large saves that wait for one another, and whatever must not overtake them.
///
/// A small save would wait for all large ones before it else: at 1 MiB each takes milliseconds, and 32 peers may have
/// one each. What came first over one connection stays first, and so does what came first for one scene, or for an app or
/// a user as a whole.
///
/// Where small ones came while large ones were written, the next large one waits four times as long as those took: else each small
/// one would wait for a large one.
///
/// Confined to the loop's thread. A class, since a value would be copied to be asked.
final class HeldCommands {
  /// A command and what is to be called with its outcome.
  struct Item {
    let command: WriteCommand
    let connection: UInt64
    let completion: CommitQueue.Completion
  }

  /// What a command concerns.
  private struct Scope: Hashable {
    let uid: UInt32
    /// nil: every app of the user.
    var app: String?
    /// nil: more than one scene of the app, or what all share.
    var scene: String?

    init(_ command: WriteCommand) {
      uid = command.uid
      switch command.action {
      case .forgetUser, .importRecords: break
      case .save(let scene, _, _, _), .launch(let scene, _), .confirm(let scene, _):
        (app, self.scene) = (command.app, scene)
      default: app = command.app
      }
    }

    /// The scopes that hold all that this one does, itself included.
    var all: [Scope] {
      var app = self
      app.scene = nil
      var user = app
      user.app = nil
      return [self, app, user]
    }
  }

  /// Bytes of a state from which on a save is large.
  private static let largeBytes = 64 << 10
  /// Bytes of large saves with the writer at once, unless a single one is larger.
  private static let bytesAtOnce = 1 << 20

  private var items = Line<Item>()
  private var connections: [UInt64: Int] = [:]
  private var scopes: [Scope: Int] = [:]
  /// Bytes of the large saves that the writer has, and when it got the first of them.
  private var bytesOut = 0
  private var largeBegan: Int64 = 0
  /// Whether others came since.
  private var othersCame = false
  /// When the writer may have the next large one.
  private var restUntil = Int64.min
  private var areRestsOver = false

  /// How many times as long as large saves took the next ones wait.
  private static let restFactor: Int64 = 4
  /// Nanoseconds that they wait at most.
  private static let longestRest: Int64 = 500_000_000

  var isEmpty: Bool { items.isEmpty }

  /// The bytes that count for a command; 0: it is not a large save.
  static func weight(of command: WriteCommand) -> Int {
    guard case .save = command.action, command.bytes >= largeBytes else { return 0 }
    return command.bytes
  }

  /// Whether a command is to wait here instead of going to the writer.
  func mustWait(_ command: WriteCommand, from connection: UInt64, at now: Int64) -> Bool {
    guard !isEmpty else { return !hasRoom(for: command, at: now) }
    let scope = Scope(command)
    // What concerns more than one scene stays in line with all.
    guard scope.scene != nil, Self.weight(of: command) == 0, connections[connection] == nil else { return true }
    return scope.all.contains { scopes[$0] != nil }
  }

  func append(_ item: Item) {
    items.append(item)
    connections[item.connection, default: 0] += 1
    scopes[Scope(item.command), default: 0] += 1
  }

  /// Takes the first one, where the writer may have it.
  ///
  /// - Parameter now: nil: whatever it has, for there is no later.
  func next(at now: Int64?) -> Item? {
    guard let item = items.first else { return nil }
    if let now, !hasRoom(for: item.command, at: now) { return nil }
    _ = items.popFirst()
    Self.count(down: item.connection, in: &connections)
    Self.count(down: Scope(item.command), in: &scopes)
    return item
  }

  /// Has large saves wait for one another alone from now on: the daemon is about to end.
  func endRests() {
    areRestsOver = true
    restUntil = .min
  }

  /// Nanoseconds from `now` on until the first one may go; nil: only the writer's answer matters, or there is none.
  func wait(at now: Int64) -> Int64? {
    guard !isEmpty, bytesOut == 0, restUntil > now else { return nil }
    return restUntil - now
  }

  /// Notes that the writer gets a command of this weight.
  func noteOut(weight: Int, at now: Int64) {
    guard weight > 0 else { return othersCame = true }
    if bytesOut == 0 { (largeBegan, othersCame) = (now, false) }
    bytesOut += weight
  }

  /// Notes that the writer has answered a command of this weight.
  func noteBack(weight: Int, at now: Int64) {
    guard weight > 0 else { return }
    bytesOut -= weight
    guard bytesOut == 0, !areRestsOver else { return }
    restUntil = othersCame ? now + min(Self.restFactor * (now - largeBegan), Self.longestRest) : now
  }

  private func hasRoom(for command: WriteCommand, at now: Int64) -> Bool {
    let weight = Self.weight(of: command)
    if weight == 0 { return true }
    return bytesOut == 0 ? now >= restUntil : bytesOut + weight <= Self.bytesAtOnce
  }

  private static func count<Key>(down key: Key, in counts: inout [Key: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }
}
