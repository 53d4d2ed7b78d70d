import FoundationEssentials

struct Card: Codable, Hashable {
  var id: String
  var title: String
}

struct Board: Codable, Hashable {
  var id: String
  var title: String
  var cards: [Card]
}

/// What the app is about, in one file: navigation is kept elsewhere, and refers to it by ids.
struct Model: Codable, Hashable {
  var boards: [Board]
  var isSignedIn = true

  static let sample = Model(boards: [
    Board(
      id: "b1",
      title: "House",
      cards: [Card(id: "c1", title: "Fix the door"), Card(id: "c2", title: "Paint the wall")]
    ),
    Board(
      id: "b2",
      title: "Garden",
      cards: [Card(id: "c3", title: "Plant a tree"), Card(id: "c4", title: "Mow the lawn")]
    ),
  ])

  /// Reads the file; where there is none yet, the sample.
  init(file: String) {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      self = .sample
      return
    }
    self = (try? JSONDecoder().decode(Model.self, from: data)) ?? .sample
  }

  init(boards: [Board]) { self.boards = boards }

  func write(to file: String) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try? encoder.encode(self).write(to: URL(filePath: file), options: .atomic)
  }

  func board(_ id: String) -> Board? { boards.first { $0.id == id } }

  func card(_ id: String) -> Card? { cards.first { $0.id == id } }

  var cards: [Card] { boards.flatMap(\.cards) }

  /// The board that a card is on.
  func board(of card: String) -> Board? { boards.first { $0.cards.contains { $0.id == card } } }

  mutating func add(_ title: String, to board: String) -> Card? {
    guard let place = boards.firstIndex(where: { $0.id == board }) else { return nil }
    let number = (cards.compactMap { Int($0.id.dropFirst()) }.max() ?? 0) + 1
    let card = Card(id: "c\(number)", title: title)
    boards[place].cards.append(card)
    return card
  }

  mutating func delete(card: String) {
    for place in boards.indices { boards[place].cards.removeAll { $0.id == card } }
  }
}
