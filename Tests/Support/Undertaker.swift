import CLinux
import Glibc
import Synchronization

/// Kills the processes that a test program started once that program is gone, however it went.
///
/// A process of its own, which hears of each start and each end, and of the end of the test program by the closing of
/// their socket. Not PR_SET_PDEATHSIG: that is sent when the thread ends that started the process, and the tests run on
/// threads that come and go.
enum Undertaker {
  private static let script = """
    trap '' INT TERM HUP
    exec >/dev/null 2>&1
    declare -A alive
    while read -r what pid; do
      if [ "$what" = begins ]; then alive[$pid]=1; else unset "alive[$pid]"; fi
    done
    if [ ${#alive[@]} -gt 0 ]; then kill -KILL "${!alive[@]}" 2>/dev/null; fi
    """

  /// `POSIX_SPAWN_SETSID`, which Swift does not import.
  private static let newSession: Int16 = 0x80

  /// The end of the socket that this process holds; -1: there is no bash.
  private static let socket = Mutex<Int32>(begin())

  /// Has a child killed when this process has gone.
  static func begins(_ pid: pid_t) { tell("begins \(pid)\n") }

  /// Forgets a child that has ended, before its number can be another's.
  static func ended(_ pid: pid_t) { tell("ended \(pid)\n") }

  private static func tell(_ line: String) {
    socket.withLock { socket in
      guard socket >= 0 else { return }
      _ = line.utf8.withContiguousStorageIfAvailable { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
  }

  private static func begin() -> Int32 {
    var pair: [Int32] = [-1, -1]
    guard clinux_unix_pair(&pair) == 0 else { return -1 }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pair[1], 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Out of reach of what is sent to the terminal's group.
    posix_spawnattr_setflags(&attributes, newSession)
    let words: [String] = ["bash", "-c", script]
    let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let envp: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/local/bin:/usr/bin:/bin"), nil]
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, "bash", &actions, &attributes, argv, envp)
    for pointer in argv + envp { free(pointer) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    close(pair[1])
    if result == 0 { return pair[0] }
    close(pair[0])
    return -1
  }
}
