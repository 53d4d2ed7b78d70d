import SceneModel

/// One thing to write, and whose it is.
///
/// A value that nobody changes, and a class so that handing it on does not copy what it holds.
package final class WriteCommand: Sendable {
  /// The user who owns what is written.
  package let uid: UInt32
  /// The app; the caller has checked the name (`Names.fault`).
  package let app: String
  /// What to do.
  package let action: Action
  /// About as many bytes as it brings, told without looking at each id.
  package let bytes: Int

  /// Makes a command; each parameter is the member of the same name.
  package init(uid: UInt32, app: String, _ action: Action) {
    self.uid = uid
    self.app = app
    self.action = action
    bytes =
      switch action {
      case .save(_, let state, _, _): state.bytes.count
      case .setRoutes(let table): table.bytes.count
      case .putEntities(_, let ids, _, _), .deleteEntities(_, let ids, _): ids.count * Self.idBytes
      default: 0
      }
  }

  /// What an id takes up as a rule, with its row.
  private static let idBytes = 64

  /// What a command does.
  ///
  /// Names of scenes and kinds, and ids, have been checked by the caller.
  package enum Action: Sendable {
    /// Saves a state. `ifRevision` fails the save unless it is the newest revision, 0: no such
    /// scene; nil: no condition. → `saved`
    case save(scene: String, state: StateContent, ifRevision: Int?, autosave: Bool)
    /// Saves an earlier revision as the newest, frees it and sets the count of launches to 0. → `rolledBack`
    case rollback(scene: String, revision: Int)
    /// Hides a scene; of an app's closed scenes the last 32 are kept. → `closed`
    case closeScene(scene: String)
    /// Opens a closed scene; nil: the one closed last. → `reopened`
    case reopenScene(scene: String?)
    /// Counts a launch and chooses what it is served. `expired`: whatever the scene's age. → `launched`
    case launch(scene: String, expired: Bool = false)
    /// Confirms a revision; nil: what the last launch was served. → `confirmed`
    case confirm(scene: String, revision: Int?)
    /// Sets the app's route table; a changed one resets the guard of its scenes. → `routesSet`
    case setRoutes(RouteTable)
    /// Erases a scene and its history. → `erasing`
    case forgetScene(scene: String)
    /// Erases every scene of the app, and its kinds unless `keepEntities`. → `erasing`, or `forgot` where there was none
    case resetApp(keepEntities: Bool)
    /// Erases all that the user owns; the command's app means nothing. → `erasing`, or `forgot` where there was nothing
    case forgetUser
    /// Erases a kind and its entities. → `erasing`, or `forgot` where there was none
    case forgetKind(kind: String)
    /// Adds entities and declares the kind; with `sync` only marks them as seen by it. → `put`
    ///
    /// `version` nil leaves the kind's as it is; in a sync it is kept for its end.
    case putEntities(kind: String, ids: [EntityID], sync: String?, version: String?)
    /// Removes entities. → `deleted`
    case deleteEntities(kind: String, ids: [EntityID], version: String?)
    /// Begins to replace all ids of a kind. An older sync of the kind lapses. → `syncBegan`
    case beginSync(kind: String)
    /// Ends a sync: what was neither put by it nor put by anyone since it began goes. → `syncEnded`
    ///
    /// `version` is the kind's from then on; nil: the one last put with the sync, else none.
    case endSync(sync: String, version: String?)
    /// Takes records that an export gave, all or none; the command's app means nothing. → `imported`
    ///
    /// A record that begins a scene which is there is refused; with `replace` the scene goes, and is scrubbed from the
    /// files later.
    case importRecords(RecordSource, replace: Bool)
  }
}
