import TestSupport
import Testing

/// The end of a session on a machine that is shut down whole.
@Suite(
  .enabled(if: Machine.obstacle.reason == nil, Comment(rawValue: Machine.obstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct ShutdownTests {
  @Test("what an app of any session saves 0.4 s after it was told to end, while the machine shuts down, is taken")
  func savesAtShutdown() throws {
    let machine = try Machine()
    try #require(machine.isAnswered(as: .ann))
    machine.startApp(as: .ann, by: ["systemd-run", "--slice=user-61001.slice", "--uid=ann"])
    machine.shutDown()
    #expect(String(decoding: machine.kept.read("ann"), as: UTF8.self) == "revision 1\n")
  }
}
