import SceneModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps the scenes and entities of one process's apps, durably, without a daemon.
///
/// Every call blocks until it is done; one that changes something returns when the change is on
/// disk. Calls may come from any thread, and are carried out one after the other. One process at a
/// time has a folder. See <doc:Durability>.
public final class SceneStore: Sendable {
  /// The two connections.
  ///
  /// Only ever used under the lock.
  struct Core: ~Copyable {
    // First, so that the writer is the last to close, and sees to the log.
    var reader: StoreReader
    var writer: StoreWriter
  }

  let core: LockedCore
  private let folder: String
  let owner: UInt32
  let options: StoreOptions

  /// Opens or makes a store.
  ///
  /// On return the folder is this process's alone; syncs that ran before have lapsed. A damaged database was set aside
  /// and what can be read of it copied into a new one, as `status` says; so was a file of another program, without
  /// being read. Blocks on the disk.
  ///
  /// - Parameters:
  ///   - folder: where the database `restored.sqlite3` is or is to be; made where it is missing, as 0700.
  ///   - options: how it is opened.
  /// - Throws: `StoreError` with `locked` where another process, or another store of this one, has
  ///   the folder; `newerSchema`, and `damaged` where what can be read of it could not be copied, each with the
  ///   file left as it was;
  ///   `folderUnusable`; `storageFull`; `storageFailed`.
  public init(folder: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    let writer = try StoreWriter(folder: folder, options: options)
    let reader = try StoreReader(folder: folder, options: options)
    core = LockedCore(Core(reader: reader, writer: writer))
    self.folder = folder
    owner = getuid()
    self.options = options
  }

  /// Carries out one command, does what maintenance is due, and waits for a scrubbing that the command asks for.
  func perform(_ app: String, _ action: WriteCommand.Action) throws(StoreError) -> WriteOutcome {
    try Self.check(app, "app")
    return try repairing { core throws(StoreError) in
      let result = core.writer.perform([WriteCommand(uid: owner, app: app, action)])[0]
      core.reader.apply(result.changes)
      let outcome = try result.outcome.get()
      guard case .erasing(let ticket) = outcome else {
        if let due = core.writer.maintenanceDue, due <= options.clock.steady() {
          core.reader.apply(core.writer.maintain().changes)
        }
        return outcome
      }
      let done = core.writer.maintain(hurried: true)
      core.reader.apply(done.changes)
      return try done.erased.first { $0.ticket == ticket }?.outcome.get() ?? outcome
    }
  }

  /// Reads, after the syncs whose time is over have lapsed.
  func read<Value: Sendable>(
    _ body: (StoreReader, StoreWriter) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try repairing { core throws(StoreError) in
      if let due = core.writer.maintenanceDue, due <= options.clock.steady() {
        core.reader.apply(core.writer.maintain().changes)
      }
      return try body(core.reader, core.writer)
    }
  }

  /// Does what `body` does; where that meets damage, once more in the database that takes the damaged one's place.
  private func repairing<Value: Sendable>(
    _ body: (inout Core) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try core.withLock { core throws(StoreError) in
      let failure: StoreError
      do throws(StoreError) { return try body(&core) } catch { failure = error }
      guard failure.code == .damaged else { throw failure }
      core.writer = try core.writer.replacement(failure.message)
      core.reader.retire()
      core.reader = try StoreReader(folder: folder, options: options)
      return try body(&core)
    }
  }

  /// Refuses what is no name of an app, a scene or a kind.
  static func check(_ name: String, _ parameter: String) throws(StoreError) {
    guard let fault = Names.fault(name) else { return }
    if case .tooLong(let bytes) = fault {
      throw .limit(parameter, Names.maximumBytes, bytes, "bytes of \(parameter)", remedy: "choose a shorter name")
    }
    throw StoreError(.invalidParameter, "\(parameter) \(fault.sentence)", remedy: "choose another name") {
      $0.parameter = parameter
      $0.reason = fault.sentence
    }
  }
}
