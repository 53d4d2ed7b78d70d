import TestSupport

/// An app that saves only when it is told to end, and takes its time.
enum App {
  static let state = #"{"stacks":{"boards":["home"]}}"#
}

extension Machine {
  /// Starts it by a `systemd-run` and waits until it listens for the signal; what its save printed is /kept/USER.
  func startApp(as user: User, by launcher: [String]) {
    let script = """
      exec 3>/kept/\(user.name)
      trap 'sleep 0.4; echo '\\''\(App.state)'\\'' | restorectl save >&3; exit' TERM
      systemd-notify --ready
      while :; do sleep 0.05; done
      """
    succeeds("install", "-m", "666", "/dev/null", "/kept/\(user.name)")
    let isUser = launcher.contains("--user")
    let unit = ["--unit=app.service", "-p", "Type=notify", "-p", "NotifyAccess=all"]
    let options = Sanitizer.environment.map { "--setenv=\($0.key)=\($0.value)" }
    let command = launcher + unit + options + ["sh", "-c", script]
    let result = run(command, as: isUser ? user : nil)
    if result.ending != .exit(0) { report(command, result) }
  }
}
