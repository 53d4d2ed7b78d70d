import Glibc
import RestoreStore
import Varlink

/// Looks at every page, every revision and every route table once, beside those who save and restore.
///
/// It rests as long as it works, at a lower priority, and holds no lock that anyone waits for.
final class CheckThread: @unchecked Sendable {
  /// What was found.
  enum Finding: Sendable {
    /// The structure is damaged: how, as it follows the database's path.
    case damaged(String)
    /// Revisions and route tables whose checksum does not hold, one sentence each.
    case faults([String])
    /// All was looked at, so many revisions.
    case done(revisions: Int)
  }

  // Touched on the loop alone.
  private let onFinding: (Finding) -> Void
  private let folder: String
  private let options: StoreOptions
  private let mailbox: LoopMailbox
  private let control: CheckControl
  private var thread: JoinedThread?

  /// How much lower the priority is, as nice(1) counts.
  private static let niceness: Int32 = 10
  /// The longest rest between two pieces, in milliseconds.
  private static let longestRest = 100

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - control: of this look alone.
  ///   - onFinding: called on the loop; with `done` last, unless it was stopped, found damage or failed.
  /// - Throws: where no thread can be started.
  init(
    folder: String,
    _ options: StoreOptions,
    control: CheckControl,
    mailbox: LoopMailbox,
    onFinding: @escaping (Finding) -> Void
  ) throws(SystemFault) {
    self.folder = folder
    self.options = options
    self.mailbox = mailbox
    self.control = control
    self.onFinding = onFinding
    thread = try JoinedThread { [self] in run() }
  }

  /// Ends it, wherever it is, and waits until it has.
  func stop() {
    control.stop()
    thread?.join()
  }

  private func run() {
    // Of this thread alone. Where it may not be set, it works at the others' priority. setpriority(2)
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    do throws(StoreError) {
      let check = try PieceCheck(folder: folder, options: options)
      check.breakOff(when: { [control] in control.isWanted })
      control.watch(check)
      defer { control.watch(nil) }
      try look(check)
    } catch {
      // Of any other failure whoever reads or writes hears as well.
      if error.code == .damaged { post(.damaged(error.message)) }
    }
  }

  private func look(_ check: PieceCheck) throws(StoreError) {
    guard let faults = try whole(check, { () throws(StoreError) in try check.structure() }) else { return }
    if let fault = faults.first { return post(.damaged("is damaged: \(fault)")) }
    while true {
      let start = StoreClock.system.steady()
      guard let piece = try whole(check, { () throws(StoreError) in try check.advance() }) else { return }
      guard let faults = piece else { break }
      if !faults.isEmpty { post(.faults(faults.map { "\($0.sentence): \($0.remedy)" })) }
      control.rest(milliseconds: min(StoreClock.system.steady() - start, Self.longestRest))
    }
    post(.done(revisions: check.revisions))
  }

  /// Does a part of the look, and once more where a pause broke it off; nil: it is to end.
  private func whole<R>(_ check: PieceCheck, _ part: () throws(StoreError) -> R) throws(StoreError) -> R? {
    while control.mayGoOn() {
      do throws(StoreError) { return try part() } catch {
        if !check.wasBrokenOff { throw error }
      }
    }
    return nil
  }

  private func post(_ finding: Finding) {
    mailbox.post { [self] in onFinding(finding) }
  }
}
