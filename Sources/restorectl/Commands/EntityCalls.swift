import RestoreInterface

/// Calls with ids, several under way at once, so that the daemon never waits for the next.
struct EntityCalls<M: InterfaceMethod> {
  /// Calls sent and not yet answered.
  private var suspects: [String?] = []
  private var sent = 0
  /// The calls that were sent.
  private(set) var calls = 0
  /// What the replies counted, together.
  private(set) var total = 0
  /// The replies that came.
  private(set) var answers = 0

  private let parameters: ([String]) -> M.Parameters
  private let counted: (M.Reply) -> Int
  /// Enough to keep the daemon busy, few enough to stay small.
  private static var window: Int { 4 }

  /// Calls of one method.
  ///
  /// - Parameter parameters: those of a call with these ids.
  /// - Parameter counted: what a reply counts.
  init(_: M.Type, parameters: @escaping ([String]) -> M.Parameters, counted: @escaping (M.Reply) -> Int) {
    self.parameters = parameters
    self.counted = counted
  }

  /// Sends a call, waiting for the oldest reply first where too many are under way.
  mutating func send(_ batch: IDBatches.Batch, in session: inout Session) throws(Failure) {
    if suspects.count >= Self.window { try receive(in: &session) }
    suspects.append(batch.suspect)
    sent += batch.ids.count
    calls += 1
    try session.send(M.self, parameters(batch.ids))
    session.notes.progress("\(sent) ids")
  }

  /// Waits for all replies.
  mutating func finish(in session: inout Session) throws(Failure) {
    while !suspects.isEmpty { try receive(in: &session) }
    session.notes.progressEnded()
  }

  private mutating func receive(in session: inout Session) throws(Failure) {
    let suspect = suspects.removeFirst()
    do {
      total += counted(try session.receive(M.self).reply)
      answers += 1
    } catch {
      guard error.exit == .input, let suspect else { throw error }
      throw Failure(error.exit, "\(error.what): see \(suspect)", remedy: error.remedy, json: error.json)
    }
  }
}
