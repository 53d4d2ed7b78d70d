import Glibc

/// One command line, understood.
struct Invocation: Sendable {
  let verb: Verb
  let command: Command
  /// In the order typed; of an option given twice, the last counts.
  let options: [(option: Option, value: String)]
  let operands: [String]

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { options.contains { $0.option == option } }

  /// The option's value; nil: not given.
  func value(_ option: Option) -> String? { options.last { $0.option == option }?.value }

  /// The option's value as a number that is not negative; nil: not given.
  ///
  /// Throws usage for anything but decimal digits that fit 63 bits.
  func number(_ option: Option) throws(Failure) -> Int? {
    guard let text = value(option) else { return nil }
    return try Self.number(text, of: "--\(option.name)")
  }

  static func number(_ text: String, of name: String) throws(Failure) -> Int {
    guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = Int(text) else {
      throw .usage("\(name) takes a whole number, not \(Shown.quoted(text))", remedy: "give digits alone, as in 42")
    }
    return number
  }

  /// The scene meant: the option, else the environment, else `main`.
  var scene: String { value(.scene) ?? Environment.value("RESTORECTL_SCENE") ?? "main" }

  /// The app meant: the option, else the environment, else `default`.
  var app: String { value(.app) ?? Environment.value("RESTORECTL_APP") ?? "default" }

  /// What names the same daemon, app and scene in another command line.
  var which: Which { Which(value) }

  /// How long to wait for each reply, in milliseconds.
  ///
  /// Throws usage for anything but seconds over 0, up to a day, with decimals if need be.
  var timeout: Int {
    get throws(Failure) {
      guard let text = value(.timeout) else { return Self.defaultTimeout }
      guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
        throw .usage(
          "--timeout takes seconds, more than 0 and at most 86400, not \(Shown.quoted(text))",
          remedy: "give a number, as in --timeout 2.5"
        )
      }
      return max(1, Int(seconds * 1000))
    }
  }

  /// 10 seconds.
  private static let defaultTimeout = 10_000
}

/// The process's environment.
enum Environment {
  /// A variable's value; nil: not set, or set to nothing.
  static func value(_ name: String) -> String? {
    guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
    return String(validatingCString: pointer)
  }

  /// Refuses a variable that says whom or what a command is about, and cannot be read.
  static func check() throws(Failure) {
    for name in ["RESTORED_SOCKET", "RESTORECTL_APP", "RESTORECTL_SCENE"] {
      guard let pointer = getenv(name), String(validatingCString: pointer) == nil else { continue }
      throw .usage("the variable \(name) is no UTF-8", remedy: "set it anew, or unset it")
    }
  }
}
