import CLinux
import Glibc
import RestoreInterface
import RestoreStore
import Varlink

/// Puts store, service and socket together, and runs them until a signal says to stop.
final class Daemon {
  private let loop: EventLoop
  private let core: ServiceCore
  private let notifier: Notifier?
  private let signals: SignalWatch
  private var socket: ListeningSocket?
  private let stopping: StopRequest
  private let options: DaemonOptions
  private let log: Log
  private var watchdog: Watchdog?
  private var status: StatusLine?
  private var check: CheckThread?
  private let folder: String
  /// Why it cannot go on; nil: it can.
  private var failure: DaemonFault?

  /// How long a peer that does not read may hold up the end.
  private static let stopMilliseconds = 800
  /// How long an erasure may hold up the end: long enough for all but large databases, and what was received behind it
  /// is still to be committed in the rest of the time.
  private static let eraseMilliseconds = 200
  /// Milliseconds from the start to the erasure of what an earlier process left: whoever waited for the start goes first.
  fileprivate static let resumedErasureMilliseconds = 2_000

  /// What a signal sets off, put in place before there is a daemon to stop.
  private final class StopRequest {
    var action: () -> Void = {}
  }

  /// Opens the database, which is one daemon's at a time, and listens; who connects from here on is served once `run` is called.
  ///
  /// - Throws: why it cannot start. Where that is another daemon, nothing that was made for this one is left.
  init(_ options: DaemonOptions, log: Log, environment: @escaping (String) -> String?) throws(DaemonFault) {
    let places = Places(environment: environment, uid: getuid())
    folder = try places.stateFolder(options.stateFolder)
    let stopping = StopRequest()
    self.stopping = stopping
    self.options = options
    self.log = log
    notifier = Notifier(environment: environment)
    // First, so that a second daemon makes no state folder.
    let place = try Self.place(options, places)
    do {
      loop = try EventLoop()
      // Before any thread is started, so that all of them leave the signals to the loop.
      signals = try SignalWatch(loop) { stopping.action() }
      core = try ServiceCore(
        on: loop,
        folder: folder,
        store: options.store,
        settings: options.service,
        policy: options.policy(log),
        log: log
      )
      let socket = try place.listen()
      self.socket = socket
      if socket.isConnected {
        try core.server.serve(Descriptor(owning: socket.descriptor))
      } else {
        try core.server.listen(on: Descriptor(owning: socket.descriptor))
      }
    } catch {
      place.giveUp()
      throw DaemonFault(error)
    }
    connect()
    watchdog = Watchdog(notifier, loop: loop, queue: core.queue) { [unowned core] in core.service.storeAnswers() }
    status = StatusLine(notifier, loop: loop) { [unowned core] in core.service.statusLine() }
    stopping.action = { [unowned self] in stop() }
  }

  private static func place(_ options: DaemonOptions, _ places: Places) throws(DaemonFault) -> ListeningSocket.Place {
    if let passed = try ListeningSocket.passed(environment: places.environment) { return .passed(passed) }
    return .claimed(try ListeningSocket.Claim(places.socket(options.socket), everyone: options.allUsers))
  }

  /// Has the parts that know nothing of each other told of what concerns them.
  private func connect() {
    core.didTurn = { [unowned self] in
      status?.touch(core.server.connectionCount)
      // A socket that was passed connected is the only peer there will ever be.
      if socket?.isConnected == true, core.server.connectionCount == 0 { stop() }
    }
    core.didRecover = { [unowned self] in status?.touch() }
    core.didFail = { [unowned self] error in
      failure = DaemonFault(error)
      stop()
    }
    core.didChange = { [unowned self] changes in if !changes.isEmpty { status?.touch() } }
  }

  /// Milliseconds from being ready to the look at the whole database: whoever waited for the start goes first.
  private static let checkAfterMilliseconds = 1_000
  /// Milliseconds after which it is tried again where no thread could be started for it.
  private static let checkAgainMilliseconds = 60_000

  private func startCheck(afterMilliseconds milliseconds: Int) {
    _ = loop.schedule(afterMilliseconds: milliseconds) { [self] in startCheck() }
  }

  /// Looks at every page and revision on a thread of its own.
  private func startCheck() {
    guard !core.server.isStopping else { return }
    do throws(SystemFault) {
      check = try CheckThread(folder: folder, options.store, control: core.check, mailbox: loop.mailbox) {
        [unowned self] in
        found($0)
      }
    } catch { startCheck(afterMilliseconds: Self.checkAgainMilliseconds) }
  }

  private func found(_ finding: CheckThread.Finding) {
    switch finding {
    case .damaged(let cause): core.queue.recover(cause)
    case .faults(let faults): core.service.health.report(damage: faults, of: nil)
    case .done(let revisions):
      log.write(.checked, "every page and \(revisions) \(revisions == 1 ? "revision" : "revisions") looked at")
    }
    status?.touch()
  }

  /// Serves until a signal says to stop; on return the database is closed and the socket's file is gone.
  func run() throws(DaemonFault) {
    if let warning = Folder.rights(of: folder) { log.write(.folderShared, warning) }
    notifier?.send("READY=1\nSTATUS=Serving")
    log.write(.started, "serving \(options.allUsers ? "all users" : "uid \(getuid())") at \(socket?.name ?? "")")
    watchdog?.start()
    startCheck(afterMilliseconds: Self.checkAfterMilliseconds)
    do throws(SystemFault) { try loop.run() } catch { throw DaemonFault(error) }
    close()
    if let failure { throw failure }
  }

  /// Accepts no more, answers what was received, and ends the loop.
  private func stop() {
    guard !core.server.isStopping else { return }
    notifier?.send("STOPPING=1")
    log.write(.stopping, "stopping: finishing what was received")
    core.queue.hurry(within: Self.eraseMilliseconds)
    core.server.stop(within: Self.stopMilliseconds) { [self] in loop.stop() }
  }

  /// Closes the database, and removes the socket's file.
  private func close() {
    check?.stop()
    core.close()
    socket = nil
  }
}

extension DaemonOptions {
  fileprivate var store: StoreOptions {
    var store = StoreOptions()
    store.durability = durability
    store.maximumStateBytes = maximumStateBytes
    if allUsers { store.userQuotaBytes = userQuotaBytes }
    store.limits.resumedErasureMilliseconds = Daemon.resumedErasureMilliseconds
    adjustStore(&store)
    return store
  }

  fileprivate var service: ScenesService.Settings {
    ScenesService.Settings(
      ownUID: getuid(),
      allUsers: allUsers,
      maximumStateBytes: maximumStateBytes,
      userQuotaBytes: allUsers ? userQuotaBytes : nil,
      startedAt: StoreClock.system.steady()
    )
  }

  /// Connections of one uid where every user is served, so that none can keep the others out.
  private static let connectionsPerUser = 1_024
  /// The kernel's uid for users that its name space does not know: nobody's, so it owns nothing.
  private static let overflowUID: UInt32 = 65_534

  fileprivate func policy(_ log: Log) -> ServerPolicy {
    var policy = ServerPolicy()
    let own = getuid()
    let everyone = allUsers
    if everyone { policy.limits.connectionsPerUser = Self.connectionsPerUser }
    policy.refusal = { peer in
      let isWelcome = everyone ? peer.uid != Self.overflowUID : peer.uid == own || peer.uid == 0
      return isWelcome ? nil : .permissionDenied
    }
    policy.beyond = { limit, maximum, actual in
      let name = limit == .message ? "message" : "connections"
      return VarlinkError(reply: .limitExceeded(limit: name, maximum: maximum, actual: actual))
    }
    policy.unanswered = { _ in .unexpectedOutcome }
    policy.onFault = { log.write(.connectionsWait, "\($0.sentence); new connections wait until one is closed") }
    return policy
  }
}
