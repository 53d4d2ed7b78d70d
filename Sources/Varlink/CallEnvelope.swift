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
  /// The same split into its members, where that was done in passing.
  let split: JSONSplit?
  let more: Bool
  let oneway: Bool
  let upgrade: Bool

  /// The longest name of a method that is looked at: a longer one would only be copied from error to error.
  private static let methodBytes = 512
  private static let noParameters = ArraySlice("{}".utf8)

  /// Reads a message.
  ///
  /// - Throws: `unreadable` where it is no object; else the member that is wrong, and whether a reply is wanted.
  init(_ frame: ArraySlice<UInt8>) throws(EnvelopeFault) {
    var members = EnvelopeMembers(frame)
    do throws(JSONFault) { try members.read() } catch { throw .unreadable }
    let oneway = members.flag(.oneway) ?? false
    func wrong(_ member: EnvelopeMembers.Name) -> EnvelopeFault { .member("\(member)", oneway: oneway) }

    if let repeated = members.repeated { throw wrong(repeated) }
    guard let method = members[.method], frame[method.lowerBound] == UInt8(ascii: "\""),
      method.count <= Self.methodBytes
    else { throw wrong(.method) }
    guard let more = members.flag(.more) else { throw wrong(.more) }
    guard let upgrade = members.flag(.upgrade) else { throw wrong(.upgrade) }
    guard members.flag(.oneway) != nil else { throw wrong(.oneway) }
    if let parameters = members[.parameters], frame[parameters.lowerBound] == UInt8(ascii: "{") {
      self.parameters = frame[parameters]
      split = members.split
    } else {
      guard members.isAbsent(.parameters) else { throw .parameters(oneway: oneway) }
      parameters = Self.noParameters
      split = nil
    }
    self.method = frame[method]
    self.more = more
    self.oneway = oneway
    self.upgrade = upgrade
  }

  /// Whether the beginning of a message, cut off anywhere, shows a call that wants a reply.
  static func wantsReply(beginning: ArraySlice<UInt8>) -> Bool {
    var members = EnvelopeMembers(beginning)
    do throws(JSONFault) { try members.read() } catch {}
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

/// Where in an envelope the members stand that mean something.
private struct EnvelopeMembers {
  enum Name: Int, CaseIterable { case method, parameters, more, oneway, upgrade }

  private let frame: ArraySlice<UInt8>
  private var places: InlineArray<5, Range<Int>?> = .init(repeating: nil)
  private(set) var repeated: Name?
  private(set) var split: JSONSplit?

  /// Of messages from this length on the parameters are split in passing, so that they are gone through once.
  private static let splitBytes = 512
  /// Of messages up to this length an object among the parameters is read too.
  ///
  /// Finding where a state ends takes half as long as reading it. Of a longer one a reading might take four times its
  /// memory.
  private static let readBytes = 65_536
  /// As many members as any method has; an object of more is left to whoever wants it.
  private static let splitMembers = 32

  init(_ frame: ArraySlice<UInt8>) { self.frame = frame }

  /// A member's value; nil: it is not there.
  subscript(name: Name) -> Range<Int>? { places[name.rawValue] }

  /// Reads all members, or those before the fault that is thrown.
  mutating func read() throws(JSONFault) {
    var skim = try JSONSkim(frame, .object)
    while let key = try skim.nextKeyRange() {
      let name = try name(key)
      let value = try value(of: name, in: &skim)
      guard let name else { continue }
      if places[name.rawValue] != nil { repeated = repeated ?? name }
      places[name.rawValue] = value
    }
  }

  private mutating func value(of name: Name?, in skim: inout JSONSkim) throws(JSONFault) -> Range<Int> {
    guard name == .parameters, split == nil, frame.count >= Self.splitBytes,
      let (place, parts) = skim.valueSplit(maximum: Self.splitMembers, reading: frame.count <= Self.readBytes)
    else { return try skim.valueRange() }
    split = parts
    return place
  }

  /// Whether it is left out, or null.
  func isAbsent(_ name: Name) -> Bool {
    guard let place = self[name] else { return true }
    return frame.equals("null", at: place)
  }

  /// A flag's value, false where it is left out or null; nil where it is no truth value.
  func flag(_ name: Name) -> Bool? {
    guard let place = self[name], !frame.equals("null", at: place) else { return false }
    if frame.equals("true", at: place) { return true }
    return frame.equals("false", at: place) ? false : nil
  }

  private func name(_ key: Range<Int>) throws(JSONFault) -> Name? {
    if frame.equals("\"method\"", at: key) { return .method }
    if frame.equals("\"parameters\"", at: key) { return .parameters }
    if frame.equals("\"more\"", at: key) { return .more }
    if frame.equals("\"oneway\"", at: key) { return .oneway }
    if frame.equals("\"upgrade\"", at: key) { return .upgrade }
    guard frame[key].contains(UInt8(ascii: "\\")) else { return nil }
    let decoded = try JSONScalar.string(frame[key])
    return Name.allCases.first { "\($0)" == decoded }
  }
}
