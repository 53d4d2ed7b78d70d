import Glibc
import RestoreInterface
import RestoreStore

/// What the command line and the environment say; the command line goes first.
struct DaemonOptions {
  var socket: String?
  var stateFolder: String?
  var allUsers = false
  var maximumStateBytes = 1 << 20
  var userQuotaBytes = 64 << 20
  var durability = StoreOptions.Durability.full
  var check = false
  /// What a program that embeds the daemon changes of the store's options; none of it is said on a command line.
  var adjustStore: (inout StoreOptions) -> Void = { _ in }

  /// What to print instead of serving.
  enum Request {
    case serve(DaemonOptions)
    case help
    case version
  }

  /// States larger than this would leave no room for the rest of a message of 16 MiB.
  private static let stateBytes = 1_024...(15 << 20)

  /// Reads the environment (`RESTORED_SOCKET` and so on), then the arguments, the program's name left out.
  static func parse(_ arguments: [String], environment: (String) -> String?) throws(DaemonFault) -> Request {
    var options = DaemonOptions()
    for name in valueOptions + flagOptions {
      let variable = "RESTORED_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
      guard let value = environment(variable), !value.isEmpty else { continue }
      if flagOptions.contains(name) {
        guard let flag = truth(value) else { throw usage("$\(variable): \"\(value)\" is neither 1 nor 0") }
        if flag { options.turnOn(name) }
      } else {
        try options.set(name, value, from: "$\(variable)")
      }
    }
    return try options.read(arguments)
  }

  private static let valueOptions = ["socket", "state-dir", "max-state", "user-quota", "durability"]
  private static let flagOptions = ["all-users", "check"]

  private static func truth(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "1", "yes", "true", "on": true
    case "0", "no", "false", "off": false
    default: nil
    }
  }

  private mutating func read(_ arguments: [String]) throws(DaemonFault) -> Request {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--"), argument.utf8.count > 2 else {
        throw Self.usage("unexpected argument \"\(argument)\"")
      }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let value = parts.count > 1 ? String(parts[1]) : nil
      if Self.valueOptions.contains(name) {
        guard let value = value ?? rest.popFirst() else { throw Self.usage("--\(name) needs a value") }
        try set(name, value, from: "--\(name)")
        continue
      }
      guard value == nil else { throw Self.usage("--\(name) takes no value") }
      switch name {
      case "help": return .help
      case "version": return .version
      case _ where Self.flagOptions.contains(name): turnOn(name)
      default: throw Self.usage("unknown option --\(name)")
      }
    }
    return .serve(self)
  }

  private mutating func turnOn(_ name: String) {
    if name == "check" { check = true } else { allUsers = true }
  }

  private mutating func set(_ name: String, _ value: String, from source: String) throws(DaemonFault) {
    switch name {
    case "socket": socket = try Self.path(value, source)
    case "state-dir": stateFolder = try Self.path(value, source)
    case "max-state": maximumStateBytes = try Self.number(value, in: Self.stateBytes, source)
    case "user-quota": userQuotaBytes = try Self.number(value, in: 1...Int.max, source)
    default:
      guard let choice = StoreOptions.Durability(rawValue: value) else {
        throw Self.usage("\(source): \"\(value)\" is neither full nor normal")
      }
      durability = choice
    }
  }

  private static func path(_ value: String, _ source: String) throws(DaemonFault) -> String {
    guard !value.isEmpty else { throw usage("\(source): the path is empty") }
    return value
  }

  private static func number(_ value: String, in range: ClosedRange<Int>, _ source: String) throws(DaemonFault) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw usage("\(source): \"\(value)\" is no number of bytes from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func usage(_ message: String) -> DaemonFault {
    DaemonFault(exit: .usage, message: "\(message); see restored --help")
  }
}

extension DaemonOptions {
  static let help = """
    restored: keeps where the people who use your apps were, and gives it back.

    usage: restored [OPTION…]

      --socket PATH        listen there (else: the socket that systemd passed,
                           $XDG_RUNTIME_DIR/restored/io.restored, as root /run/restored/io.restored)
      --state-dir DIR      keep the database there (else: $STATE_DIRECTORY, as root /var/lib/restored,
                           $XDG_STATE_HOME/restored, ~/.local/state/restored)
      --all-users          serve every user, each their own; without it, the user who runs it (and root)
      --max-state BYTES    the largest state that is taken, 1024 to 15728640 (1048576)
      --user-quota BYTES   with --all-users: what one user may keep (67108864)
      --durability full    a save is answered once it is on disk: a power cut loses nothing (the default)
      --durability normal  a save is answered once the kernel has it: a crash of the daemon loses nothing;
                           a power cut, or a crash of the kernel, may lose the newest changes, back to the
                           last checkpoint of the write-ahead log (about 4 MiB of them, however old):
                           in their order, and each whole or not at all
      --check              examine the database and exit
      --help, --version

    Each option is also an environment variable: $RESTORED_STATE_DIR and so on.
    Exit codes: 0; 64 usage; 73 cannot make or write the state folder or the socket; 74 the disk;
    75 another restored runs; 78 the database is from a newer release.

    """
}
