import FoundationEssentials

/// The bytes of states and routes as they are saved.
enum Encoded {
  /// The JSON of a value: equal values have equal bytes, in every process.
  static func bytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }
}
