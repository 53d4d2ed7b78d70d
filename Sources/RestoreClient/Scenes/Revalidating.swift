import Varlink

/// A list as it was last known, at once, and then as it is: so that there is something to show while the daemon is
/// asked, or where there is none.
///
/// Brings one or two elements. After the stale one it throws what asking for the fresh one threw.
public struct Revalidating<Value: Sendable>: AsyncSequence, Sendable {
  /// What asking for the fresh one may throw.
  public typealias Failure = RestoreError

  /// A list, and whether it is the one of now.
  public struct Element: Sendable {
    /// The list.
    public let value: Value
    /// Whether it was just asked for; else it is what this client last heard.
    public let isFresh: Bool
  }

  let known: @Sendable () -> Value?
  let ask: @Sendable () async throws(RestoreError) -> Value

  /// Begins with what is known.
  public func makeAsyncIterator() -> Iterator { Iterator(list: self) }

  /// One reading of the list.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Phase { case stale, fresh, end }

    private let list: Revalidating
    private var phase = Phase.stale

    init(list: Revalidating) { self.list = list }

    /// The list as it was, then as it is, then nil.
    ///
    /// - Throws: as the call that asks.
    public mutating func next() async throws(RestoreError) -> Element? {
      if phase == .stale {
        phase = .fresh
        if let value = list.known() { return Element(value: value, isFresh: false) }
      }
      guard phase == .fresh else { return nil }
      phase = .end
      return Element(value: try await list.ask(), isFresh: true)
    }
  }
}

/// The lists that a client last heard.
final class KnownLists: Sendable {
  /// What a list is of.
  enum Key: Hashable, Sendable {
    case scenes(closed: Bool)
    case entities(kind: [UInt8])
  }

  /// Lists that are kept; beyond that all are let go.
  private static let maximum = 64

  private let lists = Locked<[Key: any Sendable]>([:])

  /// A list as it was last heard; nil: it was not.
  func get<Value: Sendable>(_ key: Key, as _: Value.Type = Value.self) -> Value? {
    lists.withLock { $0[key] as? Value }
  }

  /// Keeps a list.
  func set(_ key: Key, _ value: any Sendable) {
    lists.withLock { lists in
      if lists.count >= Self.maximum, lists[key] == nil { lists = [:] }
      lists[key] = value
    }
  }

  /// Forgets all, for who logged out.
  func removeAll() { lists.withLock { $0 = [:] } }
}

extension SceneClient {
  /// The app's scenes as this client last heard them, and then as they are now.
  ///
  /// - Parameter closed: as for `scenes(closed:)`.
  public func revalidatedScenes(closed: Bool = false) -> Revalidating<[SceneInfo]> {
    Revalidating {
      lists.get(.scenes(closed: closed))
    } ask: { () async throws(RestoreError) in
      try await scenes(closed: closed)
    }
  }
}

extension EntityTable {
  /// The kind's ids as this client last heard them, and then as they are now.
  public func revalidatedList() -> Revalidating<[String]> {
    Revalidating {
      client.lists.get(.entities(kind: Array(kind.name.utf8)))
    } ask: { () async throws(RestoreError) in
      try await list()
    }
  }
}
