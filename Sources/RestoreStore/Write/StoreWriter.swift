import CSQLite
import SceneModel

/// Owns the one connection that writes, and the folder.
///
/// Confined to one thread; every call blocks on the disk.
package final class StoreWriter {
  /// What one command came to: a refusal is found before anything of the command is written.
  enum Step {
    case done(WriteOutcome, [StoreChange] = [])
    case refused(StoreError)
  }

  /// What lives in memory alone.
  ///
  /// A value, so that a transaction that fails puts it back as it was.
  struct Transient {
    var syncs: [Int: Sync] = [:]
    var imports = KindImports()
    var erasure = Erasure()
  }

  let options: StoreOptions
  let path: String
  let connection: Connection
  let statements: WriteStatements
  let ledger: Ledger
  var transient = Transient()
  var log = LogUpkeep()
  /// Whether the log is to be left as it is, with a database that was set aside.
  var isRetired = false
  /// The time of the transaction under way.
  var now = 0
  /// The connection's `dataVersion` when the ledger was last known to be right.
  private var ledgerVersion: UInt32 = 0
  /// What commits are gathered in; nil: they are written page by page.
  private let gatheringRoom: GatheredWrites.Room?
  // After the connection, which has a pointer to it.
  let patience: Patience
  /// Whether the files that are written are still those that have the names.
  let files: DatabaseFiles
  /// What was set aside to open the database; nil: nothing.
  package let recovery: RecoveryReport?
  // Last, so that the lock goes after the connection is closed.
  let folder: DatabaseFolder

  /// Opens or makes the database `restored.sqlite3` in `folder`, and the folder.
  ///
  /// On return the folder and what is in it are for this process alone; the schema is this
  /// release's; syncs that ran before have lapsed. What was made is 0700 and 0600 whatever the umask. A damaged
  /// database, and what is none of this program's, were set aside: see `recovery`.
  ///
  /// - Parameter folder: made where it is missing, with the folders above it.
  /// - Throws: `locked` where another process, or another writer in this one, has the folder;
  ///   `newerSchema`, and `damaged` where what can be read could not be copied, each with the file left as it was;
  ///   `folderUnusable`; `storageFull` and `storageFailed`.
  package convenience init(folder path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    let folder = try DatabaseFolder(path, options.hooks)
    self.init(try OpenDatabase.open(in: folder, options), in: folder, options)
    folder.noteDatabase(options.durability)
  }

  init(_ database: consuming OpenDatabase, in folder: DatabaseFolder, _ options: StoreOptions) {
    self.options = options
    self.folder = folder
    path = folder.databasePath
    recovery = database.recovery
    statements = database.statements
    connection = database.connection
    patience = Patience(lockMilliseconds: options.limits.busyMilliseconds)
    patience.atStep = options.hooks.atLongStep
    ledger = Ledger(statements, scenes: options.limits.heldScenes)
    files = DatabaseFiles(path)
    // Without a sync at its end nothing would have the log written before a commit counts.
    let isGathered = options.durability == .full && GatheredWrites.isSafe(on: connection)
    gatheringRoom = isGathered ? GatheredWrites.Room() : nil
    patience.take(over: connection)
    if database.isErasurePending {
      transient.erasure.resume(at: options.clock.steady() + options.limits.resumedErasureMilliseconds)
    }
  }

  /// Called on the thread before an erasure begins (true) and after it (false): reads of other threads that go on would
  /// keep the log from being emptied.
  ///
  /// By default nothing is done.
  package var aroundErasure: (Bool) -> Void {
    get { patience.aroundErasure }
    set { patience.aroundErasure = newValue }
  }

  /// What is wanted of the thread while it is at something long; asked there, often.
  ///
  /// By default nothing is.
  package var demand: () -> Demand {
    get { patience.demand }
    set { patience.demand = newValue }
  }

  deinit {
    if !isRetired { closeLog() }
  }

  /// Carries out all commands, in their order, in one transaction with one sync of the disk.
  ///
  /// On return each success is on disk, as far as `StoreOptions.durability` says, and of each
  /// failure nothing is stored. A command that is refused harms no other. Where SQLite fails, each
  /// command is carried out again in a transaction of its own, so that only the culprit fails.
  ///
  /// - Returns: one result per command, in their order.
  package func perform(_ batch: [WriteCommand]) -> [WriteResult] {
    if batch.isEmpty { return [] }
    if let fault = files.look() ?? refusesGrowth() ?? refusesLog() { return batch.map { failed($0, fault) } }
    // Someone has not called `maintain` for long.
    if connection.pagesInWAL >= 2 * options.limits.fullLogPages, !isFailing { _ = checkpoint() }
    switch attempt(batch) {
    case .success(let results): return results
    case .failure(let failure): return isolate(batch, after: failure)
    }
  }

  // MARK: One transaction

  private struct Failure: Error {
    let error: SQLiteError
    let stage: Stage
  }

  /// How far a transaction came.
  private enum Stage {
    /// It did not begin, so that no command is to blame.
    case begin
    case commands
    case commit
  }

  private func attempt(_ batch: [WriteCommand]) -> Result<[WriteResult], Failure> {
    let before = transient
    let commitsBefore = connection.commitsToWAL
    var stage = Stage.begin
    do throws(SQLiteError) {
      options.hooks.beforeBegin?()
      let transaction = try Transaction(.writing, on: connection)
      stage = .commands
      trustLedger()
      now = options.clock.wall()
      var results: [WriteResult] = []
      results.reserveCapacity(batch.count)
      for command in batch {
        results.append(WriteResult(try step(command)))
        ledger.trim()
      }
      try ledger.flushUsers()
      options.hooks.beforeCommit?()
      stage = .commit
      try commit(transaction)
      options.hooks.afterCommit?()
      if connection.commitsToWAL > commitsBefore {
        for index in results.indices { results[index].wrote = true }
      }
      ledgerVersion = connection.dataVersion
      files.noteLog()
      noteCommit()
      return .success(results)
    } catch {
      ledger.clear()
      transient = before
      note(error)
      return .failure(Failure(error: error, stage: stage))
    }
  }

  /// Commits with one write to the log where that is safe: see `GatheredWrites`.
  private func commit(_ transaction: consuming Transaction) throws(SQLiteError) {
    guard let gatheringRoom else { return try transaction.commit() }
    let writes = GatheredWrites(connection, in: gatheringRoom)
    try transaction.commit()
    try writes.finish()
  }

  /// Forgets the ledger where another connection has written: not one of ours, but someone's `sqlite3`.
  private func trustLedger() {
    let version = connection.dataVersion
    if version != ledgerVersion { ledger.clear() }
    ledgerVersion = version
  }

  private func isolate(_ batch: [WriteCommand], after failure: Failure) -> [WriteResult] {
    var failure = failure
    var mayComeBack = failure.stage == .commit
    var results: [WriteResult] = []
    for command in batch {
      if failure.stage != .begin && batch.count > 1 {
        switch attempt([command]) {
        case .success(let alone):
          // Written over what failed before it, if anything was written.
          if alone.allSatisfy(\.wrote) { mayComeBack = false }
          results += alone
          continue
        case .failure(let next):
          failure = next
          mayComeBack = mayComeBack || next.stage == .commit
        }
      }
      results.append(failed(command, StoreError(failure.error, path)))
    }
    if mayComeBack { seal() }
    return results
  }

  /// The result of a command that SQLite failed.
  ///
  /// A launch is served all the same, if not counted.
  private func failed(_ command: WriteCommand, _ error: StoreError) -> WriteResult {
    if case .launch(let scene, let expired) = command.action,
      let outcome = launchUncounted(command, scene, expired: expired, error)
    {
      return WriteResult(outcome: .success(outcome), changes: [])
    }
    return WriteResult(outcome: .failure(error), changes: [])
  }

  private func step(_ command: WriteCommand) throws(SQLiteError) -> Step {
    // By itself: out of one switch with all others the compiler copies the state.
    if case .save(let scene, let state, let ifRevision, let autosave) = command.action {
      return try save(command, scene, state, ifRevision: ifRevision, autosave: autosave)
    }
    return switch command.action {
    case .save: preconditionFailure("a save was carried out above")
    case .rollback(let scene, let revision): try rollback(command, scene, revision)
    case .closeScene(let scene): try close(command, scene)
    case .reopenScene(let scene): try reopen(command, scene)
    case .launch(let scene, let expired): try launch(command, scene, expired: expired)
    case .setRoutes(let table): try setRoutes(command, table)
    case .confirm(let scene, let revision): try confirm(command, scene, revision)
    case .forgetScene(let scene): try forget(command, scene)
    case .resetApp(let keepEntities): try reset(command, keepEntities: keepEntities)
    case .forgetUser: try forgetUser(command)
    case .forgetKind(let kind): try forget(command, kind: kind)
    case .putEntities(let kind, let ids, nil, let version): try put(command, kind, ids, version)
    case .putEntities(let kind, let ids, let sync?, let version): try put(command, kind, ids, inSync: sync, version)
    case .deleteEntities(let kind, let ids, let version): try delete(command, kind, ids, version)
    case .beginSync(let kind): try beginSync(command, kind)
    case .endSync(let sync, let version): try endSync(command, sync, version)
    case .importRecords(let source, let replace): try importRecords(command, source, replace: replace)
    }
  }

  // MARK: What the commands share

  /// Runs a statement that writes.
  func run(_ statement: borrowing Statement) throws(SQLiteError) {
    try statement.run()
    options.hooks.betweenStatements?()
  }

  /// A change in the words of those who listen.
  func change(
    _ command: WriteCommand,
    _ subject: StoreChange.Subject,
    _ type: StoreChange.Kind,
    _ number: (revision: Int, time: Int) = (0, 0)
  ) -> StoreChange {
    StoreChange(
      uid: command.uid,
      app: command.app,
      subject: subject,
      type: type,
      revision: number.revision,
      time: number.time
    )
  }

  func sceneNotFound(_ command: WriteCommand, _ scene: String) -> Step {
    .refused(.noScene(command.app, scene))
  }
}

extension WriteResult {
  fileprivate init(_ step: consuming StoreWriter.Step) {
    switch step {
    case .done(let outcome, let changes): self.init(outcome: .success(outcome), changes: changes)
    case .refused(let error): self.init(outcome: .failure(error), changes: [])
    }
  }
}
