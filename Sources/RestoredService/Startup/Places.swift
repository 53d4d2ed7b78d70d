import Glibc

/// Where the socket and the database are, by option, environment and user.
struct Places {
  let environment: (String) -> String?
  let uid: UInt32

  static let databaseName = "restored.sqlite3"

  /// The socket's path where systemd passed none.
  func socket(_ option: String?) throws(DaemonFault) -> String {
    if let option { return option }
    if let runtime = absolute("XDG_RUNTIME_DIR") { return runtime + "/restored/io.restored" }
    if uid == 0 { return "/run/restored/io.restored" }
    throw DaemonFault(
      exit: .cannotCreate,
      message: "no place for the socket: $XDG_RUNTIME_DIR is not set; set it, or say --socket PATH"
    )
  }

  /// The state folder.
  func stateFolder(_ option: String?) throws(DaemonFault) -> String {
    if let option { return option }
    // A unit may name several folders, with colons between; the first is the one that matters.
    if let given = absolute("STATE_DIRECTORY") { return String(given.split(separator: ":")[0]) }
    if uid == 0 { return "/var/lib/restored" }
    if let home = absolute("XDG_STATE_HOME") { return home + "/restored" }
    if let home = absolute("HOME") { return home + "/.local/state/restored" }
    throw DaemonFault(
      exit: .cannotCreate,
      message: "no place for the database: neither $XDG_STATE_HOME nor $HOME is set; set one, "
        + "or say --state-dir DIR"
    )
  }

  /// The base directory specification says to ignore what is not an absolute path.
  private func absolute(_ variable: String) -> String? {
    guard let value = environment(variable), value.hasPrefix("/") else { return nil }
    return value
  }
}
