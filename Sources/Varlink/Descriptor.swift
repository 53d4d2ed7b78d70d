import Glibc

/// A file descriptor with one owner, closed when the owner lets go of it.
package struct Descriptor: ~Copyable, Sendable {
  /// The number.
  ///
  /// Valid as long as this value lives.
  package let number: Int32

  /// Takes over an open descriptor; nobody else may close it from here on.
  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Hands the descriptor to another owner, who closes it: a duplicate of it, and this one is closed.
  ///
  /// Returns -1, with `errno` set, where the process has no descriptor left (the original is closed all the same).
  package consuming func release() -> Int32 { fcntl(number, F_DUPFD_CLOEXEC, 0) }
}
