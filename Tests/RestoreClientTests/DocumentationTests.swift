import Foundation
import Testing

@Suite struct DocumentationTests {
  @Test(
    "The code that the documentation shows is code that compiles",
    arguments: [
      ("Sources/RestoreClient/RestoreClient.docc/RestoreClient.md", "DocumentedOverview", 17),
      ("README.md", "DocumentedReadme", 6),
    ]
  )
  func compiles(_ page: String, _ place: String, _ least: Int) throws {
    let here = URL(filePath: #filePath)
    let code = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "DocumentedCode.swift"),
      encoding: .utf8
    )
    let part = try #require(code.range(of: "enum \(place) {"))
    let compiled = code[part.upperBound...].split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    var rest = compiled[...]
    var count = 0
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    for block in blocks where block.contains("org.example.Notes") || place != "DocumentedReadme" {
      for line in block.split(separator: "\n") where !line.hasPrefix("import ") {
        let shown = line.trimmingCharacters(in: .whitespaces)
        let index = try #require(rest.firstIndex(of: shown), "\(page) shows what is not compiled: \(shown)")
        rest = rest[(index + 1)...]
        count += 1
      }
    }
    #expect(count >= least)
  }
}
