import Testing

@testable import Varlink

@Suite("Time to spare")
struct SpareTimeTests {
  private final class Task: TurnTask {
    let name: String
    let line: TurnLine
    init(_ name: String, _ line: TurnLine = .light) { (self.name, self.line) = (name, line) }
    func resume() {}
    func flush() {}
  }

  /// The names of the tasks of one slice.
  private func slice(_ spare: inout SpareTime) -> [String] {
    (0..<spare.beginSlice()).map { _ in (spare.next() as? Task)?.name ?? "" }
  }

  @Test("newcomers have every other turn, those that take long and the rest the others, each first in, first out")
  func turns() {
    var spare = SpareTime()
    for number in 1...2 {
      spare.add(Task("light \(number)"))
      spare.add(Task("heavy \(number)", .heavy))
      spare.add(Task("newcomer \(number)", .newcomers))
    }
    #expect(slice(&spare) == ["newcomer 1", "newcomer 2"])
    spare.add(Task("newcomer 3", .newcomers))
    #expect(slice(&spare) == ["heavy 1", "heavy 2"])
    spare.add(Task("heavy 3", .heavy))
    #expect(slice(&spare) == ["newcomer 3"])
    spare.add(Task("newcomer 4", .newcomers))
    #expect(slice(&spare) == ["light 1", "light 2"])
    #expect(slice(&spare) == ["newcomer 4"])
    spare.add(Task("light 3"))
    #expect(slice(&spare) == ["heavy 3"])
    #expect(slice(&spare) == ["light 3"])
    #expect(spare.isEmpty)
    #expect(slice(&spare).isEmpty)
    spare.add(Task("heavy 4", .heavy))
    #expect(slice(&spare) == ["heavy 4"])
  }

  @Test("thousands that wait keep their order")
  func many() {
    var spare = SpareTime()
    for number in 0..<5_000 { spare.add(Task("\(number)")) }
    var seen: [String] = []
    while !spare.isEmpty {
      let name = (spare.beginSlice() > 0 ? spare.next() as? Task : nil)?.name ?? ""
      seen.append(name)
      if seen.count <= 5_000 { spare.add(Task("again \(name)")) }
    }
    #expect(seen == (0..<5_000).map { "\($0)" } + (0..<5_000).map { "again \($0)" })
  }

  @Test("a task that has had its turn is kept no longer, though others wait")
  func kept() {
    var spare = SpareTime()
    weak var first: Task?
    do {
      let task = Task("first")
      first = task
      spare.add(task)
    }
    spare.add(Task("second"))
    #expect(first != nil)
    _ = spare.beginSlice()
    _ = spare.next()
    #expect(first == nil && !spare.isEmpty)
  }

  @Test("a slice begins at once where nobody comes who wants little")
  func alone() {
    var spare = SpareTime()
    spare.add(Task(""))
    #expect(spare.wait(at: 1_000) == 0)
    spare.rest(began: 1_000, ended: 401_000)
    #expect(spare.wait(at: 401_000) == 0)
  }

  @Test("after a slice those who want little come first for three times as long as it took, while they come")
  func quick() {
    var spare = SpareTime()
    spare.add(Task(""))
    spare.rest(began: 0, ended: 1_000_000)
    spare.noteQuick(at: 1_010_000, awaitingAnswer: false)
    #expect(spare.wait(at: 1_010_000) == 1_000_000)
    spare.noteQuick(at: 1_900_000, awaitingAnswer: false)
    #expect(spare.wait(at: 1_920_000) == 980_000)
    spare.noteQuick(at: 3_990_000, awaitingAnswer: false)
    #expect(spare.wait(at: 3_990_000) == 10_000)
    #expect(spare.wait(at: 4_000_000) == 0)
  }

  @Test(
    "an answer that another thread is to give is waited for longer, and never longer than three times what the slice took"
  )
  func awaited() {
    var spare = SpareTime()
    spare.add(Task(""))
    spare.rest(began: 0, ended: 20_000_000)
    spare.noteQuick(at: 20_000_000, awaitingAnswer: true)
    #expect(spare.wait(at: 20_000_000) == 5_000_000)
    spare.rest(began: 0, ended: 1_000_000)
    #expect(spare.wait(at: 3_999_999) == 1)
    #expect(spare.wait(at: 4_000_000) == 0)
  }

  @Test("a slice that is due waits a moment for an answer that is about to come, and no longer")
  func clear() {
    var spare = SpareTime()
    spare.add(Task(""))
    spare.rest(began: 50_000, ended: 87_500)
    spare.noteQuick(at: 190_000, awaitingAnswer: true)
    #expect(spare.wait(at: 200_000) == 0)
    spare.keepClear(until: 350_000)
    #expect(spare.wait(at: 200_000) == 150_000)
    #expect(spare.wait(at: 350_000) == 0)
    // However often it is asked for: work that was put off goes on.
    spare.keepClear(until: 10_000_000)
    #expect(spare.wait(at: 350_000) == 150_000)
    spare.keepClear(until: 0)
    #expect(spare.wait(at: 350_000) == 0)
  }

  @Test("before the first slice an answer is not waited for")
  func first() {
    var spare = SpareTime()
    spare.add(Task(""))
    spare.keepClear(until: 1_000_000)
    #expect(spare.wait(at: 1_000) == 0)
  }
}
