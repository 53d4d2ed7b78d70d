import RestoreStore

/// Knows what is wrong just now, tells the log when it begins and when it ends, and says it in `GetStatus`.
///
/// A full disk under a thousand saves is one line in the log, not a thousand.
final class HealthMonitor {
  private let log: Log
  /// What is damaged, and whose it is; nil: that is not known.
  private var damage: [(fault: String, uid: UInt32?)] = []
  private var storageFault: StoreError?
  /// Why a damaged database could not be recovered.
  private var unrecovered: StoreError?
  /// What the writer says is not as it should be.
  var writerProblems: [String] = [] {
    didSet {
      // What it said and says no longer is over, whether anyone saves or not.
      if let fault = storageFault?.description, oldValue.contains(fault), !writerProblems.contains(fault) { recover() }
    }
  }

  private static let damageMaximum = 100

  init(_ log: Log) { self.log = log }

  /// One sentence for each problem, with what to do; empty where all is well.
  var problems: [String] { problems(damage.map(\.fault)) }

  /// As `problems`, for one of several users: of what others have saved it says no names.
  func problems(toldTo uid: UInt32) -> [String] {
    let own = damage.filter { $0.uid == uid }.map(\.fault)
    let others = damage.count - own.count
    if others == 0 { return problems(own) }
    return problems(own + ["\(others) more of what users have saved is damaged: root is told what, by the same call"])
  }

  private func problems(_ damage: [String]) -> [String] {
    let faults = [storageFault, unrecovered].compactMap { $0?.description }
    return writerProblems + damage + faults.filter { !writerProblems.contains($0) }
  }

  /// Takes notice of what became of a write.
  ///
  /// - Parameter wrote: whether anything was written with it; else it says nothing good of the storage.
  func note(_ outcome: Result<WriteOutcome, StoreError>, wrote: Bool) {
    switch outcome {
    case .success(.launched(let launch)) where launch.uncounted != nil:
      // Served all the same.
      if let fault = launch.uncounted { note(fault) }
    case .success where !wrote: return
    case .success:
      // What the writer still says is not over because a save went through.
      if let fault = storageFault?.description, !writerProblems.contains(fault) { recover() }
    case .failure(let error): note(error)
    }
  }

  private func recover() {
    storageFault = nil
    log.write(.storageRecovered, "storage works again")
  }

  /// Takes notice of a failure; one that is the caller's mistake is none of the storage's.
  func note(_ error: StoreError) {
    switch error.code {
    case .storageFull, .storageFailed:
      guard storageFault?.code != error.code else { return }
      storageFault = error
      log.write(error.code == .storageFull ? .storageFull : .storageFailed, error.description)
    case .notYetErased: log.write(.eraseDelayed, error.description)
    case .logHeld: log.write(.logHeld, error.description)
    default: break
    }
  }

  /// Takes notice of what was set aside; `GetStatus` tells of it for as long as the file is there.
  func note(_ report: RecoveryReport) {
    unrecovered = nil
    damage = []
    log.write(report.recovered == nil ? .foreignSetAside : .damageRecovered, report.sentence, [("KEPT", report.kept)])
  }

  /// Takes notice of a damaged database that could not be recovered.
  func note(unrecovered error: StoreError) {
    if unrecovered?.message != error.message { log.write(.notRecovered, error.description) }
    unrecovered = error
  }

  /// Takes notice of stored bytes that are not what was saved; each is said once.
  ///
  /// - Parameter uid: whose they are; nil: that is not known.
  func report(damage faults: [String], of uid: UInt32?) {
    for fault in faults {
      if let known = damage.firstIndex(where: { $0.fault == fault }) {
        damage[known].uid = damage[known].uid ?? uid
      } else if damage.count < Self.damageMaximum {
        damage.append((fault, uid))
        log.write(.damageFound, fault)
      }
    }
  }
}
