import Testing

@testable import restorectl

@Suite struct ParserTests {
  private func invocation(_ arguments: String...) throws -> Invocation {
    guard case .run(let invocation) = try Parser.parse(arguments) else {
      throw Failure(.usage, "no invocation")
    }
    return invocation
  }

  private func failure(_ arguments: String...) -> Failure? {
    do {
      _ = try Parser.parse(arguments)
      return nil
    } catch { return error }
  }

  @Test("a value follows its option after = or as the next word")
  func values() throws {
    #expect(try invocation("save", "--scene=a b", "--app", "x").value(.scene) == "a b")
    #expect(try invocation("save", "--scene=a", "--app", "x").value(.app) == "x")
    #expect(try invocation("save", "--scene=").value(.scene) == "")
    #expect(try invocation("save", "--scene=--x=y").value(.scene) == "--x=y")
  }

  @Test("options stand before, between and after words, and the last of one counts")
  func anywhere() throws {
    let parsed = try invocation("--json", "entities", "--app=a", "put", "card", "--app=b", "c1")
    #expect(parsed.verb == .entitiesPut)
    #expect(parsed.operands == ["card", "c1"])
    #expect(parsed.value(.app) == "b")
    #expect(parsed.has(.json))
  }

  @Test("-- ends the options, and - is a word")
  func endOfOptions() throws {
    #expect(
      try invocation("entities", "put", "card", "--", "--json", "-1", "--").operands == ["card", "--json", "-1", "--"]
    )
    #expect(try invocation("save", "-").operands == ["-"])
  }

  @Test("an option's value is never the next option, so that an empty variable cannot swallow one")
  func swallowing() throws {
    let failure = try #require(self.failure("save", "--scene", "--json"))
    #expect(failure.exit == .usage)
    #expect(failure.remedy == "write --scene=--json")
    #expect(self.failure("save", "--scene")?.exit == .usage)
  }

  @Test(
    "a mistyped command or option is answered with the nearest one",
    arguments: [
      (["sav"], "restorectl save?"), (["retsore"], "restorectl restore?"), (["hist"], "restorectl history?"),
      (["kinds"], "restorectl entities kinds?"), (["entitie"], "restorectl entities?"),
      (["entities", "snyc"], "restorectl entities sync?"), (["save", "--autosvae"], "--autosave?"),
      (["entities", "pt", "card"], "restorectl entities put?"), (["routes", "st"], "restorectl routes set?"),
      (["entities", "zzz"], "restorectl entities --help"), (["routes", "restore"], "restorectl routes --help"),
      (["restore", "--stael", "keep"], "--stale?"), (["save", "--ifrevision=3"], "--if-revision?"),
    ]
  )
  func hints(_ arguments: [String], _ hint: String) throws {
    do {
      _ = try Parser.parse(arguments)
      Issue.record("\(arguments) passed")
    } catch {
      #expect(error.exit == .usage)
      #expect(error.remedy.hasSuffix(hint), "\(error.remedy)")
    }
  }

  @Test(
    "what a command does not take is refused",
    arguments: [
      ["history", "x"], ["save", "a", "b"], ["scenes", "--autosave"], ["--launch", "save"], ["save", "--json=yes"],
      ["entities", "put"], ["link"], ["save", "-z"], ["entities"], [], ["forget-user"], ["save", "--nonsense"],
    ]
  )
  func refused(_ arguments: [String]) {
    #expect(throws: Failure.self) { try Parser.parse(arguments) }
  }

  @Test("--version is the program's, but for entities sync, where it is the model's")
  func version() throws {
    #expect(try invocation("entities", "sync", "card", "--version", "7").value(.modelVersion) == "7")
    guard case .version = try Parser.parse(["save", "--version"]) else {
      Issue.record("no version")
      return
    }
    guard case .version = try Parser.parse(["--version", "entities", "sync", "card"]) else {
      Issue.record("no version")
      return
    }
    #expect(failure("entities", "sync", "card", "--version")?.exit == .usage)
  }

  @Test(
    "help is asked for before a command as after it",
    arguments: [
      (["--help"], nil), (["help"], nil), (["save", "--help"], "save"), (["--help", "save"], "save"),
      (["-h", "save", "state.json"], "save"), (["help", "save"], "save"), (["--app", "x", "--help", "save"], "save"),
      (["entities", "--help"], "entities"), (["--help", "entities"], "entities"),
      (["entities", "--help", "put"], "entities put"), (["--help", "entities", "put", "card"], "entities put"),
      (["entities", "put", "card", "--help"], "entities put"), (["--help", "sav"], "sav"),
      (["--help", "--json", "save"], nil),
    ]
  )
  func topics(_ arguments: [String], _ expected: String?) throws {
    guard case .help(let topic) = try Parser.parse(arguments) else {
      Issue.record("\(arguments) is not help")
      return
    }
    #expect(topic == expected)
  }

  @Test("every command has help with an example that parses")
  func help() throws {
    for verb in Verb.allCases {
      let words = verb.rawValue.split(separator: " ").map(String.init)
      guard case .help(let topic) = try Parser.parse(words + ["--help"]) else {
        Issue.record("\(verb) has no help")
        continue
      }
      let text = try Help.text(on: topic)
      #expect(text.hasPrefix("Usage: restorectl \(verb.rawValue)"))
      #expect(text.contains("Example:\n  \(verb.command.example)\n"))
      let example = verb.command.example.split(separator: "|").last ?? ""
      let parts = example.split(separator: " ").map { $0.filter { $0 != "<" && $0 != "(" && $0 != ")" } }
      let start = try #require(parts.firstIndex(of: "restorectl"))
      guard case .run(let parsed) = try Parser.parse(Array(parts[(start + 1)...])) else {
        Issue.record("\(example) does not run")
        continue
      }
      #expect(parsed.verb == verb)
    }
  }

  @Test(
    "help says of an option what it does on that very command",
    arguments: [
      ("watch", "--app ID           only this app (else all; with --scene $RESTORECTL_APP, else default)"),
      ("export", "--app ID           only this app (else all, whatever $RESTORECTL_APP says)"),
      ("import", "--app ID           only this app (else all, whatever $RESTORECTL_APP says)"),
      ("reopen", "--scene ID         the scene (else $RESTORECTL_SCENE, else the one closed last)"),
      ("status", "--exit-code  exit 1 if the daemon is degraded"),
      ("check", "--exit-code                 exit 1 if something was dropped\n"),
      ("save", "--app ID           the app (else $RESTORECTL_APP, else default)"),
    ]
  )
  func optionHelp(_ command: String, _ line: String) throws {
    #expect(try Help.text(on: command).contains("  " + line))
  }

  @Test("numbers are digits alone", arguments: ["", "-1", "+1", "1.0", "0x1", " 1", "١", "9223372036854775808"])
  func numbers(_ text: String) {
    #expect(throws: Failure.self) { try invocation("restore", "--revision=\(text)").number(.revision) }
  }

  @Test("a timeout is more than nothing and at most a day")
  func timeouts() throws {
    #expect(try invocation("status").timeout == 10_000)
    #expect(try invocation("status", "--timeout", "2.5").timeout == 2500)
    for text in ["0", "-1", "nan", "inf", "86401", "ten", ""] {
      #expect(throws: Failure.self) { try invocation("status", "--timeout=\(text)").timeout }
    }
  }
}
