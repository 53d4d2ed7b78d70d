import Glibc
import TestSupport
import Testing

@testable import restorectl

@Suite struct LineReaderTests {
  private func lines(_ text: String, endedByNUL: Bool = false) throws -> [String] {
    let folder = TemporaryFolder()
    folder.write(text.utf8, to: "f")
    var reader = LineReader(try Input(path: folder.file("f")), endedByNUL: endedByNUL, longest: 100_000)
    var lines: [String] = []
    while case .line(let line) = try reader.next() {
      lines.append("\(reader.number):\(String(decoding: line, as: UTF8.self))")
    }
    return lines
  }

  @Test("lines are numbered, empty ones passed over, and the last may lack its line break")
  func numbered() throws {
    #expect(try lines("a\n\nb\r\n\r\nc") == ["1:a", "3:b", "5:c"])
    #expect(try lines("") == [])
    #expect(try lines("a\u{0}\nb\r\u{0}\u{0}", endedByNUL: true) == ["1:a", "2:\nb\r"])
  }

  @Test("a line may cross any number of reads")
  func long() throws {
    let line = String(repeating: "x", count: 99_999)
    #expect(try lines("a\n\(line)\nb") == ["1:a", "2:\(line)", "3:b"])
    #expect(throws: Failure.self) { try lines("a\n\(line)xx\nb") }
  }

  @Test("a producer that pauses is told from one that has ended")
  func idle() throws {
    let folder = TemporaryFolder()
    mkfifo(folder.file("p"), 0o600)
    // Both ends, so that opening does not wait.
    let writer = open(folder.file("p"), O_RDWR)
    var reader = LineReader(try Input(path: folder.file("p")), longest: 100)
    write(writer, "a\nb", 3)
    #expect(try reader.next(idle: 1) == .line([0x61]))
    #expect(try reader.next(idle: 1) == .idle)
    write(writer, "c\n", 2)
    #expect(try reader.next(idle: 1) == .line([0x62, 0x63]))
    write(writer, "d", 1)
    close(writer)
    #expect(try reader.next(idle: 1000) == .line([0x64]))
    #expect(try reader.next(idle: 1000) == .end)
  }
}
