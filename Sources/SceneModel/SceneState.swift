import JSONText

/// A scene's state, checked: what a save stores and a restore starts from.
package struct SceneState: Sendable {
  /// Routes that one state may hold, on stacks, in the sidebar and in modals together.
  package static let maximumRoutes = 4096

  /// The state as JSON.
  package let document: JSONDocument
  let layout: StateLayout

  /// Checks a state in one walk.
  ///
  /// - Parameters:
  ///   - bytes: one JSON value. That it is an object is checked here too, but a call whose `state`
  ///     is none has a wrong parameter, so whoever answers calls looks first. Its size is the caller's to limit.
  ///   - reading: what reading these very bytes found, where somebody has read them already.
  ///   - maximumRoutes: routes that it may hold.
  /// - Throws: `StateFault.invalid` with the place of the first fault, whether of JSON or of meaning, and
  ///   `StateFault.limit` for `routes` and for a name that is too long.
  package init(
    validating bytes: [UInt8],
    _ reading: JSONReading? = nil,
    maximumRoutes: Int = SceneState.maximumRoutes
  ) throws(StateFault) {
    do throws(JSONFault) {
      document = if let reading { JSONDocument(bytes, reading) } else { try JSONDocument(bytes) }
    } catch {
      if Self.hasRoutes(bytes) { throw StateHint.reactNavigation }
      throw .invalid(path: JSONDocument.pointer(toOffset: error.offset, in: bytes), reason: error.sentence)
    }
    layout = try StateCheck.layout(of: document, maximumRoutes: maximumRoutes)
  }

  /// The state's bytes, as they were sent.
  package var bytes: [UInt8] { document.bytes }

  /// Routes on all stacks, those of nested lists included.
  package var routes: Int { layout.routesOnStacks }

  /// The id of the selected tab, whatever its form; nil where the state selects none.
  package var selectedTab: String? { layout.selectedTab.map(document.string) }

  /// The same in UTF-8; as a rule a piece of `bytes`.
  package var selectedTabBytes: ArraySlice<UInt8>? {
    if let tab = layout.selectedTab { document.decoded(tab) } else { nil }
  }

  /// A hash that is equal for equal states: members and pairs in any order, strings decoded, numbers by spelling.
  ///
  /// The same in every process, so it may be stored. Equal hashes are a hint: states of which only the places of things
  /// differ share one. `isSameValue` decides.
  package var valueHash: UInt64 { document.leafHash(document.root) }

  /// Whether both are the same JSON value: members and pairs in any order, strings decoded, numbers by spelling.
  package func isSameValue(as other: SceneState) -> Bool {
    document.isEqual(
      document.root,
      to: other.document,
      other.document.root,
      unorderedPairs: unorderedPairs,
      otherPairs: other.unorderedPairs
    )
  }

  /// Whether the state names no tab, no route, no modal and no value.
  ///
  /// A failing producer writes such a state. One whose tabs all stand at their roots names those.
  package var namesNothing: Bool {
    layout.routes == 0 && layout.selectedTab == nil && isEmpty(layout.stacks) && isEmpty(layout.values)
  }

  private func isEmpty(_ member: Int?) -> Bool { member.map { document.count($0) == 0 } ?? true }

  private var unorderedPairs: [Int] {
    var pairs: [Int] = []
    if let stacks = layout.stacks, document.kind(stacks) == .array { pairs.append(stacks) }
    if let modals = layout.modals, document.kind(modals) == .array { pairs.append(modals) }
    return pairs
  }

  /// Whether a text that is no JSON looks like an object with a member `routes`.
  private static func hasRoutes(_ bytes: [UInt8]) -> Bool {
    let text = bytes[...].drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    guard var skim = try? JSONSkim(text, .object) else { return false }
    while let member = try? skim.nextMember() {
      if (try? JSONScalar.string(member.key)) == "routes" { return true }
    }
    return false
  }
}
