import JSONText
import SceneModel

/// Members of records; one whose value is nil is left out.
extension JSONWriter {
  /// Writes a string.
  package mutating func write(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  /// Writes an integer.
  package mutating func write(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    key(name)
    int(value)
  }

  /// Writes a truth value.
  package mutating func write(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bool(value)
  }

  /// Writes a word of a fixed list.
  package mutating func write<T: RawRepresentable<String>>(_ name: StaticString, _ value: T?) {
    write(name, value?.rawValue)
  }

  /// Writes an object as it stands.
  package mutating func write(_ name: StaticString, _ value: JSONObjectText?) {
    guard let value else { return }
    key(name)
    raw(value.bytes)
  }

  /// Writes a record.
  package mutating func write(_ name: StaticString, _ value: some WireRecord) {
    key(name)
    value.encode(in: &self)
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
    list(name, values) { $1.encode(in: &$0) }
  }

  private mutating func list<T>(_ name: StaticString, _ values: [T], _ write: (inout JSONWriter, T) -> Void) {
    key(name)
    beginArray()
    for value in values { write(&self, value) }
    endArray()
  }
}
