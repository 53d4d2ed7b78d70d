import JSONText

/// Finds the references of routes, and asks whether what they refer to still exists.
struct ReferenceCheck {
  /// A reference to an entity that is not there.
  struct Missing {
    /// The kind's place in the table of kinds.
    let kind: Int
    /// The id as the route spells it, escapes decoded.
    let id: String
    /// The node of the parameter that refers to it.
    let parameter: Int
  }

  /// A reference, whether what it refers to is there or not.
  struct Found {
    /// The kind's place in the table of kinds.
    let kind: Int
    /// The node of the id, or of the list of ids.
    let value: Int
    /// Whether the parameter names the kind, and not the case.
    let isNamed: Bool
  }

  /// The kinds met so far.
  var kinds = KindTable()

  /// The references met so far, for who lists them; nil where nobody does, as in a restoring.
  var found: [Found]?

  /// Checks all references of a route, by convention.
  ///
  /// - Parameters:
  ///   - parameters: the route's.
  ///   - name: its case name.
  ///   - passing: tells which parameters of an object hold something else, by the nodes of their keys.
  /// - Returns: the first one that is missing, in the order of the bytes.
  mutating func firstMissing<L: EntityLookup>(
    of parameters: Route.Parameters,
    _ name: CaseName,
    in tape: JSONTape,
    passing: (Int) -> Bool = { _ in false },
    _ lookup: inout L
  ) throws(L.Failure) -> Missing? {
    switch parameters {
    case .none:
      return nil
    case .value(let value):
      return try byCaseName(value, name, in: tape, &lookup)
    case .elements(let array):
      guard tape.count(array) == 1 else { return nil }
      return try byCaseName(array + 1, name, in: tape, &lookup)
    case .members(let object, let except):
      return try members(of: object, except: except, name, in: tape, passing: passing, &lookup)
    }
  }

  private mutating func members<L: EntityLookup>(
    of object: Int,
    except: Int?,
    _ name: CaseName,
    in tape: JSONTape,
    passing: (Int) -> Bool,
    _ lookup: inout L
  ) throws(L.Failure) -> Missing? {
    var missing: Missing?
    for (key, value) in tape.members(object)
    where key != except && isReference(value, in: tape) && !passing(key) {
      let found: Missing?
      if let kind = try kind(ofParameter: key, in: tape, &lookup) {
        found = try named(kind, value, isStale: missing != nil, in: tape, &lookup)
      } else if missing == nil || self.found != nil, isByCaseName(key, in: object, except: except, in: tape) {
        found = try byCaseName(value, name, in: tape, &lookup)
      } else {
        continue
      }
      missing = missing ?? found
    }
    return missing
  }

  /// Whether a parameter is one that refers to the kind named like the case: `id`, or `_0` without another.
  private func isByCaseName(_ key: Int, in object: Int, except: Int?, in tape: JSONTape) -> Bool {
    if tape.isString(key, "id") { return true }
    return tape.isString(key, "_0") && tape.count(object) == (except == nil ? 1 : 2)
  }

  /// Whether a value refers to anything: a string, a number, or an array of nothing else that is not empty.
  func isReference(_ value: Int, in tape: JSONTape) -> Bool {
    switch tape.kind(value) {
    case .string, .number: return true
    case .array: break
    default: return false
    }
    for element in tape.elements(value) {
      guard tape.kind(element) == .string || tape.kind(element) == .number else { return false }
    }
    return tape.next(value) > value + 1
  }
}

// MARK: - One reference

extension ReferenceCheck {
  /// Checks a reference to the kind named like the case.
  ///
  /// Any case has an `id`, so it can say that something is missing, but not that it should have been checked.
  private mutating func byCaseName<L: EntityLookup>(
    _ value: Int,
    _ name: CaseName,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Missing? {
    guard isReference(value, in: tape) else { return nil }
    let kind = try name.withBytes { (name) throws(L.Failure) -> Int? in
      try kinds.place(of: UnsafeBufferPointer(rebasing: name[ReferenceForm.kindStart(inCase: name)...]), &lookup)
    }
    guard let kind else { return nil }
    found?.append(Found(kind: kind, value: value, isNamed: false))
    guard case .declared(let key, false) = kinds[kind] else { return nil }
    guard let id = try firstMissing(in: value, of: key, in: tape, &lookup) else { return nil }
    return Missing(kind: kind, id: tape.string(id), parameter: value)
  }

  /// Checks a reference by a parameter that names its kind, or of which a route table names it.
  ///
  /// - Parameter isStale: the route is stale already, so only what stays unchecked is still of interest.
  mutating func named<L: EntityLookup>(
    _ kind: Int,
    _ value: Int,
    isStale: Bool,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Missing? {
    found?.append(Found(kind: kind, value: value, isNamed: true))
    guard case .declared(let key, let isSyncing) = kinds[kind] else {
      kinds.markUnverified(kind)
      return nil
    }
    if isSyncing ? kinds.isUnverified(kind) : isStale { return nil }
    guard let id = try firstMissing(in: value, of: key, in: tape, &lookup) else { return nil }
    guard isSyncing else { return Missing(kind: kind, id: tape.string(id), parameter: value) }
    kinds.markUnverified(kind)
    return nil
  }

  /// The kind that a parameter's name refers to; nil where the name is of no form that refers to one.
  private mutating func kind<L: EntityLookup>(
    ofParameter key: Int,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Int? {
    try tape.withDecoded(key) { (name) throws(L.Failure) -> Int? in
      guard let length = ReferenceForm.kindLength(in: name) else { return nil }
      return try kinds.place(of: UnsafeBufferPointer(rebasing: name[..<length]), &lookup)
    }
  }

  /// The first id of a reference that is not in the table.
  private func firstMissing<L: EntityLookup>(
    in value: Int,
    of kind: Int64,
    in tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Int? {
    guard tape.kind(value) == .array else {
      return try exists(value, in: kind, tape, &lookup) ? nil : value
    }
    for element in tape.elements(value) where try !exists(element, in: kind, tape, &lookup) { return element }
    return nil
  }

  private func exists<L: EntityLookup>(
    _ id: Int,
    in kind: Int64,
    _ tape: JSONTape,
    _ lookup: inout L
  ) throws(L.Failure) -> Bool {
    guard let id = tape.withDecoded(id, { EntityID(decoded: $0) }) else { return false }
    return try lookup.contains(id, in: kind)
  }
}
