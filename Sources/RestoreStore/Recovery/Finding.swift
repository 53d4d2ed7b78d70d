/// What stands in the database's place, as far as its header and its log tell, before SQLite touches it.
///
/// SQLite must not be the first: it deletes the log of an empty file, and begins the index of a log anew.
enum Finding {
  /// Nothing, not even a log.
  case nothing
  /// A database that SQLite may open; that it is sound is not said by that.
  case usable
  /// One of this program that is damaged: how, as it follows the path.
  case damaged(String)
  /// Something that is not this program's: what, as it follows the path.
  case foreign(String)

  /// Looks at `path`.
  ///
  /// - Parameter former: what is known of the database that was there.
  init(_ path: String, _ former: Former) throws(SystemFault) {
    switch try SystemCalls.entry(path) {
    // SQLite refuses a link: somebody put it there on purpose.
    case .link: self = .usable
    case .folder: self = .foreign("is a folder")
    case .other: self = .foreign("is no file")
    case .none: self = try Self.isThere(path + "-wal") ? .damaged("is gone, and its log is there") : .nothing
    case .file(bytes: 0):
      // A start that ended between making the file and filling it left one that is empty, and no log.
      let hasLog = try Self.isThere(path + "-wal")
      self = former.hadDatabase || hasLog ? .damaged("is empty") : .usable
    case .file:
      for suffix in ["-wal", "-shm"] {
        if case .file = try SystemCalls.entry(path + suffix) { continue }
        if case .none = try SystemCalls.entry(path + suffix) { continue }
        self = .damaged("has a \(suffix) that is no file")
        return
      }
      // Only a database that is being made has one, and SQLite takes back what was begun.
      // https://sqlite.org/lockingv3.html#hot_journals
      let isBeingMade = try Self.isThere(path + "-journal")
      self = isBeingMade ? .usable : Self.judge(path, former)
    }
  }

  private static func isThere(_ path: String) throws(SystemFault) -> Bool {
    if case .file(let bytes) = try SystemCalls.entry(path) { return bytes > 0 }
    return false
  }

  private static func judge(_ path: String, _ former: Former) -> Finding {
    let source = DamagedDatabase(path, former)
    let header = RawFile(path).flatMap { DatabaseHeader($0) }
    if let fault = header == nil ? "is cut" : header?.fault {
      let isOurs = (try? Salvage(source).isOurs()) == true || header?.application == Database.applicationID
      return isOurs ? .damaged(fault) : .foreign("is no database")
    }
    if let fault = source.log?.fault { return .damaged("has a log that \(fault)") }
    if source.isCut { return .damaged("is cut: pages are missing at its end") }
    return .usable
  }
}
