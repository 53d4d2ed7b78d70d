/// A part of a state that this release could not read, and that was therefore left out.
///
/// What `Dropped` is to the service, this is to the decoder: the service left out what no longer exists, the decoder what
/// has a shape that it does not know. Nothing stored changes by it.
public struct Skipped: Hashable, Sendable, CustomStringConvertible {
  /// The JSON Pointer (RFC 6901) of the part in the state that was decoded.
  public let path: String
  /// Why it could not be read.
  public let reason: String

  /// Path and reason in one line.
  public var description: String { "\(path): \(reason)" }
}
