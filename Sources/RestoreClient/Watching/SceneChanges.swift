import RestoreInterface
import Varlink

/// The changes of an app's scenes and entities, as they happen.
///
/// Each iteration is a watch of its own, on a connection of its own that ends with it. Where the daemon is started anew
/// the watch goes on after the last change that it told: none is missed and none comes twice, and where that cannot be
/// had a `gap` says so. It waits for a daemon as long as it takes, once it has had one. Who is slow to read holds
/// nobody up: the daemon lets go of the watch, and it goes on in the same way.
public struct SceneChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = SceneChange
  /// Why a watch ends.
  public typealias Failure = RestoreError

  let link: DaemonLink
  let app: String
  let scene: String?
  let after: Int?

  /// Begins to watch.
  public func makeAsyncIterator() -> Iterator { Iterator(changes: self, position: after) }

  /// One watch.
  public struct Iterator: AsyncIteratorProtocol {
    let changes: SceneChanges
    /// All changes up to this one were told; nil: the watch has not begun.
    var position: Int?
    private var reader: ReplyStreamReader?
    private var hasBegun = false
    private var openedAt = ContinuousClock.now
    /// Connections in a row that ended soon, and told nothing.
    private var fruitless = 0

    /// A connection that lasted so long was worth it.
    private static var worthwhile: Duration { .seconds(5) }

    init(changes: SceneChanges, position: Int?) {
      self.changes = changes
      self.position = position
    }

    /// Waits for the next change; never nil.
    ///
    /// - Throws: `unavailable` where there is no daemon to begin with; `cancelled`; `unexpectedReply`, `storageFailed`.
    public mutating func next() async throws(RestoreError) -> SceneChange? {
      while true {
        do throws(ExchangeFault) {
          if let change = try await step() { return change }
        } catch {
          reader = nil
          guard hasBegun, case .unanswered(let cause) = error, !cause.isOfProtocol else { throw error.error }
          try await rest()
        }
      }
    }

    /// Waits before it connects again to a service that accepts, and ends the connection at once.
    private mutating func rest() async throws(RestoreError) {
      fruitless = openedAt.duration(to: .now) < Self.worthwhile ? Swift.min(fruitless + 1, 9) : 0
      if fruitless < 2 { return }
      do { try await Task.sleep(for: .milliseconds(10 << fruitless)) } catch { throw .cancelled }
    }

    /// Takes the next reply; nil: it is not for the watcher.
    private mutating func step() async throws(ExchangeFault) -> SceneChange? {
      let reply = try await open().next()
      if let name = reply.error {
        reader = nil
        guard case .watchBehind(let revision)? = InterfaceError(name: name, parameters: reply.parameters) else {
          throw .notSent(RestoreError(name: name, parameters: reply.parameters))
        }
        position = revision
        return nil
      }
      let event: WatchEvent
      do throws(WireFault) { event = try Watch.Reply(leniently: reply.parameters).event } catch {
        reader = nil
        throw .notSent(.unexpectedReply("Watch without what it must hold: \(error)"))
      }
      // A gap may lead back: to a database that begins anew.
      position = event.type == .gap ? event.revision : Swift.max(event.revision, position ?? 0)
      if event.type == .ready, hasBegun { return nil }
      fruitless = 0
      hasBegun = true
      return SceneChange(event)
    }

    private mutating func open() -> ReplyStreamReader {
      if let reader { return reader }
      let parameters = Watch.Parameters(app: changes.app, scene: changes.scene, after: position).encoded
      let frame = CallFrame.make(Watch.fullName, parameters, more: true)
      let opened = ReplyStreamReader(changes.link.connector, frame, mayWait: hasBegun)
      reader = opened
      openedAt = .now
      return opened
    }
  }
}

extension RestoreError {
  /// Whether the other end does not speak the interface: asking again would bring the same.
  fileprivate var isOfProtocol: Bool {
    if case .unexpectedReply = self { true } else { false }
  }
}

extension SceneClient {
  /// Watches what changes of the app: its scenes, what exists, its route table.
  ///
  /// - Parameter after: first tells the last change since that revision of each scene and kind; nil: only what comes.
  public func changes(after: Int? = nil) -> SceneChanges {
    SceneChanges(link: caller.link, app: app, scene: nil, after: after)
  }
}

extension SceneHandle {
  /// Watches what changes of the scene, and of what exists: that too changes what it is restored to.
  ///
  /// - Parameter after: as for `SceneClient.changes(after:)`.
  public func changes(after: Int? = nil) -> SceneChanges {
    SceneChanges(link: caller.link, app: client.app, scene: id, after: after)
  }
}
