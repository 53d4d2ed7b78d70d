import FuzzSupport
import JSONText

@testable import SceneModel

let states = [
  #"{"stacks":{"boards":[{"board":{"id":"{a}"}},{"card":{"boardID":"{a}","cardID":"{b:int}"}}]}}"#,
  #"{"stacks":[{"home":{}},[{"search":{"_0":"{a}"}}]],"selectedTab":{"home":{}},"modals":{"sheet":"{b:int}"}}"#,
  #"{"stacks":{"m":[{"name":"Card","params":{"id":"{b:int}"},"path":"{a}"}]}}"#,
]

/// A table with `pattern` as the link to each of the states, as far as it is one.
func tables(_ pattern: String) -> [RouteTable] {
  states.compactMap { state in
    var writer = JSONWriter(reserving: 256)
    writer.beginObject()
    writer.key("links")
    writer.beginArray()
    writer.beginObject()
    writer.key("link")
    writer.string(pattern)
    writer.key("state")
    writer.raw(state.utf8)
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return try? RouteTable(validating: writer.bytes)
  }
}

let kept = [
  "myapp://board/{a}/{b:int}", "https://example.org/new?board={a}&n={b:int}", "a:{a}?b={b:int}&c=%41",
].flatMap(tables)

/// The same as `text` with each byte of its path and query percent-encoded that need not be, and each escape as it is.
func spelledOut(_ text: [UInt8]) -> [UInt8] {
  let code = Array("0123456789ABCDEF".utf8)
  return text.flatMap { byte in
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A ? [0x25, code[Int(byte >> 4)], code[Int(byte & 15)]] : [byte]
  }
}

// A line of a link's pattern and a line of a link: the pattern is refused or used, and a link is matched or not, in bounded
// time; what it leads to is a state that can be saved, and depends on what the link says, not on how it is spelled.
FuzzDriver.run { bytes in
  let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
  let link = lines.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
  let own = lines.count > 1 ? tables(String(decoding: lines[0], as: UTF8.self)) : []
  for table in kept + own {
    guard let state = table.state(ofLink: link) else { continue }
    FuzzDriver.require((try? SceneState(validating: state.bytes)) != nil, "where a link leads can be saved")
    FuzzDriver.require(table.state(ofLink: link)?.bytes == state.bytes, "a link leads to one state")
    FuzzDriver.require(table.state(ofLink: link + "#x")?.bytes == state.bytes, "a fragment means nothing")
  }
  if let text = PercentCode.decoded(Array(link.utf8)[...]), !link.utf8.contains(0x25) {
    let again = PercentCode.decoded(spelledOut(Array(link.utf8))[...])
    FuzzDriver.require(again == text, "an escape says the same as what it stands for")
  }
}
