import Glibc
import TestSupport
import Testing

@testable import restorectl

@Suite("Commands for route tables and links")
struct RoutesCommandTests {
  private let folder = TemporaryFolder()

  private func file(_ table: String) -> String {
    folder.write(table.utf8, to: "routes.json")
    return folder.file("routes.json")
  }

  @Test("check finds every fault without a daemon, each with line, column, pointer and what to write")
  func faults() {
    let file = file(
      "{\n  \"tab\": [],\n  \"routes\": {\"card\": {\"entity\": 1}, \"a\": {}},\n  \"renamed\": {\"x\": \"cart\"}\n}\n"
    )
    let result = Tool.run(["routes", "check", file], socket: "/nowhere")
    #expect(result.exit == 65 && result.text.isEmpty)
    let lines = result.error.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0] == "restorectl: \(file): line 2, column 10: /tab: unknown member tab: did you mean tabs?")
    #expect(lines[1].hasPrefix("restorectl: \(file): line 3, column 33: /routes/card/entity: unknown member entity"))
    #expect(
      lines[2].contains("line 4, column 20: /renamed/x: x ends as cart") && lines[2].contains("did you mean card?")
    )
    #expect(lines[3].hasPrefix("restorectl: 3 faults; "))
  }

  @Test("a table is read from standard input where FILE is -, and help says so", arguments: ["set", "check"])
  func standardInput(_ command: String) {
    let daemon = DaemonProcess()
    let read = Tool.run(["routes", command, "-"], socket: daemon.socket, input: #"{"tabs":["a"]}"#)
    #expect(read.exit == 0 && read.error.isEmpty)
    #expect(Tool.run(["routes", command, "--help"]).text.contains("from FILE or standard input (-)"))
  }

  @Test("set calls what is no JSON a fault of the table, not of a state")
  func notJSON() {
    let result = Tool.run(["routes", "set", "-"], input: "{")
    #expect(result.exit == 65)
    #expect(result.error.contains("a route table is exactly one JSON object") && !result.error.contains("state"))
  }

  @Test("check reads what is no JSON, too, and a table without faults is summed up")
  func checks() {
    let broken = Tool.run(["routes", "check", "-"], socket: nil, input: "{\n \"routes\": {,}\n}")
    #expect(broken.exit == 65)
    #expect(broken.error.contains("standard input: line 2, column 13: /routes: "))
    let right = file(#"{"tabs":["a","b"],"routes":{"x":{}},"renamed":{"y":"x"},"links":[]}"#)
    #expect(Tool.run(["routes", "check", right]).text == "no faults: 1 case, 2 tabs, 1 renamed, 0 links\n")
    #expect(Tool.run(["routes", "check", "--quiet", right]).text.isEmpty)
    #expect(Tool.run(["routes", "check", "--json", right]).text == "{\"faults\":[]}\n")
    let json = Tool.run(["routes", "check", "--json", "-"], input: #"{"history":0}"#)
    #expect(json.exit == 65)
    #expect(json.text.hasPrefix(#"{"faults":[{"path":"/history","reason":"history is an integer"#))
    #expect(json.text.hasSuffix("\"line\":1,\"column\":12}]}\n"))
    #expect(Tool.run(["routes", "check", "/nowhere/routes.json"]).exit == 66)
  }

  @Test("set says what it does, with --dry-run without doing it; show prints the table as it was set")
  func sets() {
    let daemon = DaemonProcess()
    func run(_ arguments: String..., input: String = "") -> Tool.Result {
      Tool.run(arguments, socket: daemon.socket, input: input)
    }
    #expect(run("save", input: #"{"stacks":{"m":["old","beta"]}}"#).exit == 0)
    #expect(run("routes", "show").exit == 66)
    let table = #"{ "routes": {"new":{}}, "renamed": {"old":"new"}, "unknownRoutes":"drop" }"#
    let file = file("\n" + table + "\n")
    #expect(run("routes", "set", "--dry-run", file).text == "would change; 1 scene: renamed 1, unknown 1, stale 1\n")
    #expect(run("routes", "show").exit == 66)
    #expect(run("routes", "set", file).text == "changed; 1 scene: renamed 1, unknown 1, stale 1\n")
    #expect(run("routes", "set", file).text == "unchanged; 1 scene: renamed 1, unknown 1, stale 1\n")
    #expect(run("routes", "show").text == table + "\n")
    let restored = run("restore")
    #expect(restored.text == #"{"stacks":{"m":["new"]}}"# + "\n")
    #expect(restored.error.contains("dropped /stacks/m/1: beta: the route table has no such route"))
    let wrong = run("routes", "set", "-", input: #"{"routes":3}"#)
    #expect(wrong.exit == 65 && wrong.error.contains("at /routes") && wrong.error.contains("routes check FILE"))
  }

  @Test("link prints the state that a link leads to, and exits 65 where none matches")
  func links() {
    let daemon = DaemonProcess()
    func run(_ arguments: String...) -> Tool.Result { Tool.run(arguments, socket: daemon.socket) }
    #expect(run("entities", "put", "card", "7").exit == 0)
    let table = #"{"links":[{"link":"m://card/{id:int}","state":{"stacks":{"m":[{"card":"{id:int}"}]}}}]}"#
    #expect(run("routes", "set", file(table)).exit == 0)
    #expect(run("link", "m://card/7").text == #"{"stacks":{"m":[{"card":7}]}}"# + "\n")
    let gone = run("link", "m://card/8")
    #expect(gone.exit == 0 && gone.text == #"{"stacks":{"m":[]}}"# + "\n")
    #expect(gone.error.contains("no entity card \"8\""))
    #expect(run("link", "m://card/x").exit == 65)
  }

  @Test("an expired scene is told so, with how to read it")
  func expired() {
    let daemon = DaemonProcess()
    func run(_ arguments: String...) -> Tool.Result { Tool.run(arguments, socket: daemon.socket) }
    #expect(Tool.run(["save"], socket: daemon.socket, input: #"{"stacks":{}}"#).exit == 65)
    #expect(Tool.run(["save", "--allow-empty"], socket: daemon.socket, input: #"{"stacks":{}}"#).exit == 0)
    #expect(run("routes", "set", file(#"{"maximumAgeSeconds":1}"#)).exit == 0)
    // The daemon's clock has to pass the second; asked until it has, and not longer than any clock needs.
    var result = run("restore")
    for _ in 0..<10_000 where result.exit == 0 { result = run("restore") }
    #expect(result.exit == 66 && result.error.contains("--expired"))
    #expect(run("restore", "--expired").text == "{\"stacks\":{}}\n")
    #expect(run("restore", "--revision", "1").text == "{\"stacks\":{}}\n")
    #expect(run("restore", "--launch").exit == 66)
    #expect(run("restore", "--launch", "--expired").exit == 0)
    #expect(run("restore").exit == 0)
  }
}
