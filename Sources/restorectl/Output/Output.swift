import Glibc

/// Standard output, gathered and written in large pieces.
struct Output: ~Copyable {
  private var buffer: [UInt8] = []
  private let descriptor: Int32
  /// Bytes gathered before they are written.
  private static let flushSize = 64 * 1024

  /// Whether the output is a terminal, on which no control character may arrive raw.
  let isTerminal: Bool
  let style: Style
  /// Columns that a line may take; nil: any number.
  let columns: Int?

  init(descriptor: Int32 = STDOUT_FILENO, noColor: Bool) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    style = Style(descriptor: descriptor, refused: noColor)
    columns = Columns.of(descriptor)
  }

  /// Adds text that is safe to print, as it is.
  mutating func text(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    try flushIfLarge()
  }

  /// Adds text that is safe to print, and a line break.
  mutating func line(_ line: String) throws(Failure) {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Adds a table, made to fit.
  mutating func table(_ table: Table) throws(Failure) { try text(table.text(style: style, width: columns)) }

  /// Adds JSON byte for byte, or made safe for a terminal, and a line break.
  mutating func json(_ bytes: some Collection<UInt8>) throws(Failure) {
    if isTerminal { buffer.append(contentsOf: Shown.json(bytes).utf8) } else { buffer.append(contentsOf: bytes) }
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Adds JSON as one line: its line breaks dropped, which in JSON stand outside strings only.
  mutating func jsonLine(_ bytes: some Collection<UInt8>) throws(Failure) {
    try json(JSONLine.of(bytes))
  }

  /// Writes what was gathered.
  ///
  /// Throws `brokenPipe` where the reader has gone, else `storage`; what was gathered is given up then.
  mutating func flush() throws(Failure) {
    guard !buffer.isEmpty else { return }
    let fault = Streams.write(buffer, to: descriptor)
    buffer.removeAll(keepingCapacity: true)
    guard let fault else { return }
    if fault == EPIPE { throw .brokenPipe }
    throw Failure(
      .storage,
      "cannot write to standard output: \(Streams.reason(fault))",
      remedy: "make room or direct the output elsewhere, and repeat the command"
    )
  }

  private mutating func flushIfLarge() throws(Failure) {
    if buffer.count >= Self.flushSize { try flush() }
  }
}
