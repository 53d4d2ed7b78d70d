import JSONText

/// The case name of a route as it counts: as written, or the one that a route table has put in its place.
enum CaseName {
  /// The name that the route spells, looked at only when needed.
  case spelled(Route, JSONTape)
  /// What a node spells.
  case written(Int, JSONTape)
  /// The case at a place of the table.
  case renamed(Int, RouteNames)
  /// The route has none.
  case none

  /// Calls `body` with the name's bytes.
  ///
  /// - Returns: nil where there is none.
  func withBytes<R, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R?) throws(E) -> R? {
    switch self {
    case .none: return nil
    case .renamed(let place, let names): return try names.cases.withName(place, body)
    case .written(let node, let tape): return try tape.withDecoded(node, body)
    case .spelled(let route, let tape):
      guard let node = route.caseName(in: tape) else { return nil }
      return try tape.withDecoded(node, body)
    }
  }

  /// The name, for a report.
  var string: String? { withBytes { String(decoding: $0, as: UTF8.self) } }
}
