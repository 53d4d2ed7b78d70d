import SceneModel

/// One user's bytes, where there is a bound to them.
extension StoreWriter {
  /// Of the quota, what is freed at once beyond what is needed, so that not every further save has to look for more.
  private static let marginDivisor = 64

  /// Makes room for bytes of states by taking the user's oldest revisions that only history keeps.
  ///
  /// Nothing is taken where all of it would not be enough.
  ///
  /// - Parameters:
  ///   - bytes: what is to be kept.
  ///   - placement: where a revision of so many bytes goes; what leaves for it makes room, and is not taken twice.
  /// - Returns: why there is no room; nil: there is.
  func makeRoom(
    for bytes: Int,
    at placement: SceneHead.Placement? = nil,
    of uid: UInt32
  ) throws(SQLiteError) -> StoreError? {
    guard let quota = options.userQuotaBytes else { return nil }
    let growth = bytes - (placement?.freedBytes ?? 0)
    if growth <= 0 { return nil }
    let user = try ledger.user(uid)
    let missing = user.usedBytes + growth - quota
    if missing <= 0 { return nil }
    let spare = try spareRevisions(
      of: uid,
      missing + quota / Self.marginDivisor,
      besides: placement?.goneRevisions ?? []
    )
    guard spare.reduce(0, { $0 + $1.slot.size }) >= missing else {
      return .beyondQuota(quota, user.usedBytes + growth)
    }
    for (head, slot) in spare { try leave(slot, head, user, replaced: false) }
    return nil
  }

  /// As above, for those of the ids that are not there yet.
  func makeRoom(
    for ids: [EntityID],
    of command: WriteCommand,
    _ app: AppRecord?,
    _ name: String
  ) throws(SQLiteError) -> StoreError? {
    guard let quota = options.userQuotaBytes else { return nil }
    let most = ids.reduce(0) { $0 + $1.storedBytes }
    if try ledger.user(command.uid).usedBytes + most <= quota { return nil }
    guard let app, let kind = try ledger.kind(app, name) else { return try makeRoom(for: most, of: command.uid) }
    var growth = 0
    for id in Set(ids) {
      try statements.hasEntity.bind(kind.key, id)
      if try statements.hasEntity.first({ _ in true }) == nil { growth += id.storedBytes }
    }
    return try makeRoom(for: growth, of: command.uid)
  }

  /// The user's oldest revisions that only history keeps, until they have so many bytes or there are no more.
  private func spareRevisions(
    of uid: UInt32,
    _ bytes: Int,
    besides gone: Set<Int>
  ) throws(SQLiteError) -> [(head: SceneHead, slot: SceneHead.Slot)] {
    try statements.revisionsOfUser.bind(Int(uid))
    let all = try statements.revisionsOfUser.all { (app: $0.text(0), scene: $0.text(1), revision: $0.integer(2)) }
    // Of a scene with one revision none is spare, and it need not be looked at.
    var counts: [String: [String: Int]] = [:]
    for entry in all { counts[entry.app, default: [:]][entry.scene, default: 0] += 1 }
    var spare: [(head: SceneHead, slot: SceneHead.Slot)] = []
    var found = 0
    for entry in all where found < bytes && !gone.contains(entry.revision) {
      if counts[entry.app]?[entry.scene] == 1 { continue }
      guard let app = try ledger.app(uid, entry.app), let head = try ledger.head(app, entry.scene),
        let slot = head.unkept(history: 1).first(where: { $0.revision == entry.revision })
      else { continue }
      spare.append((head, slot))
      found += slot.size
    }
    return spare
  }
}

extension StoreError {
  fileprivate static func beyondQuota(_ quota: Int, _ actual: Int) -> StoreError {
    StoreError(
      .quotaExceeded,
      "the user would keep \(actual) bytes of states and ids, and may keep \(quota)",
      remedy: "forget scenes or kinds that are no longer needed, or ask the administrator for a larger quota"
    ) {
      $0.maximum = quota
      $0.actual = actual
    }
  }
}
