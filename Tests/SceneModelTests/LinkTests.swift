import SceneModel
import Testing

private func table(_ links: (String, String)...) throws -> RouteTable {
  let links = links.map { #"{"link":"\#($0)","state":\#($1)}"# }.joined(separator: ",")
  return try RouteTable(validating: Array(#"{"links":[\#(links)]}"#.utf8))
}

/// A state that holds what the placeholder `x` stands for.
private let holder = #"{"values":{"v":"{x}"}}"#

@Suite("Links")
struct LinkTests {
  private func resolve(_ table: RouteTable, _ link: String) -> String? {
    table.state(ofLink: link).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// What `{x}` of a pattern stands for in a link, as JSON.
  private func value(_ pattern: String, _ link: String) throws -> String? {
    let isInteger = pattern.contains(":int")
    let table = try table((pattern, isInteger ? #"{"values":{"v":"{x:int}"}}"# : holder))
    return resolve(table, link).map { String($0.dropFirst(#"{"values":{"v":"#.count).dropLast(2)) }
  }

  @Test("the state comes as the table spells it, with strings and numbers in place of the placeholders")
  func spelling() throws {
    let table = try table(
      (
        "myapp://board/{id:int}",
        #"{"selectedTab":"boards", "stacks":{"boards":[{"board":{"id":"{id:int}","n":1.0}}]}}"#
      ),
      ("https://example.org/new?board={b}", #"{"modals":{"sheet":{"newCard":{"boardID":"{b}"}}}}"#)
    )
    #expect(
      resolve(table, "myapp://board/18446744073709551616")
        == #"{"selectedTab":"boards", "stacks":{"boards":[{"board":{"id":18446744073709551616,"n":1.0}}]}}"#
    )
    #expect(
      resolve(table, "HTTPS://EXAMPLE.ORG/new/?utm=1&board=a%20%22b%22#part")
        == #"{"modals":{"sheet":{"newCard":{"boardID":"a \"b\""}}}}"#
    )
    #expect(resolve(table, "https://example.org/new") == nil)
    #expect(resolve(table, "https://example.org/New?board=b") == nil)
    #expect(resolve(table, "myapp://board/x") == nil)
    #expect(resolve(table, "nothing") == nil)
    #expect(resolve(table, "") == nil)
  }

  @Test(
    "a placeholder matches one whole segment or query value, decoded once",
    arguments: [
      ("a://h/{x}", "a://h/b", #""b""#), ("a://h/{x}", "A://H/b/", #""b""#), ("a://h/{x}", "a://h/b/c", nil),
      ("a://h/{x}", "a://h/", nil), ("a://h/{x}", "a://h//", nil), ("a://h/{x}", "a://h/b%2Fc", #""b/c""#),
      ("a://h/{x}", "a://h/a+b", #""a+b""#), ("a://h/{x}", "a://h/%2541", #""%41""#), ("a://h/{x}", "a://h/%4", nil),
      ("a://h/{x}", "a://h/%zz", nil), ("a://h/{x}", "a://h/%ff", nil), ("a://h/{x}", "a://h/%00", nil),
      ("a://h/{x}", "a://h/%0a", nil), ("a://h/{x}", "a://h/%c2%85", nil), ("a://h/{x}", "a://h/%C3%A9", #""é""#),
      ("a://h/{x}", "a://h/é", #""é""#), ("a://h/{x}", "a://g/b", nil), ("a://h/{x}", "a://h:1/b", nil),
      ("a://h/{x}", "a:/h/b", nil), ("a:h/{x}", "a:h/b", #""b""#), ("a://h/é/{x}", "a://h/%c3%a9/b", #""b""#),
      ("a://h/{x:int}", "a://h/0", "0"), ("a://h/{x:int}", "a://h/10", "10"), ("a://h/{x:int}", "a://h/01", nil),
      ("a://h/{x:int}", "a://h/-1", nil), ("a://h/{x:int}", "a://h/1.0", nil), ("a://h/{x:int}", "a://h/", nil),
      ("a://h?q={x}", "a://h?q=b", #""b""#), ("a://h?q={x}", "a://h/?z&q=b=c&q=d", #""b=c""#),
      ("a://h?q={x}", "a://h?q=", #""""#), ("a://h?q={x}", "a://h?q", #""""#), ("a://h?q={x}", "a://h?Q=b", nil),
      ("a://h?q={x}", "a://h?%71=b", #""b""#), ("a://h?m=1&q={x}", "a://h?q=b&m=1", #""b""#),
      ("a://h?m=1&q={x}", "a://h?q=b&m=2", nil), ("a://h?q={x:int}", "a://h?q=", nil),
    ] as [(String, String, String?)]
  )
  func matches(pattern: String, link: String, expected: String?) throws {
    #expect(try value(pattern, link) == expected)
  }

  @Test("the first pattern that matches wins")
  func first() throws {
    let table = try table(
      ("a://h/b", #"{"values":{"v":0}}"#),
      ("a://h/{x}", holder),
      ("a://h/c", holder.replacing("{x}", with: "c"))
    )
    #expect(resolve(table, "a://h/b") == #"{"values":{"v":0}}"#)
    #expect(resolve(table, "a://h/c") == #"{"values":{"v":"c"}}"#)
  }

  @Test("a link of thousands of members is looked up member by member once, and one that is too long matches nothing")
  func long() throws {
    let table = try table(("a:b?x={x}&y={y}", #"{"modals":{"a":"{x}","b":"{y}"}}"#))
    let filler = String(repeating: "n&", count: 1_000)
    #expect(resolve(table, "a:b?\(filler)y=1&x=2&y=3") == #"{"modals":{"a":"2","b":"1"}}"#)
    let longest = "a:b?x=1&y=" + String(repeating: "z", count: RouteTable.longestLink - 10)
    #expect(resolve(table, longest)?.contains("zzz") == true)
    #expect(resolve(table, longest + "z") == nil)
  }

  @Test("a state that the link's text makes invalid is not matched")
  func invalid() throws {
    let table = try table(
      ("a://h/{x}", #"{"selectedTab":"{x}"}"#),
      ("a://h/{y}", #"{"values":{"other":"{y}"}}"#),
      ("a://two/{x}/{y}", #"{"stacks":["{x}",[],"{y}",[]]}"#)
    )
    #expect(resolve(table, "a://h/tab") == #"{"selectedTab":"tab"}"#)
    let long = String(repeating: "t", count: 256)
    #expect(resolve(table, "a://h/\(long)") == #"{"values":{"other":"\#(long)"}}"#)
    #expect(resolve(table, "a://two/p/q") == #"{"stacks":["p",[],"q",[]]}"#)
    #expect(resolve(table, "a://two/p/p") == nil)
  }

  @Test(
    "a wrong link has its place and what to write",
    arguments: [
      (#"{"link":"a://h"}"#, "/links/0", "needs state"), (#"{"state":{}}"#, "/links/0", "needs link"),
      (#"{"link":1,"state":{"stacks":{}}}"#, "/links/0/link", "link is a string"),
      (#"{"link":"h/x","state":{"stacks":{}}}"#, "/links/0/link", "begins with a scheme"),
      (#"{"link":"a://{h}/x","state":{"stacks":{}}}"#, "/links/0/link", "not for the host"),
      (#"{"link":"a://h/card-{x}","state":{"stacks":{}}}"#, "/links/0/link", "whole path segment"),
      (#"{"link":"a://h/{x:num}","state":{"stacks":{}}}"#, "/links/0/link", "no other type"),
      (#"{"link":"a://h/{x}/{x}","state":{"stacks":{}}}"#, "/links/0/link", "stands once"),
      (#"{"link":"a://h/%zz","state":{"stacks":{}}}"#, "/links/0/link", "%25"),
      (#"{"link":"a://h#{x}","state":{"stacks":{}}}"#, "/links/0/link", "fragment"),
      (#"{"link":"a://h?{x}=1","state":{"stacks":{}}}"#, "/links/0/link", "after its ="),
      (#"{"link":"a://h","state":{"values":{"v":["{x}"]}}}"#, "/links/0/state/values/v/0", "lacks the placeholder {x}"),
      (#"{"link":"a://h/{x:int}","state":{"values":{"v":"{x}"}}}"#, "/links/0/state/values/v", "the link has {x:int}"),
      (#"{"link":"a://h/{x}","state":{"values":{"{x}":1}}}"#, "/links/0/state/values/{x}", "not for a key"),
      (#"{"link":"a://h","state":{}}"#, "/links/0/state", "the state is empty"),
      (#"{"link":"a://h","state":{"stakcs":{}}}"#, "/links/0/state/stakcs", "did you mean stacks?"),
      (#"{"link":"a://h","state":[]}"#, "/links/0/state", "the state of a link is an object"),
      (#"{"link":"a://h","sate":{}}"#, "/links/0", "needs state"),
      (#"[]"#, "/links/0", "an object with link and state"),
    ]
  )
  func refused(link: String, path: String, reason: String) throws {
    let fault = try #require(faults(#"{"links":[\#(link)]}"#).first)
    #expect(fault.path == path)
    #expect(fault.reason.contains(reason), "\(fault.reason)")
  }

  @Test("text in braces that is no name, and text around a name, are no placeholders")
  func literals() throws {
    let state = #"{"values":{"v":["{}","{ x}","{x} ","{1}"]}}"#
    #expect(resolve(try table(("a://h", state)), "a://h") == state)
    #expect(try value("a://h?q={x:int}", "a://h?q=3") == "3")
  }
}
