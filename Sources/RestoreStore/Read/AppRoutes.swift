import SceneModel

/// What is known of one app's route table.
final class AppRoutes {
  /// The table; nil: the app has none.
  let table: RouteTable?
  /// What is wrong with what is stored, with what to do; nil: nothing.
  let fault: String?

  /// - Parameters:
  ///   - stored: what is stored as its table.
  ///   - app: the app, for a message.
  ///   - path: the database, for a message.
  init(_ stored: StoredRoutes, app: String, in path: String) {
    table = stored.bytes.flatMap { try? RouteTable(validating: $0) }
    // Better to leave routes in that the table would have dropped than to serve nothing.
    fault =
      stored.isDamaged || table == nil && stored.bytes != nil
      ? "the route table of app \(app) is damaged in \(path), and was not applied: set it again; look into the disk"
      : nil
  }

  /// What restoring goes by.
  var rules: RouteRules { table?.rules ?? .byConvention }
}
