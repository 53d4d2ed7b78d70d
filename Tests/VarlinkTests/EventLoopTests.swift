import CLinux
import Foundation
import Glibc
import Testing

@testable import Varlink

@Suite struct EventLoopTests {
  private final class Recorder: EventHandler, TurnTask {
    var events: [String] = []
    func ready(_ events: EventSet) { self.events.append("ready") }
    func resume() { events.append("resume") }
    func flush() { events.append("flush") }
  }

  @Test("a turn goes: willDispatch, posted work, descriptors, timers, didDispatch, writes, then work put off")
  func order() throws {
    let loop = try EventLoop()
    let recorder = Recorder()
    var pair: [Int32] = [-1, -1]
    try #require(clinux_unix_pair(&pair) == 0)
    defer { pair.forEach { close($0) } }
    try loop.add(pair[0], .readable, recorder)
    loop.willDispatch = { recorder.events.append("will") }
    loop.didDispatch = { recorder.events.append("did") }
    loop.schedule(afterMilliseconds: 0) { recorder.events.append("timer") }
    loop.resumeLater(recorder)
    loop.flushLater(recorder)
    write(pair[1], "x", 1)
    nonisolated(unsafe) let unsafeRecorder = recorder
    loop.mailbox.post { unsafeRecorder.events.append("posted") }
    try loop.turn(maximumWait: 10_000)
    #expect(recorder.events == ["will", "posted", "ready", "timer", "did", "flush", "will", "resume", "did"])
    loop.remove(pair[0])
  }

  @Test("a turn with nothing to do opens no batch")
  func emptyTurn() throws {
    let loop = try EventLoop()
    loop.willDispatch = { Issue.record("there is nothing to do") }
    try loop.turn(maximumWait: 0)
  }

  @Test("a loop that stays awake takes what comes, and sleeps when its time is over or was taken back")
  func staysAwake() throws {
    let loop = try EventLoop()
    nonisolated(unsafe) var posted = 0
    loop.mailbox.post { posted += 1 }
    loop.expectAnswer(withinMicroseconds: 60_000_000, awake: true)
    try loop.turn(maximumWait: 60_000)
    #expect(posted == 1)
    loop.expectAnswer(withinMicroseconds: 0, awake: false)
    try loop.turn(maximumWait: 1)
    loop.expectAnswer(withinMicroseconds: 1, awake: true)
    try loop.turn(maximumWait: 1)
    #expect(posted == 1)
  }

  @Test("a handler that is removed by another one in the same turn is not called any more")
  func removedInTurn() throws {
    final class Remover: EventHandler {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
      func ready(_ events: EventSet) { body() }
    }
    let loop = try EventLoop()
    var pairs: [[Int32]] = [[-1, -1], [-1, -1]]
    defer { pairs.joined().forEach { close($0) } }
    for index in pairs.indices {
      try #require(clinux_unix_pair(&pairs[index]) == 0)
      write(pairs[index][1], "x", 1)
    }
    var called = 0
    for (own, other) in [(0, 1), (1, 0)] {
      let others = pairs[other][0]
      try loop.add(
        pairs[own][0],
        .readable,
        Remover {
          called += 1
          loop.remove(others)
        }
      )
    }
    try loop.turn(maximumWait: 10_000)
    #expect(called == 1)
  }

  @Test("work posted from many threads is all done, each thread's in order")
  func posting() throws {
    let loop = try EventLoop()
    nonisolated(unsafe) var last = [Int](repeating: -1, count: 4)
    nonisolated(unsafe) var done = 0
    let mailbox = loop.mailbox
    for thread in 0..<4 {
      Thread.detachNewThread {
        for number in 0..<10_000 {
          mailbox.post {
            #expect(last[thread] == number - 1)
            last[thread] = number
            done += 1
          }
        }
      }
    }
    while done < 40_000 { try loop.turn(maximumWait: 10_000) }
    #expect(last == [9_999, 9_999, 9_999, 9_999])
  }

  @Test("timers fire soonest first, a cancelled one not at all, and one that is set while firing in a later turn")
  func timers() throws {
    let loop = try EventLoop()
    var fired: [String] = []
    loop.schedule(afterMilliseconds: 20) { fired.append("second") }
    let cancelled = loop.schedule(afterMilliseconds: 5) { fired.append("never") }
    loop.schedule(afterMilliseconds: 0) {
      fired.append("first")
      loop.schedule(afterMilliseconds: 40) { fired.append("third") }
    }
    loop.cancel(cancelled)
    while fired.count < 3 { try loop.turn() }
    #expect(fired == ["first", "second", "third"])
  }

  @Test("an idle service never wakes, with peers connected, one waiting for an answer and one half closed")
  func noWakeUps() throws {
    let service = try ServiceFixture()
    let idle = try (0..<20).map { _ in try service.client() }
    let waiting = try service.client()
    try waiting.send("org.example.probe.Later")
    // Behind the call that is worked on there is more to read, and then the end: neither may be asked for in a loop.
    try waiting.send("org.example.probe.Echo")
    waiting.finishSending()
    let watcher = try service.client()
    try watcher.send("org.example.probe.Watch", more: true)
    watcher.finishSending()
    try service.wait("all there") {
      $0.server.connectionCount == 22 && $0.probe.pending.count == 1 && $0.probe.streams.count == 1
    }
    let before = service.onLoop { $0.loop.wakeUps }
    usleep(300_000)
    // The look itself is one, and what was still on its way to settle before it a few.
    let woken = service.onLoop { $0.loop.wakeUps } - before
    #expect(woken <= 5, "\(woken) wake-ups")
    withExtendedLifetime(idle) {}
  }
}
