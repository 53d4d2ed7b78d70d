import Testing

@testable import Varlink

@Suite struct LineTests {
  private final class Waiter {}

  @Test("first in, first out, however joining and leaving alternate", arguments: [1, 2, 3, 31, 32, 33, 1_000])
  func order(_ atOnce: Int) {
    var line = Line<Int>()
    var (joined, left) = (0, 0)
    #expect(line.popFirst() == nil && line.first == nil && line.isEmpty)
    for round in 0..<20 {
      for _ in 0..<atOnce + round {
        line.append(joined)
        joined += 1
      }
      for _ in 0..<atOnce {
        #expect(line.first == left)
        #expect(line.popFirst() == left)
        left += 1
      }
      #expect(line.count == joined - left && line.isEmpty == (joined == left))
    }
    while let next = line.popFirst() {
      #expect(next == left)
      left += 1
    }
    #expect(left == joined && line.isEmpty && line.count == 0)
  }

  @Test("whoever has left is not kept alive, wherever in the line it was")
  func alive() {
    var line = Line<Waiter>()
    weak var first: Waiter?
    do {
      let waiter = Waiter()
      first = waiter
      line.append(waiter)
    }
    line.append(Waiter())
    #expect(first != nil)
    _ = line.popFirst()
    #expect(first == nil)
    #expect(line.count == 1)
  }

  @Test("an element that may be nil waits as any other")
  func optional() {
    var line = Line<Int?>()
    line.append(nil)
    line.append(1)
    #expect(line.count == 2)
    #expect(line.popFirst() == .some(nil))
    #expect(line.popFirst() == .some(1))
    #expect(line.popFirst() == nil)
  }

  @Test("a line that is never empty does not grow", arguments: [1, 40, 500])
  func room(_ waiting: Int) {
    var line = Line<Int>()
    for number in 0..<waiting { line.append(number) }
    for number in 0..<100_000 {
      line.append(number)
      _ = line.popFirst()
    }
    #expect(line.count == waiting)
    #expect(line.capacity <= 4 * waiting + 128)
  }

  @Test("a long line gives its memory back once it is empty, a short one keeps it for those who come next")
  func memory() {
    var line = Line<Int>()
    for number in 0..<10_000 { line.append(number) }
    while line.popFirst() != nil {}
    #expect(line.capacity == 0)
    for number in 0..<10 { line.append(number) }
    while line.popFirst() != nil {}
    #expect(line.capacity >= 10)
  }
}
