import FoundationEssentials
import Glibc
import Observation
import RestoreClient
import SceneRouting

/// The app: its windows, its model, and what keys do.
@MainActor final class App {
  /// As the service knows this app, whichever of its processes calls.
  static let client = SceneClient(app: "org.example.Boards", timeout: .seconds(3))

  let client = App.client
  let file: String
  let terminal = Terminal()
  var model: Model
  var windows: [Window] = []
  var current = 0
  var isDrawn = false
  /// Whether all windows are where they were: until then nothing is shown that could be changed.
  var isReady = false

  init(file: String) {
    self.file = file
    model = Model(file: file)
  }

  var window: Window { windows[current] }
  var router: Router<Boards> { window.router }

  // MARK: Beginning and ending

  /// Shows the windows that were open, and follows a link.
  func begin(link: URL?) async {
    await tellWhatExists()
    // Last saved first: that is the one in front.
    let open = (try? await client.scenes().map(\.scene)) ?? []
    windows = (open.isEmpty ? ["window-1"] : open.sorted()).map { Window(id: $0, isSignedIn: model.isSignedIn) }
    current = open.first.flatMap { id in windows.firstIndex { $0.id == id } } ?? 0
    if model.isSignedIn {
      for window in windows { await begin(window, link: window === self.window ? link : nil) }
    } else if let link {
      // It waits there until somebody is logged in.
      router.open(link)
    }
    isReady = true
    isDrawn = false
  }

  private func begin(_ window: Window, link: URL? = nil) async {
    await window.begin(client, link: link) { [terminal] in
      terminal.close()
    } changed: { [weak self] in
      self?.readAgain()
    }
    isDrawn = false
  }

  /// The model is this app's: each start tells the service what there is, for the case that it was away.
  private func tellWhatExists() async {
    do throws(RestoreError) {
      try await client.entities("board").sync(model.boards.map(\.id))
      try await client.entities("card").sync(model.cards.map(\.id))
    } catch { return }
  }

  func quit() async {
    for window in windows { await window.kept?.end() }
    terminal.close()
    exit(0)
  }

  /// Goes to the background, as ^Z asks; comes back where it was.
  func suspend() async {
    for window in windows { try? await window.kept?.flush() }
    terminal.close()
    kill(getpid(), SIGTSTP)
    terminal.open()
    isDrawn = false
  }

  // MARK: Drawing

  /// Draws anew if something that was drawn has changed.
  func drawIfNeeded() {
    guard !isDrawn, isReady else { return }
    isDrawn = true
    let lines = withObservationTracking {
      screen.lines
    } onChange: { [self] in
      // Told on the main actor, where alone a router changes.
      MainActor.assumeIsolated { isDrawn = false }
    }
    terminal.draw(lines)
  }

  var screen: Screen {
    Screen(
      router: router,
      model: model,
      size: terminal.size,
      place: (current, windows.count),
      note: window.note
    )
  }

  // MARK: Windows

  func newWindow() async {
    let numbers = windows.compactMap { Int($0.id.split(separator: "-").last ?? "") }
    let window = Window(id: "window-\((numbers.max() ?? 0) + 1)", isSignedIn: true)
    await begin(window)
    windows.append(window)
    current = windows.count - 1
  }

  func closeWindow() async {
    guard windows.count > 1 else { return await quit() }
    let closed = windows.remove(at: current)
    current = min(current, windows.count - 1)
    isDrawn = false
    try? await closed.kept?.close()
  }

  // MARK: The model

  func addCard(_ title: String, to board: String) {
    guard let card = model.add(title, to: board) else { return }
    changed()
    Task { try? await client.entities("card").put(card.id) }
  }

  func deleteCard(_ id: String) {
    model.delete(card: id)
    changed()
    for window in windows { window.router.entityWasDeleted("card", id) }
    Task { try? await client.entities("card").delete(id) }
  }

  func changed() {
    model.write(to: file)
    isDrawn = false
  }

  /// Another process may have changed the file.
  private func readAgain() {
    model = Model(file: file)
    isDrawn = false
  }

  func logIn() async {
    model.isSignedIn = true
    changed()
    await tellWhatExists()
    for window in windows {
      if window.kept == nil { await begin(window) }
      window.router.setUpRoot()
    }
  }

  func logOut() async {
    model.isSignedIn = false
    changed()
    window.note = ""
    try? await window.kept?.logOut()
    windows = [window]
    current = 0
    isDrawn = false
  }
}
