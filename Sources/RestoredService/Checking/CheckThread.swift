import Glibc
import RestoreStore
import Varlink

/// Looks at every page and every revision once, beside those who save and restore.
///
/// It rests as long as it works, at a lower priority, and holds no lock that anyone waits for.
final class CheckThread: @unchecked Sendable {
  /// What was found.
  enum Finding: Sendable {
    /// The structure is damaged: how, as it follows the database's path.
    case damaged(String)
    /// Revisions whose checksum does not hold, one sentence each.
    case faults([String])
    /// All was looked at, so many revisions.
    case done(revisions: Int)
  }

  // `isStopping` and `check` are guarded by `mutex`; `onFinding` is touched on the loop alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var isStopping = false
  private var check: PieceCheck?
  private let onFinding: (Finding) -> Void
  private let folder: String
  private let options: StoreOptions
  private let mailbox: LoopMailbox
  private var thread = pthread_t()

  /// How much lower the priority is, as nice(1) counts.
  private static let niceness: Int32 = 10
  /// The longest rest between two pieces, in milliseconds.
  private static let longestRest = 100

  /// Starts the thread.
  ///
  /// - Parameter onFinding: called on the loop; with `done` last, unless it was stopped, found damage or failed.
  init(folder: String, _ options: StoreOptions, mailbox: LoopMailbox, onFinding: @escaping (Finding) -> Void) {
    self.folder = folder
    self.options = options
    self.mailbox = mailbox
    self.onFinding = onFinding
    pthread_mutex_init(mutex, nil)
    let context = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(
      &thread,
      nil,
      { context in
        Unmanaged<CheckThread>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      },
      context
    )
    precondition(result == 0, "no thread can be started: \(errorText(result))")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Ends it, wherever it is, and waits until it has.
  func stop() {
    pthread_mutex_lock(mutex)
    isStopping = true
    check?.interrupt()
    pthread_mutex_unlock(mutex)
    pthread_join(thread, nil)
  }

  private func run() {
    // Of this thread alone. Where it may not be set, it works at the others' priority. setpriority(2)
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    do throws(StoreError) {
      let check = try PieceCheck(folder: folder, options: options)
      guard keep(check) else { return }
      defer { _ = keep(nil) }
      try look(check)
    } catch {
      // Of any other failure whoever reads or writes hears as well.
      if error.code == .damaged { post(.damaged(error.message)) }
    }
  }

  /// Lets `stop` reach what is under way; false: it was called already.
  private func keep(_ check: PieceCheck?) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    self.check = check
    return !isStopping
  }

  private func look(_ check: PieceCheck) throws(StoreError) {
    if let fault = try check.structure().first {
      return post(.damaged("is damaged: \(fault)"))
    }
    while true {
      let start = StoreClock.system.steady()
      guard let faults = try check.advance() else { break }
      if !faults.isEmpty { post(.faults(faults.map { "\($0): look into the disk, and save the scene again" })) }
      usleep(UInt32(min(StoreClock.system.steady() - start, Self.longestRest)) * 1_000)
    }
    post(.done(revisions: check.revisions))
  }

  private func post(_ finding: Finding) {
    mailbox.post { [self] in onFinding(finding) }
  }
}
