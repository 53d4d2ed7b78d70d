import JSONText

/// Stacks as `NavigationPath.CodableRepresentation` encodes them: pairs of a type's name and a JSON text, the one
/// pushed last first.
extension Restorer {
  /// Judges the pairs of a stack from the root, which is the last one, up.
  ///
  /// - Returns: whether there were pairs, and none is left.
  mutating func restoreNavigationPath<L: EntityLookup>(
    _ array: Int,
    _ path: RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) -> Bool {
    let nodes = Array(tape.elements(array))
    guard nodes.count.isMultiple(of: 2), nodes.allSatisfy({ tape.kind($0) == .string }) else {
      dropped.append(Dropped(path: path.pointer(in: tape), reason: .malformedRoute))
      guard policy != .keep else { return false }
      edits.removeElements(of: array, in: document) { _ in true }
      return true
    }
    var removed = [Bool](repeating: false, count: nodes.count)
    var isTruncating = false
    for name in stride(from: nodes.count - 2, through: 0, by: -2) {
      let pair = PathElement(name: nodes[name], text: nodes[name + 1])
      if isTruncating {
        reportAbove(pair, path.adding(place: name))
      } else if try !isStale(pair, path.adding(place: name), &lookup) || policy == .keep {
        continue
      }
      isTruncating = policy == .truncate
      removed[name] = true
      removed[name + 1] = true
    }
    guard removed.contains(true) else { return false }
    var place = -1
    edits.removeElements(of: array, in: document) { _ in
      place += 1
      return removed[place]
    }
    return !removed.contains(false)
  }

  /// One pair, by its nodes.
  private struct PathElement {
    let name: Int
    let text: Int
  }

  private mutating func isStale<L: EntityLookup>(
    _ pair: PathElement,
    _ path: RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) -> Bool {
    guard let name = caseName(pair), let text = try? JSONDocument(tape.withDecoded(pair.text) { Array($0) }) else {
      let name = caseName(pair).map { check.reportedName(spelled: $0, in: tape) }
      try report(RouteCheck.Verdict(reason: .malformedRoute), name, path, &lookup)
      return true
    }
    let verdict = try text.withTape { (inner) throws(L.Failure) -> RouteCheck.Verdict? in
      let isObject = inner.kind(inner.root) == .object
      return try check.verdict(
        ofCase: (name, tape),
        isObject ? .members(of: inner.root, except: nil) : .value(inner.root),
        in: inner,
        &lookup
      )
    }
    guard let verdict else {
      if policy != .keep { renameCases(name, pair, text) }
      return false
    }
    try report(verdict, check.reportedName(spelled: name, in: tape), path, &lookup)
    return true
  }

  /// The node of the type's name; nil where that is no name of a case.
  private func caseName(_ pair: PathElement) -> Int? {
    tape.withDecoded(pair.name) { Names.fault($0) } == nil ? pair.name : nil
  }

  /// Gives the case its new name, and writes the text anew where routes inside it have new ones.
  private mutating func renameCases(_ name: Int, _ pair: PathElement, _ text: JSONDocument) {
    guard let names = rules.names else { return }
    if let target = check.newPlace(of: name, in: tape) {
      edits.replace(tape.range(name), with: names.cases.spelling(target, inPlaceOf: .string))
      renamed += 1
    }
    guard !check.renames.isEmpty else { return }
    var inner = JSONEdits()
    for (node, place) in check.renames {
      inner.replace(text.range(node), with: names.cases.spelling(place, inPlaceOf: text.kind(node)))
      renamed += 1
    }
    var writer = JSONWriter(reserving: text.bytes.count + 64)
    writer.string(utf8: inner.applied(to: text.bytes))
    edits.replace(tape.range(pair.text), with: writer.bytes)
  }

  private mutating func reportAbove(_ pair: PathElement, _ path: RoutePath) {
    let name = caseName(pair).map { check.reportedName(spelled: $0, in: tape) }
    dropped.append(Dropped(path: path.pointer(in: tape), reason: .aboveDropped, route: name))
  }
}
