import Glibc

/// The terminal that the app runs in: a whole screen of it, read key by key.
final class Terminal {
  struct Size: Equatable {
    var columns = 80
    var rows = 24
  }

  enum Key: Equatable {
    case up, down, enter, escape, backspace, suspend
    case character(Character)
  }

  private var before = termios()
  private var isOpen = false
  private var pending: [UInt8] = []

  /// Whether colours may be used (https://no-color.org).
  let hasColors = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true

  /// Takes the screen over.
  func open() {
    guard !isOpen, tcgetattr(STDIN_FILENO, &before) == 0 else { return }
    var raw = before
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    isOpen = true
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  /// Leaves it as it was.
  func close() {
    guard isOpen else { return }
    isOpen = false
    write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
  }

  /// How large it is now.
  var size: Size {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return Size()
    }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Draws a whole screen.
  func draw(_ lines: [Line]) {
    var text = "\u{1B}[H"
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\r\n" }
      text += styled(line) + "\u{1B}[K"
    }
    write(text + "\u{1B}[J")
  }

  private func styled(_ line: Line) -> String {
    switch line.style {
    case .plain: line.text
    case .bar: hasColors ? "\u{1B}[30;46m\(line.text)\u{1B}[0m" : "\u{1B}[7m\(line.text)\u{1B}[0m"
    case .selected: hasColors ? "\u{1B}[1;36m\(line.text)\u{1B}[0m" : "\u{1B}[1m\(line.text)\u{1B}[0m"
    case .note: hasColors ? "\u{1B}[33m\(line.text)\u{1B}[0m" : line.text
    }
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR, errno != EAGAIN { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}

// MARK: - Keys

extension Terminal {
  /// Reads what was typed; nil: the terminal is gone.
  func keys() -> [Key]? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count == 0 { return nil }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    pending += buffer[..<count]
    var keys: [Key] = []
    while let key = nextKey() { keys.append(key) }
    return keys
  }

  private func nextKey() -> Key? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return escapeSequence()
    case 0x0A, 0x0D: return take(1, .enter)
    case 0x08, 0x7F: return take(1, .backspace)
    case 0x1A: return take(1, .suspend)
    default: return character(first)
    }
  }

  /// An arrow key, or the key Escape.
  private func escapeSequence() -> Key? {
    guard pending.count > 2, pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
      return take(1, .escape)
    }
    switch pending[2] {
    case UInt8(ascii: "A"): return take(3, .up)
    case UInt8(ascii: "B"): return take(3, .down)
    default:
      // Another key that sends a sequence: all of it is passed over.
      pending.removeFirst(3)
      while let byte = pending.first, byte >= 0x30, byte <= 0x3F || byte == 0x7E { pending.removeFirst() }
      return nextKey()
    }
  }

  private func character(_ first: UInt8) -> Key? {
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    // The rest of a character comes with the next read.
    guard pending.count >= length else { return nil }
    let text = String(decoding: pending.prefix(length), as: UTF8.self)
    pending.removeFirst(length)
    guard let character = text.first, first >= 0x20 else { return nextKey() }
    return .character(character)
  }

  private func take(_ count: Int, _ key: Key) -> Key {
    pending.removeFirst(count)
    return key
  }
}
