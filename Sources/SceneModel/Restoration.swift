/// What restoring a state came to.
package struct Restoration: Hashable, Sendable {
  /// The state as it is to be shown: the saved bytes, but for what was cut out or replaced.
  package let state: [UInt8]
  /// One entry for each stale route: those on stacks in the order of the bytes, then the
  /// `sidebarSelection`'s, then the modals'.
  package let dropped: [Dropped]
  /// The ids of the tabs that were saved with routes and have none now, in the order of the bytes.
  package let emptied: [String]
  /// The kinds of which a reference could not be checked, in the order in which they were met; no
  /// two are equal without ASCII case.
  package let unverified: [String]
  /// Routes whose case has another name in `state`, those that stand in parameters of others too.
  package let renamed: Int
  /// Routes whose case the route table does not list, though it lists some; whether they are left out is its policy.
  package let unknown: Int

  /// Describes a restoration; each parameter is the member of the same name.
  package init(
    state: [UInt8],
    dropped: [Dropped] = [],
    emptied: [String] = [],
    unverified: [String] = [],
    renamed: Int = 0,
    unknown: Int = 0
  ) {
    self.state = state
    self.dropped = dropped
    self.emptied = emptied
    self.unverified = unverified
    self.renamed = renamed
    self.unknown = unknown
  }
}
