import Glibc
import TestSupport
import Testing

@Suite("The tutorial") struct TutorialTests {
  private let daemon = DaemonProcess()
  private let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private func text(_ path: String) -> String { String(decoding: Files.read("\(root)/\(path)"), as: UTF8.self) }

  private func run(_ typed: String) -> String {
    let finished = Finished(
      Files.products + "/notes-tutorial",
      [daemon.folder.file("notes.txt")],
      environment: ["RESTORED_SOCKET": daemon.socket],
      input: typed.utf8
    )
    #expect(finished.ending == .exit(0), "\(finished.errors)")
    return finished.text
  }

  @Test("its app does what the tutorial says")
  func app() {
    #expect(run("open 1\nsearch bread\n") == "all\nall > Buy milk\nall > Buy milk > search for bread\n")
    #expect(run("") == "all > Buy milk > search for bread\n")
    daemon.folder.write("2 Call home\n".utf8, to: "notes.txt")
    #expect(run("") == "no longer there: note 1\nall > search for bread\n")
    #expect(run("back\nopen 2\ndelete 2\n").hasSuffix("all\nall > Call home\nall\n"))
    daemon.kill()
    #expect(run("tab archive\n") == "all\narchive\n")
    daemon.start()
  }

  @Test("all code of its app is in it, and all code in it, but for the test, is the app's")
  func snippets() {
    let page = text("Sources/SceneRouting/SceneRouting.docc/Tutorial.md")
    let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    let app = ["Model", "Navigation", "main", "Restoring"].map { text("Examples/Tutorial/\($0).swift") }
    for block in blocks.dropLast() { #expect(app.contains { $0.contains(block) }, "\(block)") }
    var rest = app.joined()
    for block in blocks { rest = rest.split(separator: block).joined() }
    #expect(rest.allSatisfy { $0 == "\n" }, "\(rest)")
    #expect(blocks.count == 6)
  }

  @Test("what restores its app has at most 30 lines")
  func lines() {
    #expect(text("Examples/Tutorial/Restoring.swift").split(separator: "\n").count <= 30)
  }
}
