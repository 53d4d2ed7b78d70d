/// An option of any command.
///
/// Its name, value and help stand here once; a command names the ones that it takes.
enum Option: UInt8, CaseIterable, Sendable {
  case scene, app
  case socket, timeout, json, quiet, noColor, help, version
  case ifRevision, autosave, allowEmpty, revision, launch, stale, expired, state, exitCode
  case allApps, closed, keepEntities, null, modelVersion, dryRun, after, replace

  /// Those that every command takes.
  static let common: [Option] = [.socket, .timeout, .json, .quiet, .noColor, .help, .version]

  /// The name as typed after `--`.
  var name: String {
    switch self {
    case .scene: "scene"
    case .app: "app"
    case .socket: "socket"
    case .timeout: "timeout"
    case .json: "json"
    case .quiet: "quiet"
    case .noColor: "no-color"
    case .help: "help"
    case .version, .modelVersion: "version"
    case .ifRevision: "if-revision"
    case .autosave: "autosave"
    case .allowEmpty: "allow-empty"
    case .revision: "revision"
    case .launch: "launch"
    case .stale: "stale"
    case .expired: "expired"
    case .state: "state"
    case .exitCode: "exit-code"
    case .allApps: "all-apps"
    case .closed: "closed"
    case .keepEntities: "keep-entities"
    case .null: "null"
    case .dryRun: "dry-run"
    case .after: "after"
    case .replace: "replace"
    }
  }

  /// The one-letter form, where there is one.
  var short: Character? {
    switch self {
    case .null: "0"
    case .help: "h"
    default: nil
    }
  }

  /// What stands for its value in help; nil: it takes none.
  var placeholder: String? {
    switch self {
    case .scene, .app: "ID"
    case .socket: "PATH"
    case .timeout: "SECONDS"
    case .ifRevision, .revision, .after: "N"
    case .stale: "drop|truncate|keep"
    case .state: "FILE"
    case .modelVersion: "V"
    default: nil
    }
  }

  /// One line of help.
  var summary: String {
    switch self {
    case .scene: "the scene (else $RESTORECTL_SCENE, else main)"
    case .app: "the app (else $RESTORECTL_APP, else default)"
    case .socket: "the daemon's socket (else $RESTORED_SOCKET, else the user's, else the system's)"
    case .timeout: "how long to wait for each reply (10)"
    case .json: "print the reply's parameters as one line of JSON"
    case .quiet: "print only errors and the data asked for"
    case .noColor: "never colour"
    case .help: "this text"
    case .version: "print the version of restorectl"
    case .ifRevision: "only if N is the newest revision (0: there is no such scene)"
    case .autosave: "the app saves by itself; one a minute of these stays in the history"
    case .allowEmpty: "also if there is nothing in it"
    case .revision: "revision N, not the newest"
    case .launch: "count a launch; a newest revision that failed three is not served"
    case .stale: "what to do with a route that no longer resolves"
    case .expired: "also if it is older than the app's maximum age"
    case .state: "write the state to FILE and the rest of the reply, as JSON, to standard output"
    case .exitCode: "exit 1 if something was dropped"
    case .allApps: "of all apps"
    case .closed: "the closed ones instead"
    case .keepEntities: "leave the app's entities"
    case .null: "ids on standard input end with NUL instead of a line break"
    case .modelVersion: "the app's own mark of the model that the ids were taken from"
    case .dryRun: "change nothing, only count"
    case .after: "first what changed since revision N"
    case .replace: "forget scenes that exist before their records are read"
    }
  }

  /// As typed, with the place of its value: `--scene ID`.
  var spelling: String {
    guard let placeholder else { return short.map { "-\($0), --\(name)" } ?? "--\(name)" }
    return "--\(name) \(placeholder)"
  }
}
