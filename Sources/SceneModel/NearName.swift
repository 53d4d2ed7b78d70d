/// Finds the name that was meant where another one was written.
enum NearName {
  /// A longer name than this is no slip of the fingers, and is not repeated in a message.
  private static let longest = 32
  /// A name may be this many letters off and still be taken for a slip.
  private static let farthest = 2

  /// What is said of a member that there is not.
  ///
  /// - Parameters:
  ///   - members: those that there are.
  ///   - known: them in words, for a name that is near none.
  static func unknownMember(_ name: String, among members: [String], _ known: String) -> String {
    guard isShort(name) else { return "unknown member: " + known }
    if let nearest = nearest(to: name, among: members) { return "unknown member \(name): did you mean \(nearest)?" }
    return "unknown member \(name): " + known
  }

  /// A question that names the one that was probably meant, to stand after a colon; nil: none is near.
  static func question(_ name: String, among names: some Sequence<String>) -> String? {
    guard isShort(name) else { return nil }
    return nearest(to: name, among: names).map { "did you mean \($0)?" }
  }

  private static func isShort(_ name: String) -> Bool { name.utf8.count <= longest && Names.fault(name) == nil }

  private static func nearest(to name: String, among names: some Sequence<String>) -> String? {
    let written = Array(name.utf8.map(lower))
    var best: (name: String, distance: Int)?
    var begun: String?
    for candidate in names where candidate.utf8.count <= longest {
      let letters = Array(candidate.utf8.map(lower))
      if abs(letters.count - written.count) <= farthest {
        let distance = distance(written, letters)
        if distance < best?.distance ?? .max { best = (candidate, distance) }
      }
      if begun == nil, letters.starts(with: written) { begun = candidate }
    }
    if let best, best.distance <= farthest, best.distance < written.count { return best.name }
    // "selected" and "sidebar" are nearer in meaning than in letters.
    return written.count > 3 ? begun : nil
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// How many letters must be put in, taken out or changed to make one of the other.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
      }
      // The distance is no less than the least of any row.
      if row.allSatisfy({ $0 > farthest }) { return farthest + 1 }
    }
    return row[b.count]
  }
}
