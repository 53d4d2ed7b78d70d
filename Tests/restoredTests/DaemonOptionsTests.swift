import Testing

@testable import RestoredService

@Suite struct DaemonOptionsTests {
  private func parse(_ arguments: [String], _ environment: [String: String] = [:]) throws -> DaemonOptions {
    guard case .serve(let options) = try DaemonOptions.parse(arguments, environment: { environment[$0] }) else {
      throw Unexpected()
    }
    return options
  }
  private struct Unexpected: Error {}

  @Test("a value may follow its option, or stand in it")
  func values() throws {
    #expect(try parse(["--socket", "/s", "--state-dir=/d"]).socket == "/s")
    #expect(try parse(["--socket", "/s", "--state-dir=/d=e"]).stateFolder == "/d=e")
    #expect(try parse(["--max-state=2048"]).maximumStateBytes == 2_048)
    #expect(try parse(["--durability", "normal"]).durability == .normal)
    #expect(try parse(["--all-users"]).allUsers)
  }

  @Test("each option is also a variable, and the command line goes first")
  func environment() throws {
    let variables = [
      "RESTORED_SOCKET": "/e", "RESTORED_STATE_DIR": "/d", "RESTORED_ALL_USERS": "yes", "RESTORED_MAX_STATE": "4096",
      "RESTORED_USER_QUOTA": "9", "RESTORED_DURABILITY": "normal",
    ]
    let options = try parse(["--socket=/c"], variables)
    #expect(options.socket == "/c" && options.stateFolder == "/d" && options.allUsers)
    #expect(options.maximumStateBytes == 4_096 && options.userQuotaBytes == 9 && options.durability == .normal)
    #expect(try parse([], ["RESTORED_ALL_USERS": "0", "RESTORED_SOCKET": ""]).socket == nil)
  }

  @Test(
    "a mistake is wrong usage, and the message names it",
    arguments: [
      (["--sokcet", "/s"], "--sokcet"), (["--socket"], "--socket"), (["serve"], "serve"),
      (["--max-state", "1MB"], "1MB"),
      (["--max-state", "5"], "1024"), (["--durability=none"], "none"), (["--all-users=1"], "--all-users"),
      (["--socket", ""], "empty"),
    ]
  )
  func mistakes(_ arguments: [String], _ word: String) {
    let fault = #expect(throws: DaemonFault.self) { try parse(arguments) }
    #expect(fault?.exit == .usage)
    #expect(fault?.message.contains(word) == true)
  }

  @Test("a variable that makes no sense is named with its dollar sign")
  func variableMistake() {
    let fault = #expect(throws: DaemonFault.self) { try parse([], ["RESTORED_ALL_USERS": "perhaps"]) }
    #expect(fault?.message.contains("$RESTORED_ALL_USERS") == true)
  }
}

@Suite struct PlacesTests {
  private func places(_ environment: [String: String], uid: UInt32 = 1_000) -> Places {
    Places(environment: { environment[$0] }, uid: uid)
  }

  @Test("the socket is where the option, the session or root's folder says, in this order")
  func socket() throws {
    let session = places(["XDG_RUNTIME_DIR": "/run/user/1000"])
    #expect(try session.socket("/s") == "/s")
    #expect(try session.socket(nil) == "/run/user/1000/restored/io.restored")
    #expect(try places([:], uid: 0).socket(nil) == "/run/restored/io.restored")
    #expect(throws: DaemonFault.self) { try places([:]).socket(nil) }
    #expect(throws: DaemonFault.self) { try places(["XDG_RUNTIME_DIR": "relative"]).socket(nil) }
  }

  @Test("the state folder is where the option, systemd, root's folder, XDG or home says, in this order")
  func stateFolder() throws {
    let all = ["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "XDG_STATE_HOME": "/x", "HOME": "/h"]
    #expect(try places(all).stateFolder("/o") == "/o")
    #expect(try places(all).stateFolder(nil) == "/var/lib/a")
    #expect(try places(["XDG_STATE_HOME": "/x", "HOME": "/h"], uid: 0).stateFolder(nil) == "/var/lib/restored")
    #expect(try places(["XDG_STATE_HOME": "/x", "HOME": "/h"]).stateFolder(nil) == "/x/restored")
    #expect(try places(["XDG_STATE_HOME": "x", "HOME": "/h"]).stateFolder(nil) == "/h/.local/state/restored")
    #expect(throws: DaemonFault.self) { try places([:]).stateFolder(nil) }
  }
}
