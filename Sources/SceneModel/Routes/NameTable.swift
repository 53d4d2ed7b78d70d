import JSONText

/// Values by name, found by the name's bytes without making a `String` of them.
///
/// Names stand in scopes: the same name in another scope is another one. Filled once, then only read.
struct NameTable<Value: Sendable>: Sendable {
  private struct Entry {
    let scope: Int
    let name: Range<Int>
  }

  /// The values, by place; places are given in the order of insertion, from 0.
  var values: [Value] = []
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// Places by hash, with open addressing; -1 is free.
  ///
  /// A power of two, at most half full.
  private var slots: [Int32] = []

  var isEmpty: Bool { values.isEmpty }

  /// The value at a place.
  subscript(place: Int) -> Value {
    get { values[place] }
    set { values[place] = newValue }
  }

  /// The place of a name; nil: it is not there.
  func place(of name: UnsafeBufferPointer<UInt8>, in scope: Int = 0) -> Int? {
    if slots.isEmpty { return nil }
    let place = slots[slot(of: name, scope)]
    return place < 0 ? nil : Int(place)
  }

  /// The place of a name, which is there from now on.
  ///
  /// - Parameter value: what it gets where it was not there.
  mutating func insert(_ name: UnsafeBufferPointer<UInt8>, in scope: Int = 0, _ value: @autoclosure () -> Value) -> Int
  {
    if let place = place(of: name, in: scope) { return place }
    let start = bytes.count
    bytes.append(contentsOf: name)
    entries.append(Entry(scope: scope, name: start..<bytes.count))
    values.append(value())
    if 2 * entries.count > slots.count { grow() } else { occupy(entries.count - 1) }
    return entries.count - 1
  }

  /// Calls `body` with the name at a place.
  func withName<R, E: Error>(_ place: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
    let range = entries[place].name
    return try bytes.withUnsafeBufferPointer { (bytes) throws(E) -> R in
      try body(UnsafeBufferPointer(rebasing: bytes[range]))
    }
  }

  /// The name at a place, for a message.
  func name(_ place: Int) -> String { withName(place) { String(decoding: $0, as: UTF8.self) } }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: max(8, 2 * slots.count))
    for place in entries.indices { occupy(place) }
  }

  private mutating func occupy(_ place: Int) {
    let scope = entries[place].scope
    let free = withName(place) { slot(of: $0, scope) }
    slots[free] = Int32(truncatingIfNeeded: place)
  }

  /// The slot that has the name, or the free one where it would go.
  private func slot(of name: UnsafeBufferPointer<UInt8>, _ scope: Int) -> Int {
    let seed = nameTableSeed &+ UInt64(truncatingIfNeeded: scope) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: XXH64.hash(UnsafeRawBufferPointer(name), seed: seed)) & (slots.count - 1)
    while slots[slot] >= 0, !holds(Int(slots[slot]), name, scope) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func holds(_ place: Int, _ name: UnsafeBufferPointer<UInt8>, _ scope: Int) -> Bool {
    let entry = entries[place]
    guard entry.scope == scope, entry.name.count == name.count else { return false }
    for offset in 0..<name.count where bytes[entry.name.lowerBound + offset] != name[offset] { return false }
    return true
  }
}

/// Differs in each process, so that nobody can prepare names whose hashes collide.
private let nameTableSeed = UInt64.random(in: .min ... .max)
