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
  init(_ object: Int, in document: JSONDocument) throws(Fault) {
    guard document.kind(object) == .object else { throw .noRoutes }
    var (routes, index, isSideBySide): (Int?, Int?, Bool) = (nil, nil, false)
    for (key, value) in document.members(object) {
      if document.isString(key, "routes") {
        guard document.kind(value) == .array else { throw .routesNoArray(value) }
        routes = value
      } else if document.isString(key, "index") {
        guard Self.isIndex(value, in: document) else { throw .indexNoInteger(value) }
        if document.kind(value) == .number { index = value }
      } else if document.isString(key, "type") {
        isSideBySide =
          document.kind(value) == .string
          && (document.isString(value, "tab") || document.isString(value, "drawer"))
      }
    }
    guard let routes else { throw .noRoutes }
    (self.routes, self.index, self.isSideBySide) = (routes, index, isSideBySide)
  }

  /// The list that a route of a list holds in its member `state`; nil where there is none, or
  /// anything that is no list, which is the app's own.
  static func nested(in route: Int, of document: JSONDocument) -> OrderedList? {
    guard document.kind(route) == .object, let state = document.member(route, "state") else { return nil }
    return try? OrderedList(state, in: document)
  }

  private static func isIndex(_ node: Int, in document: JSONDocument) -> Bool {
    switch document.kind(node) {
    case .null: true
    case .number: document.isInteger(node)
    default: false
    }
  }

}
