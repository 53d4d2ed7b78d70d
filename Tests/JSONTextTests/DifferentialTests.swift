import Foundation
import TestSupport
import Testing

@testable import JSONText

/// The same texts read here, by SQLite's `json_valid` and by Foundation's `JSONSerialization`.
///
/// Where the three disagree there must be a reason that is named here; any other difference is a failure.
@Suite struct DifferentialTests {
  /// Texts tried against each reader: enough to meet every named difference, or `RESTORED_TEST_ROUNDS`.
  private static let rounds =
    ProcessInfo.processInfo.environment["RESTORED_TEST_ROUNDS"].flatMap(Int.init) ?? 2_000

  /// The texts, those written by hand too, and what this reader says of them, made once for both comparisons.
  private static let texts: [(text: [UInt8], ours: JSONFault?)] = {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun)
    let generated = (0..<rounds).map { Mutation.text(&random, isMutated: $0 % 4 != 0) }
    return (Grammar.all + generated).map { ($0, fault(of: $0)) }
  }()

  @Test("generated and mutated texts: each difference from SQLite has a name")
  func sqlite() throws {
    let database = try SQLiteJSON()
    try compare(explainedBy: Self.reasonAgainstSQLite) { try database.accepts($0) }
  }

  @Test("generated and mutated texts: each difference from Foundation has a name")
  func foundation() throws {
    try compare(explainedBy: Self.reasonAgainstFoundation) { text in
      (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
    }
  }

  private func compare(
    explainedBy reason: (_ text: [UInt8], _ ours: JSONFault?) -> String?,
    _ isAcceptedThere: ([UInt8]) throws -> Bool
  ) throws {
    var named: [String: Int] = [:]
    for (text, ours) in Self.texts {
      guard try isAcceptedThere(text) != (ours == nil) else { continue }
      if let reason = reason(text, ours) {
        named[reason, default: 0] += 1
      } else {
        Issue.record(
          "seed \(SeededGenerator.seedOfThisRun): \(ours.map(\.sentence) ?? "accepted here"): \(string(text).debugDescription)"
        )
      }
    }
    print("differences:", named.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
    // Both kinds of text must have been tried, or the comparison would say nothing.
    let accepted = Self.texts.count { $0.ours == nil }
    #expect(accepted > Self.rounds / 5 && accepted < Self.rounds * 4 / 5)
  }

  private static func reasonAgainstSQLite(_ text: [UInt8], _ ours: JSONFault?) -> String? {
    if text.contains(0) { return "SQLite reads a text up to its first NUL byte" }
    switch ours?.reason {
    case .duplicateKey:
      return "RFC 8259 lets keys repeat (4: names SHOULD be unique); two readers would read two values"
    case .invalidUTF8: return "SQLite does not look at UTF-8"
    case .loneSurrogate: return "RFC 8259's grammar allows half a pair (8.2)"
    case .nullCharacter: return "RFC 8259 allows \\u0000"
    case .tooDeep: return "a limit of nesting is the reader's choice (RFC 8259, 9)"
    default: return nil
    }
  }

  private static func reasonAgainstFoundation(_ text: [UInt8], _ ours: JSONFault?) -> String? {
    if text.contains(0) { return "Foundation guesses UTF-16 and UTF-32 from NUL bytes" }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "Foundation skips a byte order mark, as a reader MAY (RFC 8259, 8.1)"
    }
    switch ours?.reason {
    case .unexpectedByte(let byte) where "]}".utf8.contains(byte) && followsComma(text, ours?.offset ?? 0):
      return "Foundation allows a comma before a closing bracket"
    case .duplicateKey: return "Foundation keeps one of two equal keys"
    case .nullCharacter: return "Foundation allows \\u0000"
    case nil where hasNumberBeyondDouble(text):
      return "Foundation reads numbers as Double or Decimal; this one fits neither"
    default: return nil
    }
  }

  private static func followsComma(_ text: [UInt8], _ offset: Int) -> Bool {
    text[..<offset].last { !Byte.isWhiteSpace($0) } == UInt8(ascii: ",")
  }

  private static func hasNumberBeyondDouble(_ text: [UInt8]) -> Bool {
    guard let document = try? JSONDocument(text) else { return false }
    return JSONDocumentTests.nodes(of: document).contains { node in
      document.kind(node) == .number && !(Double(document.string(node))?.isFinite ?? false)
    }
  }
}
