import JSONText
import RestoreInterface
import RestoreStore
import Varlink

/// `ExportRecords`, `ImportRecords`.
extension ScenesService {
  /// Exports of one user at a time: each holds a piece of records while its peer is slow.
  static let exportsPerUser = 8

  func exportRecords(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    let walk: RecordWalk
    do throws(VarlinkError) {
      let parameters = try parameters(ExportRecords.self, call)
      if let app = parameters.app { try NameCheck.check(app, "app") }
      let running = exports[uid] ?? 0
      if running >= Self.exportsPerUser {
        throw VarlinkError(reply: .limitExceeded(limit: "exports", maximum: running, actual: running + 1))
      }
      walk = RecordWalk(uid: uid, app: parameters.app)
    } catch {
      note(error, call)
      return responder.fail(error)
    }
    guard let stream = responder.stream() else { return note(VarlinkError.expectedMore, call) }
    exports[uid, default: 0] += 1
    RecordExport(walk, to: stream, of: self) { [unowned self] in
      let rest = exports[uid, default: 1] - 1
      exports[uid] = rest > 0 ? rest : nil
    }.start()
  }

  func importRecords(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    let maximumStateBytes = settings.maximumStateBytes
    write(ImportRecords.self, call, responder) { (parameters) throws(VarlinkError) in
      let decoding = RecordDecoding(records: parameters.records, maximumStateBytes: maximumStateBytes)
      // A command is of one app as a rule; each record names its own.
      return WriteCommand(
        uid: uid,
        app: "",
        .importRecords(decoding.source, replace: parameters.replace ?? false)
      )
    } reply: { outcome, _ in
      if case .imported(let records) = outcome { ImportRecords.Reply(imported: records) } else { nil }
    }
  }
}
