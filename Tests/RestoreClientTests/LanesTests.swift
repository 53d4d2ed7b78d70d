import TestSupport
import Testing
import Varlink

@testable import RestoreClient

@Suite struct LanesTests {
  /// What is under way, and what was found wrong about it.
  private struct Work: Sendable {
    var scenes: Set<String> = []
    var isAll = false
    var clashes = 0
    var done = 0
  }

  private final class Record: Sendable {
    let work = Locked(Work())

    func begin(_ scene: String?) {
      work.withLock { work in
        if work.isAll || scene.map({ work.scenes.contains($0) }) ?? !work.scenes.isEmpty { work.clashes += 1 }
        if let scene { work.scenes.insert(scene) } else { work.isAll = true }
      }
    }

    func end(_ scene: String?) {
      work.withLock { work in
        if let scene { work.scenes.remove(scene) } else { work.isAll = false }
        work.done += 1
      }
    }
  }

  private final class Order: Sendable {
    private let all = Locked<[Int]>([])
    var numbers: [Int] { all.withLock { $0 } }
    func add(_ number: Int) { all.withLock { $0.append(number) } }
  }

  @Test("No two of one scene, and nothing beside a reset, whoever is cancelled")
  func exclusion() async {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    print("LanesTests: seed \(random.seed)")
    let lanes = Lanes()
    let record = Record()
    var tasks: [Task<Bool, Never>] = []
    for _ in 1...400 {
      let scene = ["a", "b", "c", nil].randomElement(using: &random) ?? nil
      tasks.append(
        Task {
          do throws(RestoreError) {
            try await lanes.run(scene) { () async throws(RestoreError) in
              record.begin(scene)
              await Task.yield()
              record.end(scene)
            }
            return true
          } catch { return false }
        }
      )
      if Int.random(in: 0..<3, using: &random) == 0 { tasks.randomElement(using: &random)?.cancel() }
    }
    var ran = 0
    for task in tasks where await task.value { ran += 1 }
    let work = record.work.withLock { $0 }
    #expect(work.clashes == 0 && work.done == ran, "seed \(random.seed)")
    // All are free again.
    #expect((try? await lanes.run(nil) { () async throws(RestoreError) in true }) == true)
  }

  @Test("Those of one scene have their turn in the order in which they came")
  func order() async throws {
    let lanes = Lanes()
    let order = Order()
    let holds = AsyncStream<Void>.makeStream()
    let release = AsyncStream<Void>.makeStream()
    let first = Task {
      try await lanes.run("a") { () async throws(RestoreError) in
        holds.continuation.yield()
        for await _ in release.stream { break }
      }
    }
    for await _ in holds.stream { break }
    var tasks: [Task<Void, any Error>] = []
    for number in 1...20 {
      tasks.append(
        Task {
          try await lanes.run("a") { () async throws(RestoreError) in order.add(number) }
        }
      )
      while lanes.waitingCount < number { await Task.yield() }
    }
    release.continuation.yield()
    try await first.value
    for task in tasks { try await task.value }
    #expect(order.numbers == Array(1...20))
  }
}
