import CSQLite

/// One prepared statement.
///
/// Bad SQL fails here, when the store is opened, and not at some later call.
///
/// Parameters are numbered from 1, columns from 0, as SQLite does. Texts and blobs go with their
/// lengths: no byte ends them.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  private let sql: StaticString

  /// Prepares `sql`, one statement, for use many times over.
  init(_ sql: StaticString, on connection: borrowing Connection) throws(SQLiteError) {
    var handle: OpaquePointer?
    SQLiteError.forgetSystemError()
    let code = sqlite3_prepare_v3(
      connection.database,
      UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
      Int32(sql.utf8CodeUnitCount),
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &handle,
      nil
    )
    guard code == SQLITE_OK, let handle else { throw SQLiteError(code, on: connection.database, sql: sql) }
    self.handle = handle
    self.sql = sql
    database = connection.database
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: Running

  /// Goes on to the next row.
  ///
  /// At the end, and on an error, the statement is ready to be bound anew.
  ///
  /// - Returns: whether there is a row.
  func step() throws(SQLiteError) -> Bool {
    SQLiteError.forgetSystemError()
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let error = code == SQLITE_DONE ? nil : SQLiteError(code, on: database, sql: sql)
    sqlite3_reset(handle)
    if let error { throw error }
    return false
  }

  /// Reads the first row and lets go of the others; nil where there is none.
  func first<Value>(_ read: (borrowing Statement) -> Value) throws(SQLiteError) -> Value? {
    guard try step() else { return nil }
    defer { reset() }
    return read(self)
  }

  /// Reads all rows.
  func all<Value>(_ read: (borrowing Statement) -> Value) throws(SQLiteError) -> [Value] {
    var values: [Value] = []
    while try step() { values.append(read(self)) }
    return values
  }

  /// Runs a statement that gives no rows.
  func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Lets go of the rows that were not read.
  ///
  /// Bindings stay.
  func reset() { sqlite3_reset(handle) }

  /// Rows that the statement which ran last inserted, updated or deleted.
  var changes: Int { Int(sqlite3_changes64(database)) }

  // MARK: Binding

  /// Binds the parameters from the first one on.
  func bind<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      let code = value.bind(to: handle, at: index)
      if code != SQLITE_OK { throw SQLiteError(code, on: database, sql: sql) }
    }
  }

  /// Binds one parameter.
  ///
  /// For a statement that runs all the time: a parameter pack is walked when the program runs, which takes as long as
  /// what SQLite does.
  @inline(__always)
  func bind(_ value: some Bindable, at index: Int32) throws(SQLiteError) {
    try check(value.bind(to: handle, at: index))
  }

  /// Runs a statement that gives no rows with a blob that SQLite reads in place.
  func run(lending blob: [UInt8], at index: Int32) throws(SQLiteError) {
    try blob.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
      let code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : csqlite_bind_blob_lent(handle, index, bytes.baseAddress, Int32(bytes.count))
      try check(code)
      // SQLite reads it in place until the parameter is bound to something else.
      defer { sqlite3_bind_null(handle, index) }
      try run()
    }
  }

  /// Runs a statement that gives no rows with a text in UTF-8 and a blob that SQLite reads in place.
  ///
  /// - Parameters:
  ///   - text: nil: NULL.
  ///   - index: the text's parameter; the blob's is the next one.
  func run(lending text: ArraySlice<UInt8>?, _ blob: [UInt8], from index: Int32) throws(SQLiteError) {
    // Bound to nothing again after each run.
    guard let text else { return try run(lending: blob, at: index + 1) }
    try text.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
      try check(bindText(bytes, to: handle, at: index, csqlite_bind_text_lent))
      defer { sqlite3_bind_null(handle, index) }
      try run(lending: blob, at: index + 1)
    }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw SQLiteError(code, on: database, sql: sql) }
  }

  // MARK: Reading the row

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  func bool(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }

  func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// The bytes of a text or a blob.
  func bytes(_ column: Int32) -> [UInt8] { Array(borrowedBytes(column)) }

  /// The bytes of a text or a blob, in place: gone with the next step or reset.
  func borrowedBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // The pointer first, its length after: the other order may convert the value in between.
    // https://sqlite.org/c3ref/column_blob.html
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
