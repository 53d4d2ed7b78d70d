/// Rows in aligned columns, which make do with the room that there is.
struct Table {
  /// A column: its title, and what becomes of it where there is too little room.
  struct Column: Sendable {
    enum Alignment: Sendable { case left, right }
    /// How it gets narrower: not at all, by cutting what is in it, or by going on in the next line.
    enum Narrowing: Sendable { case none, cuts, wraps }

    let title: String
    let alignment: Alignment
    let narrowing: Narrowing
    /// Columns with one may be left out, that with the highest first.
    let leaving: Int?

    static func left(_ title: String, _ narrowing: Narrowing = .none, leaves leaving: Int? = nil) -> Column {
      Column(title: title, alignment: .left, narrowing: narrowing, leaving: leaving)
    }

    static func right(_ title: String, leaves leaving: Int? = nil) -> Column {
      Column(title: title, alignment: .right, narrowing: .none, leaving: leaving)
    }
  }

  private let columns: [Column]
  private var rows: [[Phrase]]

  /// A table with a row of titles.
  init(_ columns: [Column]) {
    self.columns = columns
    rows = [columns.map { Phrase($0.title, .title) }]
  }

  /// Adds a row, one cell a column; what is in a cell is made safe to print.
  mutating func add(_ cells: [String]) { rows.append(cells.map { Phrase(Shown.text($0)) }) }

  /// Adds a row of cells in tones of their own; they are safe to print.
  mutating func add(_ cells: [Phrase]) { rows.append(cells) }

  /// The lines, each with its line break, without white space at their ends.
  ///
  /// - Parameter width: room for a line; nil: lines of any length.
  func text(style: Style, width: Int? = nil) -> String {
    let (kept, widths) = layout(width)
    return rows.reduce(into: "") { text, row in
      let cells = zip(kept, widths).map { lines(of: row[$0], in: columns[$0], width: $1) }
      for line in 0..<(cells.map(\.count).max() ?? 0) {
        let pieces = cells.map { line < $0.count ? $0[line] : Phrase("") }
        text += Self.line(pieces, kept.map { columns[$0].alignment }, widths, style) + "\n"
      }
    }
  }

  private static let separator = "  "

  private static func line(
    _ cells: [Phrase],
    _ alignments: [Column.Alignment],
    _ widths: [Int],
    _ style: Style
  ) -> String {
    var line = ""
    /// White space is written before what comes after it, so that none ends a line.
    var pending = 0
    for (column, cell) in cells.enumerated() {
      let padding = max(0, widths[column] - cell.width)
      if column > 0 { pending += separator.count }
      if alignments[column] == .right { pending += padding }
      if cell.width > 0 {
        line += String(repeating: " ", count: pending) + cell.text(style)
        pending = 0
      }
      if alignments[column] == .left { pending += padding }
    }
    return line
  }

  private func lines(of cell: Phrase, in column: Column, width: Int) -> [Phrase] {
    guard cell.width > width else { return [cell] }
    switch column.narrowing {
    case .none: return [cell]
    case .cuts:
      let text = cell.spans.map(\.text).joined()
      return [Phrase(DisplayWidth.cut(text, columns: width), cell.spans.first?.tone ?? .plain)]
    case .wraps:
      return Phrase.lines(cell.words, columns: width).map { line in
        line.dropFirst().reduce(into: line.first ?? Phrase("")) { whole, next in
          whole.append(" ")
          for span in next.spans { whole.append(span.text, span.tone) }
        }
      }
    }
  }
}

// MARK: - Room

extension Table {
  /// Which columns are there, and how wide each is.
  ///
  /// First those that can get narrower do, but not by so much that names are lost; then columns go; and only when
  /// none is left to go does the rest get as narrow as it can.
  private func layout(_ limit: Int?) -> (kept: [Int], widths: [Int]) {
    var kept = Array(columns.indices)
    guard let limit else { return (kept, kept.map(widest)) }
    while true {
      let widths = fitted(kept, limit, floor: Self.comfortable)
      if Self.total(widths) <= limit { return (kept, widths) }
      let leaving = kept.filter { columns[$0].leaving != nil }
      guard let next = leaving.max(by: { columns[$0].leaving! < columns[$1].leaving! }) else { break }
      kept.removeAll { $0 == next }
    }
    return (kept, fitted(kept, limit, floor: Self.least))
  }

  /// The widths of columns narrowed, the widest first, until they fit or none goes below the floor.
  private func fitted(_ kept: [Int], _ limit: Int, floor: Int) -> [Int] {
    var widths = kept.map(widest)
    let floors = kept.map { self.floor(of: $0, floor) }
    while Self.total(widths) > limit {
      let narrowing = widths.indices.filter { widths[$0] > floors[$0] }
      guard let next = narrowing.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[next] -= 1
    }
    return widths
  }

  private func floor(of column: Int, _ floor: Int) -> Int {
    switch columns[column].narrowing {
    case .none: widest(column)
    case .cuts: max(floor, DisplayWidth.of(columns[column].title))
    case .wraps: longestWord(column)
    }
  }

  private func longestWord(_ column: Int) -> Int {
    rows.reduce(0) { longest, row in row[column].words.reduce(longest) { max($0, $1.width) } }
  }

  private func widest(_ column: Int) -> Int { rows.reduce(0) { max($0, $1[column].width) } }

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + separator.count * max(0, widths.count - 1)
  }

  /// Columns in which most names can still be told apart.
  private static let comfortable = 16
  private static let least = 6
}
