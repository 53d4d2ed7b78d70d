/// One fault of a route table.
package struct RouteTableFault: Hashable, Sendable {
  /// A limit that a table goes beyond.
  package struct Limit: Hashable, Sendable {
    /// The limit's name, as the table of limits spells it.
    package let name: String
    /// The most that there may be.
    package let maximum: Int
    /// What there is.
    package let actual: Int
  }

  /// The JSON Pointer (RFC 6901) into the table, `""` for the whole.
  package let path: String
  /// What is wrong and what to write instead, in one sentence without a full stop.
  package let reason: String
  /// The byte of the table's text at which what is wrong begins.
  package let offset: Int
  /// The limit, where the fault is that something is too long.
  package let limit: Limit?

  init(path: String, reason: String, offset: Int, limit: Limit? = nil) {
    self.path = path
    self.reason = reason
    self.offset = offset
    self.limit = limit
  }
}

/// All faults of a route table, in the order of its bytes.
package struct RouteTableFaults: Error, Hashable, Sendable {
  /// The faults; there is one at least.
  package let all: [RouteTableFault]

  /// The first one.
  package var first: RouteTableFault { all[0] }
}
