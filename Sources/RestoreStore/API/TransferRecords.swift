import SceneModel

/// What of a state is kept with it.
package struct StateContent: Sendable {
  /// The state, byte for byte.
  let bytes: [UInt8]
  /// Of the value, order-free.
  let hash: UInt64
  /// Routes on all stacks.
  let routes: Int
  /// The selected tab in UTF-8; nil for none.
  let selectedTab: ArraySlice<UInt8>?

  /// What is kept of a state that was checked.
  ///
  /// Much smaller in memory than the checked state itself.
  package init(_ state: SceneState) {
    self.init(bytes: state.bytes, hash: state.valueHash, routes: state.routes, selectedTab: state.selectedTabBytes)
  }

  init(bytes: [UInt8], hash: UInt64, routes: Int, selectedTab: ArraySlice<UInt8>?) {
    self.bytes = bytes
    self.hash = hash
    self.routes = routes
    self.selectedTab = selectedTab
  }
}

/// One record of what a user owns, as `StoreReader.advance` reads it.
package enum StoredRecord: Sendable {
  /// One revision of a scene. Times are milliseconds since 1970 in UTC. `first`: the oldest one that is given of its
  /// scene; `closedAt`: nil while the scene is open.
  case state(app: String, scene: String, first: Bool, savedAt: Int, closedAt: Int?, confirmed: Bool, bytes: [UInt8])
  /// Ids of a declared kind, all or a portion. `version`: with the last portion, where it is what the ids were taken
  /// from.
  case entities(app: String, kind: String, version: String?, ids: [String])
  /// An app's route table.
  case routes(app: String, bytes: [UInt8])
}

/// One record to be taken in; names and ids have been checked by the caller.
package enum ImportedRecord: Sendable {
  /// See `ImportedState`.
  case state(ImportedState)
  /// Ids of a kind, which it declares.
  case entities(app: String, kind: String, version: String?, ids: [EntityID])
  /// An app's route table.
  case routes(app: String, RouteTable)
}

/// One revision of a scene to be taken in.
package struct ImportedState: Sendable {
  /// The app.
  package let app: String
  /// The scene; made where there is none.
  package let scene: String
  /// Whether the scene begins with it: there must be none, or it is to be replaced.
  package let isFirst: Bool
  /// When it was saved, in milliseconds since 1970 in UTC; nil: now.
  package let savedAt: Int?
  /// When the scene was closed; nil: it is open.
  package let closedAt: Int?
  /// Whether an app showed it and lived.
  package let isConfirmed: Bool
  /// The state.
  package let content: StateContent

  /// Makes one; each parameter is the member of the same name.
  package init(
    app: String,
    scene: String,
    isFirst: Bool,
    savedAt: Int?,
    closedAt: Int?,
    isConfirmed: Bool,
    content: StateContent
  ) {
    self.app = app
    self.scene = scene
    self.isFirst = isFirst
    self.savedAt = savedAt
    self.closedAt = closedAt
    self.isConfirmed = isConfirmed
    self.content = content
  }
}

/// Records to be taken in, each made when its turn comes: a large import never lies decoded in memory as a whole.
package struct RecordSource: Sendable {
  /// How many there are.
  package let count: Int
  /// Makes the record of an index from 0, or says why it is none, as `StoreError.invalidRecord` does.
  ///
  /// Called on the writer's thread; perhaps more than once for one index.
  package let record: @Sendable (_ index: Int) -> Result<ImportedRecord, StoreError>

  /// Makes a source; each parameter is the member of the same name.
  package init(count: Int, record: @escaping @Sendable (_ index: Int) -> Result<ImportedRecord, StoreError>) {
    self.count = count
    self.record = record
  }
}

extension StoreError {
  /// Why a record cannot be taken.
  ///
  /// - Parameters:
  ///   - index: which one, from 0.
  ///   - reason: what is wrong with it, in words that follow "record 3:".
  package static func invalidRecord(_ index: Int, _ reason: String) -> StoreError {
    StoreError(.invalidRecord, "record \(index): \(reason)", remedy: "correct it; none of the call's records was taken")
    {
      $0.index = index
      $0.reason = reason
    }
  }
}
