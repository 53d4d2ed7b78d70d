/// Rows drawn as a tree, each under the nearest one before it that is less deep.
struct Tree {
  /// What the branches are drawn with, each three columns wide.
  struct Twigs: Sendable {
    let fork: String
    let end: String
    let bar: String

    static let lines = Twigs(fork: "├─ ", end: "└─ ", bar: "│  ")
    static let ascii = Twigs(fork: "|- ", end: "`- ", bar: "|  ")

    /// Plain characters only where the locale says that it has no others; see locale(7).
    static var forLocale: Twigs {
      let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Environment.value).first
      guard let locale = locale?.lowercased() else { return lines }
      return locale.contains("utf-8") || locale.contains("utf8") ? lines : ascii
    }
  }

  private struct Row {
    let depth: Int
    let phrases: [Phrase]
    /// Whether another row of the same parent comes after it.
    var isFollowed = false
    /// Whether the next row is its child.
    var hasChildren = false
  }

  private var rows: [Row] = []

  /// Adds a row.
  ///
  /// - Parameter depth: 0 stands at the margin; at most one more than that of the row before.
  mutating func add(depth: Int, _ phrases: [Phrase]) { rows.append(Row(depth: depth, phrases: phrases)) }

  /// The lines, each with its line break.
  ///
  /// - Parameter columns: room for a line; nil: lines of any length.
  func text(_ style: Style, columns: Int?, twigs: Twigs = .forLocale) -> String {
    var text = ""
    /// For each depth, whether the last row of it is followed.
    var bars: [Bool] = []
    for row in connected {
      bars.removeSubrange(min(row.depth, bars.count)...)
      bars.append(row.isFollowed)
      let depthShown = min(row.depth, Self.deepest(columns))
      let cut = depthShown < row.depth ? "… " : ""
      let outer = bars[(row.depth - depthShown)..<row.depth].dropFirst().map { $0 ? twigs.bar : Self.gap }.joined()
      let first = row.depth == 0 ? "" : cut + outer + (row.isFollowed ? twigs.fork : twigs.end)
      let own = row.depth == 0 ? "" : String(repeating: " ", count: cut.count) + outer
      let bar = row.depth == 0 ? "" : row.isFollowed ? twigs.bar : Self.gap
      let later = own + bar + (row.hasChildren ? twigs.bar : Self.gap)
      let room = columns.map { max(Self.narrowest, $0 - DisplayWidth.of(later)) }
      for (index, line) in Phrase.lines(row.phrases, columns: room).enumerated() {
        text += (index == 0 ? first : later) + line.map { $0.text(style) }.joined(separator: " ") + "\n"
      }
    }
    return text
  }

  private static let gap = "   "
  /// Columns that a row's words have at least, though the line then gets longer than the terminal.
  private static let narrowest = 10
  /// No more levels are drawn than fill half a line; of a deeper row the outer ones are left out.
  private static func deepest(_ columns: Int?) -> Int { columns.map { max(1, $0 / 6) } ?? .max }

  /// The rows, each knowing what comes after it.
  private var connected: [Row] {
    var rows = rows
    /// The depths of which a row comes later, under the same parent as one that stands here.
    var later: [Bool] = []
    for index in rows.indices.reversed() {
      let depth = rows[index].depth
      if later.count > depth + 1 { later.removeSubrange((depth + 1)...) }
      while later.count <= depth { later.append(false) }
      rows[index].isFollowed = later[depth]
      rows[index].hasChildren = index + 1 < rows.count && rows[index + 1].depth > depth
      later[depth] = true
    }
    return rows
  }
}
