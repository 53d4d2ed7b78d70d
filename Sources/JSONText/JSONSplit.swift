/// One JSON object split into its members, each of them a place in its text.
///
/// The values are yet to be checked, as those that `JSONSkim` gives. But where the object is part of a message that is
/// skimmed, the first object among them is read strictly in the same pass, since finding its end takes as long as half
/// a reading of it.
package final class JSONSplit: Sendable {
  /// A member's place, in indices of the text.
  package struct Member: Sendable {
    /// The key with its quotes.
    package let key: Range<Int>
    /// The value as it stands.
    package let value: Range<Int>
    /// Whether the key holds ASCII only and no escape, so that its bytes are what it decodes to.
    package let isPlain: Bool
  }

  /// The text that the places are in.
  package let text: ArraySlice<UInt8>
  /// The members in order: all of them, or those before a fault, or one more than were asked for.
  package let members: ContiguousArray<Member>
  /// Why the text ends after the last of `members`; nil where it is sound at this level.
  package let fault: JSONFault?
  private let reading: (member: Int, of: JSONReading)?

  /// Splits `object`, which must be one object with white space at most around it, and reads nothing inside.
  ///
  /// - Parameter maximum: the most members that are of use; at one more it stops.
  package convenience init(_ object: ArraySlice<UInt8>, maximum: Int) {
    self.init(
      object,
      object.withUnsafeBufferPointer { bytes in
        let scanner = JSONScanner(bytes)
        do throws(JSONFault) {
          var level = try JSONSkimLevel(scanner, .object)
          return Parts(&level, scanner, at: object.startIndex, maximum: maximum, reading: false)
        } catch { return Parts(error) }
      }
    )
  }

  init(_ text: ArraySlice<UInt8>, _ parts: Parts) {
    self.text = text
    members = parts.members
    fault = parts.fault
    reading = parts.reading
  }

  /// The reading of a member's value, where it was read; nil else.
  package func reading(of member: Int) -> JSONReading? {
    guard let reading, reading.member == member else { return nil }
    return reading.of
  }

  /// Whether a member's key decodes to `name`, which is ASCII.
  package func isNamed(_ member: Int, _ name: StaticString) -> Bool {
    let (key, isPlain) = (members[member].key, members[member].isPlain)
    guard isPlain else { return isDecoded(key, name) }
    guard key.count == name.utf8CodeUnitCount + 2 else { return false }
    return text.withUnsafeBufferPointer { bytes in
      let first = key.lowerBound - text.startIndex + 1
      for place in 0..<name.utf8CodeUnitCount where bytes[first + place] != name.utf8Start[place] { return false }
      return true
    }
  }

  private func isDecoded(_ key: Range<Int>, _ name: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return (try? JSONScalar.withString(text[key]) { $0.elementsEqual(wanted) }) ?? false
  }

  /// Whether two members' keys decode to the same string.
  ///
  /// - Throws: the fault of one of them that is no strict JSON string.
  package func isSameName(_ first: Int, _ second: Int) throws(JSONFault) -> Bool {
    let (a, b) = (members[first], members[second])
    if a.isPlain && b.isPlain { return a.key.count == b.key.count && text[a.key].elementsEqual(text[b.key]) }
    return try JSONScalar.string(text[a.key]).utf8.elementsEqual(JSONScalar.string(text[b.key]).utf8)
  }
}

extension JSONSplit {
  /// The members while they are split.
  struct Parts {
    private(set) var members: ContiguousArray<Member> = []
    private(set) var fault: JSONFault?
    private(set) var reading: (member: Int, of: JSONReading)?

    /// As many as most objects of an interface have: no array grows for them.
    private static let usualMembers = 8

    init(_ fault: JSONFault) { self.fault = fault }

    /// Splits what `level` has begun.
    ///
    /// - Parameters:
    ///   - index: the index of the text's first byte.
    ///   - maximum: as in `JSONSplit`.
    ///   - reads: whether the first object among the values is read.
    init(_ level: inout JSONSkimLevel, _ text: JSONScanner, at index: Int, maximum: Int, reading reads: Bool) {
      members.reserveCapacity(Self.usualMembers)
      do throws(JSONFault) {
        while members.count <= maximum, let key = try level.nextKey(text) {
          let start = level.position
          if reads, reading == nil, let read = level.read(text) { reading = (members.count, read) }
          let value = level.position > start ? start..<level.position : try level.value(text)
          members.append(
            Member(
              key: key.lowerBound &+ index..<key.upperBound &+ index,
              value: value.lowerBound &+ index..<value.upperBound &+ index,
              isPlain: Self.isPlain(key, text)
            )
          )
        }
      } catch { fault = error }
    }

    private static func isPlain(_ key: Range<Int>, _ text: JSONScanner) -> Bool {
      for place in key where text.base[place] < 0x20 || text.base[place] >= 0x80 || text.base[place] == Byte.backslash {
        return false
      }
      return true
    }
  }
}
