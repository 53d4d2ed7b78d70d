/// A database and its log as pages, read without SQLite, which would refuse them or change them.
final class DamagedDatabase {
  /// Which bytes of a page are meant.
  enum Version {
    /// Those of the last commit: the log's, else the database file's.
    case current
    /// Those of the database file, which the log's stand in front of.
    case underlying
  }

  /// Bytes of a page.
  let pageSize: Int
  /// Pages that the database has, as far as that can be told; those behind them are remains.
  let pageCount: Int
  /// The log; nil: there is none.
  let log: WriteAheadLog?
  /// Bytes of the database file; nil: there is none, or it is no regular file.
  let fileBytes: Int?
  private let file: RawFile?

  /// Opens what there is at `path`; that may be nothing.
  ///
  /// - Parameter former: who had it open last.
  init(_ path: String, _ former: Former) {
    file = RawFile(path)
    fileBytes = file?.size
    let index = LogIndex(path + "-shm", isCurrent: former.isOfThisBoot)
    log = WriteAheadLog(path + "-wal", index: index, isSynced: former.isSynced)
    let header = file.flatMap { DatabaseHeader($0) }
    let own = header?.fault == nil ? header?.pageSize : nil
    pageSize = own ?? PageSize.ours
    let whole = (fileBytes ?? 0) / pageSize
    // The header's own number may be damaged, and must not cost a page that is there. A file is longer than its
    // database only where the log says so, which has checksums.
    pageCount = min(log?.pageCount ?? .max, max(whole, log?.lastPage ?? 0))
    // While there is a log, pages that were never written may be missing at the end, and what is needed is looked at
    // page by page after the start.
    neededPages = log?.pageCount == nil && header?.fault == nil ? header?.pageCount ?? whole : whole
  }

  /// Pages that the database should have.
  private let neededPages: Int

  /// Whether pages are missing at the end of the file.
  var isCut: Bool {
    neededPages > (fileBytes ?? 0) / pageSize
  }

  /// The bytes of a page, counted from 1; nil: they are not there, or the disk does not give them.
  func page(_ number: Int, _ version: Version) -> [UInt8]? {
    guard number > 0, number <= pageCount else { return nil }
    if version == .current, let log, log.pageSize == pageSize, let page = log.page(number) { return page }
    return file?.bytes(at: (number - 1) * pageSize, pageSize)
  }

  /// Whether the log has a newer version of the page than the database file.
  func isShadowed(_ number: Int) -> Bool { log?.holds(number) == true }
}

/// The first 100 bytes of a database. https://sqlite.org/fileformat2.html#the_database_header
struct DatabaseHeader {
  static let bytes = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Bytes of a page.
  let pageSize: Int
  /// Pages in the file; nil: whoever wrote it last did not say.
  let pageCount: Int?
  /// `PRAGMA application_id`.
  let application: Int
  /// Whether the file begins as a database does.
  let isDatabase: Bool
  /// What SQLite would stumble over, or would read wrongly; nil: nothing.
  let fault: String?

  /// Nil where the file is shorter.
  init?(_ file: RawFile) {
    guard let bytes = file.bytes(at: 0, Self.bytes) else { return nil }
    pageSize = bytes.big16(16) == 1 ? 65_536 : bytes.big16(16)
    pageCount = bytes.big32(24) == bytes.big32(92) && bytes.big32(28) > 0 ? bytes.big32(28) : nil
    application = bytes.big32(68)
    isDatabase = bytes.starts(with: Self.magic)
    fault = Self.fault(bytes, pageSize: pageSize)
  }

  private static func fault(_ bytes: [UInt8], pageSize: Int) -> String? {
    if !bytes.starts(with: magic) { return "does not begin as a database does" }
    let isKnown =
      PageSize.isValid(pageSize) && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
      && bytes[20...23].elementsEqual([0, 64, 32, 32]) && bytes.big32(44) <= 4 && bytes.big32(56) <= 1
      // Pages are never moved to shrink the file: this program's databases are made without.
      && bytes.big32(52) == 0 && bytes.big32(64) == 0
    return isKnown ? nil : "has a damaged header"
  }
}
