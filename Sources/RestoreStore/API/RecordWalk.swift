import SceneModel

/// Where a walk through all that a user owns is: `StoreReader.advance` takes it a step further.
///
/// It holds no transaction and no record, only a place, and a number for each scene of the app that it is in.
///
/// Apps come by name. Of each, first its route table, which says how much history is kept; then its kinds by name; then
/// its scenes in the order in which they were saved last, the closed ones in the order in which they were closed, so
/// that whoever takes them in that order lists and reopens them as they were. Of each scene, its revisions, oldest
/// first.
package struct RecordWalk: Sendable {
  enum Stage {
    case nextApp
    case routes
    /// The kind after this name.
    case nextKind(after: String)
    case ids(KindPlace)
    /// The scenes after this name are put in order.
    case ordering(after: String)
    case nextScene
    case revisions(ScenePlace)
    case done
  }

  /// Where in a kind's ids the walk is.
  struct KindPlace {
    let key: Int
    let name: String
    /// The number of the kind's last change when the walk came to it.
    let revision: Int
    /// The last id that was given; nil: none yet.
    var after: EntityID?
  }

  /// Where in a scene's revisions the walk is.
  struct ScenePlace {
    let key: Int
    /// The newest revision when the walk came to the scene: the walk ends with that one, or a newer one.
    let newest: Int
    /// The last revision that was passed; 0: none yet.
    var last = 0
    /// Whether one was given.
    var hasBegun = false
  }

  package let uid: UInt32
  /// The app that is walked through alone; nil: all are.
  let onlyApp: String?
  var app: (key: Int, name: String) = (0, "")
  var stage = Stage.nextApp
  /// The scenes still to come, the next one last, each with what it is ordered by.
  var scenes: [(order: Int, key: Int)] = []
  /// What of the stored revisions and tables was found damaged and is left out, one sentence each with what to do.
  package internal(set) var faults: [String] = []

  /// Whether all was given.
  package var isDone: Bool { if case .done = stage { true } else { false } }

  /// A walk that has not begun.
  ///
  /// - Parameters:
  ///   - uid: whose records they are.
  ///   - app: one app's alone; nil: all of the user's. An app there is not has none.
  package init(uid: UInt32, app: String? = nil) {
    self.uid = uid
    onlyApp = app
  }
}
