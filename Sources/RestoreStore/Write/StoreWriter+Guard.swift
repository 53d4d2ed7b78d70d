import JSONText

/// The guard: launches, and what they are served.
extension StoreWriter {
  /// Launches without a confirm after which what they were served is quarantined.
  private static let launchesAllowed = 3

  /// What a launch comes to, before anything of it is written.
  private struct LaunchPlan {
    /// What is quarantined by it.
    let guilty: Set<Int>
    /// The revision it is served; nil: the empty state.
    let state: StoredState?
    /// Launches since the last confirm, this one included.
    let launches: Int
    /// What was found damaged.
    let faults: [String]

    /// The revision it is served; 0: the empty state.
    var served: Int { state?.revision ?? 0 }
  }

  func launch(_ command: WriteCommand, _ scene: String, expired: Bool) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene) else {
      return sceneNotFound(command, scene)
    }
    if !expired, let refusal = try refusesAge(command, app, head) { return .refused(refusal) }
    let plan = try plan(command, head)
    if let refusal = refuses(plan, command, head) { return .refused(refusal) }
    for revision in plan.guilty {
      try mark(head, revision, confirmed: head.slot(of: revision)?.confirmed ?? false, quarantined: true)
    }
    head.launches = plan.launches
    head.launched = [plan.served] + head.launched.prefix(2)
    try putGuard(head, launchedAt: now)
    var changes: [StoreChange] = []
    if head.closed {
      let number = try ledger.user(command.uid).next(now)
      try open(head, number)
      changes = [change(command, .scene(scene), .reopened, number)]
    }
    return .done(.launched(try outcome(head, plan)), changes)
  }

  /// What a launch is served whose count cannot be stored: the same, and why it was not counted.
  ///
  /// - Returns: nil where it cannot be told, or where the launch would be refused.
  func launchUncounted(
    _ command: WriteCommand,
    _ scene: String,
    expired: Bool,
    _ error: StoreError
  ) -> WriteOutcome? {
    // That of no transaction: none may have begun.
    now = options.clock.wall()
    do throws(SQLiteError) {
      guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene) else {
        return nil
      }
      if !expired, try refusesAge(command, app, head) != nil { return nil }
      let plan = try plan(command, head)
      if refuses(plan, command, head) != nil { return nil }
      return .launched(try outcome(head, plan, uncounted: error))
    } catch {
      return nil
    }
  }

  private func plan(_ command: WriteCommand, _ head: SceneHead) throws(SQLiteError) -> LaunchPlan {
    let tripped = head.launches >= Self.launchesAllowed
    let guilty = tripped ? suspects(head) : []
    var faults: [String] = []
    var served: StoredState?
    for slot in head.slots.reversed() where !slot.quarantined && !guilty.contains(slot.revision) {
      served = try stored(head, slot)
      if served != nil { break }
      faults.append(StoreError.damage(command.app, head.name, slot.revision, in: path))
    }
    return LaunchPlan(
      guilty: guilty,
      state: served,
      launches: (tripped ? 0 : head.launches) + 1,
      faults: faults
    )
  }

  /// Damage is no crash of the app's: an empty state would hide it.
  private func refuses(_ plan: LaunchPlan, _ command: WriteCommand, _ head: SceneHead) -> StoreError? {
    guard plan.served == 0, !plan.faults.isEmpty else { return nil }
    return .unreadable(command.app, head.name, head.newest?.revision ?? 0, in: path)
  }

  /// What a guard that trips quarantines: what the last launch was served, and all that is newer
  /// than the newest confirmed revision.
  private func suspects(_ head: SceneHead) -> Set<Int> {
    let confirmed = head.slots.last { $0.confirmed }?.revision ?? 0
    return Set(head.slots.map(\.revision).filter { $0 > confirmed || $0 == head.launched.first })
  }

  private func outcome(
    _ head: SceneHead,
    _ plan: LaunchPlan,
    uncounted: StoreError? = nil
  ) throws(SQLiteError) -> LaunchOutcome {
    let quarantined = head.slots.filter { $0.quarantined || plan.guilty.contains($0.revision) }
      .map(\.revision).reversed()
    let state: [UInt8] = if let stored = plan.state { stored.bytes } else { try emptyState(head) }
    let fellBack = quarantined.first.map { $0 > plan.served } ?? false
    return LaunchOutcome(
      revision: plan.served,
      state: state,
      savedAt: plan.state?.savedAt,
      newest: head.newest?.revision ?? 0,
      outcome: plan.served == 0 ? .empty : fellBack ? .fallback : .normal,
      unconfirmedLaunches: plan.launches,
      quarantined: Array(quarantined),
      faults: plan.faults,
      uncounted: uncounted
    )
  }

  /// An empty state in the form that the app's decoder reads: stacks as an object, or as flat pairs.
  private func emptyState(_ head: SceneHead) throws(SQLiteError) -> [UInt8] {
    if let newest = head.newest, let bytes = try stored(head, newest)?.bytes,
      let document = try? JSONDocument(bytes), let stacks = document.member(document.root, "stacks"),
      document.kind(stacks) == .array
    {
      return Array(#"{"stacks":[]}"#.utf8)
    }
    return Array(#"{"stacks":{}}"#.utf8)
  }

  func confirm(_ command: WriteCommand, _ scene: String, _ revision: Int?) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene) else {
      return sceneNotFound(command, scene)
    }
    let target = revision ?? head.launched.first ?? 0
    let known = target == 0 ? !head.launched.isEmpty : head.slot(of: target) != nil
    guard known else { return .refused(.noRevision(command.app, scene, target)) }
    if target != 0 { try mark(head, target, confirmed: true, quarantined: false) }
    if head.launches != 0 {
      head.launches = 0
      try putGuard(head, launchedAt: nil)
    }
    return .done(.confirmed(revision: target))
  }

  /// Sets what is known of a revision, where that is new.
  func mark(_ head: SceneHead, _ revision: Int, confirmed: Bool, quarantined: Bool) throws(SQLiteError) {
    guard let index = head.slots.firstIndex(where: { $0.revision == revision }),
      head.slots[index].confirmed != confirmed || head.slots[index].quarantined != quarantined
    else { return }
    if confirmed || quarantined {
      try statements.putMarks.bind(head.key, revision, confirmed, quarantined)
      try run(statements.putMarks)
    } else {
      try statements.removeMarks.bind(head.key, revision)
      try run(statements.removeMarks)
    }
    head.slots[index].confirmed = confirmed
    head.slots[index].quarantined = quarantined
  }

  /// Writes the count of launches and what the last ones were served.
  func putGuard(_ head: SceneHead, launchedAt: Int?) throws(SQLiteError) {
    let served = head.launched
    try statements.putGuard.bind(
      head.key,
      head.launches,
      served.first,
      served.dropFirst().first,
      served.dropFirst(2).first,
      launchedAt
    )
    try run(statements.putGuard)
  }
}
