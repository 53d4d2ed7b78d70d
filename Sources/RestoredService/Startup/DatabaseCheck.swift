import Glibc
import RestoreStore

/// `restored --check`: looks at the database, and says what is wrong with it and what a start would do about it.
enum DatabaseCheck {
  /// Examines the database in `folder` and prints what was found, a line for each problem.
  ///
  /// - Returns: how many problems there are.
  static func run(_ folder: String, _ print: (String) -> Void) throws(DaemonFault) -> Int {
    let found: Examination
    do throws(StoreError) { found = try Examination(folder: folder) } catch { throw fault(error, in: folder) }
    for problem in found.problems { print("\(found.path): \(problem)\n") }
    let state = found.problems.isEmpty ? "all sound" : "damaged"
    print("\(found.path): \(counted(found.scenes, "scene")), \(counted(found.revisions, "revision")), \(state)\n")
    for note in found.notes { print("\(note)\n") }
    return found.problems.count
  }

  /// Nothing is made where there is nothing, so what cannot be opened may well not be there.
  private static func fault(_ error: StoreError, in folder: String) -> DaemonFault {
    let path = folder + "/restored.sqlite3"
    guard error.code == .folderUnusable, access(path, F_OK) != 0, errno == ENOENT else { return DaemonFault(error) }
    return DaemonFault(
      exit: .cannotCreate,
      message: "there is no database at \(path); name the folder of one with --state-dir"
    )
  }

  private static func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
}
