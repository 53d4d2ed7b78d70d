import Foundation
import TestSupport

/// The files of this checkout that a package is made of.
enum Checkout {
  /// Its folder.
  static let root = NSString.path(withComponents: Array(URL(fileURLWithPath: #filePath).pathComponents.dropLast(4)))

  /// A file in it.
  static func file(_ path: String) -> String { root + "/" + path }

  /// In CI, what this system could have run and did not is a failure.
  static let isCI = ProcessInfo.processInfo.environment["CI"] == "true"

  /// Runs the script behind `make install` and `make uninstall`, with the programs that were built for the tests.
  static func install(_ action: String, prefix: String, into destination: String) -> Finished {
    Finished(
      file("scripts/install.sh"),
      [action],
      environment: ["PREFIX": prefix, "DESTDIR": destination, "BINARIES": Files.products]
    )
  }
}

/// What a script says about whether something can be had here.
struct Obstacle {
  /// Why not, for the test runner's list of skipped tests; nil: it can, or it failed in a way that a test shall show.
  let reason: String?

  /// Asks `script`, which exits 77 and prints the reason where it cannot.
  init(_ script: String, _ arguments: String...) {
    let answer = Finished("/bin/bash", [Checkout.file(script)] + arguments)
    guard answer.ending == .exit(77) else {
      reason = nil
      return
    }
    reason = "cannot here: " + answer.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private init(reason: String?) { self.reason = reason }

  /// The first of two that there is.
  func or(_ other: @autoclosure () -> Obstacle) -> Obstacle { reason == nil ? other() : self }
}
