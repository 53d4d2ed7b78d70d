import SceneModel

/// What one restore asked of the entity table, and what it was answered.
///
/// Restoring is a pure function of the state, the rules, and these answers: as long as `StoreReader.confirms` them, it
/// comes to the same.
package struct EntityAnswers: Hashable, Sendable {
  /// A kind that was asked for and is declared.
  package struct Kind: Hashable, Sendable {
    /// Its key, as in `StoreChange.Subject.kind`.
    package let key: Int64
    let isSyncing: Bool
  }

  struct Answer: Hashable, Sendable {
    let kind: Int64
    let id: EntityID
    let exists: Bool
  }

  /// Answers beyond this are not kept: asking so much again is no less work than restoring.
  private static let maximum = 256

  /// The kinds that were asked for.
  package private(set) var kinds: [Kind] = []
  /// The answers in order; nil: there were too many.
  private(set) var answers: [Answer]? = []

  /// Bytes of memory that it takes, about.
  package var bytes: Int {
    (answers ?? []).reduce(kinds.count * MemoryLayout<Kind>.stride) {
      $0 + MemoryLayout<Answer>.stride + $1.id.storedBytes + 32
    }
  }

  /// Whether the entity was asked for; true also where too much was asked to tell.
  package func mentions(_ id: EntityID, inKind key: Int64) -> Bool {
    answers?.contains { $0.kind == key && $0.id == id } ?? true
  }

  mutating func add(kind key: Int64, isSyncing: Bool) {
    if !kinds.contains(where: { $0.key == key }) { kinds.append(Kind(key: key, isSyncing: isSyncing)) }
  }

  mutating func add(_ id: EntityID, in kind: Int64, exists: Bool) {
    guard let count = answers?.count else { return }
    if count < Self.maximum {
      answers?.append(Answer(kind: kind, id: id, exists: exists))
    } else {
      answers = nil
    }
  }
}
