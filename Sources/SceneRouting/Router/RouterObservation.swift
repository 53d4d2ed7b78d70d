import Observation

/// What a router's observers are registered with.
///
/// It is not generic: the macro on a generic class builds its key paths anew at each access, which costs thirty times
/// what the access does. Here they are made once.
final class RouterObservation: Observable, Sendable {
  /// One part of a router, for its key path alone.
  struct Part: Sendable {
    fileprivate let path: any KeyPath<RouterObservation, Void> & Sendable

    static let selectedTab = Part(path: \.selectedTab)
    static let stacks = Part(path: \.stacks)
    static let columns = Part(path: \.columns)
    static let modals = Part(path: \.modals)
    static let badges = Part(path: \.badges)
    static let values = Part(path: \.values)
    static let root = Part(path: \.root)

    static let ofState = [selectedTab, stacks, columns, modals, badges, values]
  }

  private let registrar = ObservationRegistrar()

  private var selectedTab: Void { () }
  private var stacks: Void { () }
  private var columns: Void { () }
  private var modals: Void { () }
  private var badges: Void { () }
  private var values: Void { () }
  private var root: Void { () }

  /// Whoever asks is told when the part changes.
  func access(_ part: Part) { registrar.access(self, keyPath: part.path) }

  /// The part is about to change.
  func willChange(_ part: Part) { registrar.willSet(self, keyPath: part.path) }

  /// The part has changed.
  func didChange(_ part: Part) { registrar.didSet(self, keyPath: part.path) }
}
