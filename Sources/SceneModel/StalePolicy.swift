/// What restoring does with a stale route.
public enum StalePolicy: String, Hashable, Sendable, CaseIterable {
  /// Leaves out that route alone.
  case drop
  /// Leaves out that route and every route above it in its stack.
  case truncate
  /// Leaves the state as saved, byte for byte; stale routes are only reported.
  case keep
}
