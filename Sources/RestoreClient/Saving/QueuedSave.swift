/// A state that waits to be saved.
struct QueuedSave: Sendable {
  /// The state; encoded only when it is its turn, for most are overtaken before.
  let state: any Encodable & Sendable
  /// Whether the app saves by itself.
  var autosave: Bool
  /// Where an attempt ended in doubt, the revision before it.
  var doubt: Int?
}

/// What waits in a queue, and who sees to it.
struct SaveQueueState: Sendable {
  private var waiting: [[UInt8]: QueuedSave] = [:]
  /// The scenes that wait, first come first.
  private(set) var order: [SceneHandle] = []
  /// The scenes of which a save is under way.
  var saving: [[UInt8]: SceneHandle] = [:]
  /// Why each scene's last queued save failed.
  var failures: [[UInt8]: RestoreError] = [:]
  /// Scenes that are being ended: what comes for them is dropped.
  private var ending: [[UInt8]: Int] = [:]
  private var endingAll = 0
  private var isDraining = false

  func isWaiting(_ key: [UInt8]) -> Bool { waiting[key] != nil }

  /// Takes a state in; answers whether nobody sees to the queue yet.
  mutating func add(_ save: QueuedSave, of scene: SceneHandle) -> Bool {
    let key = scene.key
    guard endingAll == 0, ending.isEmpty || ending[key] == nil else { return false }
    var save = save
    // What was to stay in the history still does when something newer is saved in its place.
    if let older = waiting[key], !older.autosave { save.autosave = false }
    if waiting.updateValue(save, forKey: key) == nil { order.append(scene) }
    defer { isDraining = true }
    return !isDraining
  }

  mutating func take(_ key: [UInt8]) -> QueuedSave? {
    guard let save = waiting.removeValue(forKey: key) else { return nil }
    order.removeAll { $0.key == key }
    return save
  }

  /// Takes out what waits of a scene, to be saved.
  mutating func begin(_ scene: SceneHandle) -> QueuedSave? {
    guard let save = take(scene.key) else { return nil }
    saving[scene.key] = scene
    return save
  }

  /// Drops what waits of a scene, or of all, and what comes from here on.
  mutating func beginEnding(_ key: [UInt8]?) {
    if let key {
      ending[key, default: 0] += 1
      _ = take(key)
      failures[key] = nil
    } else {
      endingAll += 1
      waiting = [:]
      order = []
      failures = [:]
    }
  }

  mutating func finishEnding(_ key: [UInt8]?) {
    guard let key else { return endingAll -= 1 }
    ending[key] = ending[key].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Whether nothing waits: then nobody sees to the queue any more.
  mutating func mayStopDraining() -> Bool {
    if waiting.isEmpty { isDraining = false }
    return !isDraining
  }
}

extension RestoreError {
  /// Whether the same save may well succeed later.
  var isPassing: Bool {
    switch self {
    case .unavailable, .timedOut, .cancelled, .storageFull, .storageFailed, .quotaExceeded: true
    default: false
    }
  }
}
