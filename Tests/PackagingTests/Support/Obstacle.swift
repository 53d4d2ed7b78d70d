import Foundation
import TestSupport

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

  /// The first of two that there is.
  func or(_ other: @autoclosure () -> Obstacle) -> Obstacle { reason == nil ? other() : self }
}
