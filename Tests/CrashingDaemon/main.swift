import Glibc
import RestoreStore
import RestoredService
import Synchronization

// The daemon, which ends itself as a crash would: $CRASH_AT names a place in the store and which of its passages is
// the last one, as beforeCommit:17. Checkpoints and erasures come as often as the load brings them, since with the
// shipped limits a short life would see none. Else it is the daemon that is shipped.
//
// $SLOW_ERASURE names a place in an erasure and a socket, as copying:/path: from there on the erasure goes on at a
// snail's pace, so that it would take minutes, and READY=1 is sent to the socket when it has come there.

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
  case "atLongStep": hooks.atLongStep = hook
  default: fatalError("there is no place \(parts[0])")
  }
}

/// Milliseconds that each step of a slowed erasure takes; there are some thousand.
private let slowness: UInt32 = 20
/// Bytes of the log from which on the second half of the VACUUM is under way for certain.
private let copied = 1 << 20
private let isRewritten = Atomic<Bool>(false)
private let isSlow = Atomic<Bool>(false)

/// Has an erasure slow down at `first`, `copying` (the new database into the log) or `emptying` (the log).
private func slow(at place: Substring, telling socket: String, _ hooks: inout StoreHooks) {
  let log = CommandLine.arguments.last.map { $0 + "/restored.sqlite3-wal" } ?? ""
  let isReached: @Sendable () -> Bool =
    switch place {
    case "first": { true }
    case "copying": { bytes(of: log) > copied }
    case "emptying": { isRewritten.load(ordering: .relaxed) }
    default: fatalError("there is no place \(place)")
    }
  hooks.inErasure = { isRewritten.store(true, ordering: .relaxed) }
  hooks.atLongStep = {
    if !isSlow.load(ordering: .relaxed) {
      guard isReached() else { return }
      isSlow.store(true, ordering: .relaxed)
      tell(socket)
    }
    usleep(slowness * 1_000)
  }
}

private func bytes(of path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Sends a datagram, as sd_notify(3) does.
private func tell(_ path: String) {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(descriptor) }
  _ = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      sendto(descriptor, "READY=1", 7, 0, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}

DaemonProgram.run { store in
  store.limits.turnLogOver(afterPages: checkpointPages)
  store.limits.eraseRest = 0
  store.limits.resumedErasureMilliseconds = 0
  if let text = getenv("SLOW_ERASURE").map({ String(cString: $0) }), let colon = text.firstIndex(of: ":") {
    slow(at: text[..<colon], telling: String(text[text.index(after: colon)...]), &store.hooks)
  }
  if let place = getenv("CRASH_AT") { setHook(String(cString: place), &store.hooks) }
}
