import RestoreInterface
import RestoreStore
import SceneModel
import Varlink

/// Serves `io.restored`: decodes each call, asks the store, encodes the reply.
///
/// What reads is answered at once on the loop; what writes goes to the writer thread and is answered once it is on
/// disk. Confined to the loop's thread.
final class ScenesService: VarlinkInterface {
  private var openReader: StoreReader?
  let queue: CommitQueue
  let cache = ReplyCache()
  let settings: Settings
  var usage: [UInt32: Usage] = [:]
  let health: HealthMonitor
  let log: Log
  let watches: WatchHub
  /// The exports under way of each user.
  var exports: [UInt32: Int] = [:]
  /// Has a task resumed in the next turn of the loop.
  var nextTurn: (any TurnTask) -> Void = { $0.resume() }
  /// Tells how many connections there are.
  var connections: () -> Int = { 0 }

  /// What the daemon was told on its command line, as far as calls are concerned.
  struct Settings {
    var ownUID: UInt32
    var allUsers: Bool
    var maximumStateBytes: Int
    var userQuotaBytes: Int?
    var startedAt: Int
  }

  /// What one user did since the start.
  struct Usage {
    var saves = 0
    var restores = 0
    var droppedRoutes = 0

    mutating func note(restoreDropping dropped: Int) {
      restores += 1
      droppedRoutes += dropped
    }
  }

  init(reader: StoreReader, queue: CommitQueue, watches: WatchHub, log: Log, settings: Settings) {
    self.watches = watches
    self.log = log
    health = HealthMonitor(log)
    openReader = reader
    self.queue = queue
    self.settings = settings
    queue.onFault = { [health] in health.note($0) }
    queue.onLateErasure = { [log] in
      log.write(.erased, "what was deleted before is erased from the files now, which took \($0) ms")
    }
    queue.onResult = { [health] in health.note($0.outcome, wrote: $0.wrote) }
    queue.onProblems = { [health] in health.writerProblems = $0 }
    queue.onNoRecovery = { [health] in health.note(unrecovered: $0) }
    reader.onDamage = openDamage
  }

  var interfaceText: String { RestoredInterface.text }

  /// Has the database recovered, where a read says that it is damaged.
  private var openDamage: (StoreError) -> Void { { [queue] in queue.recover($0.message) } }

  /// The connection that reads; there is one until `close`.
  var reader: StoreReader {
    guard let openReader else { preconditionFailure("a call after the end") }
    return openReader
  }

  /// Drops what the changes made stale, and tells those who watch.
  ///
  /// Called before those who made the changes are answered.
  func apply(_ changes: [StoreChange]) {
    reader.apply(changes)
    cache.apply(changes)
    watches.apply(changes)
  }

  /// Goes on with the database that has taken the place of a damaged one.
  ///
  /// - Parameter next: a connection to it.
  /// - Throws: what the store reports.
  func goOn(with next: StoreReader, _ report: RecoveryReport) throws(StoreError) {
    reader.endBatch()
    reader.retire()
    openReader = next
    next.onDamage = openDamage
    cache.forgetAll()
    health.note(report)
    try watches.restart(next)
  }

  /// Lets go of the connection that reads.
  ///
  /// Nothing may be called any more.
  func close() { openReader = nil }

  /// Whose data a peer reads and writes: its own with `--all-users`, else the daemon's user's.
  func owner(_ call: VarlinkCall) -> UInt32 { settings.allUsers ? call.peer.uid : settings.ownUID }

  /// What goes through the writer's queue, in its order, and has a short reply; an erasure may hold up those behind it.
  func mayOverlap(_ method: String) -> Bool {
    switch method {
    case Save.name, Confirm.name, PutEntities.name, DeleteEntities.name: true
    default: false
    }
  }

  func handle(_ call: VarlinkCall, _ responder: consuming Responder) {
    switch call.method {
    case Restore.name: restore(call, responder)
    case Save.name: save(call, responder)
    case Check.name: check(call, responder)
    case Launch.name: launch(call, responder)
    case Confirm.name: confirm(call, responder)
    case ListScenes.name: listScenes(call, responder)
    case CloseScene.name: closeScene(call, responder)
    case ReopenScene.name: reopenScene(call, responder)
    case ForgetScene.name: forgetScene(call, responder)
    case ResetApp.name: resetApp(call, responder)
    case ForgetUser.name: forgetUser(call, responder)
    case ListRevisions.name: listRevisions(call, responder)
    case Rollback.name: rollback(call, responder)
    case PutEntities.name: putEntities(call, responder)
    case DeleteEntities.name: deleteEntities(call, responder)
    case BeginSync.name: beginSync(call, responder)
    case EndSync.name: endSync(call, responder)
    case ListEntities.name: listEntities(call, responder)
    case ListKinds.name: listKinds(call, responder)
    case ForgetKind.name: forgetKind(call, responder)
    case Watch.name: watch(call, responder)
    case ExportRecords.name: exportRecords(call, responder)
    case ImportRecords.name: importRecords(call, responder)
    case SetRoutes.name: setRoutes(call, responder)
    case GetRoutes.name: getRoutes(call, responder)
    case ResolveLink.name: resolveLink(call, responder)
    case GetStatus.name: getStatus(call, responder)
    default: responder.fail(.methodNotImplemented(call.qualifiedMethod))
    }
  }
}

extension ScenesService {
  /// The parameters of a call of `method`, or the reply that names what is wrong with them.
  func parameters<M: InterfaceMethod>(_ method: M.Type, _ call: VarlinkCall) throws(VarlinkError) -> M.Parameters {
    do throws(WireFault) {
      guard let split = call.split else { return try M.Parameters(strictly: call.parameters) }
      return try M.Parameters(strictly: split)
    } catch { throw VarlinkError(error) }
  }

  /// Answers a call that reads.
  func read<M: InterfaceMethod>(
    _ method: M.Type,
    _ call: VarlinkCall,
    _ responder: consuming Responder,
    _ body: (M.Parameters) throws(VarlinkError) -> M.Reply
  ) {
    if call.isUnheard { return responder.reply() }
    let answer: Result<M.Reply, VarlinkError>
    do throws(VarlinkError) {
      answer = .success(try body(try parameters(method, call)))
    } catch { answer = .failure(error) }
    switch answer {
    case .success(let reply): responder.reply { reply.encode(in: &$0) }
    case .failure(let error):
      note(error, call)
      responder.fail(error)
    }
  }

  /// Has what a call writes committed, and answers when that is done.
  ///
  /// - Parameters:
  ///   - command: makes the command of the parameters, or says what is wrong with them.
  ///   - reply: makes the reply of the outcome, of what `uid` owns; nil where the outcome is not this command's.
  func write<M: InterfaceMethod>(
    _ method: M.Type,
    _ call: VarlinkCall,
    _ responder: consuming Responder,
    _ command: (M.Parameters) throws(VarlinkError) -> WriteCommand,
    reply: @escaping (WriteOutcome, _ uid: UInt32) throws(VarlinkError) -> M.Reply?
  ) {
    let made: WriteCommand
    do throws(VarlinkError) {
      made = try command(try parameters(method, call))
    } catch {
      note(error, call)
      return responder.fail(error)
    }
    let pending = responder.detach()
    // Not the call itself, which holds on to the memory of its message.
    let (method, peer, uid) = (call.method, call.peer, owner(call))
    queue.submit(made, from: call.connection) { [self] result in
      do throws(VarlinkError) {
        let outcome = try result.mapError { VarlinkError($0) }.get()
        guard let answer = try reply(outcome, uid) else { throw .unexpectedOutcome }
        pending.reply { answer.encode(in: &$0) }
      } catch {
        note(error, method, peer)
        pending.fail(error)
      }
    }
  }

  /// Tells the log of a refused call, for whoever looks for an app's mistake; never what the call held.
  func note(_ error: VarlinkError, _ call: VarlinkCall) { note(error, call.method, call.peer) }

  private func note(_ error: VarlinkError, _ method: String, _ peer: Peer) {
    guard log.writes(LogEvent.Kind.callFailed.level) else { return }
    let fields: [(StaticString, String)] = [
      ("METHOD", method), ("ERROR", error.name), ("PEER_UID", "\(peer.uid)"), ("PEER_PID", "\(peer.pid)"),
    ]
    log.write(.callFailed, "\(method) of pid \(peer.pid), uid \(peer.uid): \(error.name)", fields)
  }

  /// Runs a read of the store, turning its error into a reply.
  func reading<R>(_ body: () throws(StoreError) -> R) throws(VarlinkError) -> R {
    do throws(StoreError) { return try body() } catch { throw VarlinkError(error) }
  }
}

extension VarlinkError {
  /// A defect of the daemon: said to the caller instead of leaving it without an answer.
  static let unexpectedOutcome = VarlinkError(
    reply: .storageFailed(reason: "restored lost track of this call", remedy: "ask GetStatus, then call again")
  )
}
