import Glibc

/// Standard error: errors, notes and progress.
///
/// Its own failures are nobody's concern.
struct Notes: Sendable {
  let isQuiet: Bool
  let style: Style
  /// Columns of the terminal that it is; nil: it is none.
  let columns: Int?
  private let showsProgress: Bool

  init(quiet: Bool, noColor: Bool) {
    isQuiet = quiet
    style = Style(descriptor: STDERR_FILENO, refused: noColor)
    columns = Columns.of(STDERR_FILENO)
    showsProgress = !quiet && columns != nil && Environment.value("TERM") != "dumb"
  }

  /// A line of the form `restorectl: …`, unless `--quiet`.
  func note(_ text: String) {
    if !isQuiet { write("restorectl: \(text)\n") }
  }

  /// Several notes in one write.
  func notes(_ lines: [String]) {
    if !isQuiet, !lines.isEmpty { write(lines.reduce(into: "") { $0 += "restorectl: \($1)\n" }) }
  }

  /// Lines as they are, each with its line break, unless `--quiet`.
  func text(_ text: String) {
    if !isQuiet { write(text) }
  }

  /// What failed, and on a second line what to do about it.
  func failure(_ failure: Failure) {
    guard failure.exit != .brokenPipe else { return }
    var text = style.set("restorectl:", .bad) + " \(failure.what)\n"
    if !failure.remedy.isEmpty { text += "restorectl: \(failure.remedy)\n" }
    write(text)
  }

  /// Replaces the line of progress, on a terminal only.
  func progress(_ text: String) {
    if showsProgress { write("\r\u{1B}[K\(text)") }
  }

  /// Takes the line of progress away.
  func progressEnded() {
    if showsProgress { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) { _ = Streams.write(Array(text.utf8), to: STDERR_FILENO) }
}
