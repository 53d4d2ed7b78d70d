/// What changed since a number, as far as the tables tell.
extension StoreReader {
  /// How far one user's count is.
  package struct UserCount: Sendable {
    /// The user.
    package let uid: UInt32
    /// The newest number given.
    package let revision: Int
    /// The number of the last erasure; 0: there was none.
    ///
    /// Nothing tells what it erased.
    package let forgotten: Int
  }

  /// Where each user's count is.
  ///
  /// - Throws: what SQLite reports.
  package func userCounts() throws(StoreError) -> [UserCount] {
    try reading { () throws(SQLiteError) in
      try statements.userCounts.all { row in
        UserCount(uid: UInt32(truncatingIfNeeded: row.integer(0)), revision: row.integer(1), forgotten: row.integer(2))
      }
    }
  }

  /// The newest number that the user's count has given; 0: none.
  ///
  /// - Throws: what SQLite reports.
  package func newest(of uid: UInt32) throws(StoreError) -> Int {
    try reading { () throws(SQLiteError) in
      try statements.userStatus.bind(Int(uid))
      return try statements.userStatus.first { $0.integer(0) } ?? 0
    }
  }

  /// Finds the last change of each scene, kind and route table that is there, by number.
  ///
  /// What was erased has no row and is not among them. A scene, kind or table whose last change is beyond `numbers`
  /// is not either. Reads the heads of all scenes that the filter lets pass: in proportion to them, not to the changes.
  ///
  /// - Parameters:
  ///   - app: nil: all of the user's apps.
  ///   - scene: nil: all scenes. Kinds and tables are found whatever it says.
  ///   - numbers: the numbers that are wanted.
  ///   - limit: how many changes at most; those with the smallest numbers come.
  /// - Throws: what SQLite reports.
  package func lastChanges(
    uid: UInt32,
    app: String?,
    scene: String?,
    numbers: ClosedRange<Int>,
    limit: Int
  ) throws(StoreError) -> [StoreChange] {
    try reading { () throws(SQLiteError) in
      try statements.lastChanges.bind(Int(uid), app, scene, numbers.lowerBound, numbers.upperBound, limit)
      return try statements.lastChanges.all { row in
        let subject: StoreChange.Subject
        let type: StoreChange.Kind
        switch row.integer(0) {
        case 0...2:
          subject = .scene(row.text(4))
          type = row.integer(0) == 0 ? .saved : row.integer(0) == 1 ? .reopened : .closed
        case 3:
          let key = Int64(row.integer(5))
          subject = .kind(row.text(4), key: key)
          type = .entitiesChanged(declared: row.bool(6), syncing: syncing.contains(key))
        default: (subject, type) = (.routes, .routesChanged)
        }
        return StoreChange(
          uid: uid,
          app: row.text(3),
          subject: subject,
          type: type,
          revision: row.integer(1),
          time: row.integer(2)
        )
      }
    }
  }
}
