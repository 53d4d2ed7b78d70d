import JSONText

/// What a call's message says beside its parameters.
///
/// Only this level is read: what is inside `parameters` is for the method to judge. Members of other names pass. See
/// https://varlink.org/Method-Call.
struct CallEnvelope {
  /// The method's name as it stands, with its quotes.
  let method: ArraySlice<UInt8>
  /// One object, `{}` where there was none.
  let parameters: ArraySlice<UInt8>
  let more: Bool
  let oneway: Bool
  let upgrade: Bool

  private static let none = ArraySlice("{}".utf8)

  /// Reads a message.
  ///
  /// - Throws: `unreadable` where it is no object; else the member that is wrong, and whether a reply is wanted.
  init(_ frame: ArraySlice<UInt8>) throws(EnvelopeFault) {
    var members = EnvelopeMembers()
    do throws(JSONFault) { try members.read(frame) } catch { throw .unreadable }
    let oneway = members.flag(.oneway) ?? false
    func wrong(_ member: EnvelopeMembers.Name) -> EnvelopeFault { .member("\(member)", oneway: oneway) }

    if let repeated = members.repeated { throw wrong(repeated) }
    guard let method = members[.method], JSONSkim.kind(of: method) == .string else { throw wrong(.method) }
    guard let more = members.flag(.more) else { throw wrong(.more) }
    guard let upgrade = members.flag(.upgrade) else { throw wrong(.upgrade) }
    guard members.flag(.oneway) != nil else { throw wrong(.oneway) }
    var parameters = members[.parameters] ?? Self.none
    if JSONScalar.isNull(parameters) { parameters = Self.none }
    guard parameters.first == UInt8(ascii: "{") else { throw .parameters(oneway: oneway) }

    self.method = method
    self.parameters = parameters
    self.more = more
    self.oneway = oneway
    self.upgrade = upgrade
  }

  /// Whether the beginning of a message, cut off anywhere, shows a call that wants a reply.
  static func wantsReply(beginning: ArraySlice<UInt8>) -> Bool {
    var members = EnvelopeMembers()
    do throws(JSONFault) { try members.read(beginning) } catch {}
    return members[.method] != nil && members.flag(.oneway) != true
  }
}

/// Why a message is no call.
enum EnvelopeFault: Error, Equatable {
  /// No JSON object.
  case unreadable
  /// A member is missing, there twice, or of the wrong type.
  case member(String, oneway: Bool)
  /// `parameters` is no object.
  ///
  /// The envelope itself is sound.
  case parameters(oneway: Bool)
}

/// The members of an envelope that mean something, as they stand.
private struct EnvelopeMembers {
  enum Name: Int, CaseIterable { case method, parameters, more, oneway, upgrade }

  private(set) var repeated: Name?
  private var method: ArraySlice<UInt8>?
  private var parameters: ArraySlice<UInt8>?
  private var more: ArraySlice<UInt8>?
  private var oneway: ArraySlice<UInt8>?
  private var upgrade: ArraySlice<UInt8>?

  subscript(name: Name) -> ArraySlice<UInt8>? {
    get {
      switch name {
      case .method: method
      case .parameters: parameters
      case .more: more
      case .oneway: oneway
      case .upgrade: upgrade
      }
    }
    set {
      switch name {
      case .method: method = newValue
      case .parameters: parameters = newValue
      case .more: more = newValue
      case .oneway: oneway = newValue
      case .upgrade: upgrade = newValue
      }
    }
  }

  /// Reads all members, or those before the fault that is thrown.
  mutating func read(_ frame: ArraySlice<UInt8>) throws(JSONFault) {
    var skim = try JSONSkim(frame, .object)
    while let (key, value) = try skim.nextMember() {
      guard let name = try Self.name(key) else { continue }
      if self[name] != nil { repeated = repeated ?? name }
      self[name] = value
    }
  }

  /// A flag's value, false where it is left out or null; nil where it is no truth value.
  func flag(_ name: Name) -> Bool? {
    guard let value = self[name], !JSONScalar.isNull(value) else { return false }
    return JSONScalar.bool(value)
  }

  private static func name(_ key: ArraySlice<UInt8>) throws(JSONFault) -> Name? {
    if key.contains(UInt8(ascii: "\\")) {
      let decoded = try JSONScalar.string(key)
      return Name.allCases.first { "\($0)" == decoded }
    }
    if key.equals("\"method\"") { return .method }
    if key.equals("\"parameters\"") { return .parameters }
    if key.equals("\"more\"") { return .more }
    if key.equals("\"oneway\"") { return .oneway }
    return key.equals("\"upgrade\"") ? .upgrade : nil
  }
}
