import JSONText

/// One array of routes on a walk through a stack: how far the walk is, and what it takes out.
struct StackLevel {
  /// The node of the array of routes.
  let array: Int
  /// The node of the list's `index`, where the array is that of a list that has one.
  let index: Int?
  /// Whether the routes are those of an ordered list, so that one may hold another list.
  let isList: Bool
  /// Whether the routes stand side by side, so that none is above another.
  let isSideBySide: Bool
  /// How many routes the walk has passed; the last of them stands at `count - 1`.
  private(set) var count = 0
  /// Whether a stale route takes with it all that follow.
  var isTruncating = false
  /// The nodes of the routes to take out, and their places, in order.
  private var removed: [(node: Int, place: Int)] = []
  private var cursor: Int
  private let end: Int

  /// A stack that is an array of routes.
  init(array: Int, in tape: JSONTape) {
    (self.array, index, isList, isSideBySide) = (array, nil, false, false)
    (cursor, end) = (array + 1, tape.next(array))
  }

  /// A stack, or what a route of one holds, that is an ordered list.
  init(list: OrderedList, in tape: JSONTape) {
    (array, index, isList, isSideBySide) = (list.routes, list.index, true, list.isSideBySide)
    (cursor, end) = (list.routes + 1, tape.next(list.routes))
  }

  /// The next route, or nil after the last.
  mutating func next(in tape: JSONTape) -> Int? {
    guard cursor < end else { return nil }
    defer {
      cursor = tape.next(cursor)
      count += 1
    }
    return cursor
  }

  /// Takes out the route that the walk passed last.
  mutating func remove(_ route: Int) { removed.append((route, count - 1)) }

  /// Whether there were routes, and none is left.
  var isEmptied: Bool { !removed.isEmpty && removed.count == count }

  /// Adds the cuts of a level whose walk is over, and makes `index` name the same route as before.
  func finish(in document: JSONDocument, _ edits: inout JSONEdits) {
    guard !removed.isEmpty else { return }
    var next = 0
    edits.removeElements(of: array, in: document) { node in
      guard next < removed.count, removed[next].node == node else { return false }
      next += 1
      return true
    }
    guard let index, let selected = position(index, in: document) else { return }
    let place = placeAfterRemoval(selected)
    if place != selected { edits.replace(document.range(index), with: Array(String(place).utf8)) }
  }

  /// The place that `index` names; nil where there is no such route.
  private func position(_ index: Int, in document: JSONDocument) -> Int? {
    guard let place = Int(document.string(index)), place >= 0, place < count else { return nil }
    return place
  }

  /// Where the selected route is then, or the nearest one left before it, else the first.
  private func placeAfterRemoval(_ selected: Int) -> Int {
    var before = 0
    for (_, place) in removed where place < selected { before += 1 }
    let isRemoved = removed.contains { $0.place == selected }
    return max(0, selected - before - (isRemoved ? 1 : 0))
  }
}
