import Foundation
import Glibc
import Testing

@testable import Varlink

/// The certification server as a process of its own, killed with this value.
final class CertificationProcess {
  let path: String
  let pid: Int32
  private let folder: String
  private let process = Process()

  /// Starts it and waits until it listens.
  ///
  /// - Parameter descriptors: how many descriptors it may have; nil: as many as this process.
  init(descriptors: Int? = nil) throws {
    folder = NSTemporaryDirectory() + "certification-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/socket"
    let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("certification-server")
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", limit + "exec \"$0\" \"$1\"", program.path, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    pid = process.processIdentifier
    try #require(
      output.fileHandleForReading.availableData == Data("listening\n".utf8),
      "\(program.path) does not start"
    )
  }

  deinit {
    // A child of a pool's thread inherits its mask, in which SIGTERM is blocked.
    kill(pid, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Whether it still runs.
  var isRunning: Bool { process.isRunning }

  /// Clock ticks of processor time used so far, proc(5).
  func processorTicks() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = text.split(separator: " ")
    return try #require(Int(fields[13])) + #require(Int(fields[14]))
  }

  /// How often it has gone to sleep so far, proc(5).
  func sleeps() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
    return try #require(Int(line.split(separator: "\t")[1]))
  }
}
