/// The refusals that several commands and reads share, in their words.
extension StoreError {
  static func noScene(_ app: String, _ scene: String) -> StoreError {
    StoreError(.sceneNotFound, "app \(app) has no scene \(scene)", remedy: "look at the list of its scenes") {
      $0.app = app
      $0.scene = scene
    }
  }

  static func noRevision(_ app: String, _ scene: String, _ revision: Int) -> StoreError {
    StoreError(
      .revisionNotFound,
      "scene \(scene) of app \(app) has no revision \(revision), or no longer",
      remedy: "look at the list of its revisions"
    ) {
      $0.app = app
      $0.scene = scene
      $0.revision = revision
    }
  }

  static func expired(_ app: String, _ scene: String, savedAt: Int, seconds: Int) -> StoreError {
    StoreError(
      .sceneExpired,
      "scene \(scene) of app \(app) was neither saved nor launched for more than \(seconds) seconds",
      remedy: "ask for it all the same (expired), or for a revision by number"
    ) {
      $0.app = app
      $0.scene = scene
      $0.savedAt = savedAt
      $0.maximum = seconds
    }
  }

  static func limit(_ name: String, _ maximum: Int, _ actual: Int, _ what: String, remedy: String) -> StoreError {
    StoreError(.limitExceeded, "\(what): \(actual), at most \(maximum)", remedy: remedy) {
      $0.limit = name
      $0.maximum = maximum
      $0.actual = actual
    }
  }

  static func noSync(_ sync: String) -> StoreError {
    StoreError(
      .syncNotFound,
      "no sync \(sync) is under way: it has lapsed, was ended, or is another kind's",
      remedy: "begin a new one and put all ids again"
    ) { $0.sync = sync }
  }

  /// No stored revision can be read.
  static func unreadable(_ app: String, _ scene: String, _ revision: Int, in path: String) -> StoreError {
    StoreError(
      .storageFailed,
      "revision \(revision) of scene \(scene) of app \(app) is damaged in \(path), and no older one can take its place",
      remedy: "save the scene again; look into the disk"
    ) {
      $0.app = app
      $0.scene = scene
      $0.revision = revision
    }
  }

  /// What is said of a damaged revision that an older one took the place of.
  static func damage(_ app: String, _ scene: String, _ revision: Int, in path: String) -> String {
    "revision \(revision) of scene \(scene) of app \(app) is damaged in \(path), the one before it was served: "
      + "look into the disk, and save the scene again"
  }
}
