/// A value in a record.
enum RowValue: Hashable {
  case null
  case integer(Int)
  case text([UInt8])
  case blob([UInt8])

  /// The number; nil: it is none.
  var number: Int? { if case .integer(let number) = self { number } else { nil } }

  /// The bytes of a blob; nil: it is none.
  var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }

  /// Whether it is NULL.
  var isNull: Bool { self == .null }

  /// The text, which is valid UTF-8; nil: it is none.
  var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The values of a row. https://sqlite.org/fileformat2.html#record_format
enum RawRow {
  /// Columns of the widest table, and some more; a wider record is damage.
  private static let mostColumns = 32

  /// The values in a record's bytes; nil where they are not exactly one record.
  ///
  /// No table of the schema holds floating-point numbers: one is damage.
  static func values(_ bytes: [UInt8]) -> [RowValue]? {
    var offset = 0
    guard let header = Varint.read(bytes, &offset), header > 0, header <= bytes.count else { return nil }
    var types: [Int] = []
    while offset < header {
      guard let type = Varint.read(bytes, &offset), type >= 0, types.count < mostColumns else { return nil }
      types.append(type)
    }
    guard offset == header else { return nil }
    var values: [RowValue] = []
    for type in types {
      guard let size = size(type), size <= bytes.count - offset else { return nil }
      values.append(value(type, bytes[offset..<offset + size]))
      offset += size
    }
    return offset == bytes.count ? values : nil
  }

  private static func size(_ type: Int) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: type
    case 5: 6
    case 6: 8
    case 12...: (type - 12) / 2
    default: nil
    }
  }

  private static func value(_ type: Int, _ bytes: ArraySlice<UInt8>) -> RowValue {
    switch type {
    case 0: .null
    case 8: .integer(0)
    case 9: .integer(1)
    case 1...6: .integer(bytes.reduce((bytes.first ?? 0) & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int($1) })
    default: type & 1 == 0 ? .blob(Array(bytes)) : .text(Array(bytes))
    }
  }
}
