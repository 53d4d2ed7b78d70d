import JSONText

/// The kinds that one restoration has met: each is asked for once, and those that stayed unchecked are remembered.
struct KindTable {
  private struct Entry {
    let name: [UInt8]
    let answer: KindAnswer
    var isUnverified = false
    /// As declared; nil until a report needs it.
    var declared: String?
  }

  /// Up to this many kinds, looking through all of them is faster than hashing.
  private static let linearMaximum = 16

  private var entries: [Entry] = []
  /// Where the entries after the first `linearMaximum` stand. By bytes: `String` would take é
  /// composed and decomposed for one.
  private var places: [[UInt8]: Int] = [:]

  /// The place of a kind in the table, asked for at its first mention.
  ///
  /// Nil for what cannot be the name of a kind, and so was never declared.
  mutating func place<L: EntityLookup>(
    of name: UnsafeBufferPointer<UInt8>,
    _ lookup: inout L
  ) throws(L.Failure) -> Int? {
    if let place = known(name) { return place }
    guard Names.fault(name) == nil else { return nil }
    let answer = try lookup.kind(named: String(decoding: name, as: UTF8.self))
    let entry = Entry(name: Array(name), answer: answer)
    if entries.count >= Self.linearMaximum { places[entry.name] = entries.count }
    entries.append(entry)
    return entries.count - 1
  }

  private func known(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    for place in 0..<min(entries.count, Self.linearMaximum) where entries[place].name.elementsEqual(name) {
      return place
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
    if let declared = entries[place].declared { return declared }
    let name: String =
      switch entries[place].answer {
      case .undeclared: String(decoding: entries[place].name, as: UTF8.self)
      case .declared(let key, _): try lookup.name(of: key)
      }
    entries[place].declared = name
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
