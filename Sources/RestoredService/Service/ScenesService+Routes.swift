import JSONText
import RestoreInterface
import RestoreStore
import SceneModel
import Varlink

/// `SetRoutes`, `GetRoutes`, `ResolveLink`.
extension ScenesService {
  func setRoutes(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    let asked: SetRoutes.Parameters
    let table: RouteTable
    let isNews: Bool?
    do throws(VarlinkError) {
      asked = try parameters(SetRoutes.self, call)
      try NameCheck.check(asked.app, "app")
      table = try Self.table(asked.table)
      let app = asked.app
      isNews =
        asked.dryRun == true
        ? try reading { () throws(StoreError) in try reader.wouldChange(table, uid: uid, app: app) } : nil
    } catch {
      note(error, call)
      return responder.fail(error)
    }
    let pending = responder.detach()
    let survey = RouteSurvey(uid: uid, app: asked.app, table)
    if let isNews { return advance(survey, changed: isNews, pending, call) }
    queue.submit(WriteCommand(uid: uid, app: asked.app, .setRoutes(table)), from: call.connection) { [self] result in
      do throws(VarlinkError) {
        guard case .routesSet(let changed) = try result.mapError({ VarlinkError($0) }).get() else {
          throw .unexpectedOutcome
        }
        advance(survey, changed: changed, pending, call)
      } catch {
        note(error, call)
        pending.fail(error)
      }
    }
  }

  private static func table(_ text: JSONObjectText) throws(VarlinkError) -> RouteTable {
    do throws(RouteTableFaults) { return try RouteTable(validating: Array(text.bytes)) } catch {
      throw VarlinkError(error.first)
    }
  }

  /// What is left of a count, for time to spare.
  private final class Slice: TurnTask {
    private let goOn: () -> Void
    init(_ goOn: @escaping () -> Void) { self.goOn = goOn }
    var line: TurnLine { .heavy }
    func resume() { goOn() }
    func flush() {}
  }

  /// How long a count goes on before others have their turn, in milliseconds.
  private static let sliceMilliseconds = 1

  /// Counts on for a while, and answers when the count is done.
  private func advance(_ survey: RouteSurvey, changed: Bool, _ pending: PendingReply, _ call: VarlinkCall) {
    var survey = survey
    let end = StoreClock.system.steady() + Self.sliceMilliseconds
    do throws(VarlinkError) {
      repeat {
        try reading { () throws(StoreError) in try reader.advance(&survey) }
      } while !survey.isDone && StoreClock.system.steady() < end
    } catch {
      note(error, call)
      return pending.fail(error)
    }
    guard survey.isDone else {
      // Nobody waits for the answer any more.
      if pending.isMoot { return }
      return nextTurn(Slice { [self, survey] in advance(survey, changed: changed, pending, call) })
    }
    let effect = survey.effect
    pending.reply(
      SetRoutes.Reply(
        changed: changed,
        scenes: effect.scenes,
        renamed: effect.renamed,
        unknown: effect.unknown,
        stale: effect.stale
      ).encoded
    )
  }

  func getRoutes(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(GetRoutes.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      let table = try reading { () throws(StoreError) in try reader.routes(uid: uid, app: parameters.app) }
      return GetRoutes.Reply(table: table.map { JSONObjectText($0.bytes) })
    }
  }

  func resolveLink(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(ResolveLink.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      let resolved = try reading { () throws(StoreError) in
        try reader.resolve(uid: uid, app: parameters.app, link: parameters.url)
      }
      guard let resolved else { throw VarlinkError(reply: .noMatchingLink(url: parameters.url)) }
      return ResolveLink.Reply(state: JSONObjectText(resolved.state), dropped: resolved.dropped)
    }
  }
}

extension VarlinkError {
  fileprivate init(_ fault: RouteTableFault) {
    if let limit = fault.limit {
      self.init(reply: .limitExceeded(limit: limit.name, maximum: limit.maximum, actual: limit.actual))
    } else {
      self.init(reply: .invalidRoutes(path: fault.path, reason: fault.reason))
    }
  }
}
