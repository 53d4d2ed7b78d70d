/// Finds keys that stand twice in one object.
enum JSONKeys {
  /// Up to this many members, comparing each pair is faster than sorting.
  private static let pairwiseMaximum = 8

  /// Refuses an object in which two keys are equal once decoded.
  ///
  /// Linear but for a sort, so that an object of a hundred thousand members costs no more than its size.
  static func refuseDuplicates(
    of object: Int,
    in nodes: UnsafePointer<JSONNode>,
    _ scanner: JSONScanner
  ) throws(JSONFault) {
    let end = Int(nodes[object].next)
    var members = 0
    var key = object + 1
    // Routes have one member each for the most part.
    if key == end || Int(nodes[key + 1].next) == end { return }
    while key < end {
      // No list of the keys is made here: most objects have one to three, and are asked for at each save.
      if members < pairwiseMaximum { try refuse(key, inFirst: members, of: object, nodes, scanner) }
      members += 1
      key = Int(nodes[key + 1].next)
    }
    if members > pairwiseMaximum { try refuseInSorted(keys(object + 1, end, members, nodes), nodes, scanner) }
  }

  /// Refuses a key that is one of the first `members` of its object.
  @inline(__always)
  private static func refuse(
    _ key: Int,
    inFirst members: Int,
    of object: Int,
    _ nodes: UnsafePointer<JSONNode>,
    _ scanner: JSONScanner
  ) throws(JSONFault) {
    var earlier = object + 1
    for _ in 0..<members {
      if isSame(nodes[earlier], nodes[key], scanner) { throw JSONFault(.duplicateKey, at: Int(nodes[key].start)) }
      earlier = Int(nodes[earlier + 1].next)
    }
  }

  private static func keys(
    _ first: Int,
    _ end: Int,
    _ count: Int,
    _ nodes: UnsafePointer<JSONNode>
  ) -> ContiguousArray<Int32> {
    var keys: ContiguousArray<Int32> = []
    keys.reserveCapacity(count)
    var key = first
    while key < end {
      keys.append(Int32(truncatingIfNeeded: key))
      key = Int(nodes[key + 1].next)
    }
    return keys
  }

  private static func refuseInSorted(
    _ keys: ContiguousArray<Int32>,
    _ nodes: UnsafePointer<JSONNode>,
    _ scanner: JSONScanner
  ) throws(JSONFault) {
    var hashed = ContiguousArray(keys.map { (hash: hash(nodes[Int($0)], scanner), key: $0) })
    hashed.sort { $0.hash != $1.hash ? $0.hash < $1.hash : $0.key < $1.key }
    var first: Int?
    var run = 0
    for i in 1..<hashed.count {
      if hashed[i].hash != hashed[run].hash { run = i }
      for earlier in run..<i where isSame(nodes[Int(hashed[earlier].key)], nodes[Int(hashed[i].key)], scanner) {
        let start = Int(nodes[Int(hashed[i].key)].start)
        first = min(first ?? start, start)
        break
      }
    }
    if let first { throw JSONFault(.duplicateKey, at: first) }
  }

  /// Differs in each process, so that nobody can prepare keys whose hashes collide.
  private static let seed = UInt64.random(in: .min ... .max)

  private static func hash(_ key: JSONNode, _ scanner: JSONScanner) -> UInt64 {
    JSONDecode.withDecoded(key, scanner) { XXH64.hash(UnsafeRawBufferPointer($0), seed: seed) }
  }

  @inline(__always)
  private static func isSame(_ a: JSONNode, _ b: JSONNode, _ scanner: JSONScanner) -> Bool {
    guard a.escaped || b.escaped else {
      let length = a.end - a.start
      guard length == b.end - b.start else { return false }
      let (left, right) = (scanner.base + Int(a.start), scanner.base + Int(b.start))
      for i in 1..<max(Int(length) - 1, 1) where left[i] != right[i] { return false }
      return true
    }
    return JSONDecode.withDecoded(a, scanner) { left in
      JSONDecode.withDecoded(b, scanner) { right in left.elementsEqual(right) }
    }
  }
}
