import Glibc

/// A file to read from, or standard input.
struct Input: ~Copyable {
  /// As messages name it.
  let name: String
  let descriptor: Int32
  private let isOwned: Bool

  /// Standard input.
  init() {
    name = "standard input"
    descriptor = STDIN_FILENO
    isOwned = false
  }

  /// Opens a file for reading.
  ///
  /// - Parameter path: nil or `-`: standard input.
  /// - Throws: `Failure` with `absent` where it cannot be read.
  init(path: String?) throws(Failure) {
    guard let path, path != "-" else {
      self.init()
      return
    }
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Self.unreadable(Shown.text(path), errno) }
    self.init(name: Shown.text(path), owning: opened)
  }

  private init(name: String, owning descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
    isOwned = true
  }

  deinit { if isOwned { close(descriptor) } }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Reads what is there, waiting for the first byte.
  ///
  /// - Parameter most: bytes to read at most.
  /// - Parameter idle: milliseconds to wait for; nil: until there is something.
  /// - Returns: what was read; empty at the end; nil: nothing came while waiting.
  func read(most: Int, idle: Int32? = nil) throws(Failure) -> [UInt8]? {
    if let idle {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, idle) == 0 { return nil }
    }
    var fault: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      while true {
        let got = Glibc.read(descriptor, buffer.baseAddress!, most)
        if got >= 0 {
          count = got
          return
        }
        if errno == EAGAIN {
          var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          poll(&entry, 1, -1)
        } else if errno != EINTR {
          fault = errno
          return
        }
      }
    }
    if fault != 0 { throw Self.unreadable(name, fault) }
    return bytes
  }

  /// Reads to the end.
  ///
  /// - Parameter limit: the most bytes it may hold.
  /// - Throws: `absent` where it cannot be read, `input` where it holds more than `limit`.
  func readAll(limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try read(most: Self.pieceSize), !piece.isEmpty {
      bytes.append(contentsOf: piece)
      if bytes.count > limit {
        throw Failure(
          .input,
          "\(name): more than \(limit) bytes, which no message may hold",
          remedy: "give less; nothing was sent"
        )
      }
    }
    return bytes
  }

  private static let pieceSize = 64 * 1024

  private static func unreadable(_ name: String, _ code: Int32) -> Failure {
    Failure(.absent, "cannot read \(name): \(Streams.reason(code))", remedy: "check the path and its permissions")
  }
}
