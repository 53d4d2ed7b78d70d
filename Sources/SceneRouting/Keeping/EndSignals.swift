import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension KeptScene {
  /// From now on a request to end (SIGTERM, SIGINT, SIGHUP) is met in good order: all scenes that this process keeps are
  /// saved and confirmed, `cleanUp` is called, and the process dies of the signal.
  ///
  /// That takes at most some seconds, whatever the main actor is doing; a second signal ends it at once. Once is enough
  /// for all scenes of a process; the last `cleanUp` counts.
  ///
  /// - Parameter cleanUp: puts right what the process would leave behind, such as a terminal's mode. Called on the main
  ///   actor, if that can be reached.
  public func saveWhenAskedToEnd(cleanUp: @escaping @MainActor @Sendable () -> Void = {}) {
    EndSignals.watch(cleanUp)
  }
}

/// Turns signals that ask for an end into one.
///
/// A handler writes the signal's number into a pipe that is read elsewhere. Signal sources of libdispatch would need each
/// signal blocked on every thread of the process, those of other libraries too.
private enum EndSignals {
  static let numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP]
  /// How long saving may take before the process ends without it.
  static let limit = Duration.seconds(5)

  /// What the main actor does last; nil: nobody has asked for anything yet.
  @MainActor private static var cleanUp: (@MainActor @Sendable () -> Void)?
  private static let isEnding = Atomic<Bool>(false)
  /// Held on to, and never touched again.
  nonisolated(unsafe) private static var source: (any DispatchSourceRead)?
  /// Read by the handler, which may take no lock: set before the handler is there, and never again.
  nonisolated(unsafe) private static var pipeEnd: Int32 = -1

  @MainActor static func watch(_ cleanUp: @escaping @MainActor @Sendable () -> Void) {
    let isWatched = self.cleanUp != nil
    self.cleanUp = cleanUp
    if !isWatched { listen() }
  }

  /// Not of the main actor: what it sets up is called on other threads.
  private static func listen() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
    source.setEventHandler { take(readEnd) }
    source.activate()
    self.source = source
    pipeEnd = writeEnd
    let taken = numbers.filter { !isIgnored($0) }
    for number in taken { signal(number) { EndSignals.note($0) } }
    // This thread at least takes them: those of libdispatch have them blocked, and a child inherits that.
    unblock(taken)
  }

  /// Whether whoever started the process wants it to go on in spite of the signal, as nohup(1) does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func note(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    write(pipeEnd, &byte, 1)
    errno = before
  }

  private static func take(_ readEnd: Int32) {
    var byte: UInt8 = 0
    guard read(readEnd, &byte, 1) == 1 else { return }
    let number = Int32(byte)
    // Whoever asks twice does not want to wait.
    if isEnding.exchange(true, ordering: .relaxed) { die(number) }
    Task { @MainActor in
      for kept in KeptScenes.all { await kept.end() }
      cleanUp?()
      die(number)
    }
    Task.detached {
      try? await Task.sleep(for: limit)
      die(number)
    }
  }

  /// Ends the process as the signal would have, so that whoever waits for it sees why.
  private static func die(_ number: Int32) -> Never {
    signal(number, SIG_DFL)
    unblock([number])
    raise(number)
    _exit(128 + number)
  }

  private static func unblock(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
