/// What restoring asks of the entity table of one app.
///
/// A restoration asks for each kind once, and for each id at most once per reference to it. Whoever
/// answers must compare bytes: Swift's `String` counts é composed and decomposed as equal, an
/// entity table does not.
package protocol EntityLookup {
  /// What an answer that cannot be given throws; the restoration ends with it.
  associatedtype Failure: Error

  /// Looks a kind up among the declared ones: one of exactly this name first, else one that is
  /// equal without ASCII case.
  mutating func kind(named name: String) throws(Failure) -> KindAnswer

  /// Whether the entity is in the table now.
  ///
  /// - Parameter kind: the key of an earlier `KindAnswer.declared`.
  mutating func contains(_ id: EntityID, in kind: Int64) throws(Failure) -> Bool

  /// The name of a declared kind as it was declared, for a report. Asked only where there is something to report.
  ///
  /// - Parameter kind: the key of an earlier `KindAnswer.declared`.
  mutating func name(of kind: Int64) throws(Failure) -> String
}

/// What is known of a kind.
package enum KindAnswer: Hashable, Sendable {
  /// No such kind was ever declared: no reference to it can be checked.
  case undeclared
  /// The kind is declared. `key` is what `contains` takes; while `syncing`, an id that is not in the
  /// table is not missing yet.
  case declared(key: Int64, syncing: Bool)
}
