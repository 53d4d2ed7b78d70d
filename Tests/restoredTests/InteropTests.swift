import TestSupport
import Testing

private let tools = InteropTools.shared

@Suite(
  "Varlink clients that others wrote use the daemon",
  .enabled(if: tools.shallRun, Comment(rawValue: tools.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct InteropTests {
  private let daemon = DaemonProcess()

  private func cli(_ arguments: String...) throws -> InteropTools.RunResult {
    try tools.python(["-m", "varlink.cli"] + arguments)
  }

  private func call(_ method: String, _ parameters: String, _ options: String...) throws -> String {
    try tools.python(
      ["-m", "varlink.cli", "call"] + options + ["unix:\(daemon.socket)/io.restored.\(method)", parameters]
    ).output
  }

  @Test("PyPI varlink reads what the service is and prints the interface's text")
  func introspection() throws {
    let info = try cli("info", "unix:\(daemon.socket)")
    #expect(info.status == 0 && info.output.contains("Product: restored"), "\(info.output)")
    #expect(info.output.contains("io.restored"))
    let help = try cli("help", "unix:\(daemon.socket)/io.restored")
    #expect(help.status == 0 && help.output.contains("method Save(app: string, scene: string, state: object"))
  }

  @Test("PyPI varlink saves, restores, and is told what was dropped")
  func saveAndRestore() throws {
    let state = #"{"stacks":{"t":[{"board":{"id":"b1"}},{"card":{"id":"c1"}}]}}"#
    #expect(
      try call("Save", #"{"app":"py","scene":"main","state":\#(state)}"#).contains(#""changed": true"#)
    )
    #expect(try call("PutEntities", #"{"app":"py","kind":"board","ids":["b1"]}"#).contains(#""added": 1"#))
    #expect(try call("PutEntities", #"{"app":"py","kind":"card","ids":[]}"#).contains(#""added": 0"#))
    let restored = try call("Restore", #"{"app":"py","scene":"main"}"#)
    #expect(restored.contains(#""path": "/stacks/t/1""#) && restored.contains("entityMissing"), "\(restored)")
    #expect(try call("Restore", #"{"app":"py","scene":"none"}"#).contains("SceneNotFound"))
  }

  @Test("PyPI varlink's call --more gets the one reply of a method that does not stream")
  func more() throws {
    #expect(try call("ListScenes", "{}", "-m").contains(#""scenes": []"#))
  }

  @Test("asyncvarlink, with types of its own, saves and restores")
  func asyncVarlink() throws {
    let script = """
      import asyncio, sys, typing
      from asyncvarlink import VarlinkClientProtocol, VarlinkErrorReply, VarlinkInterface
      from asyncvarlink import connect_unix_varlink, varlinkmethod
      import dataclasses

      class Restored(VarlinkInterface, name="io.restored"):
          @varlinkmethod(return_parameter="added")
          def PutEntities(self, *, app: str, kind: str, ids: list[str]) -> int: ...
          @varlinkmethod(return_parameter="deleted")
          def DeleteEntities(self, *, app: str, kind: str, ids: list[str]) -> int: ...
          @varlinkmethod(return_parameter="scenes")
          def ResetApp(self, *, app: str) -> int: ...

      async def main():
          transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, sys.argv[1])
          restored = protocol.make_proxy(Restored)
          assert await restored.PutEntities(app="aio", kind="card", ids=["a", "b"]) == {"added": 2}
          assert await restored.DeleteEntities(app="aio", kind="card", ids=["a"]) == {"deleted": 1}
          assert await restored.ResetApp(app="aio") == {"scenes": 0}
          try:
              await restored.PutEntities(app="", kind="card", ids=[])
          except VarlinkErrorReply as error:
              assert error.name == "org.varlink.service.InvalidParameter", error.name
          else:
              raise AssertionError("no error")
          transport.close()
          print("passed")

      asyncio.run(main())
      """
    let result = try tools.python(["-c", script, daemon.socket])
    #expect(result.status == 0 && result.output.contains("passed"), "\(result.output)")
  }
}
