/// The pages in a write-ahead log that are committed, also those behind a frame that is damaged.
///
/// SQLite stops at the first frame whose checksum does not fit, and takes what is behind it for the rest of a commit
/// that was never finished. Here a frame counts that fits the checksum stored in the frame before it.
/// https://sqlite.org/fileformat2.html#walformat
struct WriteAheadLog {
  /// What is wrong with it, as it follows the log's name; nil: nothing that can be told from an unfinished commit.
  private(set) var fault: String?
  /// Whether commits may be lost with what is damaged; else the database has all that it held.
  private(set) var lacksCommits = true
  /// Pages of the database after the last commit; nil: there is none.
  private(set) var pageCount: Int?
  /// Bytes of a page.
  let pageSize: Int

  /// The frame that has each page as the last commit left it.
  private var frames: [Int: Int] = [:]
  private let file: RawFile

  static let headerBytes = 32
  private static let frameHeaderBytes = 24
  /// The first word, the last bit aside, which says in which order the checksum reads words.
  private static let magic = 0x377F_0682

  /// Reads the log.
  ///
  /// - Parameters:
  ///   - index: what its index tells of it; nil: nothing is known.
  ///   - isSynced: whether each commit was synced before the next one: else frames that are missing are no fault.
  init?(_ path: String, index: LogIndex?, isSynced: Bool) {
    guard let file = RawFile(path) else { return nil }
    self.file = file
    let header = file.bytes(at: 0, Self.headerBytes)
    let isBigEndian = header?.big32(0) == Self.magic | 1
    var sum = LogChecksum(isBigEndian: isBigEndian)
    if let header { sum.add(header[..<24]) }
    let isSound =
      header.map { $0.big32(0) & ~1 == Self.magic && sum.isStored(in: $0, at: 24) && PageSize.isValid($0.big32(8)) }
      ?? false
    pageSize = isSound ? header?.big32(8) ?? PageSize.ours : PageSize.ours
    let first = file.bytes(at: Self.headerBytes, Self.frameHeaderBytes)
    let current = index?.isCurrent == true ? index : nil
    let own = isSound ? header.map { Array($0[16..<24]) } : current?.salts ?? first.map { Array($0[8..<16]) }
    // An index of another log says nothing of this one. One that may be older than the log says what it has at least;
    // of a log that has not even a beginning it says nothing: that was emptied since.
    let index = index.flatMap { $0.salts == own ? $0 : nil }
    // The stored sum, not the one just made: the frames go on from it even where the header itself is damaged.
    let start = header.map { LogChecksum(stored: $0, at: 24, isBigEndian: isBigEndian) } ?? sum
    var scan = Scan(expected: index.flatMap { $0.isCurrent ? $0.frames : nil }, isIntact: isSound, checksum: start)
    if let salts = own { read(&scan, salts) }
    let (known, moved) = (index?.frames ?? 0, index?.backfilled ?? 0)
    // Pages that were moved, or newer ones, are in the database, and right there also where one here is damaged.
    if scan.expected != nil && scan.intact < known { frames = frames.filter { $0.value >= moved } }
    // Where all of it is in the database already, SQLite would put the frames before the damage in front of newer pages,
    // unless it finds none at all.
    let isMissing = scan.intact < known && (moved < known || scan.intact > 0 && scan.expected != nil)
    lacksCommits = isSynced && moved < known || scan.expected == nil
    guard isSynced, isMissing || scan.expected == nil && scan.commitsBehind > 1 else { return }
    if isMissing, let index {
      fault = "is damaged or cut: \(scan.intact) of \(index.frames) frames can be read one after the other"
    } else {
      fault = "is damaged after \(scan.intact) frames, with \(scan.commitsBehind) commits behind that"
    }
  }

  /// How far the frames were read.
  private struct Scan {
    /// Frames that the index knows of.
    let expected: Int?
    /// Whether no damage was met so far.
    var isIntact: Bool
    /// Of the frame before.
    var checksum: LogChecksum
    /// Committed frames before the first damage.
    var intact = 0
    /// Commits behind it.
    var commitsBehind = 0
    /// Pages of a commit whose last frame was not met yet.
    var open: [(page: Int, frame: Int)] = []
  }

  private mutating func read(_ scan: inout Scan, _ salts: [UInt8]) {
    let whole = (file.size - Self.headerBytes) / (Self.frameHeaderBytes + pageSize)
    for frame in 0..<min(max(whole, 0), scan.expected ?? .max) {
      guard let bytes = file.bytes(at: offset(frame), Self.frameHeaderBytes + pageSize) else {
        scan.isIntact = false
        continue
      }
      var sum = scan.checksum
      sum.add(bytes[..<8])
      sum.add(bytes[Self.frameHeaderBytes...])
      let isValid = salts.elementsEqual(bytes[8..<16]) && sum.isStored(in: bytes, at: 16) && bytes.big32(0) > 0
      // What the next frame goes on from, if it was written after this one.
      scan.checksum = LogChecksum(stored: bytes, at: 16, isBigEndian: sum.isBigEndian)
      guard isValid else {
        scan.isIntact = false
        continue
      }
      scan.open.append((bytes.big32(0), frame))
      if bytes.big32(4) > 0 { commit(&scan, pages: bytes.big32(4)) }
    }
    // Of a log of which the index knows all is committed: of the last commit only the end was damaged.
    if scan.expected != nil { for (page, frame) in scan.open { frames[page] = frame } }
  }

  private mutating func commit(_ scan: inout Scan, pages: Int) {
    for (page, frame) in scan.open { frames[page] = frame }
    pageCount = pages
    if scan.isIntact { scan.intact = (scan.open.last?.frame ?? 0) + 1 } else { scan.commitsBehind += 1 }
    scan.open = []
  }

  private func offset(_ frame: Int) -> Int { Self.headerBytes + frame * (Self.frameHeaderBytes + pageSize) }

  /// Bytes of a log with so many frames, of which one that has none need not have any.
  static func bytes(frames: Int, pageSize: Int = PageSize.ours) -> Int {
    frames == 0 ? 0 : headerBytes + frames * (frameHeaderBytes + pageSize)
  }

  /// Whether a page is in the log.
  func holds(_ page: Int) -> Bool { frames[page] != nil }

  /// The page as the last commit left it; nil: it is not in the log.
  func page(_ page: Int) -> [UInt8]? {
    frames[page].flatMap { file.bytes(at: offset($0) + Self.frameHeaderBytes, pageSize) }
  }

  /// The largest number of a page in the log.
  var lastPage: Int { frames.keys.max() ?? 0 }
}

extension LogChecksum {
  /// The checksum that a log's header or frame has at an offset.
  fileprivate init(stored bytes: [UInt8], at offset: Int, isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
    first = UInt32(bytes.big32(offset))
    second = UInt32(bytes.big32(offset + 4))
  }

  fileprivate func isStored(in bytes: [UInt8], at offset: Int) -> Bool {
    self == LogChecksum(stored: bytes, at: offset, isBigEndian: isBigEndian)
  }
}

/// Sizes of pages.
enum PageSize {
  /// The size that every database of this program is made with.
  static let ours = 2048

  /// Whether SQLite knows this size. https://sqlite.org/fileformat2.html#page_size
  static func isValid(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }
}
