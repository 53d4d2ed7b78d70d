import JSONText

/// Finds the references of routes, and asks whether what they refer to still exists.
struct ReferenceCheck<L: EntityLookup> {
  /// A reference to an entity that is not there.
  struct Missing {
    /// The kind's place in the table of kinds.
    let kind: Int
    /// The node that spells the id.
    let id: Int
  }

  /// Where the name of a kind comes from.
  private enum Source {
    /// The case name, after its last `.` or `/`: `id` and a lone `_0`.
    case caseName(Int)
    /// A parameter's name of the form `boardID`.
    case parameter(Int)
  }

  private let document: JSONDocument
  /// The kinds met so far.
  var kinds = KindTable()

  init(_ document: JSONDocument) {
    self.document = document
  }

  /// Checks all references of a route, by convention.
  ///
  /// - Returns: the first one that is missing, in the order of the bytes.
  mutating func firstMissing(of route: Route, _ lookup: inout L) throws(L.Failure) -> Missing? {
    switch route.parameters {
    case .none: return nil
    case .value(let value):
      return try lone(value, of: route, &lookup)
    case .elements(let array):
      return document.count(array) == 1 ? try lone(array + 1, of: route, &lookup) : nil
    case .members(let object, let except):
      return try members(of: object, except: except, of: route, &lookup)
    }
  }

  /// Checks a parameter `_0` that stands alone.
  private mutating func lone(_ value: Int, of route: Route, _ lookup: inout L) throws(L.Failure) -> Missing? {
    guard let name = route.name, isReference(value) else { return nil }
    return try check(value, .caseName(name), afterMissing: false, &lookup)
  }

  private mutating func members(
    of object: Int,
    except: Int?,
    of route: Route,
    _ lookup: inout L
  ) throws(L.Failure) -> Missing? {
    var missing: Missing?
    for (key, value) in document.members(object) where key != except && isReference(value) {
      guard let source = source(key, in: object, except: except, of: route) else { continue }
      let found = try check(value, source, afterMissing: missing != nil, &lookup)
      missing = missing ?? found
    }
    return missing
  }

  private func source(_ key: Int, in object: Int, except: Int?, of route: Route) -> Source? {
    if document.withDecoded(key, { ReferenceForm.kindLength(in: $0) }) != nil { return .parameter(key) }
    guard let name = route.name else { return nil }
    if document.isString(key, "id") { return .caseName(name) }
    guard document.isString(key, "_0"), document.count(object) == (except == nil ? 1 : 2) else { return nil }
    return .caseName(name)
  }

  /// Whether a value refers to anything: a string, a number, or an array of nothing else that is not empty.
  private func isReference(_ value: Int) -> Bool {
    switch document.kind(value) {
    case .string, .number: return true
    case .array: break
    default: return false
    }
    for element in document.elements(value) where !isID(element) { return false }
    return document.next(value) > value + 1
  }

  private func isID(_ node: Int) -> Bool { document.kind(node) == .string || document.kind(node) == .number }

  /// Checks one reference.
  ///
  /// - Parameter afterMissing: the route is stale already, so only what stays unchecked is still of interest.
  private mutating func check(
    _ value: Int,
    _ source: Source,
    afterMissing: Bool,
    _ lookup: inout L
  ) throws(L.Failure) -> Missing? {
    guard let kind = try place(source, &lookup) else { return nil }
    // Only a parameter that names its kind is taken at its word: any case has an `id`.
    let isReported = if case .parameter = source { true } else { false }
    guard case .declared(let key, let isSyncing) = kinds[kind] else {
      if isReported { kinds.markUnverified(kind) }
      return nil
    }
    if isSyncing ? !isReported || kinds.isUnverified(kind) : afterMissing { return nil }
    guard let id = try firstMissing(in: value, key, &lookup) else { return nil }
    guard isSyncing else { return Missing(kind: kind, id: id) }
    kinds.markUnverified(kind)
    return nil
  }

  private mutating func place(_ source: Source, _ lookup: inout L) throws(L.Failure) -> Int? {
    var kinds = KindTable()
    swap(&kinds, &self.kinds)
    defer { swap(&kinds, &self.kinds) }
    switch source {
    case .caseName(let node):
      return try document.withDecoded(node) { (name) throws(L.Failure) -> Int? in
        let kind = UnsafeBufferPointer(rebasing: name[ReferenceForm.kindStart(inCase: name)...])
        return try kinds.place(of: kind, &lookup)
      }
    case .parameter(let node):
      return try document.withDecoded(node) { (name) throws(L.Failure) -> Int? in
        let kind = UnsafeBufferPointer(rebasing: name[..<(ReferenceForm.kindLength(in: name) ?? 0)])
        return try kinds.place(of: kind, &lookup)
      }
    }
  }

  /// The first id of a reference that is not in the table.
  private func firstMissing(in value: Int, _ kind: Int64, _ lookup: inout L) throws(L.Failure) -> Int? {
    guard document.kind(value) == .array else { return try exists(value, kind, &lookup) ? nil : value }
    for element in document.elements(value) where try !exists(element, kind, &lookup) { return element }
    return nil
  }

  private func exists(_ id: Int, _ kind: Int64, _ lookup: inout L) throws(L.Failure) -> Bool {
    guard let id = document.withDecoded(id, { EntityID(decoded: $0) }) else { return false }
    return try lookup.contains(id, in: kind)
  }
}
