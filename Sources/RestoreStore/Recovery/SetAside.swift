#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that were in the database's place and could not be used: where they are kept, and what is said of them.
///
/// Beside `restored.sqlite3.damaged-20260131T120000Z`, with its `-wal` and `-shm`, stands a `.txt` with what was found
/// and recovered. Nothing that was not this program's is ever removed; of its own damaged databases three are kept.
struct SetAside {
  /// Why a file was set aside.
  enum Kind: String, CaseIterable {
    /// A database of this program, as far as can be told.
    case damaged
    /// A file or folder of somebody else's.
    case foreign
  }

  /// How many damaged databases are kept.
  static let kept = 3
  /// The files of one database, by what follows its name.
  static let suffixes = ["-shm", "-wal", ""]

  /// The database's path.
  let database: String
  let kind: Kind
  /// When, as in the file's name.
  let stamp: String

  /// Where the file is kept.
  var path: String { "\(database).\(kind.rawValue)-\(stamp)" }
  /// Where it is said why.
  var reportPath: String { path + ".txt" }
  /// Where the database that takes its place waits, once it is whole.
  var successor: String { Self.successorPrefix(database) + stamp }

  private static func successorPrefix(_ database: String) -> String { database + ".recovered-" }

  /// A place of its own for what is set aside now.
  ///
  /// - Parameter time: milliseconds since 1970.
  init(_ database: String, _ kind: Kind, at time: Int) {
    self.database = database
    self.kind = kind
    let first = Self.stamp(time)
    var stamp = first
    var number = 1
    // Two within a second.
    while Self.suffixes.contains(where: { access("\(database).\(kind.rawValue)-\(stamp)\($0)", F_OK) == 0 }) {
      number += 1
      stamp = "\(first)-\(number)"
    }
    self.stamp = stamp
  }

  private init(_ database: String, _ kind: Kind, _ stamp: String) {
    self.database = database
    self.kind = kind
    self.stamp = stamp
  }

  private static func stamp(_ milliseconds: Int) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Moves what has the database's name, and its log, to where it is kept.
  ///
  /// What was moved is moved back where the rest cannot be.
  func take(_ hooks: StoreHooks) throws(SystemFault) {
    var moved: [String] = []
    do throws(SystemFault) {
      for suffix in Self.suffixes {
        if case .none = try SystemCalls.entry(database + suffix) { continue }
        try SystemCalls.move(database + suffix, to: path + suffix, hooks)
        moved.append(suffix)
      }
    } catch {
      for suffix in moved.reversed() { try? SystemCalls.move(path + suffix, to: database + suffix, hooks) }
      throw error
    }
  }

  /// Whether nothing is kept here: all is where it was.
  var isEmpty: Bool { Self.suffixes.allSatisfy { access(path + $0, F_OK) != 0 } }

  // MARK: What there is

  /// All that was set aside, oldest first.
  static func all(_ database: String) -> [SetAside] {
    let folder = SystemCalls.parent(of: database)
    let name = String(database.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1))
    let names = SystemCalls.names(in: folder)
    var found: [SetAside] = []
    for kind in Kind.allCases {
      let prefix = "\(name).\(kind.rawValue)-"
      let stamps = Set(
        names.filter { $0.hasPrefix(prefix) }.map { file in
          var stamp = file.dropFirst(prefix.count)
          for suffix in [".txt", "-wal", "-shm"] where stamp.hasSuffix(suffix) { stamp.removeLast(suffix.count) }
          return String(stamp)
        }
      )
      found += stamps.map { SetAside(database, kind, $0) }
    }
    return found.sorted { ($0.stamp, $0.kind.rawValue) < ($1.stamp, $1.kind.rawValue) }
  }

  /// A damaged database whose successor is whole and has not taken its place yet.
  static func unfinished(_ database: String) -> SetAside? {
    let folder = SystemCalls.parent(of: database)
    let prefix = successorPrefix(database)
    return SystemCalls.names(in: folder).map { (folder == "/" ? "/" : folder + "/") + $0 }
      .first { $0.hasPrefix(prefix) }.map { SetAside(database, .damaged, String($0.dropFirst(prefix.count))) }
  }

  /// Removes successors whose database goes on instead, for good: the next start would take one for what is to be.
  static func dropUnfinished(_ database: String, _ hooks: StoreHooks) throws(SystemFault) {
    while let place = unfinished(database) { try SystemCalls.remove(place.successor, hooks) }
    try SystemCalls.syncFolder(SystemCalls.parent(of: database), hooks)
  }

  /// Removes the oldest damaged databases beyond those that are kept.
  static func prune(_ database: String) {
    for old in all(database).filter({ $0.kind == .damaged }).dropLast(kept) {
      for suffix in [".txt"] + suffixes { try? SystemCalls.remove(old.path + suffix) }
    }
  }

  /// What is to be said of it: what was found, and the command that removes it.
  var problem: String {
    let told = SystemCalls.contents(reportPath).split(separator: "\n").first.map(String.init)
    let what = told ?? "\(database) could not be used, and was set aside as \(path)"
    return "\(what); once nothing in it is needed any more, remove it: rm -r '\(path)'*"
  }
}
