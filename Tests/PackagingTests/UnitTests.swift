import TestSupport
import Testing

/// The units as systemd reads them: this system's release of it, and the next one.
@Suite(
  .enabled(if: Machine.obstacle.reason == nil, Comment(rawValue: Machine.obstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct UnitTests {
  /// Most of exposure that each manager's service may have, in tenths, as `systemd-analyze` counts.
  private static let exposures = [("system", 5), ("user", 8)]

  private func check(_ machine: Machine) {
    // The tool asks where a session's files are.
    machine.succeeds("systemctl", "start", "user@\(Machine.User.ben.rawValue).service")
    for (manager, limit) in Self.exposures {
      let user: Machine.User? = manager == "user" ? .ben : nil
      let units = ["restored.service", "restored.socket"]
      let verify = machine.run(["systemd-analyze", "--\(manager)", "verify"] + units, as: user)
      // It exits 0 on a key that it does not know, but says so.
      #expect(verify.ending == .exit(0) && verify.text.isEmpty && verify.errors.isEmpty, "\(verify.errors)")
      let security = machine.run(
        [
          "systemd-analyze", "--\(manager)", "security", "--no-pager", "--offline=true", "--threshold=\(limit)",
          "restored.service",
        ],
        as: user
      )
      #expect(security.ending == .exit(0), "\(manager): \(security.text)\(security.errors)")
    }
  }

  @Test("systemd-analyze has nothing to say about them, and little about their exposure")
  func analyzed() throws { check(try Machine.own.get()) }

  @Test(
    "nor has the next release's",
    .enabled(if: Machine.newerObstacle.reason == nil, Comment(rawValue: Machine.newerObstacle.reason ?? ""))
  )
  func analyzedByNewer() throws { check(try Machine.newer.get()) }
}
