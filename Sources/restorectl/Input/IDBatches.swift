import RestoreInterface
import SceneModel

/// Ids from the command line or one a line, in portions that one call takes.
struct IDBatches: ~Copyable {
  /// Ids of one call.
  struct Batch {
    var ids: [String] = []
    /// Where the first id stands that the daemon may well refuse; nil: none does.
    var suspect: String?
  }

  enum Next {
    case batch(Batch)
    case end
    /// Nothing came for as long as asked; what came before is in the batch.
    case idle(Batch)
  }

  /// Nil: the ids are lines.
  private var arguments: ArraySlice<String>?
  private var lines: LineReader

  /// Bytes of ids in one call, so that those under way stay few and small.
  private static let maximumBytes = 512 * 1024
  /// A line that is longer is no id, but some other file.
  private static let longestLine = 64 * 1024

  /// Ids from arguments.
  init(arguments: ArraySlice<String>) {
    self.arguments = arguments
    lines = LineReader(Input(), longest: 0)
  }

  /// Ids from a file or standard input.
  init(_ input: consuming Input, of session: borrowing Session) {
    arguments = nil
    if input.isTerminal { session.notes.note("reading ids from the terminal, one a line; Ctrl-D ends the input") }
    lines = LineReader(input, endedByNUL: session.invocation.has(.null), longest: Self.longestLine)
  }

  /// The next portion.
  ///
  /// - Parameter idle: milliseconds without input after which to come back with what there is; nil: wait.
  /// - Throws: `absent` where the input cannot be read; `input` where a line is too long or no UTF-8.
  mutating func next(idle: Int32? = nil) throws(Failure) -> Next {
    var batch = Batch()
    var bytes = 0
    while batch.ids.count < RestoredInterface.maximumIDs, bytes < Self.maximumBytes {
      let id: String
      let place: String
      switch try nextID(idle: idle) {
      case .id(let text, let where_): (id, place) = (text, where_)
      case .idle: return .idle(batch)
      case .end: return batch.ids.isEmpty ? .end : .batch(batch)
      }
      batch.ids.append(id)
      bytes += id.utf8.count
      if batch.suspect == nil, Self.isSuspect(id) { batch.suspect = place }
    }
    return .batch(batch)
  }

  private enum NextID { case id(String, String), idle, end }

  private mutating func nextID(idle: Int32?) throws(Failure) -> NextID {
    if arguments != nil {
      guard let id = arguments?.popFirst() else { return .end }
      return .id(id, "the id \(Shown.quoted(String(id.prefix(40))))")
    }
    switch try lines.next(idle: idle) {
    case .end: return .end
    case .idle: return .idle
    case .line(let bytes):
      let line = lines.number
      guard let id = String(validating: bytes, as: UTF8.self) else {
        throw lines.fault("is not valid UTF-8", line: line)
      }
      return .id(id, "line \(line) of \(lines.name)")
    }
  }

  private static func isSuspect(_ id: String) -> Bool {
    if id.isEmpty || id.utf8.count > EntityID.maximumBytes { return true }
    var id = id
    return id.withUTF8 { Names.hasControlCharacter($0) }
  }
}
