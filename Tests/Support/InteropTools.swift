import Foundation
import Glibc

/// The Varlink clients that others wrote, as `Tests/Interop/setup.sh` gets them.
package struct InteropTools: Sendable {
  /// The clients of this checkout, got at first use.
  package static let shared = InteropTools()

  /// In CI a client that could have been had and was not fails the tests instead of skipping them.
  package static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

  /// Where the clients are.
  package let folder: String
  /// Why clients are missing, as the script says; nil: all are there.
  package let reason: String?
  /// Whether the tests that need them shall run.
  package let shallRun: Bool

  private init() {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3)
    folder = NSString.path(withComponents: root + [".build", "interop"])
    let script = NSString.path(withComponents: root + ["Tests", "Interop", "setup.sh"])
    do {
      let result = try Self.run("/bin/sh", [script], seconds: 300)
      reason = result.status == 0 ? nil : result.output
      shallRun = result.status == 0 || (result.status == 1 && Self.isRequired)
    } catch {
      reason = "\(script): \(error)"
      shallRun = Self.isRequired
    }
  }

  /// How a program ended.
  package struct RunResult {
    /// Its exit status.
    package let status: Int32
    /// Standard output and standard error.
    package let output: String
  }

  /// Runs a program to its end; after `seconds` it is killed.
  package static func run(_ program: String, _ arguments: [String], seconds: Double = 60) throws -> RunResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let killer = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    killer.cancel()
    return RunResult(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }

  /// Runs Python with the clients' packages.
  package func python(_ arguments: [String]) throws -> RunResult {
    try Self.run(folder + "/venv/bin/python", arguments)
  }
}
