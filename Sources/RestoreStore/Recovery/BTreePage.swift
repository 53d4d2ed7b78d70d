/// A page of a tree, as far as its cells can be read. https://sqlite.org/fileformat2.html#b_tree_pages
struct BTreePage {
  /// What a page is, by its first byte.
  enum Kind: UInt8 {
    case innerIndex = 2
    case innerTable = 5
    case leafIndex = 10
    case leafTable = 13

    fileprivate var isInner: Bool { self == .innerIndex || self == .innerTable }
  }

  /// A row, or an entry of an index.
  struct Cell {
    /// The row's key; 0 in an index.
    let key: Int
    /// The record's bytes.
    let record: [UInt8]
  }

  let kind: Kind
  private let bytes: [UInt8]
  /// Where the cells begin in the page.
  private let cells: [Int]

  /// Nil where the page is none of a tree.
  ///
  /// - Parameter number: the first page has the database's header in front.
  init?(_ bytes: [UInt8], number: Int) {
    let start = number == 1 ? DatabaseHeader.bytes : 0
    guard bytes.count >= start + 12, let kind = Kind(rawValue: bytes[start]) else { return nil }
    let first = start + (kind.isInner ? 12 : 8)
    let count = bytes.big16(start + 3)
    guard first + 2 * count <= bytes.count else { return nil }
    self.kind = kind
    self.bytes = bytes
    let end = first + 2 * count
    cells = (0..<count).map { bytes.big16(first + 2 * $0) }.filter { $0 >= end && $0 < bytes.count - 3 }
    last = kind.isInner ? bytes.big32(start + 8) : nil
  }

  /// The page's last child; nil on a leaf.
  private let last: Int?

  /// The pages below this one.
  var children: [Int] {
    guard let last else { return [] }
    return cells.filter { $0 <= bytes.count - 4 }.map { bytes.big32($0) } + [last]
  }

  /// The numbers of the rows on a table's leaf, as they stand on it, each with what of the row is on this page; empty on
  /// any other page.
  var rows: [(key: Int, local: ArraySlice<UInt8>)] {
    guard kind == .leafTable else { return [] }
    return cells.compactMap { start in
      var offset = start
      guard let size = Varint.read(bytes, &offset), size > 0, let key = Varint.read(bytes, &offset) else { return nil }
      // With the number of the page on which a long one goes on.
      let local = size > Self.longestRecord ? 0 : localBytes(size)
      return (key, bytes[offset..<min(bytes.count, offset + local + (local < size ? 4 : 0))])
    }
  }

  /// Calls `body` with each cell that can be read whole.
  ///
  /// - Parameter overflow: the bytes of a page that a long record goes on in.
  func forEachCell(overflow: (Int) -> [UInt8]?, _ body: (Cell) throws(SQLiteError) -> Void) throws(SQLiteError) {
    guard kind != .innerTable else { return }
    for start in cells {
      if let cell = cell(at: start, overflow) { try body(cell) }
    }
  }

  private func cell(at start: Int, _ overflow: (Int) -> [UInt8]?) -> Cell? {
    var offset = start + (kind == .innerIndex ? 4 : 0)
    guard let size = Varint.read(bytes, &offset), size > 0, size <= Self.longestRecord else { return nil }
    var key = 0
    if kind == .leafTable {
      guard let read = Varint.read(bytes, &offset) else { return nil }
      key = read
    }
    let local = localBytes(size)
    guard offset + local + (local < size ? 4 : 0) <= bytes.count else { return nil }
    var record = Array(bytes[offset..<offset + local])
    if local == size { return Cell(key: key, record: record) }
    record.reserveCapacity(size)
    var next = bytes.big32(offset + local)
    while record.count < size {
      guard let page = overflow(next) else { return nil }
      record += page[4..<min(page.count, 4 + size - record.count)]
      next = page.big32(0)
    }
    return Cell(key: key, record: record)
  }

  /// Longer than any record that a save can make; a longer one is damage, not to be taken into memory.
  private static let longestRecord = 32 << 20

  /// Bytes of a record that stand in the page itself. https://sqlite.org/fileformat2.html#cell_payload
  private func localBytes(_ size: Int) -> Int {
    let usable = bytes.count
    let most = kind == .leafTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    if size <= most { return size }
    let least = (usable - 12) * 32 / 255 - 23
    let wanted = least + (size - least) % (usable - 4)
    return wanted <= most ? wanted : least
  }
}

/// Numbers of one to nine bytes. https://sqlite.org/fileformat2.html#varint
enum Varint {
  /// Reads a number and moves `offset` behind it; nil where the bytes end.
  static func read(_ bytes: [UInt8], _ offset: inout Int) -> Int? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if index == 8 { return Int(truncatingIfNeeded: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int(truncatingIfNeeded: value) }
    }
    return nil
  }
}
