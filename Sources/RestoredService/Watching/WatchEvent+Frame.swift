import RestoreInterface
import RestoreStore
import Varlink

extension WatchEvent {
  /// A change in the words of the interface; nil for one that no watcher is told of.
  init?(_ change: StoreChange) {
    let type: WatchEventType
    switch change.type {
    case .saved: type = .saved
    case .closed: type = .closed
    case .reopened: type = .reopened
    case .forgotten: type = .forgotten
    case .entitiesChanged: type = .entitiesChanged
    case .routesChanged: type = .routesChanged
    case .syncing: return nil
    }
    self.init(type: type, revision: change.revision, time: Timestamp.text(Int64(change.time)), app: change.app)
    switch change.subject {
    case .scene(let name): scene = name
    case .kind(let name, key: _): kind = name
    case .routes: break
    }
  }

  /// An event of no app: `ready` or `gap`, of now.
  init(_ type: WatchEventType, revision: Int) {
    self.init(type: type, revision: revision, time: Timestamp.text(Int64(StoreClock.system.wall())))
  }

  /// The whole message that tells a watcher.
  var frame: [UInt8] { ReplyFrame.make(Watch.Reply(event: self).encoded, continues: true) }
}
