import JSONText
import RestoreInterface

/// Records of an export, one a line, in portions that one call takes.
///
/// A portion ends where a scene ends, as far as one fits: so a scene comes in whole or not at all.
struct RecordBatches: ~Copyable {
  /// Records of one call.
  struct Batch {
    fileprivate(set) var records: [JSONObjectText] = []
    /// The line of each record.
    fileprivate(set) var lines: [Int] = []
    fileprivate var bytes = 0
    /// The last record that goes on with no scene of a record before it.
    fileprivate var lastBeginning = 0

    /// The record of an index begins a scene.
    func beginsScene(_ index: Int) -> Bool {
      records.indices.contains(index) && RecordLine(records[index].bytes)?.isFirst == true
    }
  }

  private var lines: LineReader
  /// Nil: records of all apps are wanted.
  private let app: String?
  private var pending = Batch()

  /// Bytes of one call.
  private static let maximumBytes = 8 << 20
  /// The daemon's limit of a message, 16 MiB, less the room that a call takes around one record.
  private static let longestLine = (16 << 20) - 8_192

  /// Records from a file or standard input.
  ///
  /// - Parameter app: the one whose records are wanted; nil: all are.
  init(_ input: consuming Input, app: String?) {
    lines = LineReader(input, longest: Self.longestLine)
    self.app = app
  }

  /// The input, as messages name it.
  var name: String { lines.name }

  /// The next portion; nil: there are no more.
  ///
  /// - Throws: `absent` where the input cannot be read; `input` where a line is too long or no JSON object. What was
  ///   read for the portion before is not given then.
  mutating func next() throws(Failure) -> Batch? {
    while case .line(let line) = try lines.next() {
      guard let record = try record(line) else { continue }
      let full = pending.bytes + line.count > Self.maximumBytes && !pending.records.isEmpty ? cut() : nil
      if !record.continues { pending.lastBeginning = pending.records.count }
      pending.records.append(record.text)
      pending.lines.append(lines.number)
      pending.bytes += line.count
      if let full { return full }
    }
    defer { pending = Batch() }
    return pending.records.isEmpty ? nil : pending
  }

  /// The first line whose record was not given yet, once there was a fault.
  var firstPendingLine: Int { pending.lines.first ?? lines.number }

  /// Takes what is pending, but for a scene that goes on, unless that is all.
  private mutating func cut() -> Batch {
    var full = pending
    pending = Batch()
    let end = full.lastBeginning
    guard end > 0 else { return full }
    pending.records = Array(full.records[end...])
    pending.lines = Array(full.lines[end...])
    pending.bytes = pending.records.reduce(0) { $0 + $1.bytes.count }
    full.records.removeSubrange(end...)
    full.lines.removeSubrange(end...)
    return full
  }

  /// The record of a line; nil: it is of another app.
  private func record(_ line: [UInt8]) throws(Failure) -> RecordLine? {
    do {
      let document = try JSONDocument(line, maximumDepth: Daemon.deepestReply)
      guard document.kind(document.root) == .object else { throw fault("is no JSON object") }
      let record = RecordLine(document)
      // Byte for byte, as the daemon tells apps apart.
      let isWanted = app.map { wanted in record.app.map { $0.utf8.elementsEqual(wanted.utf8) } ?? false } ?? true
      return isWanted ? record : nil
    } catch let error as JSONFault {
      let column = TextPosition(offset: error.offset, in: line).column
      throw lines.fault(error.sentence, line: lines.number, column: column)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw fault("\(error)")
    }
  }

  private func fault(_ what: String) -> Failure { lines.fault(what, line: lines.number) }
}

/// What of a record decides in which call it goes; the daemon judges the rest.
private struct RecordLine {
  let text: JSONObjectText
  let app: String?
  let isFirst: Bool
  private let isState: Bool

  init(_ document: JSONDocument) {
    text = JSONObjectText(document.text(document.root))
    app = document.member(document.root, "app").map(document.string)
    isFirst = document.member(document.root, "first").map { document.kind($0) == .true } ?? false
    isState = document.member(document.root, "type").map { document.isString($0, "state") } ?? false
  }

  init?(_ text: ArraySlice<UInt8>) {
    guard let document = try? JSONDocument(Array(text), maximumDepth: Daemon.deepestReply) else { return nil }
    self.init(document)
  }

  /// Whether it goes on with the scene of a record before it.
  var continues: Bool { isState && !isFirst }
}
