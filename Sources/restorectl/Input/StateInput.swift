import JSONText

/// A JSON object from FILE or standard input, checked before anything is sent.
struct StateInput {
  /// As messages name it.
  let name: String
  /// Exactly one JSON object, without white space around it.
  let bytes: [UInt8]

  /// Reads it whole.
  ///
  /// - Parameters:
  ///   - path: nil or `-`: standard input.
  ///   - what: what is read, for messages: `a state`.
  /// - Throws: `absent` where it cannot be read; `input`, with line and column, where it is not one JSON object.
  static func read(
    _ path: String?,
    as what: String = "a state",
    of session: borrowing Session
  ) throws(Failure) -> StateInput {
    let input = try Input(path: path)
    if input.isTerminal { session.notes.note("reading from the terminal; Ctrl-D ends the input") }
    return try check(try input.readAll(limit: longest), name: input.name, as: what)
  }

  /// Checks what was read.
  static func check(_ bytes: [UInt8], name: String, as what: String = "a state") throws(Failure) -> StateInput {
    let document: JSONDocument
    do {
      document = try JSONDocument(bytes)
    } catch {
      throw fault(error.sentence, at: error.offset, in: bytes, name: name, of: what)
    }
    guard document.kind(document.root) == .object else {
      let start = document.range(document.root).lowerBound
      let found = "this is \(word(document.kind(document.root))), not an object"
      throw fault(found, at: start, in: bytes, name: name, of: what)
    }
    return StateInput(name: name, bytes: Array(document.text(document.root)))
  }

  private static func fault(
    _ fault: String,
    at offset: Int,
    in bytes: [UInt8],
    name: String,
    of what: String
  ) -> Failure {
    let place = TextPosition(offset: offset, in: bytes)
    return Failure(
      .input,
      "\(name): line \(place.line), column \(place.column): \(fault)",
      remedy: "\(what) is exactly one JSON object, each member of it once, in UTF-8; nothing was sent"
    )
  }

  private static func word(_ kind: JSONKind) -> String {
    switch kind {
    case .null: "null"
    case .true, .false: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The daemon's limit of a message, 16 MiB, less the room that a call takes around a state.
  private static let longest = 16 * 1024 * 1024 - 8192
}
