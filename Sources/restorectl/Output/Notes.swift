import Glibc

/// Standard error: errors, notes and progress.
///
/// Its own failures are nobody's concern.
struct Notes: Sendable {
  private let isQuiet: Bool
  private let style: Style
  private let showsProgress: Bool

  init(quiet: Bool, noColor: Bool) {
    isQuiet = quiet
    style = Style(descriptor: STDERR_FILENO, refused: noColor)
    showsProgress = !quiet && isatty(STDERR_FILENO) == 1 && Environment.value("TERM") != "dumb"
  }

  /// A line of the form `restorectl: …`, unless `--quiet`.
  func note(_ text: String) {
    if !isQuiet { write("restorectl: \(text)\n") }
  }

  /// Several notes in one write.
  func notes(_ lines: [String]) {
    if !isQuiet, !lines.isEmpty { write(lines.reduce(into: "") { $0 += "restorectl: \($1)\n" }) }
  }

  /// What failed, and on a second line what to do about it.
  func failure(_ failure: Failure) {
    guard failure.exit != .brokenPipe else { return }
    var text = style.red("restorectl:") + " \(failure.what)\n"
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
