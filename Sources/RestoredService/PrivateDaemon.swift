import CLinux
import Glibc
import RestoreStore
import Varlink

/// The daemon's service inside another process and for it alone: no socket's file, no signals, no log but of failures.
///
/// It serves on a thread of its own until nobody has it any more.
package final class PrivateDaemon: @unchecked Sendable {
  private static let stackBytes = 1 << 20

  // Touched on the loop's thread only, but for the mailbox.
  private let loop: EventLoop
  private let core: ServiceCore

  /// Opens or makes a database, and begins to serve.
  ///
  /// Commits are not synced to the disk one by one: they outlive a crash of the process, not of the machine.
  ///
  /// - Parameters:
  ///   - folder: where the database is; nobody else may have it.
  ///   - atEnd: called on the service's thread once the database is closed.
  /// - Throws: `StoreError` where the folder is no place for a database; `SystemFault`.
  package init(folder: String, atEnd: @escaping @Sendable () -> Void) throws {
    var store = StoreOptions()
    store.durability = .normal
    let settings = ScenesService.Settings(
      ownUID: getuid(),
      allUsers: false,
      maximumStateBytes: store.maximumStateBytes,
      userQuotaBytes: nil,
      startedAt: StoreClock.system.steady()
    )
    var policy = ServerPolicy()
    policy.unanswered = { _ in .unexpectedOutcome }
    let loop = try EventLoop()
    let core = try ServiceCore(
      on: loop,
      folder: folder,
      store: store,
      settings: settings,
      policy: policy,
      log: Log(environment: { $0 == "RESTORED_LOG_LEVEL" ? "error" : nil })
    )
    self.loop = loop
    self.core = core
    let parts = Parts(loop: loop, core: core)
    try DetachedThread.start(named: "restore-memory", stackBytes: Self.stackBytes) {
      // Ends only where epoll itself is broken: then nobody can be served.
      try? parts.loop.run()
      parts.core.close()
      atEnd()
    }
  }

  /// What its thread takes over.
  private struct Parts: @unchecked Sendable {
    let loop: EventLoop
    let core: ServiceCore
  }

  deinit {
    let parts = Parts(loop: loop, core: core)
    loop.mailbox.post { parts.core.server.stop(within: 0) { parts.loop.stop() } }
  }

  /// A connection to it, non-blocking.
  ///
  /// - Throws: what socketpair(2) says.
  package func connect() throws(SystemFault) -> Descriptor {
    var pair: [Int32] = [-1, -1]
    guard clinux_unix_pair(&pair) == 0 else { throw SystemFault("socketpair") }
    let parts = Parts(loop: loop, core: core)
    let served = pair[1]
    loop.mailbox.post { try? parts.core.server.serve(Descriptor(owning: served)) }
    let own = Descriptor(owning: pair[0])
    guard clinux_set_nonblocking(pair[0]) == 0 else { throw SystemFault("fcntl") }
    return own
  }
}
