import Varlink

/// Has what changes one scene happen one after the other, and a reset apart from all of it.
///
/// Order is that of arrival. A save whose reply was lost can thus be told from the one after it.
final class Lanes: Sendable {
  private struct Waiting: Sendable {
    let ticket: UInt64
    /// Nil: all scenes.
    let scene: [UInt8]?
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State: Sendable {
    var busy: Set<[UInt8]> = []
    var isAllBusy = false
    var waiting: [Waiting] = []
    /// Those that have to wait and do not yet; one that is cancelled leaves.
    var arriving: Set<UInt64> = []
    var lastTicket: UInt64 = 0

    func isFree(_ scene: [UInt8]?) -> Bool {
      guard !isAllBusy else { return false }
      return scene.map { !busy.contains($0) } ?? busy.isEmpty
    }

    /// Whether somebody came before who wants the same.
    func isWanted(_ scene: [UInt8]?, before end: Int) -> Bool {
      waiting[..<end].contains { other in scene == nil || other.scene == nil || other.scene == scene }
    }

    mutating func take(_ scene: [UInt8]?) {
      if let scene { busy.insert(scene) } else { isAllBusy = true }
    }
  }

  private let state = Locked(State())

  /// How many wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` while nothing else of the scene, or of any where `scene` is nil, runs.
  ///
  /// - Throws: `cancelled` where the task is cancelled while it waits; what `body` throws.
  func run<Value: Sendable>(
    _ scene: String?,
    _ body: () async throws(RestoreError) -> Value
  ) async throws(RestoreError) -> Value {
    let key = scene.map { Array($0.utf8) }
    guard await enter(key) else { throw .cancelled }
    defer { leave(key) }
    return try await body()
  }

  private func enter(_ scene: [UInt8]?) async -> Bool {
    let ticket = state.withLock { state -> UInt64? in
      if state.isFree(scene), !state.isWanted(scene, before: state.waiting.endIndex) {
        state.take(scene)
        return nil
      }
      state.lastTicket += 1
      state.arriving.insert(state.lastTicket)
      return state.lastTicket
    }
    guard let ticket else { return true }
    let isAdmitted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state -> Bool in
          guard state.arriving.remove(ticket) != nil else { return true }
          state.waiting.append(Waiting(ticket: ticket, scene: scene, continuation: continuation))
          return false
        }
        if isOver { continuation.resume(returning: false) } else { admit() }
      }
    } onCancel: {
      cancel(ticket)
    }
    Handover.take(at: self)
    return isAdmitted
  }

  private func cancel(_ ticket: UInt64) {
    let gone = state.withLock { state -> Waiting? in
      if let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) { return state.waiting.remove(at: index) }
      state.arriving.remove(ticket)
      return nil
    }
    gone?.continuation.resume(returning: false)
    // Who waited behind it may go on.
    if gone != nil { admit() }
  }

  private func leave(_ scene: [UInt8]?) {
    state.withLock { state in
      if let scene { state.busy.remove(scene) } else { state.isAllBusy = false }
    }
    admit()
  }

  private func admit() {
    let admitted = state.withLock { state -> [Waiting] in
      var admitted: [Waiting] = []
      var index = 0
      while index < state.waiting.count {
        let next = state.waiting[index]
        if state.isFree(next.scene), !state.isWanted(next.scene, before: index) {
          state.take(next.scene)
          admitted.append(state.waiting.remove(at: index))
        } else {
          index += 1
        }
      }
      return admitted
    }
    Handover.give(at: self)
    for next in admitted { next.continuation.resume(returning: true) }
  }
}
