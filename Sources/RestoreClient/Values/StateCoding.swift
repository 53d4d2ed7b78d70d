import FoundationEssentials
import JSONText
import RestoreInterface

/// The way between an app's own types and the bytes that are saved.
enum StateCoding {
  /// The bytes of a state: equal states of the usual types have equal bytes, whatever the order of a dictionary.
  ///
  /// - Throws: `invalidState` with the place that cannot be encoded.
  static func encode(_ state: some Encodable) throws(RestoreError) -> JSONObjectText {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return JSONObjectText([UInt8](try encoder.encode(state)))
    } catch EncodingError.invalidValue(_, let context) {
      throw .invalidState(path: pointer(context.codingPath), reason: context.debugDescription)
    } catch { throw .invalidState(path: "", reason: "\(error)") }
  }

  /// Reads a state from its own bytes, cut out of the reply: a number is never through another decoder before.
  ///
  /// - Throws: `undecodable`.
  static func decode<State: Decodable>(
    _: State.Type,
    _ text: JSONObjectText,
    revision: Int
  ) throws(RestoreError) -> State {
    do { return try JSONDecoder().decode(State.self, from: Data(text.bytes)) } catch let error as DecodingError {
      throw .undecodable(reason: sentence(error), revision: revision)
    } catch { throw .undecodable(reason: "\(error)", revision: revision) }
  }

  private static func sentence(_ error: DecodingError) -> String {
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "\(error)"
    }
    return "at \"\(pointer(context.codingPath))\": \(context.debugDescription)"
  }

  /// A coding path as a JSON Pointer, RFC 6901.
  private static func pointer(_ path: [any CodingKey]) -> String {
    path.map { key in
      "/" + (key.intValue.map(String.init) ?? escaped(key.stringValue))
    }.joined()
  }

  private static func escaped(_ name: String) -> String {
    name.contains { $0 == "~" || $0 == "/" }
      ? name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined() : name
  }
}
