import JSONText

/// Judges routes: what the route table says of the case, then whether what the route refers to still exists.
///
/// Routes that stand in parameters count as parts of the route that holds them. They are kept in a list, so that
/// depth costs no stack.
struct RouteCheck {
  /// Why a route is stale.
  struct Verdict {
    let reason: DropReason
    /// The entity, where one is missing.
    var missing: ReferenceCheck.Missing?
  }

  let rules: RouteRules
  var references = ReferenceCheck()
  /// Routes whose case the table does not list, though it lists some.
  private(set) var unknown = 0
  /// The new case names that the route judged last needs, those of routes inside it too: the node that spells the old
  /// one, and the place of the new one.
  private(set) var renames: [(node: Int, place: Int)] = []
  private var inner: [Int] = []
  /// Those that were ever in `inner`: several rules may lead to one, which is judged once.
  private var collected: Set<Int> = []
  /// Objects inside parameters that are still to be looked through, and the scopes of their members.
  private var nested: [(object: Int, scope: Int)] = []
  private var fault: (node: Int, reason: DropReason)?
  private var missing: ReferenceCheck.Missing?

  init(_ rules: RouteRules) {
    self.rules = rules
  }

  /// Judges a route.
  ///
  /// - Returns: nil where it stays; else the first reason in the order of rules: an unknown or malformed route, then a
  ///   missing entity, of each the first one in the order of the bytes.
  mutating func verdict<L: EntityLookup>(
    of node: Int,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Verdict? {
    guard let names = rules.names else {
      let route = Route(node, in: tape, nil)
      let missing = try references.firstMissing(of: route.parameters, .spelled(route, tape), in: tape, &lookup)
      return missing.map { Verdict(reason: .entityMissing, missing: $0) }
    }
    begin()
    try judge(node, names, in: tape, &lookup)
    return try conclude(names, in: tape, &lookup)
  }

  /// Judges a route whose case name stands outside the text of its parameters.
  ///
  /// Its own rename is not among `renames`, which are about `tape`.
  mutating func verdict<L: EntityLookup>(
    ofCase name: (node: Int, tape: JSONTape),
    _ parameters: Route.Parameters,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Verdict? {
    begin()
    let names = rules.names
    let place = names.flatMap { names in name.tape.withDecoded(name.node) { names.cases.place(of: $0) } }
    try judge(place, .written(name.node, name.tape), parameters, at: tape.root, in: tape, &lookup)
    guard let names else { return conclusion }
    return try conclude(names, in: tape, &lookup)
  }

  /// The name of a route as reports give it: the new one, where it was renamed; nil where it has none.
  func reportedName(of node: Int, in tape: JSONTape) -> String? {
    guard let name = Route(node, in: tape, rules.names).caseName(in: tape) else { return nil }
    return reportedName(spelled: name, in: tape)
  }

  /// As `reportedName(of:in:)`, of the node that spells the name.
  func reportedName(spelled name: Int, in tape: JSONTape) -> String {
    guard let names = rules.names, let target = newPlace(of: name, in: tape) else { return tape.string(name) }
    return names.cases.name(target)
  }

  /// The place of the case that the one which a node spells was renamed to; nil: it was not.
  func newPlace(of name: Int, in tape: JSONTape) -> Int? {
    guard let names = rules.names else { return nil }
    return tape.withDecoded(name) { names.cases.place(of: $0) }.flatMap { names.cases[$0].target }
  }
}

// MARK: - One route

extension RouteCheck {
  private mutating func begin() {
    renames.removeAll(keepingCapacity: true)
    if !collected.isEmpty { collected.removeAll(keepingCapacity: true) }
    fault = nil
    missing = nil
  }

  private mutating func conclude<L: EntityLookup>(
    _ names: RouteNames,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Verdict? {
    while let route = inner.popLast() { try judge(route, names, in: tape, &lookup) }
    return conclusion
  }

  private var conclusion: Verdict? {
    if let fault { return Verdict(reason: fault.reason) }
    return missing.map { Verdict(reason: .entityMissing, missing: $0) }
  }

  private mutating func judge<L: EntityLookup>(
    _ node: Int,
    _ names: RouteNames,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) {
    let route = Route(node, in: tape, names)
    guard let name = route.caseName(in: tape) else {
      if rules.dropsUnknown { note(.malformedRoute, node) }
      note(try references.firstMissing(of: route.parameters, .none, in: tape, &lookup))
      return
    }
    let place = tape.withDecoded(name) { names.cases.place(of: $0) }
    if let place, let target = names.cases.values[place].target { renames.append((name, target)) }
    try judge(place, .written(name, tape), route.parameters, at: node, in: tape, &lookup)
  }

  /// - Parameter place: that of the case as written; nil: the table does not mention it.
  private mutating func judge<L: EntityLookup>(
    _ place: Int?,
    _ written: CaseName,
    _ parameters: Route.Parameters,
    at node: Int,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) {
    guard let names = rules.names, let place else {
      if rules.listsCases { noteUnknown(node) }
      note(try references.firstMissing(of: parameters, written, in: tape, &lookup))
      return
    }
    let target = names.cases.values[place].target
    let rule = names.cases.values[target ?? place]
    if rules.listsCases && !rule.isListed { noteUnknown(node) }
    if !rule.saysEntities {
      let passed = rule.holdsRoutes ? rule.scope : nil
      note(try conventional(parameters, target.map { .renamed($0, names) } ?? written, passed, in: tape, &lookup))
    }
    if let scope = rule.scope { try walk(parameters, scope, names, in: tape, &lookup) }
  }

  /// Checks by convention, but for parameters that hold routes.
  private mutating func conventional<L: EntityLookup>(
    _ parameters: Route.Parameters,
    _ name: CaseName,
    _ scope: Int?,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> ReferenceCheck.Missing? {
    guard let scope, let names = rules.names else {
      return try references.firstMissing(of: parameters, name, in: tape, &lookup)
    }
    let holdsRoutes = { (key: UnsafeBufferPointer<UInt8>) in
      names.parameters.place(of: key, in: scope).map { names.parameters.values[$0].holdsRoutes } ?? false
    }
    switch parameters {
    case .value, .elements:
      // The convention looks at no other than a lone `_0`.
      if Array("_0".utf8).withUnsafeBufferPointer(holdsRoutes) { return nil }
    default: break
    }
    return try references.firstMissing(
      of: parameters,
      name,
      in: tape,
      passing: { tape.withDecoded($0, holdsRoutes) },
      &lookup
    )
  }

  private mutating func noteUnknown(_ node: Int) {
    unknown += 1
    if rules.dropsUnknown { note(.unknownRoute, node) }
  }

  private mutating func note(_ reason: DropReason, _ node: Int) {
    if fault.map({ $0.node <= node }) ?? false { return }
    fault = (node, reason)
  }

  private mutating func note(_ found: ReferenceCheck.Missing?) {
    guard let found else { return }
    if let missing, missing.parameter <= found.parameter { return }
    missing = found
  }
}

// MARK: - Parameters that the table mentions

extension RouteCheck {
  private mutating func walk<L: EntityLookup>(
    _ parameters: Route.Parameters,
    _ scope: Int,
    _ names: RouteNames,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) {
    switch parameters {
    case .none: return
    case .value(let value): try visitNumbered(0, value, scope, names, in: tape, &lookup)
    case .elements(let array):
      var number = 0
      for element in tape.elements(array) {
        try visitNumbered(number, element, scope, names, in: tape, &lookup)
        number += 1
      }
    case .members(let object, let except):
      try visitMembers(of: object, except: except, scope, names, in: tape, &lookup)
    }
    while let (object, scope) = nested.popLast() {
      try visitMembers(of: object, except: nil, scope, names, in: tape, &lookup)
    }
  }

  private mutating func visitMembers<L: EntityLookup>(
    of object: Int,
    except: Int?,
    _ scope: Int,
    _ names: RouteNames,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) {
    for (key, value) in tape.members(object) where key != except {
      guard let place = tape.withDecoded(key, { names.parameters.place(of: $0, in: scope) }) else { continue }
      try visit(value, place, names, in: tape, &lookup)
    }
  }

  private mutating func visitNumbered<L: EntityLookup>(
    _ number: Int,
    _ value: Int,
    _ scope: Int,
    _ names: RouteNames,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) {
    let name = Array("_\(number)".utf8)
    guard let place = name.withUnsafeBufferPointer({ names.parameters.place(of: $0, in: scope) }) else { return }
    try visit(value, place, names, in: tape, &lookup)
  }

  private mutating func visit<L: EntityLookup>(
    _ value: Int,
    _ place: Int,
    _ names: RouteNames,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) {
    let rule = names.parameters.values[place]
    if let kind = rule.kind, references.isReference(value, in: tape) {
      let kind = try kind.withBytes { (kind) throws(L.Failure) -> Int? in
        try references.kinds.place(of: kind, &lookup)
      }
      if let kind {
        let isStale = missing.map { $0.parameter < value } ?? false
        note(try references.named(kind, value, isStale: isStale, in: tape, &lookup))
      }
    }
    if rule.holdsRoutes { collectRoutes(value, in: tape) }
    if let scope = rule.scope, tape.kind(value) == .object { nested.append((value, scope)) }
  }

  /// Remembers the routes that a parameter holds: the value, or the elements of an array; null is none.
  private mutating func collectRoutes(_ value: Int, in tape: JSONTape) {
    guard tape.kind(value) == .array else { return collect(value, in: tape) }
    for element in tape.elements(value) { collect(element, in: tape) }
  }

  private mutating func collect(_ route: Int, in tape: JSONTape) {
    if tape.kind(route) != .null && collected.insert(route).inserted { inner.append(route) }
  }
}

extension [UInt8] {
  /// `withUnsafeBufferPointer` under a typed error.
  fileprivate func withBytes<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try withUnsafeBufferPointer { (bytes) throws(E) -> R in try body(bytes) }
  }
}
