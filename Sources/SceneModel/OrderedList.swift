import JSONText

/// A stack written as an ordered list with a selection, which is React Navigation's state: an object
/// with an array `routes` and, if it likes, an integer `index`.
struct OrderedList {
  /// The node of the array of routes.
  let routes: Int
  /// The node of `index`; nil where there is none, or where it is null.
  let index: Int?
  /// Whether the routes stand side by side (`type` is `tab` or `drawer`), so that none is above another.
  let isSideBySide: Bool

  /// What keeps an object from being a list.
  enum Fault: Error {
    case noRoutes
    case routesNoArray(Int)
    case indexNoInteger(Int)
  }

  /// Reads a list.
  ///
  /// - Parameter object: a node of any kind; only an object can be a list.
  init(_ object: Int, in tape: JSONTape) throws(Fault) {
    guard tape.kind(object) == .object else { throw .noRoutes }
    var (routes, index, isSideBySide): (Int?, Int?, Bool) = (nil, nil, false)
    for (key, value) in tape.members(object) {
      if tape.isString(key, "routes") {
        guard tape.kind(value) == .array else { throw .routesNoArray(value) }
        routes = value
      } else if tape.isString(key, "index") {
        guard Self.isIndex(value, in: tape) else { throw .indexNoInteger(value) }
        if tape.kind(value) == .number { index = value }
      } else if tape.isString(key, "type") {
        isSideBySide =
          tape.kind(value) == .string
          && (tape.isString(value, "tab") || tape.isString(value, "drawer"))
      }
    }
    guard let routes else { throw .noRoutes }
    (self.routes, self.index, self.isSideBySide) = (routes, index, isSideBySide)
  }

  /// The list that a route of a list holds in its member `state`; nil where there is none, or
  /// anything that is no list, which is the app's own.
  static func nested(in route: Int, of tape: JSONTape) -> OrderedList? {
    guard tape.kind(route) == .object, let state = tape.member(route, "state") else { return nil }
    return try? OrderedList(state, in: tape)
  }

  private static func isIndex(_ node: Int, in tape: JSONTape) -> Bool {
    switch tape.kind(node) {
    case .null: true
    case .number: tape.isInteger(node)
    default: false
    }
  }

}
