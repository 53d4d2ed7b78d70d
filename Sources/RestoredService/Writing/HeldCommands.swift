import RestoreStore

/// Large saves that wait for one another, and whatever must not overtake them.
///
/// A small save would wait for all large ones before it else: at 1 MiB each takes milliseconds, and 32 peers may have
/// one each. What came first over one connection stays first, and so does what came first for one scene, or for an app or
/// a user as a whole.
///
/// Confined to the loop's thread.
struct HeldCommands {
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

  private var items: [Item] = []
  private var first = 0
  private var connections: [UInt64: Int] = [:]
  private var scopes: [Scope: Int] = [:]
  /// Bytes of the large saves that the writer has.
  private var bytesOut = 0

  var isEmpty: Bool { first == items.count }

  /// The bytes that count for a command; 0: it is not a large save.
  static func weight(of command: WriteCommand) -> Int {
    guard case .save = command.action, command.bytes >= largeBytes else { return 0 }
    return command.bytes
  }

  /// Whether a command is to wait here instead of going to the writer.
  func mustWait(_ command: WriteCommand, from connection: UInt64) -> Bool {
    guard !isEmpty else { return !hasRoom(for: command) }
    let scope = Scope(command)
    // What concerns more than one scene stays in line with all.
    guard scope.scene != nil, Self.weight(of: command) == 0, connections[connection] == nil else { return true }
    return scope.all.contains { scopes[$0] != nil }
  }

  mutating func append(_ item: Item) {
    items.append(item)
    connections[item.connection, default: 0] += 1
    scopes[Scope(item.command), default: 0] += 1
  }

  /// Takes the first one, where the writer may have it.
  ///
  /// - Parameter all: whatever it has: there is no later.
  mutating func next(all: Bool = false) -> Item? {
    guard !isEmpty, all || hasRoom(for: items[first].command) else { return nil }
    let item = items[first]
    first += 1
    // Moved to the front now and then, not each time.
    if first == items.count || first >= 256 {
      items.removeFirst(first)
      first = 0
    }
    Self.count(down: item.connection, in: &connections)
    Self.count(down: Scope(item.command), in: &scopes)
    return item
  }

  /// Notes that the writer has a command of this weight from now on; below 0: no longer.
  mutating func note(weight: Int) { bytesOut += weight }

  private func hasRoom(for command: WriteCommand) -> Bool {
    let weight = Self.weight(of: command)
    return weight == 0 || bytesOut == 0 || bytesOut + weight <= Self.bytesAtOnce
  }

  private static func count<Key>(down key: Key, in counts: inout [Key: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }
}
