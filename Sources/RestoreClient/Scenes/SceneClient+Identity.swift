extension SceneClient {
  /// Whether both are copies of one client, with one queue of saves.
  package func isCopy(of other: SceneClient) -> Bool { queue === other.queue }

  /// Whether both speak for the same app to the same service, so that they see the same scenes.
  package func sharesScenes(with other: SceneClient) -> Bool {
    guard app.utf8.elementsEqual(other.app.utf8) else { return false }
    let (mine, others) = (caller.link, other.caller.link)
    if mine === others { return true }
    guard let mine = mine.connector as? SocketChoice, let others = others.connector as? SocketChoice else {
      // Of daemons inside a process, each is one of its own.
      return false
    }
    return mine.place.utf8.elementsEqual(others.place.utf8)
  }
}
