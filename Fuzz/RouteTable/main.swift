import FuzzSupport
import SceneModel

/// No kind is declared but `card` and `board`, of which the ids of even length exist.
struct EvenIDs: EntityLookup {
  func kind(named name: String) -> KindAnswer {
    name == "card" || name == "board" ? .declared(key: 1, syncing: false) : .undeclared
  }

  func contains(_ id: EntityID, in kind: Int64) -> Bool { id.description.utf8.count.isMultiple(of: 2) }

  func name(of kind: Int64) -> String { "card" }
}

let states = [
  #"{"stacks":{"boards":[{"board":{"id":"b1"}},{"card":{"ref":{"boardID":"b"},"_0":[1,22]}},"list",3,null],"home":["a"]}}"#,
  #"{"stacks":[{"home":{}},[{"checkout":{"_0":{"card":{"cardID":"x"}}}}],7,[]],"selectedTab":7,"modals":{"sheet":["a","b"]}}"#,
  #"{"stacks":{"m":["App.Card","{\"cardID\":7}","App.Board","[1","App.X","{\"_0\":{\"card\":1}}"]},"selectedTab":{"home":{}}}"#,
  #"{"stacks":{"m":{"routes":[{"name":"Card","params":{"cardID":"x"},"state":{"routes":[{"type":"a.B","id":1}]}}],"index":0}}}"#,
].compactMap { try? SceneState(validating: Array($0.utf8)) }

let links = ["myapp://board/7", "https://example.org/new?board=%41&x=1", "a://h/b/c", "a:b"]

/// What a table makes of a state can be saved, and keep changes nothing.
func check(_ state: SceneState, _ rules: RouteRules) {
  var lookup = EvenIDs()
  let kept = state.restoration(stale: .keep, rules: rules, lookup: &lookup)
  FuzzDriver.require(kept.state == state.bytes && kept.emptied.isEmpty, "keep changes nothing")
  for policy in [StalePolicy.drop, .truncate] {
    let once = state.restoration(stale: policy, rules: rules, lookup: &lookup)
    FuzzDriver.require((try? SceneState(validating: once.state)) != nil, "what a restore returns can be saved")
  }
}

// Any bytes: refused as a table, each fault with a place and a reason, or restored by and asked for links.
FuzzDriver.run { bytes in
  do throws(RouteTableFaults) {
    let table = try RouteTable(validating: bytes)
    FuzzDriver.require(table.isSameValue(as: table), "a table equals itself")
    for state in states { check(state, table.rules) }
    for link in links {
      if let state = table.state(ofLink: link) { check(state, table.rules) }
    }
  } catch {
    FuzzDriver.require(!error.all.isEmpty, "what is refused has a fault")
    for fault in error.all {
      FuzzDriver.require(FuzzDriver.isPointer(fault.path), "a fault has a pointer")
      FuzzDriver.require(!fault.reason.isEmpty, "a fault has a reason")
    }
  }
}
