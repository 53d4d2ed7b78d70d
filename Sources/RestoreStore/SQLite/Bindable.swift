import CSQLite
import SceneModel

/// A value that a statement takes as a parameter.
///
/// Texts and blobs are copied at once.
protocol Bindable {
  /// Binds the value.
  ///
  /// - Returns: the result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int: Bindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: Bindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self ? 1 : 0)
  }
}

extension String: Bindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { bindText($0, to: statement, at: index) }
  }
}

/// A blob.
extension [UInt8]: Bindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    // A null pointer would bind NULL, not an empty blob.
    if isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
    return withUnsafeBytes { csqlite_bind_blob_copy(statement, index, $0.baseAddress, Int32($0.count)) }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: statement, at: index)
    case .none: sqlite3_bind_null(statement, index)
    }
  }
}

/// As the entity table holds it: a UUID as a blob of its 16 bytes, all else as a text.
extension EntityID: Bindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .text(let bytes):
      return bytes.withUnsafeBufferPointer { bindText($0, to: statement, at: index) }
    case .uuid(let high, let low):
      // In the order in which they are written, so that UUIDs sort as their texts do.
      var halves = (high.bigEndian, low.bigEndian)
      return withUnsafeBytes(of: &halves) {
        csqlite_bind_blob_copy(statement, index, $0.baseAddress, Int32($0.count))
      }
    }
  }

  /// Bytes that the id takes up in the table, for the user's count.
  package var storedBytes: Int {
    switch self {
    case .text(let bytes): bytes.count
    case .uuid: 16
    }
  }
}

/// Binds a text in UTF-8 with `csqlite_bind_text_copy` or `csqlite_bind_text_lent`.
@inline(__always)
func bindText(
  _ bytes: UnsafeBufferPointer<UInt8>,
  to statement: OpaquePointer,
  at index: Int32,
  _ bind: (OpaquePointer, Int32, UnsafePointer<CChar>?, Int32) -> Int32 = csqlite_bind_text_copy
) -> Int32 {
  // A null pointer would bind NULL, not an empty text.
  guard let base = bytes.baseAddress, !bytes.isEmpty else { return csqlite_bind_text_copy(statement, index, "", 0) }
  return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
    bind(statement, index, $0, Int32(bytes.count))
  }
}

extension Statement {
  /// Reads an id that was bound as one.
  func entityID(_ column: Int32) -> EntityID {
    let isUUID = isBlob(column)
    let bytes = borrowedBytes(column)
    guard isUUID, bytes.count == 16 else { return .text(Array(bytes)) }
    return .uuid(
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }
}
