import JSONText
import SceneModel

/// Writes the members of one JSON object; a member whose value is nil is left out.
package struct FieldWriter: Sendable {
  private var json: JSONWriter

  /// Begins an object.
  ///
  /// - Parameter capacity: bytes to make room for at once.
  package init(reserving capacity: Int = 256) {
    json = JSONWriter(reserving: capacity)
    json.beginObject()
  }

  /// The text of the whole object.
  package consuming func finished() -> [UInt8] {
    json.endObject()
    return json.bytes
  }

  /// Writes a string.
  package mutating func write(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    json.key(name)
    json.string(value)
  }

  /// Writes an integer.
  package mutating func write(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    json.key(name)
    json.int(value)
  }

  /// Writes a truth value.
  package mutating func write(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    json.key(name)
    json.bool(value)
  }

  /// Writes a word of a fixed list.
  package mutating func write<T: RawRepresentable<String>>(_ name: StaticString, _ value: T?) {
    write(name, value?.rawValue)
  }

  /// Writes an object as it stands.
  package mutating func write(_ name: StaticString, _ value: JSONObjectText?) {
    guard let value else { return }
    json.key(name)
    json.raw(value.bytes)
  }

  /// Writes a record.
  package mutating func write(_ name: StaticString, _ value: some WireRecord) {
    json.key(name)
    json.raw(value.encoded)
  }

  /// Writes a list of strings.
  package mutating func write(_ name: StaticString, _ values: [String]) {
    list(name, values) { $0.string($1) }
  }

  /// Writes a list of integers.
  package mutating func write(_ name: StaticString, _ values: [Int]) {
    list(name, values) { $0.int($1) }
  }

  /// Writes a list of objects as they stand.
  package mutating func write(_ name: StaticString, _ values: [JSONObjectText]) {
    list(name, values) { $0.raw($1.bytes) }
  }

  /// Writes a list of records.
  package mutating func write(_ name: StaticString, _ values: [some WireRecord]) {
    list(name, values) { $0.raw($1.encoded) }
  }

  private mutating func list<T>(_ name: StaticString, _ values: [T], _ write: (inout JSONWriter, T) -> Void) {
    json.key(name)
    json.beginArray()
    for value in values { write(&json, value) }
    json.endArray()
  }
}
