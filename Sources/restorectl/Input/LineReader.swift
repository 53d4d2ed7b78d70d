/// Lines, or pieces each ended by NUL, read in bounded memory.
///
/// Empty lines are passed over. A carriage return before a line break is the line break's.
struct LineReader: ~Copyable {
  private let input: Input
  private let separator: UInt8
  private let longest: Int
  private var piece: ArraySlice<UInt8> = []
  private var partial: [UInt8] = []
  private var atEnd = false
  /// Number of the line last given, from 1.
  private(set) var number = 0

  enum Next: Equatable {
    case line([UInt8])
    case end
    /// Nothing came for as long as asked.
    case idle
  }

  /// A reader.
  ///
  /// - Parameter longest: the most bytes of one line; a longer one is a fault.
  init(_ input: consuming Input, endedByNUL: Bool = false, longest: Int) {
    self.input = input
    self.longest = longest
    separator = endedByNUL ? 0 : UInt8(ascii: "\n")
  }

  /// The input, as messages name it.
  var name: String { input.name }
  var isTerminal: Bool { input.isTerminal }

  /// The next line that is not empty.
  ///
  /// - Parameter idle: milliseconds without input after which to come back without one; nil: wait for it.
  /// - Throws: `absent` where the input cannot be read, `input` where a line is over `longest`.
  mutating func next(idle: Int32? = nil) throws(Failure) -> Next {
    while true {
      let end = piece.firstIndex(of: separator)
      partial.append(contentsOf: piece[..<(end ?? piece.endIndex)])
      guard partial.count <= longest else { throw fault("is over \(longest) bytes", line: number + 1) }
      piece = end.map { piece[($0 + 1)...] } ?? []
      if end != nil {
        if let line = finishLine() { return .line(line) }
        continue
      }
      if atEnd {
        if !partial.isEmpty, let line = finishLine() { return .line(line) }
        return .end
      }
      guard let read = try input.read(most: Self.pieceSize, idle: idle) else { return .idle }
      atEnd = read.isEmpty
      piece = read[...]
    }
  }

  /// What is wrong with a line.
  func fault(_ what: String, line: Int, column: Int? = nil) -> Failure {
    let place = "line \(line)" + (column.map { ", column \($0):" } ?? "")
    return Failure(.input, "\(name): \(place) \(what)", remedy: "correct the input and repeat the command")
  }

  private mutating func finishLine() -> [UInt8]? {
    number += 1
    if separator != 0, partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    defer { partial.removeAll(keepingCapacity: true) }
    return partial.isEmpty ? nil : partial
  }

  private static let pieceSize = 64 * 1024
}
