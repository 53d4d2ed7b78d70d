import Dispatch
import SceneRouting

var model = Model(file: CommandLine.arguments.dropFirst().first ?? "notes.txt")
let router = Router<Notes>(selected: .all)
let kept = await begin(router, model)
show()
for await line in typedLines() {
  await carryOut(line.split(separator: " ").map(String.init))
  show()
}
await kept.end()

/// Says where the person is.
@MainActor func show() {
  let path = router.path.map { route in
    switch route {
    case .note(let id): model.notes[id] ?? "note \(id)"
    case .search(let text): "search for \(text)"
    }
  }
  print(([router.selectedTab.rawValue] + path).joined(separator: " > "))
}

@MainActor func carryOut(_ words: [String]) async {
  switch (words.first, words.dropFirst().first) {
  case ("open", let id?): if let id = Int(id) { router.push(.note(id: id)) }
  case ("search", let text?): router.push(.search(text: text))
  case ("tab", let name?): if let tab = Notes.Tab(rawValue: name) { router.select(tab) }
  case ("back", _): router.back()
  case ("delete", let id?):
    guard let id = Int(id) else { return }
    model.delete(id)
    await close(id, in: router)
  default: print("open NUMBER, search TEXT, tab NAME, back, delete NUMBER")
  }
}

/// What is typed, line by line: read on another thread, so that the main actor is free to save meanwhile.
func typedLines() -> AsyncStream<String> {
  AsyncStream { continuation in
    DispatchQueue.global().async {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
  }
}
