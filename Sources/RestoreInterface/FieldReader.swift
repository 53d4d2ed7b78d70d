import JSONText

/// The members of one JSON object, read by name and type.
///
/// `null` counts as absent. Scalars are checked when they are read; the inside of objects is left to their readers.
package struct FieldReader: Sendable {
  private let object: JSONSplit
  /// One bit for each member that nothing has asked for.
  private var unread: UInt32 = 0

  /// More members than any record has: the rest are unknown ones.
  private static let maximumMembers = 32

  /// Longer than any name there is: only its beginning is told.
  private static let nameBytes = 64

  private static func beginning(of key: ArraySlice<UInt8>) -> String {
    String(
      decoding: key.dropFirst().prefix { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }.prefix(32),
      as: UTF8.self
    ) + "…"
  }

  /// Splits `object`, the text of one JSON object.
  ///
  /// - Throws: `WireFault.invalidParameter` with the name of a member that stands twice or comes after too many,
  ///   or `""` where the text is no object.
  package init(_ object: ArraySlice<UInt8>) throws(WireFault) {
    try self.init(JSONSplit(object, maximum: Self.maximumMembers))
  }

  /// Reads an object that has been split already.
  ///
  /// - Throws: as `init(_: ArraySlice<UInt8>)`.
  package init(_ object: JSONSplit) throws(WireFault) {
    self.object = object
    for index in object.members.indices { try check(index) }
    guard object.fault == nil else { throw .invalidParameter("") }
    unread = UInt32.max >> UInt32(Self.maximumMembers - object.members.count)
  }

  private func check(_ index: Int) throws(WireFault) {
    let key = object.text[object.members[index].key]
    guard key.count <= Self.nameBytes else { throw .invalidParameter(Self.beginning(of: key)) }
    do throws(JSONFault) {
      if !object.members[index].isPlain { _ = try JSONScalar.string(key) }
      var isKnown = index < Self.maximumMembers
      for earlier in 0..<index where isKnown { isKnown = try !object.isSameName(earlier, index) }
      guard isKnown else { throw JSONFault(.duplicateKey, at: 0) }
    } catch { throw .invalidParameter(name(index)) }
  }

  /// A member's name, empty where it is none.
  private func name(_ index: Int) -> String { (try? JSONScalar.string(object.text[object.members[index].key])) ?? "" }

  /// Refuses members that nothing has asked for.
  ///
  /// - Throws: `WireFault.invalidParameter` with the first one's name.
  package func finish() throws(WireFault) {
    guard unread == 0 else { throw .invalidParameter(name(unread.trailingZeroBitCount)) }
  }

  /// The member `name`, or nil where it is absent or null.
  private mutating func member(_ name: StaticString) -> Int? {
    guard let index = object.members.indices.first(where: { object.isNamed($0, name) }) else { return nil }
    unread &= ~(1 << UInt32(index))
    return JSONScalar.isNull(object.text[object.members[index].value]) ? nil : index
  }

  /// The value of a member, or nil where it is absent or null.
  private mutating func value(_ name: StaticString) -> ArraySlice<UInt8>? {
    member(name).map { object.text[object.members[$0].value] }
  }

  private func required<T>(_ name: StaticString, _ value: T?) throws(WireFault) -> T {
    guard let value else { throw .invalidParameter("\(name)") }
    return value
  }

  /// A string that must be there.
  package mutating func string(_ name: StaticString) throws(WireFault) -> String {
    try required(name, try optionalString(name))
  }

  /// A string, or nil.
  package mutating func optionalString(_ name: StaticString) throws(WireFault) -> String? {
    guard let value = value(name) else { return nil }
    do { return try JSONScalar.string(value) } catch { throw .invalidParameter("\(name)") }
  }

  /// An integer that must be there.
  package mutating func int(_ name: StaticString) throws(WireFault) -> Int { try required(name, try optionalInt(name)) }

  /// An integer, or nil.
  package mutating func optionalInt(_ name: StaticString) throws(WireFault) -> Int? {
    guard let value = value(name) else { return nil }
    return try required(name, JSONScalar.int(value))
  }

  /// A truth value that must be there.
  package mutating func bool(_ name: StaticString) throws(WireFault) -> Bool {
    try required(name, try optionalBool(name))
  }

  /// A truth value, or nil.
  package mutating func optionalBool(_ name: StaticString) throws(WireFault) -> Bool? {
    guard let value = value(name) else { return nil }
    return try required(name, JSONScalar.bool(value))
  }

  /// One of a list of words that must be there.
  package mutating func choice<T: RawRepresentable<String>>(_ name: StaticString) throws(WireFault) -> T {
    try required(name, try optionalChoice(name))
  }

  /// One of a list of words, or nil.
  package mutating func optionalChoice<T: RawRepresentable<String>>(_ name: StaticString) throws(WireFault) -> T? {
    guard let word = try optionalString(name) else { return nil }
    return try required(name, T(rawValue: word))
  }

  /// An object that must be there, as it stands.
  package mutating func object(_ name: StaticString) throws(WireFault) -> JSONObjectText {
    try required(name, try optionalObject(name))
  }

  /// An object as it stands, or nil.
  package mutating func optionalObject(_ name: StaticString) throws(WireFault) -> JSONObjectText? {
    guard let member = member(name) else { return nil }
    let value = object.text[object.members[member].value]
    guard JSONSkim.kind(of: value) == .object else { throw .invalidParameter("\(name)") }
    return JSONObjectText(value, object.reading(of: member))
  }

  /// A record that must be there.
  package mutating func record<T: WireRecord>(_ name: StaticString) throws(WireFault) -> T {
    try T(leniently: try object(name).bytes)
  }

  /// A list of strings that must be there.
  ///
  /// - Parameter maximum: the most elements; more are counted and not kept.
  package mutating func strings(_ name: StaticString, maximum: Int = .max) throws(WireFault) -> [String] {
    try list(name, maximum: maximum) { (element) throws(JSONFault) in try JSONScalar.string(element) }
  }

  /// A list of integers that must be there.
  package mutating func integers(_ name: StaticString) throws(WireFault) -> [Int] {
    try list(name) { JSONScalar.int($0) }
  }

  /// A list of objects that must be there, each as it stands.
  package mutating func objects(_ name: StaticString) throws(WireFault) -> [JSONObjectText] {
    try list(name) { JSONSkim.kind(of: $0) == .object ? JSONObjectText($0) : nil }
  }

  /// A list of records that must be there.
  package mutating func records<T: WireRecord>(_ name: StaticString) throws(WireFault) -> [T] {
    try list(name) { try? T(leniently: $0) }
  }

  private mutating func list<T>(
    _ name: StaticString,
    maximum: Int = .max,
    _ read: (ArraySlice<UInt8>) throws(JSONFault) -> T?
  ) throws(WireFault) -> [T] {
    let text = try required(name, value(name))
    var result: [T] = []
    var count = 0
    do throws(JSONFault) {
      var skim = try JSONSkim(text, .array)
      while let element = try skim.nextElement() {
        count += 1
        guard count <= maximum else {
          count += try skim.countRest()
          break
        }
        guard let value = try read(element) else { throw JSONFault(.unexpectedByte(element.first ?? 0), at: 0) }
        result.append(value)
      }
    } catch { throw .invalidParameter("\(name)") }
    if count > maximum { throw .limitExceeded(limit: "\(name)", maximum: maximum, actual: count) }
    return result
  }
}
