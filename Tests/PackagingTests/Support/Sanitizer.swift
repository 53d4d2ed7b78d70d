import Foundation

/// What programs that are built with a sanitizer need in the machine: their options, and a way out for their reports.
///
/// Without a sanitizer all of this is nothing.
enum Sanitizer {
  /// Where the machine has the folder that reports are written to.
  private static let reports = "/reports"

  /// Their options, as they are in the machine.
  static let environment: [String: String] = {
    let own = ProcessInfo.processInfo.environment
    guard let folder = own["RESTORED_REPORTS"] else { return [:] }
    return own.filter { ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
      .mapValues { $0.replacingOccurrences(of: folder, with: reports) }
  }()

  /// Gives the units in `tree` the options, and the folder.
  ///
  /// Of what they forbid they allow one thing more: where addresses are spread too widely for it, the thread sanitizer
  /// starts the program once more without that.
  static func addDropIns(to tree: String) throws {
    guard !environment.isEmpty else { return }
    let options = environment.map { #"Environment="\#($0.key)=\#($0.value)""# }
    let text =
      (["[Service]", "ReadWritePaths=\(reports)", "LockPersonality=no"] + options).joined(separator: "\n") + "\n"
    for manager in ["system", "user"] {
      let folder = "\(tree)/usr/lib/systemd/\(manager)/restored.service.d"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try text.write(toFile: folder + "/sanitizer.conf", atomically: false, encoding: .utf8)
    }
  }
}
