/// How much an event matters; the numbers are syslog's.
///
/// What each is for is in `docs/LOGGING.md`.
enum LogLevel: Int, Comparable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// Reads a level's name, or its number.
  init?(_ text: String) {
    let names = ["error": LogLevel.error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug]
    guard let level = names[text] ?? Int(text).flatMap(LogLevel.init(rawValue:)) else { return nil }
    self = level
  }

  static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// Something that an operator may want to know, or to be woken for.
///
/// No state and no id of an entity ever stands in one.
struct LogEvent {
  let kind: Kind
  let message: String
  /// Fields of the journal beside the message, without their prefix `RESTORED_`.
  var fields: [(name: StaticString, value: String)] = []

  /// What happened.
  ///
  /// The raw value is the journal's MESSAGE_ID, which never changes its meaning.
  enum Kind: String, CaseIterable {
    case started = "a2b76e8142874ad6a2c901859c671c33"
    case stopping = "0775a863269a49e6a9f355f744d9fc48"
    case cannotStart = "cb9b9d6467ed453bb86b858c29196c64"
    case folderShared = "b704de5341594e7284314ac98da7a7db"
    case storageFull = "32e3dc2c411c49959ada3dbd6052d0b6"
    case storageFailed = "be0bee4e204c40d9b7ed8c6b6eb0d370"
    case storageRecovered = "b0bb209b998545c4931000cfd5c942e7"
    case damageFound = "2058d310bd7c4b18bdd2eef8ddf970b2"
    case damageRecovered = "fe60019d20714e738780e43fdc95a81e"
    case foreignSetAside = "91b8c501f9bf4343969c16ffde3fff26"
    case notRecovered = "ec32df08381c4910bb3934292cda6a33"
    case checked = "2d2ada674084467cae5ccc10c08d35de"
    case eraseDelayed = "2c034c846f3646c889185b7f81fb5cb2"
    case erased = "879e58664d9f46d9a6a350a472b676b5"
    case logHeld = "7f6a1d0c52b84e0e9c1d3a86f04e5b27"
    case connectionsWait = "43446d57d3184f599f5fbcb6ce700511"
    case launchUncounted = "5d0c1b8e7f3a4c0f9a6e2b47d18c9f65"
    case callFailed = "0aac5ce41ba94f2ca60578eda15e3a70"

    /// How much it matters.
    var level: LogLevel {
      switch self {
      case .cannotStart, .storageFull, .storageFailed, .damageFound, .damageRecovered, .notRecovered: .error
      case .folderShared, .foreignSetAside, .eraseDelayed, .logHeld, .connectionsWait, .launchUncounted: .warning
      case .storageRecovered, .erased: .notice
      case .started, .stopping, .checked: .info
      case .callFailed: .debug
      }
    }
  }
}
