/// The command table.
///
/// A raw value holds the words that are typed, one or two of them.
///
/// Only the command that is asked for is ever built: starting up must cost nothing that the command does not need.
enum Verb: String, CaseIterable, Sendable {
  case save, restore, confirm, check, scenes, show, history, rollback, close, reopen, forget, reset
  case entitiesPut = "entities put"
  case entitiesDelete = "entities delete"
  case entitiesSync = "entities sync"
  case entitiesList = "entities list"
  case entitiesKinds = "entities kinds"
  case entitiesForget = "entities forget"
  case routesSet = "routes set"
  case routesShow = "routes show"
  case routesCheck = "routes check"
  case link, watch, export
  case importRecords = "import"
  case status
  case forgetUser = "forget-user"
  case completions

  /// First words that a second one has to follow.
  static let groups = ["entities", "routes"]

  /// The table's row.
  var command: Command {
    switch self {
    case .save: .save
    case .restore: .restore
    case .confirm: .confirm
    case .check: .check
    case .scenes: .scenes
    case .show: .show
    case .history: .history
    case .rollback: .rollback
    case .close: .close
    case .reopen: .reopen
    case .forget: .forget
    case .reset: .reset
    case .entitiesPut: .entitiesPut
    case .entitiesDelete: .entitiesDelete
    case .entitiesSync: .entitiesSync
    case .entitiesList: .entitiesList
    case .entitiesKinds: .entitiesKinds
    case .entitiesForget: .entitiesForget
    case .routesSet: .routesSet
    case .routesShow: .routesShow
    case .routesCheck: .routesCheck
    case .link: .link
    case .watch: .watch
    case .export: .export
    case .importRecords: .importRecords
    case .status: .status
    case .forgetUser: .forgetUser
    case .completions: .completions
    }
  }

  /// The commands that begin with a group's word.
  static func members(of group: String) -> [Verb] {
    allCases.filter { $0.rawValue.hasPrefix(group + " ") }
  }

  /// The command or group that was probably meant; nil: none is near.
  static func nearest(to typed: String) -> String? {
    let singles = allCases.map(\.rawValue).filter { !$0.contains(" ") } + groups
    if let near = Hint.nearest(to: typed, among: singles) ?? Hint.nearest(to: typed, among: allCases.map(\.rawValue)) {
      return near
    }
    // `kinds` alone, where `entities kinds` was meant.
    let lastWord = Hint.nearest(to: typed, among: allCases.map(\.lastWord))
    return allCases.first { $0.lastWord == lastWord }?.rawValue
  }

  /// The command of a group whose second word was probably meant; nil: none is near.
  static func nearest(to word: String, of group: String) -> String? {
    let members = members(of: group)
    let near = Hint.nearest(to: word, among: members.map(\.lastWord))
    return members.first { $0.lastWord == near }?.rawValue
  }

  /// The last word alone: `put` of `entities put`.
  var lastWord: String {
    guard let space = rawValue.firstIndex(of: " ") else { return rawValue }
    return String(rawValue[rawValue.index(after: space)...])
  }
}
