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
  private let loop: EventLoop

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
    let writer = try StoreWriter(folder: folder, options: store)
    let reader = try StoreReader(folder: folder, options: store)
    queue = CommitQueue(writer, loop: loop)
    // Before the first command, so that no change is missed.
    let watches = try WatchHub(loop: loop, reader: reader)
    service = ScenesService(reader: reader, queue: queue, watches: watches, log: log, settings: settings)
    server = try VarlinkServer(loop: loop, identity: Self.identity, interfaces: [service], policy: policy)
    connect()
  }

  private static let identity = ServiceIdentity(
    vendor: "restored",
    product: "restored",
    version: RestoredInterface.productVersion,
    url: "https://restored.io"
  )

  /// Ties the parts together that know nothing of each other.
  private func connect() {
    service.later = { [unowned loop] work in _ = loop.schedule(afterMilliseconds: 0, work) }
    service.nextTurn = { [unowned loop] task in loop.resumeLater(task) }
    service.connections = { [unowned server] in server.connectionCount }
    loop.willDispatch = { [unowned self] in service.reader.beginBatch() }
    loop.didDispatch = { [unowned self] in
      service.reader.endBatch()
      didTurn()
    }
    queue.onChanges = { [unowned self] changes in
      service.apply(changes)
      didChange(changes)
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
