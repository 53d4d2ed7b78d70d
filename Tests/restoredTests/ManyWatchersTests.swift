import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("Watchers that do not read, and many of them")
struct ManyWatchersTests {
  /// Bytes of the daemon's memory that only it has.
  private func memory(_ daemon: DaemonProcess) -> Int {
    let lines = String(decoding: Files.read("/proc/\(daemon.process.pid)/status"), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("RssAnon:") } ?? ""
    return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) << 10
  }

  private func state(_ number: Int) -> String { #"{"values":{"n":\#(number)}}"# }

  @Test("a watcher that does not read is told after which number to watch again, and that holds nobody up")
  func behind() throws {
    let daemon = DaemonProcess(["--durability", "normal"])
    let client = try daemon.client()
    let app = String(repeating: "a", count: 255)
    let scene = String(repeating: "s", count: 255)
    let watch = try WatchStream(daemon)
    let quiet = try WatchStream(daemon, app: "quiet")
    #expect(try watch.next() == "ready 0")
    for number in 1...3_000 { try client.save(state(number), app: app, scene: scene) }
    var last = 0
    let error = #expect(throws: InterfaceError.self) {
      while true {
        let event = try watch.nextEvent()
        #expect(event.revision == last + 1, "none is left out before the end")
        last = event.revision
      }
    }
    #expect(last > 0)
    #expect(error == .watchBehind(revision: last))
    let again = try WatchStream(daemon, after: last)
    #expect(try again.next(2) == ["ready \(last)", "saved 3000 \(app)/\(scene)"])
    // Nothing of what it wants was left out, however far the others are.
    try client.save(state(1), app: "quiet")
    #expect(try quiet.next(2) == ["ready 0", "saved 3001 quiet/main"])
  }

  @Test("a thousand watchers each get every change once and in order")
  func thousand() throws {
    raiseDescriptorLimit()
    let daemon = DaemonProcess(["--durability", "normal"])
    let client = try daemon.client()
    try client.save(state(0))
    let watchers = try (0..<1_000).map { number in
      try WatchStream(daemon, app: number % 2 == 0 ? "app" : nil, scene: number % 3 == 0 ? "main" : nil, after: 0)
    }
    for watch in watchers { #expect(try watch.next(2) == ["ready 0", "saved 1 app/main"]) }
    for number in 1...20 { try client.save(state(number)) }
    for watch in watchers {
      #expect(try watch.next(20) == (2...21).map { "saved \($0) app/main" })
    }
  }

  @Test(
    "a thousand watchers that do not read cost a bounded amount of memory",
    .enabled(if: getenv("RESTORED_SANITIZER") == nil, "cannot here: a sanitizer's own memory would be counted")
  )
  func memoryIsBounded() throws {
    raiseDescriptorLimit()
    let daemon = DaemonProcess(["--durability", "normal"])
    let client = try daemon.client()
    let scene = String(repeating: "s", count: 255)
    let watchers = try (0..<1_000).map { _ in try WatchStream(daemon) }
    for watch in watchers { #expect(try watch.next() == "ready 0") }
    let before = memory(daemon)
    for number in 1...1_500 { try client.save(state(number), scene: scene) }
    let grown = memory(daemon) - before
    #expect(grown < 32 << 20, "grew by \(grown >> 20) MiB")
    // How much the kernel takes for them is its own affair: what they get is whole as far as it goes.
    for watch in watchers.prefix(10) {
      var last = 0
      do {
        while last < 1_500 {
          #expect(try watch.nextEvent().revision == last + 1)
          last += 1
        }
      } catch InterfaceError.watchBehind(let revision) { #expect(revision == last) }
    }
    #expect(try client.restore(scene: scene).text == state(1_500))
  }
}
