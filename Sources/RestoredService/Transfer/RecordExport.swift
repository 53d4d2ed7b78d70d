import JSONText
import RestoreInterface
import RestoreStore
import Varlink

/// One call of `ExportRecords` that goes on: reads a piece in a turn of the loop, sends it, and goes on when the peer
/// has taken it.
///
/// No transaction is open and nothing is read while the peer is slow: what it costs then is the piece that waits, and
/// where the walk is.
///
/// Confined to the loop's thread.
final class RecordExport: TurnTask {
  /// Bytes of records from which on a piece is sent; the last record of one may go beyond.
  private static let pieceBytes = 64 << 10
  /// How long a piece is read for before others have their turn, in milliseconds.
  private static let sliceMilliseconds = 1

  private var walk: RecordWalk
  private let stream: ReplyStream
  private unowned let service: ScenesService
  private let ended: () -> Void
  private var hasEnded = false
  /// Faults of the walk that were reported.
  private var reported = 0

  /// Makes an export that `start` begins.
  ///
  /// - Parameter ended: called once, when the export is over, however it ended.
  init(_ walk: RecordWalk, to stream: ReplyStream, of service: ScenesService, ended: @escaping () -> Void) {
    self.walk = walk
    self.stream = stream
    self.service = service
    self.ended = ended
  }

  /// Begins; the stream keeps the export from here on.
  func start() {
    stream.onClose = { self.end() }
    stream.onDrain = { self.goOn() }
    goOn()
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    stream.onClose = nil
    stream.onDrain = nil
    ended()
  }

  func resume() { goOn() }

  func flush() {}

  private func goOn() {
    // A peer that is slow: the stream tells when it has read.
    guard !hasEnded, !stream.isClosed, stream.pendingBytes == 0 else { return }
    let records: [JSONObjectText]
    do throws(StoreError) {
      records = try piece()
    } catch {
      stream.fail(VarlinkError(error))
      return end()
    }
    service.health.report(damage: Array(walk.faults[reported...]), of: walk.uid)
    reported = walk.faults.count
    let reply = ExportRecords.Reply(records: records).encoded
    if walk.isDone {
      stream.finish(reply)
      return end()
    }
    if !records.isEmpty { stream.send(reply) }
    // Not in this turn, at whose end the piece is sent.
    service.nextTurn(self)
  }

  /// The next records.
  private func piece() throws(StoreError) -> [JSONObjectText] {
    var records: [JSONObjectText] = []
    var bytes = 0
    let end = StoreClock.system.steady() + Self.sliceMilliseconds
    repeat {
      guard let record = try service.reader.advance(&walk) else { continue }
      let text = TransferRecord(record).encoded
      bytes += text.count
      records.append(JSONObjectText(text))
    } while !walk.isDone && bytes < Self.pieceBytes && StoreClock.system.steady() <= end
    return records
  }
}

extension TransferRecord {
  /// A stored record as the wire spells it.
  fileprivate init(_ record: StoredRecord) {
    switch record {
    case .state(let app, let scene, let first, let savedAt, let closedAt, let confirmed, let bytes):
      self = .state(
        StateRecord(
          app: app,
          scene: scene,
          first: first,
          savedAt: Timestamp.text(Int64(savedAt)),
          closedAt: closedAt.map { Timestamp.text(Int64($0)) },
          confirmed: confirmed,
          state: JSONObjectText(bytes)
        )
      )
    case .entities(let app, let kind, let version, let ids):
      self = .entities(EntitiesRecord(app: app, kind: kind, version: version, ids: ids))
    case .routes(let app, let bytes):
      self = .routes(RoutesRecord(app: app, table: JSONObjectText(bytes)))
    }
  }
}
