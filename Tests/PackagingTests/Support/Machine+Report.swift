import TestSupport
import Testing

extension Machine {
  /// Records a program of the machine that failed, with what the machine logged last.
  func report(_ command: [String], _ result: Finished) {
    let log = run(["journalctl", "--quiet", "--no-pager", "--output=short-monotonic", "--lines=30"]).text
    Issue.record("\(command.joined(separator: " ")): \(result.ending)\n\(result.text)\(result.errors)\n\(log)")
  }

  /// Asks the daemon for its status until it answers, by a connection that may have to wait for the next daemon.
  func isAnswered(as user: User? = nil) -> Bool {
    let command = ["restorectl", "--timeout", "20", "status"]
    let result = run(command, as: user)
    if result.ending != .exit(0) { report(command, result) }
    return result.ending == .exit(0)
  }

  /// Writes a drop-in for the daemon's units, until the machine is shut down or `removeDropIns`.
  func addDropIn(_ text: String, to unit: String = "restored.service") {
    let folder = "/run/systemd/system/\(unit).d"
    succeeds("mkdir", "-p", folder)
    succeeds("tee", "\(folder)/test.conf", input: text)
    succeeds("systemctl", "daemon-reload")
  }

  /// Removes what `addDropIn` wrote.
  func removeDropIns(of unit: String = "restored.service") {
    succeeds("rm", "-r", "/run/systemd/system/\(unit).d")
    succeeds("systemctl", "daemon-reload")
  }

  /// Starts a user's manager with the daemon's socket, as a session does.
  func logIn(_ user: User) {
    succeeds("systemctl", "start", "user@\(user.rawValue).service")
    succeeds("systemctl", "--user", "start", "restored.socket", as: user)
  }

  /// Ends a user's manager and all that runs under it.
  func logOut(_ user: User) { succeeds("systemctl", "stop", "user@\(user.rawValue).service") }

  /// The journal's entries that match, as JSON, those of all users.
  func journal(_ matches: String..., fields: String? = nil) -> String {
    succeeds("journalctl", "--sync")
    let chosen = fields.map { ["--output-fields=" + $0] } ?? []
    return run(["journalctl", "--quiet", "--output=json"] + chosen + matches).text
  }
}
