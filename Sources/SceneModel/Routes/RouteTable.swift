import JSONText

/// What an app says of its routes and tabs: a route table, checked and laid out for restoring.
package struct RouteTable: Sendable {
  /// Bytes in the largest route table.
  package static let maximumBytes = 256 << 10
  /// Revisions that a table may have kept per scene.
  package static let historyRange = 1...1_000
  /// The longest age that a table may set, in seconds: a hundred years.
  package static let longestAge = 3_155_760_000

  /// The table as JSON.
  package let document: JSONDocument
  /// What it says about restoring.
  package let rules: RouteRules
  /// Revisions kept per scene; nil where the table does not say.
  package let history: Int?
  /// The age in seconds from which on a scene is not restored unless that is asked for; nil: it is at any age.
  package let maximumAgeSeconds: Int?
  /// The patterns of links and what they lead to; the first that matches counts.
  let links: [LinkRule]

  /// How much of everything a table lists, for whoever sums it up.
  package struct Counts: Hashable, Sendable {
    /// Cases listed in `routes`.
    package var cases = 0
    /// Tabs listed.
    package var tabs = 0
    /// Cases and tabs that are renamed.
    package var renamed = 0
    /// Links.
    package var links = 0
  }

  /// How much of everything the table lists.
  package let counts: Counts

  /// Checks a table and lays it out.
  ///
  /// - Parameter bytes: one JSON object; white space around it is allowed and kept.
  /// - Throws: all faults in one go; those of JSON itself, and a table that is too large, alone.
  package init(validating bytes: [UInt8]) throws(RouteTableFaults) {
    guard bytes.count <= Self.maximumBytes else {
      let limit = RouteTableFault.Limit(name: "route table", maximum: Self.maximumBytes, actual: bytes.count)
      let reason = "the table has \(bytes.count) bytes, at most \(Self.maximumBytes)"
      throw RouteTableFaults(all: [RouteTableFault(path: "", reason: reason, offset: 0, limit: limit)])
    }
    do throws(JSONFault) {
      document = try JSONDocument(bytes)
    } catch {
      let path = JSONDocument.pointer(toOffset: error.offset, in: bytes)
      throw RouteTableFaults(all: [RouteTableFault(path: path, reason: error.sentence, offset: error.offset)])
    }
    var check = RouteTableCheck(document)
    check.run()
    guard check.faults.isEmpty else {
      throw RouteTableFaults(all: check.faults.sorted { $0.offset < $1.offset })
    }
    rules = check.rules
    history = check.history
    maximumAgeSeconds = check.maximumAgeSeconds
    links = check.links
    counts = check.counts
  }

  /// The table's bytes, as they were sent.
  package var bytes: [UInt8] { document.bytes }

  /// Whether both are the same JSON value: members in any order, strings decoded, numbers by spelling.
  package func isSameValue(as other: RouteTable) -> Bool {
    document.isEqual(
      document.root,
      to: other.document,
      other.document.root,
      unorderedPairs: [],
      otherPairs: []
    )
  }
}
