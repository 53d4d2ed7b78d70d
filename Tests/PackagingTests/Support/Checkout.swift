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
