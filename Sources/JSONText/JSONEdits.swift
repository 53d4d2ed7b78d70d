/// Cuts and replacements in a text, collected and then made in one pass; every byte outside them stays.
package struct JSONEdits: Sendable {
  private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

  /// No edits.
  package init() {}

  /// Whether nothing is to be changed.
  package var isEmpty: Bool { edits.isEmpty }

  /// Puts `bytes` in the place of `range`; of edits inside one another the outer one counts.
  package mutating func replace(_ range: Range<Int>, with bytes: [UInt8] = []) {
    edits.append((range, bytes))
  }

  /// Takes elements out of an array, each with one comma; white space between survivors stays theirs.
  ///
  /// - Parameter removed: asked once for each element node, in order.
  package mutating func removeElements(of array: Int, in document: JSONDocument, where removed: (Int) -> Bool) {
    remove(document.elements(array).lazy.map { ($0, document.range($0)) }, removed)
  }

  /// Takes members out of an object, each with one comma.
  ///
  /// - Parameter removed: asked once for each member's value node, in order.
  package mutating func removeMembers(of object: Int, in document: JSONDocument, where removed: (Int) -> Bool) {
    let parts = document.members(object).lazy.map { member in
      (member.value, document.range(member.key).lowerBound..<document.range(member.value).upperBound)
    }
    remove(parts, removed)
  }

  /// A part goes with what separates it from the part before; before the first survivor, from the part after.
  private mutating func remove(_ parts: some Sequence<(Int, Range<Int>)>, _ removed: (Int) -> Bool) {
    var survivorEnd: Int?
    var leading: Range<Int>?
    for (node, range) in parts {
      if removed(node) {
        if let end = survivorEnd {
          edits.append((end..<range.upperBound, []))
          survivorEnd = range.upperBound
        } else {
          leading = (leading?.lowerBound ?? range.lowerBound)..<range.upperBound
        }
      } else {
        if survivorEnd == nil, let cut = leading { edits.append((cut.lowerBound..<range.lowerBound, [])) }
        survivorEnd = range.upperBound
      }
    }
    if survivorEnd == nil, let cut = leading { edits.append((cut, [])) }
  }

  /// The text with the edits made.
  package consuming func applied(to bytes: [UInt8]) -> [UInt8] {
    guard !edits.isEmpty else { return bytes }
    edits.sort {
      $0.range.lowerBound != $1.range.lowerBound
        ? $0.range.lowerBound < $1.range.lowerBound : $0.range.upperBound > $1.range.upperBound
    }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits where edit.range.lowerBound >= position {
      out.append(contentsOf: bytes[position..<edit.range.lowerBound])
      out.append(contentsOf: edit.bytes)
      position = edit.range.upperBound
    }
    out.append(contentsOf: bytes[position...])
    return out
  }
}
