import Testing

@testable import restorectl

@Suite struct SocketChoiceTests {
  private func path(_ named: String?, _ environment: [String: String], existing: Set<String> = []) -> String {
    SocketChoice.path(named: named, environment: { environment[$0] }, uid: 7, exists: existing.contains)
  }

  @Test("the named one goes before the environment's, that before the user's, that before the system's")
  func order() {
    let environment = ["RESTORED_SOCKET": "/e", "XDG_RUNTIME_DIR": "/x"]
    let all: Set = ["/x/restored/io.restored", "/run/user/7/restored/io.restored", "/run/restored/io.restored"]
    #expect(path("/n", environment, existing: all) == "/n")
    #expect(path(nil, environment, existing: all) == "/e")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/x"], existing: all) == "/x/restored/io.restored")
    #expect(path(nil, [:], existing: all) == "/run/user/7/restored/io.restored")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/x"]) == "/run/restored/io.restored")
  }

  @Test("a runtime folder that is no absolute path is passed over")
  func relative() {
    #expect(path(nil, ["XDG_RUNTIME_DIR": "x"], existing: ["x/restored/io.restored"]) == "/run/restored/io.restored")
  }
}
