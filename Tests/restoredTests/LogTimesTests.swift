import Glibc
import TestSupport
import Testing

/// Nobody asks for the times of the write-ahead log while saves go on.
///
/// From Linux 6.13 on a file whose times somebody has asked for gets new ones with its next write, and each flush then writes
/// its inode as well: a save takes a third longer, and nothing else shows it.
@Suite(
  "The log's times",
  .enabled(
    if: Finished("sh", ["-c", "strace -D -f -qq --seccomp-bpf -o /dev/null true"]).ending == .exit(0),
    "cannot here: strace is missing, or may not trace"
  ),
  .enabled(if: getenv("RESTORED_SANITIZER") == nil, "cannot here: a sanitizer's start-up is not for a tracer")
)
struct LogTimesTests {
  private let folder = TemporaryFolder()
  private static let saves = 100

  /// A call of the stat family about the log.
  private struct Look {
    let thread: String
    /// Whether it asks for the inode's number alone.
    let isForNumber: Bool
  }

  /// A program that runs the daemon under strace, which is not its parent and so not in its place.
  private func tracedDaemon() -> DaemonProcess {
    let script = """
      #!/bin/sh
      exec strace -D -f -y -qq --seccomp-bpf -e trace=stat,fstat,lstat,newfstatat,statx \\
        -o "\(folder.file("trace"))" "\(DaemonProcess.program)" "$@"
      """
    folder.write(script.utf8, to: "traced")
    chmod(folder.file("traced"), 0o700)
    return DaemonProcess(program: folder.file("traced"))
  }

  /// What was looked at so far, a line each: strace writes it before the call returns.
  private func looks() -> [Look] {
    String(decoding: folder.read("trace"), as: UTF8.self).split(separator: "\n").filter { $0.contains("-wal") }.map {
      // What is asked for stands between the flags and the answer: `STATX_INO, {stx_mask=…`.
      Look(thread: String($0.prefix { $0 != " " }), isForNumber: $0.contains(", STATX_INO, {"))
    }
  }

  @Test("are asked for neither by the writer nor by the loop, which look at nothing but which file it is")
  func untouched() throws {
    let daemon = tracedDaemon()
    let client = try daemon.client()
    try client.save(#"{"values":{"n":0}}"#)
    _ = try client.restore()
    let before = looks()
    for number in 1...Self.saves {
      try client.save(#"{"values":{"n":\#(number)}}"#)
      _ = try client.restore()
    }
    let during = looks().dropFirst(before.count)
    let writer = try #require(during.first { $0.isForNumber }?.thread)
    #expect(during.count { $0.thread == writer && $0.isForNumber } >= Self.saves)
    // The look at all pages opens the log once, on a thread of its own.
    let loop = String(daemon.process.pid)
    #expect(writer != loop)
    let others = during.filter { !$0.isForNumber && ($0.thread == writer || $0.thread == loop) }
    #expect(others.isEmpty, "asked for times as well")
    #expect(daemon.stop() == .exit(0))
  }
}
