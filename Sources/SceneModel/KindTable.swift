import JSONText

/// The kinds that one restoration has met: each is asked for once, and those that stayed unchecked are remembered.
struct KindTable {
  private struct Entry {
    let key: ShortName
    /// As the state refers to it.
    let name: String
    let answer: KindAnswer
    var isUnverified = false
  }

  /// Up to this many kinds, looking through all of them is faster than hashing.
  private static let linearMaximum = 16

  /// Most states refer to no more kinds than this, so room for them is made at once.
  private static let usualCount = 6

  private var entries: [Entry] = []
  /// Where the kinds stand that are not found by looking through: those with long names, and those after the first few.
  ///
  /// By bytes: `String` would take é composed and decomposed for one.
  private var places: [[UInt8]: Int] = [:]
  /// The names of declared kinds, once a report has needed them.
  private var declared: [Int: String] = [:]

  /// The place of a kind in the table, asked for at its first mention.
  ///
  /// Nil for what cannot be the name of a kind, and so was never declared.
  mutating func place<L: EntityLookup>(
    of name: UnsafeBufferPointer<UInt8>,
    _ lookup: inout L
  ) throws(L.Failure) -> Int? {
    let key = ShortName(name)
    if let place = known(name, key) { return place }
    guard Names.fault(name) == nil else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let answer = try lookup.kind(named: text)
    if key == nil || entries.count >= Self.linearMaximum { places[Array(name)] = entries.count }
    if entries.isEmpty { entries.reserveCapacity(Self.usualCount) }
    entries.append(Entry(key: key ?? .none, name: text, answer: answer))
    return entries.count - 1
  }

  private func known(_ name: UnsafeBufferPointer<UInt8>, _ key: ShortName?) -> Int? {
    if let key {
      for place in 0..<min(entries.count, Self.linearMaximum) where entries[place].key == key { return place }
    }
    return places.isEmpty ? nil : places[Array(name)]
  }

  /// What is known of the kind at a place.
  subscript(place: Int) -> KindAnswer { entries[place].answer }

  /// Remembers that a reference to the kind could not be checked.
  mutating func markUnverified(_ place: Int) { entries[place].isUnverified = true }

  /// Whether it is known already that a reference to the kind could not be checked.
  func isUnverified(_ place: Int) -> Bool { entries[place].isUnverified }

  /// The name under which a kind was declared, or by which the state refers to one that never was.
  mutating func name<L: EntityLookup>(at place: Int, _ lookup: inout L) throws(L.Failure) -> String {
    guard case .declared(let key, _) = entries[place].answer else { return entries[place].name }
    if let name = declared[place] { return name }
    let name = try lookup.name(of: key)
    declared[place] = name
    return name
  }

  /// The names of the kinds of which a reference could not be checked; of those that are equal without ASCII case, one.
  mutating func unverified<L: EntityLookup>(_ lookup: inout L) throws(L.Failure) -> [String] {
    var names: [String] = []
    var seen: Set<[UInt8]> = []
    for place in entries.indices where entries[place].isUnverified {
      let name = try name(at: place, &lookup)
      if seen.insert(name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }).inserted { names.append(name) }
    }
    return names
  }
}

/// A name of at most 16 bytes in two words, so that comparing it takes no memory of its own.
private struct ShortName: Equatable {
  /// No name.
  static let none = ShortName(low: 0, high: 0, count: 0)

  private let low: UInt64
  private let high: UInt64
  private let count: Int

  private init(low: UInt64, high: UInt64, count: Int) {
    (self.low, self.high, self.count) = (low, high, count)
  }

  /// Nil for a name that is longer, or empty.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard (1...16).contains(name.count) else { return nil }
    var (low, high): (UInt64, UInt64) = (0, 0)
    for byte in name.prefix(8) { low = low << 8 | UInt64(byte) }
    for byte in name.dropFirst(8) { high = high << 8 | UInt64(byte) }
    self.init(low: low, high: high, count: name.count)
  }
}
