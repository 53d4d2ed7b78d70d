import FoundationEssentials

/// What the app is about: notes by number, a line each in a file.
struct Model {
  let file: String
  var notes: [Int: String] = [:]

  init(file: String) {
    self.file = file
    let text = (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? "1 Buy milk\n2 Call home\n"
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if let id = Int(parts[0]) { notes[id] = String(parts.last ?? "") }
    }
  }

  mutating func delete(_ id: Int) {
    notes[id] = nil
    let text = notes.map { "\($0.key) \($0.value)\n" }.sorted().joined()
    try? text.write(to: URL(filePath: file), atomically: true, encoding: .utf8)
  }
}
