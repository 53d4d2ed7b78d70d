import JSONText

/// The words for what people write by mistake.
enum StateHint {
  private static let members = ["stacks", "selectedTab", "sidebarSelection", "modals", "values"]

  /// What `{}` is told.
  static let empty =
    "the state is empty: it needs at least one of stacks, selectedTab, sidebarSelection, modals and values"

  /// What a top-level `routes` is told.
  static let reactNavigation = StateFault.invalid(
    path: "/routes",
    reason: #"this is a React Navigation state: send it as {"stacks":{"main": …}}"#
  )

  /// What a member that no state has is told.
  static func unknownMember(_ name: String) -> String {
    NearName.unknownMember(name, among: members, known)
  }

  private static let known = "a state has stacks, selectedTab, sidebarSelection, modals and values"

  /// A value in words: a number that is no integer is told from one that is.
  static func phrase(_ node: Int, in tape: JSONTape) -> String {
    switch tape.kind(node) {
    case .number where !tape.isInteger(node): "a fraction or an exponent"
    case .object: "another object"
    case let kind: kind.phrase
    }
  }
}
