/// What is to be done without being asked: checkpoints, scrubbing, syncs that lapse.
extension StoreWriter {
  /// When `maintain` is due, on the steady clock of `StoreOptions.clock`, in milliseconds; nil: nothing is.
  ///
  /// A time that has passed means: at once, but after the results of the last `perform` were passed on.
  package var maintenanceDue: Int? {
    let lapse = transient.syncs.values.map(\.deadline).min()
    let erasure = transient.erasure.isPending ? transient.erasure.notBefore : nil
    let checkpoint = log.isDue ? 0 : log.retryAt
    return [lapse, erasure, checkpoint].compactMap { $0 }.min()
  }

  /// Does what is due.
  ///
  /// Blocks on the disk: a scrubbing writes the whole database anew, which is why the next one
  /// starts no sooner than ten times what the last one took.
  ///
  /// - Parameter hurried: scrubs now what is waited for, however soon after the last time.
  /// - Returns: the outcomes of the erasures that were waited for, and what others must hear of.
  package func maintain(hurried: Bool = false) -> Maintenance {
    var done = Maintenance()
    let time = options.clock.steady()
    _ = files.look()
    for (kind, sync) in transient.syncs where sync.deadline <= time {
      transient.syncs[kind] = nil
      done.changes.append(sync.change(false))
    }
    let checkpointIsDue = log.isDue || log.retryAt.map { $0 <= time } ?? false
    if checkpointIsDue, let fault = checkpoint() { done.faults.append(fault) }
    let isHurried = hurried && transient.erasure.isAwaited
    if transient.erasure.isPending && (isHurried || transient.erasure.notBefore <= time) { erase(into: &done) }
    return done
  }

  /// What is not as it should be, as far as the last commit or maintenance met it: one sentence each with what to do;
  /// empty as a rule.
  package var problems: [String] {
    [transient.erasure.prevented, log.fault, files.fault].compactMap { $0?.description }
  }
}
