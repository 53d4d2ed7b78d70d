public import FoundationEssentials

/// A value that names one entity, by a text that is never given to another one of its kind.
///
/// Strings, integers and UUIDs do already; an app's own id types say which text they are:
///
/// ```swift
/// extension Board.ID: EntityIdentifier { var entityText: String { rawValue } }
/// ```
public protocol EntityIdentifier: Sendable {
  /// The text that routes spell the id as, 1 to 4,096 bytes of UTF-8 without control characters.
  ///
  /// A number's is its digits; UUIDs compare whatever their case.
  var entityText: String { get }
}

extension String: EntityIdentifier {
  /// The string itself.
  public var entityText: String { self }
}

extension Substring: EntityIdentifier {
  /// The characters.
  public var entityText: String { String(self) }
}

extension EntityIdentifier where Self: BinaryInteger {
  /// The digits.
  public var entityText: String { String(self) }
}

extension Int: EntityIdentifier {}
extension Int64: EntityIdentifier {}
extension Int32: EntityIdentifier {}
extension UInt: EntityIdentifier {}
extension UInt64: EntityIdentifier {}
extension UInt32: EntityIdentifier {}

extension UUID: EntityIdentifier {
  /// The UUID as its encoder spells it.
  public var entityText: String { uuidString }
}

/// A kind of entity, as `"board"`.
public struct EntityKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The kind's name: 1 to 255 bytes of UTF-8 without control characters.
  public let name: String

  /// The kind of that name.
  public init(_ name: String) { self.name = name }
  /// The kind of that name.
  public init(stringLiteral name: String) { self.name = name }
  /// The name.
  public var description: String { name }
}
