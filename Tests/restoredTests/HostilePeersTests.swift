import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

private let isSanitized = getenv("RESTORED_SANITIZER") != nil

/// The real daemon beside peers that mean no good: it lives, answers the others, and stays within its memory.
@Suite("Hostile peers of the daemon")
struct HostilePeersTests {
  private static let restore = #"{"method":"io.restored.Restore","parameters":{"app":"app","scene":"main"}}"#
  private let daemon = DaemonProcess(["--durability", "normal"])

  /// The most memory that the daemon ever had, in bytes (VmHWM, proc_pid_status(5)).
  private var largestMemory: Int {
    let lines = String(decoding: Files.read("/proc/\(daemon.process.pid)/status"), as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(separator: " ") ?? []
    return words.count > 1 ? (Int(words[1]) ?? 0) << 10 : 0
  }

  private func bound(_ connections: Int) -> Int { 64 << 20 + connections * 64 << 10 }

  @Test("10,000 calls sent ahead are answered in their order, and others meanwhile")
  func sentAhead() throws {
    let client = try daemon.client()
    try client.save(#"{"stacks":{"main":["a","b"]}}"#)
    let ahead = try daemon.client()
    let other = try daemon.client()
    for number in 0..<10_000 {
      let scene = number % 100 == 0 ? "none-\(number)" : "main"
      try ahead.send("io.restored.Restore", #"{"app":"app","scene":"\#(scene)"}"#.utf8)
      if number % 1_000 == 0 { #expect(try other.restore().revision == 1) }
    }
    for number in 0..<10_000 {
      let reply = try ahead.receive()
      guard number % 100 == 0 else {
        try #require(reply.error == nil)
        continue
      }
      try #require(String(decoding: reply.parameters, as: UTF8.self).contains("\"none-\(number)\""))
    }
  }

  @Test("that there are no descriptors left is said once, whoever comes and goes meanwhile")
  func outOfDescriptors() throws {
    let limited = Finished("prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=64:4096"])
    #expect(limited.ending == .exit(0), "\(limited.errors)")
    var peers = try (0..<120).map { _ in try daemon.client() }
    var connected = 0
    while connected < 20 { connected = try peers[0].call(GetStatus.self, GetStatus.Parameters()).connections }
    for _ in 0..<20 {
      peers.removeFirst(5)
      // One that waited is let in, and those behind it are not.
      _ = try peers[connected - 1].call(GetStatus.self, GetStatus.Parameters())
      peers += try (0..<5).map { _ in try daemon.client() }
    }
    let log = daemon.process.errors.split(separator: "\n")
    #expect(log.filter { $0.contains("new connections wait") }.count == 1)
  }

  @Test("half calls, watches that nobody reads, and peers that never read a large state leave others served")
  func deafAndHalf() throws {
    raiseDescriptorLimit()
    let client = try daemon.client()
    let routes = (0..<3_000).map { #"{"page":{"id":"\#($0)-\#(String(repeating: "x", count: 300))"}}"# }
    try client.save(#"{"stacks":{"main":[\#(routes.joined(separator: ","))]}}"#, scene: "large")
    try client.save(#"{"stacks":{"main":["a","b"]}}"#)
    var peers: [RawConnection] = []
    for _ in 0..<300 {
      peers.append(try RawConnection(daemon.socket))
      peers[peers.count - 1].send(Array(Self.restore.utf8.prefix(40)))
      peers.append(try RawConnection(daemon.socket))
      peers[peers.count - 1].send(Array("{\"method\":\"io.restored.Watch\",\"more\":true,\"parameters\":{}}\0".utf8))
    }
    let large = Self.restore.split(separator: "main").joined(separator: "large") + "\0"
    for _ in 0..<100 {
      peers.append(try RawConnection(daemon.socket))
      peers[peers.count - 1].send(Array(String(repeating: large, count: 8).utf8))
    }
    for number in 0..<200 {
      #expect(try client.restore().text == #"{"stacks":{"main":["a","b"]}}"#)
      if number % 10 == 0 { try client.save(#"{"values":{"n":\#(number)}}"#, scene: "other") }
    }
    #expect(isSanitized || largestMemory < bound(peers.count), "\(largestMemory >> 20) MiB")
    peers = []
    #expect(try daemon.client().restore().revision == 2)
  }

  @Test("messages of 16 MiB and states of 500,000 levels are refused with the limit, and memory stays bounded")
  func largeAndDeep() throws {
    let client = try daemon.client()
    let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20 - 200)
    let head = Array(
      #"{"method":"io.restored.Save","parameters":{"app":"app","scene":"main","state":{"values":{"a":""#.utf8
    )
    for _ in 0..<3 {
      try client.send(frame: head + filler + Array("\"}}}}\0".utf8))
      #expect(try client.receive().error == "io.restored.LimitExceeded")
    }
    let brackets = String(repeating: "[", count: 8 << 20 - 200) + String(repeating: "]", count: 8 << 20 - 200)
    try client.send("io.restored.Check", #"{"app":"app","state":{"values":{"a":\#(brackets)}}}"#.utf8)
    #expect(try client.receive().error == "io.restored.LimitExceeded")
    let deep = String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000)
    for method in ["Save", "Check"] {
      let scene = method == "Save" ? #","scene":"main""# : ""
      try client.send("io.restored.\(method)", #"{"app":"app"\#(scene),"state":{"values":{"a":\#(deep)}}}"#.utf8)
      #expect(try client.receive().error == "io.restored.InvalidState")
    }
    #expect(isSanitized || largestMemory < bound(1), "\(largestMemory >> 20) MiB")
    try client.save(#"{"stacks":{"main":["a"]}}"#)
    #expect(try client.restore().revision == 1)
  }

  @Test("100,000 mutated documents are each answered, refused or not, and the daemon stays up")
  func mutatedDocuments() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("HostilePeersTests: seed \(seed)")
    var random = TestSupport.SeededGenerator(seed: seed)
    let text = Array(
      #"{"selectedTab":"m","stacks":{"m":[{"card":{"id":"c1"}},["x",1.5e3],"é"],"n":[]},"modals":{"sheet":"a"}}"#.utf8
    )
    let client = try daemon.client()
    try client.put("card", ["c1"])
    var answered = (sound: 0, refused: 0)
    for _ in 0..<1_000 {
      let batch = (0..<100).map { _ in mutation(of: text, &random) }
      for state in batch {
        try client.send("io.restored.Check", Array(#"{"app":"app","state":"#.utf8) + state + [UInt8(ascii: "}")])
      }
      for _ in batch {
        if try client.receive().error == nil { answered.sound += 1 } else { answered.refused += 1 }
      }
    }
    #expect(answered.sound + answered.refused == 100_000)
    #expect(answered.sound > 0 && answered.refused > 0)
  }

  /// The text with a few bytes changed, taken out or doubled; its brackets balance, so that it is a document.
  private func mutation(of text: [UInt8], _ random: inout TestSupport.SeededGenerator) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 1..<bytes.count - 1, using: &random)
      guard !"{}[]\"\\".utf8.contains(bytes[place]) else { continue }
      switch Int.random(in: 0...2, using: &random) {
      case 0:
        let byte = UInt8.random(in: 1...255, using: &random)
        if !"{}[]\"\\".utf8.contains(byte) { bytes[place] = byte }
      case 1: bytes.remove(at: place)
      default: bytes.insert(bytes[place], at: place)
      }
    }
    return bytes
  }
}
