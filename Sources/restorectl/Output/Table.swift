/// Rows in aligned columns.
struct Table {
  enum Alignment { case left, right }

  private var rows: [[String]]
  private let alignments: [Alignment]

  /// A table with a row of titles.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    rows = [columns.map(\.title)]
    alignments = columns.map(\.alignment)
  }

  /// Adds a row, one cell a column; what is in a cell is made safe to print.
  mutating func add(_ cells: [String]) { rows.append(cells.map(Shown.text)) }

  /// The lines, each with its line break, without white space at their ends.
  ///
  /// - Parameter style: colours the titles.
  func text(style: Style) -> String {
    var widths = [Int](repeating: 0, count: alignments.count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], DisplayWidth.of(cell)) }
    }
    var text = ""
    for (index, row) in rows.enumerated() {
      let line = line(of: row, widths: widths)
      text += (index == 0 ? style.bold(line) : line) + "\n"
    }
    return text
  }

  private func line(of row: [String], widths: [Int]) -> String {
    var line = ""
    for (column, cell) in row.enumerated() {
      let padding = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
      if column > 0 { line += "  " }
      switch alignments[column] {
      case .left: line += cell + padding
      case .right: line += padding + cell
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
