import TestSupport
import Testing

/// What holds of the sources themselves.
@Suite("The router's sources") struct SourceRulesTests {
  private let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private func files(_ folder: String) -> [String] {
    Finished("find", ["\(root)/\(folder)", "-name", "*.swift"]).text.split(separator: "\n").map(String.init)
  }

  @Test("rule 51: routes, states and router use nothing that only one platform has, and no user interface")
  func imports() {
    let allowed: Set = ["FoundationEssentials", "JSONText", "Observation", "RestoreClient", "SceneModel"]
    var seen = 0
    for folder in ["Routes", "State", "Router", "Table"] {
      for file in files("Sources/SceneRouting/\(folder)") {
        for line in String(decoding: Files.read(file), as: UTF8.self).split(separator: "\n") {
          guard let name = line.split(separator: "import ").last, line.contains("import "), !line.contains("///") else {
            continue
          }
          seen += 1
          #expect(allowed.contains(String(name)), "\(file): \(line)")
        }
      }
    }
    #expect(seen > 5)
  }

  @Test("every rule that docs/NAVIGATION.md says is tested has a test of its number, and every test its rule")
  func table() {
    let page = String(decoding: Files.read("\(root)/docs/NAVIGATION.md"), as: UTF8.self)
    var promised: Set<Int> = []
    var rules: [Int] = []
    for line in page.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingSpaces }
      guard let first = cells.first, let number = Int(first) else { continue }
      rules.append(number)
      if cells[cells.count - 1].hasPrefix("test") { promised.insert(number) }
    }
    #expect(rules == Array(1...rules.count) && rules.count > 90)
    var tested: Set<Int> = []
    for file in files("Tests") {
      for part in String(decoding: Files.read(file), as: UTF8.self).split(separator: "@Test(\"rule ").dropFirst() {
        if let number = Int(part.prefix { $0.isNumber }) { tested.insert(number) }
      }
    }
    #expect(promised == tested)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
