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

/// The route tables of the apps asked for lately, parsed; bounded in bytes.
struct RoutesCache<Key: Hashable> {
  /// Bytes of tables that are held; parsed they take several times that.
  private static var maximumBytes: Int { 4 << 20 }

  private var tables: BoundedCache<Key, AppRoutes>
  private var bytes = 0

  /// - Parameter bound: apps at most, with or without a table.
  init(bound: Int) { tables = BoundedCache(bound: bound) }

  mutating func value(for key: Key) -> AppRoutes? { tables.value(for: key) }

  mutating func set(_ routes: AppRoutes, for key: Key) {
    bytes += routes.table?.bytes.count ?? 0
    if bytes > Self.maximumBytes {
      tables.removeAll()
      bytes = routes.table?.bytes.count ?? 0
    }
    tables.set(routes, for: key)
  }

  mutating func remove(_ key: Key) { tables.remove(key) }
}
