import RestoreInterface
import RestoreStore
import Varlink

/// The service and its store on a loop, with nothing that only a program has: no socket's file, no signals.
///
/// Confined to the loop's thread.
final class ServiceCore {
  let server: VarlinkServer
  let service: ScenesService
  let queue: CommitQueue
  /// Called at the end of each turn that had something to do.
  var didTurn: () -> Void = {}
  /// Called with each change, once it is on disk.
  var didChange: ([StoreChange]) -> Void = { _ in }
  /// Called once another database has taken the place of a damaged one.
  var didRecover: () -> Void = {}
  /// Called where that database cannot be read: nobody can be served any more.
  var didFail: (StoreError) -> Void = { _ in }
  /// Of the look at all pages, where there is one.
  let check = CheckControl()
  private let loop: EventLoop
  private let folder: String
  private let options: StoreOptions

  /// Opens the database in `folder`, and starts the thread that writes.
  ///
  /// - Throws: `StoreError`, `SystemFault`.
  init(
    on loop: EventLoop,
    folder: String,
    store: StoreOptions,
    settings: ScenesService.Settings,
    policy: ServerPolicy,
    log: Log
  ) throws {
    self.loop = loop
    self.folder = folder
    options = store
    let writer = try StoreWriter(folder: folder, options: store)
    let reader = try StoreReader(folder: folder, options: store)
    let found = writer.recovery
    queue = try CommitQueue(writer, check: check, loop: loop)
    // Before the first command, so that no change is missed.
    let watches = try WatchHub(loop: loop, reader: reader)
    service = ScenesService(reader: reader, queue: queue, watches: watches, log: log, settings: settings)
    if let found { service.health.note(found) }
    server = try VarlinkServer(loop: loop, identity: Self.identity, interfaces: [service], policy: policy)
    connect()
  }

  private static let identity = ServiceIdentity(
    vendor: "restored",
    product: "restored",
    version: RestoredInterface.productVersion,
    url: "man:restored(8)"
  )

  /// Ties the parts together that know nothing of each other.
  private func connect() {
    service.nextTurn = { [unowned loop] task in loop.resumeLater(task) }
    service.connections = { [unowned server] in server.connectionCount }
    loop.willDispatch = { [unowned self] in service.reader.beginBatch() }
    loop.didDispatch = { [unowned self] in
      service.reader.endBatch()
      didTurn()
    }
    queue.onRecovery = { [unowned self] in goOn($0) }
    queue.onChanges = { [unowned self] changes in
      service.apply(changes)
      didChange(changes)
    }
  }

  /// Opens anew what was open on a database that another has taken the place of.
  private func goOn(_ report: RecoveryReport) {
    do throws(StoreError) {
      try service.goOn(with: try StoreReader(folder: folder, options: options), report)
      didRecover()
    } catch {
      didFail(error)
    }
  }

  /// Closes the database, once the loop runs no more: the reader first, so that the writer is the last and leaves no
  /// log behind.
  func close() {
    loop.willDispatch = nil
    loop.didDispatch = nil
    service.close()
    queue.stop()
  }
}
