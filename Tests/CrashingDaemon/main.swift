import Glibc
import RestoreStore
import RestoredService
import Synchronization

// The daemon, which ends itself as a crash would: $CRASH_AT names a place in the store and which of its passages is
// the last one, as beforeCommit:17. Checkpoints and erasures come as often as the load brings them, since with the
// shipped limits a short life would see none. Else it is the daemon that is shipped.

/// Pages in the write-ahead log from which on a checkpoint is due here: some thirty saves.
private let checkpointPages = 64

private let passages = Atomic<Int>(0)

/// A closure that kills the process at its `last` call.
private func killing(at last: Int) -> @Sendable () -> Void {
  {
    if passages.add(1, ordering: .relaxed).newValue == last { kill(getpid(), SIGKILL) }
  }
}

private func setHook(_ text: String, _ hooks: inout StoreHooks) {
  let parts = text.split(separator: ":")
  guard parts.count == 2, let last = Int(parts[1]) else { fatalError("CRASH_AT=PLACE:NUMBER, not \(text)") }
  let hook = killing(at: last)
  switch parts[0] {
  case "beforeBegin": hooks.beforeBegin = hook
  case "betweenStatements": hooks.betweenStatements = hook
  case "beforeCommit": hooks.beforeCommit = hook
  case "afterCommit": hooks.afterCommit = hook
  case "inCheckpoint": hooks.inCheckpoint = hook
  case "inMigration": hooks.inMigration = hook
  case "inErasure": hooks.inErasure = hook
  default: fatalError("there is no place \(parts[0])")
  }
}

DaemonProgram.run { store in
  store.limits.turnLogOver(afterPages: checkpointPages)
  store.limits.eraseRest = 0
  if let place = getenv("CRASH_AT") { setHook(String(cString: place), &store.hooks) }
}
