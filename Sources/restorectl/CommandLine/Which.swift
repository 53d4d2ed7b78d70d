/// Options that name the same daemon, app and scene in the command lines that failures and notes suggest.
///
/// Those that were given: what the environment says, it says there too. Each has a space before it.
struct Which: Sendable, Equatable {
  /// `--socket`, for commands that take neither an app nor a scene; without it the suggestion is about another daemon.
  let daemon: String
  /// With `--app`, for those that take one.
  let app: String
  /// With `--scene` too.
  let scene: String

  /// Nothing was given.
  static let unsaid = Which { _ in nil }

  /// - Parameter value: what was given for an option; nil: nothing.
  init(_ value: (Option) -> String?) {
    func spelled(_ option: Option) -> String { value(option).map { " --\(option.name) \(Shown.word($0))" } ?? "" }
    daemon = spelled(.socket)
    app = daemon + spelled(.app)
    scene = app + spelled(.scene)
  }
}
