/// What the index of a write-ahead log (`-shm`) tells of the log, to be read before SQLite makes the index anew.
///
/// It is written after the log was, so that it never knows of a commit that the log does not have, unless the log was
/// cut or damaged since. https://sqlite.org/walformat.html (2.1)
///
/// But it is never synced: after a loss of power it may be any earlier one, of another log too.
struct LogIndex {
  /// Whether it is as it was last written; else it may be older than the log.
  let isCurrent: Bool
  /// Frames of the log that are committed.
  let frames: Int
  /// Frames whose pages are in the database already.
  let backfilled: Int
  /// Which log it is the index of: the log's two salts, as bytes.
  let salts: [UInt8]

  /// Bytes of the header, of which there are two copies, and of its checksum's part.
  private static let headerBytes = 48
  private static let summedBytes = 40
  private static let version = 3_007_000

  /// Nil where there is none, or where it is not as a commit left it.
  init?(_ path: String, isCurrent: Bool) {
    self.isCurrent = isCurrent
    guard let file = RawFile(path), let bytes = file.bytes(at: 0, 2 * Self.headerBytes + 4) else { return nil }
    let header = Array(bytes[..<Self.headerBytes])
    guard header.elementsEqual(bytes[Self.headerBytes..<2 * Self.headerBytes]),
      header.native32(0) == Self.version, header[12] == 1
    else { return nil }
    var sum = LogChecksum(isBigEndian: UInt32(1).littleEndian != 1)
    sum.add(header[..<Self.summedBytes])
    guard sum.first == header.native32(40), sum.second == header.native32(44) else { return nil }
    frames = Int(header.native32(16))
    backfilled = Int(bytes.native32(2 * Self.headerBytes))
    salts = Array(header[32..<40])
  }
}

/// The checksum of the write-ahead log. https://sqlite.org/walformat.html (2.1)
struct LogChecksum: Equatable {
  var first: UInt32 = 0
  var second: UInt32 = 0
  let isBigEndian: Bool

  /// Adds bytes, a multiple of 8.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var (first, second) = (first, second)
    let isBigEndian = isBigEndian
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ second
        second &+= (isBigEndian ? two.bigEndian : two.littleEndian) &+ first
      }
    }
    (self.first, self.second) = (first, second)
  }
}
