import TestSupport
import Testing

@testable import Varlink

private let tools = InteropTools.shared

@Suite(.enabled(if: tools.shallRun, Comment(rawValue: tools.reason ?? "")), .timeLimit(.minutes(2)))
struct InteropTests {
  @Test("PyPI varlink's certification client is passed, twice over one server")
  func pythonCertification() throws {
    let service = try CertificationProcess()
    for _ in 0..<2 {
      let result = try tools.python(
        ["-m", "varlink.tests.test_certification", "--client", "--varlink=unix:\(service.path)"])
      #expect(result.status == 0 && result.output.contains("Certification passed"), "\(result.output)")
    }
  }

  @Test("Debian varlink-go's certification client is passed, twice over one server")
  func goCertification() throws {
    let service = try CertificationProcess()
    for _ in 0..<2 {
      let result = try InteropTools.run(
        tools.folder + "/bin/varlink-go-certification",
        ["-client", "-varlink", "unix:\(service.path)"]
      )
      #expect(result.status == 0 && result.output.contains("End: 'true'"), "\(result.output)")
    }
  }

  @Test("PyPI varlink's command line reads the service and calls it")
  func pythonCommandLine() throws {
    let service = try ServiceFixture()
    func cli(_ arguments: String...) throws -> InteropTools.RunResult {
      try tools.python(["-m", "varlink.cli"] + arguments)
    }
    let info = try cli("info", "unix:\(service.path)")
    #expect(info.status == 0 && info.output.contains("org.example.probe"), "\(info.output)")
    let help = try cli("help", "unix:\(service.path)/org.example.probe")
    #expect(help.status == 0 && help.output.contains("method Echo() -> ()"), "\(help.output)")
    let fill = try cli("call", "unix:\(service.path)/org.example.probe.Fill", #"{"bytes":3}"#)
    #expect(fill.status == 0 && fill.output.contains(#""text": "xxx""#), "\(fill.output)")
    let wrong = try cli("call", "unix:\(service.path)/org.example.probe.Fill", #"{}"#)
    #expect(wrong.output.contains("InvalidParameter"), "\(wrong.output)")
  }

  @Test("asyncvarlink's client, with types of its own, calls, streams with more, and gets errors")
  func asyncVarlink() throws {
    let service = try ServiceFixture()
    let script = """
      import asyncio, sys, typing
      from asyncvarlink import VarlinkClientProtocol, VarlinkErrorReply, VarlinkInterface
      from asyncvarlink import connect_unix_varlink, varlinkmethod

      class Probe(VarlinkInterface, name="org.example.probe"):
          @varlinkmethod(return_parameter="text")
          def Fill(self, *, bytes: int) -> str: ...
          @varlinkmethod(return_parameter="n")
          def Count(self) -> typing.Iterator[int]: ...
          @varlinkmethod
          def Missing(self) -> None: ...

      async def main():
          transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, sys.argv[1])
          probe = protocol.make_proxy(Probe)
          assert await probe.Fill(bytes=3) == {"text": "xxx"}
          assert [reply["n"] async for reply in probe.Count()] == [1, 2, 3]
          try:
              await probe.Missing()
          except VarlinkErrorReply as error:
              assert error.name == "org.varlink.service.MethodNotImplemented", error.name
          else:
              raise AssertionError("no error")
          transport.close()
          print("passed")

      asyncio.run(main())
      """
    let result = try tools.python(["-c", script, service.path])
    #expect(result.status == 0 && result.output.contains("passed"), "\(result.output)")
  }
}
