import Glibc
import RestoreStore
import TestSupport
import Testing

@testable import RestoredService

@Suite struct LogTests {
  private let folder = TemporaryFolder()

  /// A log whose journal is a socket of the test's own, and what came there.
  private func journal(_ level: String = "info") throws -> (log: Log, received: () -> [String: String]?) {
    let notifications = Notifications(in: folder)
    var status = stat()
    try #require(fstat(2, &status) == 0)
    let environment = ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)", "RESTORED_LOG_LEVEL": level]
    let log = Log(environment: { environment[$0] }, journalPath: notifications.path)
    return (log, { notifications.nextIfAny().map(fields) })
  }

  private func fields(_ datagram: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in datagram.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    return fields
  }

  @Test("an event reaches the journal with its priority, its id and its fields")
  func journalFields() throws {
    let (log, received) = try journal("debug")
    log.write(.callFailed, "Save of pid 1, uid 2: io.restored.InvalidState", [("ERROR", "io.restored.InvalidState")])
    let fields = try #require(received())
    #expect(fields["MESSAGE"] == "Save of pid 1, uid 2: io.restored.InvalidState")
    #expect(fields["PRIORITY"] == "7" && fields["SYSLOG_IDENTIFIER"] == "restored")
    #expect(fields["MESSAGE_ID"] == LogEvent.Kind.callFailed.rawValue)
    #expect(fields["RESTORED_ERROR"] == "io.restored.InvalidState")
  }

  @Test("below the level nothing is written")
  func levels() throws {
    let (log, received) = try journal("notice")
    log.write(.started, "serving")
    log.write(.callFailed, "refused")
    #expect(received() == nil)
    log.write(.storageFull, "full")
    #expect(received()?["MESSAGE"] == "full")
  }

  @Test("a value with lines of its own is sent with its length")
  func lines() {
    let event = LogEvent(kind: .started, message: "two\nlines")
    let bytes = JournalSocket.encode(event)
    #expect(bytes.starts(with: Array("MESSAGE\n".utf8) + [9, 0, 0, 0, 0, 0, 0, 0] + Array("two\nlines\n".utf8)))
  }

  @Test("what the writer says is a fault until it says so no more, whatever is saved meanwhile")
  func writerFault() throws {
    let (log, received) = try journal("info")
    let health = HealthMonitor(log)
    let fault = StoreError(.storageFailed, "the log cannot be emptied", remedy: "look into the disk")
    health.writerProblems = [fault.description]
    health.note(fault)
    #expect(received()?["MESSAGE_ID"] == LogEvent.Kind.storageFailed.rawValue)
    health.note(.success(.closed), wrote: true)
    #expect(received() == nil)
    #expect(health.problems == [fault.description])
    health.writerProblems = []
    #expect(received()?["MESSAGE_ID"] == LogEvent.Kind.storageRecovered.rawValue)
    #expect(health.problems == [])
  }

  @Test("a stream that is not standard error's is not the journal")
  func otherStream() {
    #expect(JournalSocket(environment: { $0 == "JOURNAL_STREAM" ? "1:2" : nil }) == nil)
    #expect(JournalSocket(environment: { _ in nil }) == nil)
  }

  @Test("a disk that is full under many saves is one event, and its end another")
  func edges() throws {
    let (log, received) = try journal()
    let health = HealthMonitor(log)
    let full = StoreError(.storageFull, "no space left", remedy: "make room")
    for _ in 0..<5 { health.note(.failure(full), wrote: false) }
    #expect(received()?["MESSAGE_ID"] == LogEvent.Kind.storageFull.rawValue)
    #expect(received() == nil)
    #expect(health.problems == ["no space left: make room"])
    health.note(.failure(StoreError(.sceneNotFound, "no scene")), wrote: false)
    health.note(.success(.closed), wrote: false)
    #expect(received() == nil && !health.problems.isEmpty)
    for _ in 0..<5 { health.note(.success(.closed), wrote: true) }
    #expect(received()?["MESSAGE_ID"] == LogEvent.Kind.storageRecovered.rawValue)
    #expect(received() == nil && health.problems.isEmpty)
  }

  @Test("the page on logging names every event with its id")
  func page() {
    let file = #filePath
    let root = file.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let page = String(decoding: Files.read(root + "/docs/LOGGING.md"), as: UTF8.self)
    for kind in LogEvent.Kind.allCases { #expect(page.contains("| \(kind) |") && page.contains(kind.rawValue)) }
  }
}
