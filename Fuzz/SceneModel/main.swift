import FuzzSupport
import SceneModel

/// Every kind but `other…` is declared; about half of all ids exist, told by their hash, so that any input meets both.
struct HalfOfAll: EntityLookup {
  func kind(named name: String) -> KindAnswer {
    name.hasPrefix("other") ? .undeclared : .declared(key: Int64(name.utf8.count), syncing: name.hasPrefix("sync"))
  }

  func contains(_ id: EntityID, in kind: Int64) -> Bool {
    id.description.utf8.reduce(UInt8(truncatingIfNeeded: kind)) { $0 &* 31 &+ $1 } & 1 == 0
  }

  func name(of kind: Int64) -> String { "kind \(kind)" }
}

/// What restoring `state` comes to.
func restored(_ state: SceneState, _ policy: StalePolicy) -> Restoration {
  var lookup = HalfOfAll()
  return state.restoration(stale: policy, rules: .byConvention, lookup: &lookup)
}

/// A restore returns a state that can be saved, and restoring that once more changes nothing.
func check(_ state: SceneState, _ policy: StalePolicy) {
  let first = restored(state, policy)
  guard let again = try? SceneState(validating: first.state) else {
    FuzzDriver.require(false, "what a restore returns can be saved")
    return
  }
  let second = restored(again, policy)
  FuzzDriver.require(second.state == first.state, "restoring what was restored changes nothing")
  FuzzDriver.require(second.dropped.isEmpty, "what was restored holds nothing stale")
  FuzzDriver.require(
    first.dropped.isEmpty == (first.state == state.bytes),
    "bytes change just where something is dropped"
  )
}

// Any bytes: refused as a state with a place and a reason, or restored under each policy.
FuzzDriver.run { bytes in
  do throws(StateFault) {
    let state = try SceneState(validating: bytes)
    FuzzDriver.require(state.isSameValue(as: state), "a state equals itself")
    _ = (state.valueHash, state.selectedTab, state.namesNothing)
    let kept = restored(state, .keep)
    FuzzDriver.require(kept.state == bytes && kept.emptied.isEmpty, "keep changes nothing")
    FuzzDriver.require(
      kept.dropped == restored(state, .drop).dropped,
      "keep reports what drop drops"
    )
    check(state, .drop)
    check(state, .truncate)
  } catch {
    if case .invalid(let path, let reason) = error {
      FuzzDriver.require(FuzzDriver.isPointer(path), "a fault has a pointer")
      FuzzDriver.require(!reason.isEmpty, "a fault has a reason")
    }
  }
}
