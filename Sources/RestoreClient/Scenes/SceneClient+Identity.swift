extension SceneClient {
  /// Whether both speak for the same app to the same service, so that they see the same scenes.
  package func sharesScenes(with other: SceneClient) -> Bool {
    guard app.utf8.elementsEqual(other.app.utf8) else { return false }
    let (mine, others) = (caller.exchange, other.caller.exchange)
    if (mine as AnyObject) === (others as AnyObject) { return true }
    // Of stores in memory, each is one of its own.
    return mine is DaemonLink && others is DaemonLink && mine.place.utf8.elementsEqual(others.place.utf8)
  }
}
