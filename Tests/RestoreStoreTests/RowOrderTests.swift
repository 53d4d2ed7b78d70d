import Foundation
import Testing

@testable import RestoreStore

@Suite("A row whose number was damaged is not taken for another scene's")
struct RowOrderTests {
  @Test("the numbers that break the order are doubtful, and where it cannot be told which of two does, both")
  func order() {
    func certain(_ numbers: Int...) -> [Int] { zip(numbers, RowOrder.certain(numbers)).filter(\.1).map(\.0) }
    #expect(certain() == [])
    #expect(certain(7) == [7])
    #expect(certain(1, 2, 3, 9) == [1, 2, 3, 9])
    #expect(certain(1, 70, 3, 9) == [1, 3, 9])
    #expect(certain(1, 4, 3, 9) == [1, 9])
    #expect(certain(5, 6, 1, 8) == [5, 6, 8])
    #expect(certain(9, 4) == [])
    #expect(certain(5, 6, 6, 7) == [5, 7])
    #expect(RowOrder.certain([5, 6, 6, 7]) { _, _ in true } == [true, true, true, true])
    #expect(RowOrder.certain([5, 6, 7, 6, 7, 8]) { _, _ in true } == [true, true, true, true, true, true])
    #expect(certain(2, 2, 3) == [3])
    #expect(certain(.max, .min, 0, 1) == [.min, 0, 1])
  }

  /// A cell of a table's leaf: where the bytes of its row's number are in the file.
  private struct Number {
    let table: String
    let bytes: Range<Int>
  }

  private func numbers(_ store: RichStore, _ whole: Data) throws -> [Number] {
    let bytes = [UInt8](whole)
    var found: [Number] = []
    for (page, use) in try store.pages() where use.type == "leaf" && !use.table.hasPrefix("sqlite_") {
      let start = (page - 1) * 2_048
      guard bytes[start] == BTreePage.Kind.leafTable.rawValue else { continue }
      for cell in 0..<use.cells {
        let pointer = start + 8 + 2 * cell
        var offset = start + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
        _ = Varint.read(bytes, &offset)
        let first = offset
        _ = Varint.read(bytes, &offset)
        found.append(Number(table: use.table, bytes: first..<offset))
      }
    }
    return found.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  @Test("whichever bit of whichever row's number is flipped, what is recovered is what was saved, of whom it was")
  func everyNumber() throws {
    let store = try RichStore(scenes: 5)
    let whole = try store.bytes()
    let numbers = try numbers(store, whole)
    for table in ["users", "apps", "scenes", "kinds", "revisions"] { #expect(numbers.contains { $0.table == table }) }
    for (row, number) in numbers.enumerated() {
      for index in number.bytes {
        // In the short form one of them, and the fifth, which makes a scene's first slot the scene's before it. The
        // eighth says whether the number goes on: then the record does not fit any more.
        for bit in isLong ? Set(0..<8) : number.table == "revisions" ? [row % 8, 4] : [row % 8] {
          var damaged = whole
          damaged[index] ^= 1 << bit
          try store.write(damaged)
          let comment: Comment = "bit \(bit) of byte \(index - number.bytes.lowerBound) of a row of \(number.table)"
          let lost = try expectTrue(store, comment)
          #expect(lost <= (number.table == "revisions" ? 2 : 5 * 3), "\(comment), at \(index)")
        }
      }
    }
  }

  /// Recovers what the file holds into a database that goes with the test, and compares it with what was saved.
  ///
  /// - Returns: how many revisions are not in it.
  private func expectTrue(_ store: RichStore, _ comment: Comment) throws -> Int {
    let target = try RecoveredDatabase("", now: 1_700_000_000_000)
    try Salvage(DamagedDatabase(store.fixture.database, Former(.full))).fill(target)
    _ = try target.finish()
    let rows = try Statement(
      """
      SELECT a.name, s.name, r.revision, r.state, a.uid FROM revisions r JOIN scenes s ON s.scene = r.slot / 2048
        JOIN apps a ON a.app = s.app
      """,
      on: target.connection
    )
    var found = 0
    while try rows.step() {
      found += 1
      let key = RichStore.Inventory.Key(app: rows.text(0), scene: rows.text(1), revision: rows.integer(2))
      #expect(store.before.states[key] == String(decoding: rows.bytes(3), as: UTF8.self), "\(comment): \(key)")
      #expect(rows.integer(4) == Int(Fixture.uid), comment)
    }
    return store.before.states.count - found
  }
}
