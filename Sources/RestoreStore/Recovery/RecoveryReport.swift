/// What was found in the database's place, and what became of it.
package struct RecoveryReport: Hashable, Sendable {
  /// What was wrong, as it follows the database's path.
  package let cause: String
  /// The database's path.
  package let database: String
  /// Where the file that could not be used is kept.
  package let kept: String
  /// What was recovered; nil: the file was not this program's.
  package let recovered: Recovered?

  /// All of it in one sentence without a full stop.
  package var sentence: String {
    guard let recovered else {
      return "\(database) \(cause): it was set aside as \(kept), not a byte of it changed, and an empty database begun"
    }
    let losses = recovered.losses
    let lost = losses.isEmpty ? "nothing is known to be lost" : "lost: \(losses.joined(separator: ", "))"
    return "\(database) \(cause): what could be read is in a new database (\(recovered.gains)), \(lost); "
      + "the damaged file is kept as \(kept)"
  }

  /// The sentence, and what was lost by name.
  var text: String {
    let told = recovered?.told ?? []
    return sentence + "\n" + (told.isEmpty ? "" : "\nNot recovered:\n" + told.map { "- \($0)\n" }.joined())
  }
}

extension Recovered {
  /// What there is.
  package var gains: String { "\(scenes) scenes, \(revisions) revisions, \(entities) entities" }

  /// What is known to be missing.
  package var losses: [String] {
    [
      (missingScenes, "scenes"), (damagedRevisions, "revisions whose checksum does not hold"),
      (namelessScenes, "the names of scenes that there are revisions of"),
      (doubtfulKinds, "kinds with ids missing, which are undeclared until their apps put them again"),
      (damagedTables, "route tables, which their apps have to set again"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
