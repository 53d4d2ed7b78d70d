import Glibc

/// A system call that failed: which one, on what, and why.
package struct SystemFault: Error, Hashable, Sendable {
  /// The call's name, as its man page has it.
  package let call: String
  /// The path or descriptor that it was called for; empty where there is none.
  package let subject: String
  /// The `errno` it left, see errno(3).
  package let code: Int32

  /// Makes a fault of the current `errno`, or of `code`.
  package init(_ call: String, _ subject: String = "", code: Int32 = errno) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// The kernel's words for the code, as strerror(3) has them in the current locale.
  package var reason: String { String(cString: strerror(code)) }

  /// What failed, on what and why, in one sentence without a full stop.
  package var sentence: String { subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)" }
}
