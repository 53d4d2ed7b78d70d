/// An interface that a server offers.
package protocol VarlinkInterface: AnyObject {
  /// The interface's description in the interface definition language, https://varlink.org/Interface-Definition.
  ///
  /// It says the interface's name and its methods; it is served byte for byte.
  var interfaceText: String { get }

  /// Handles one call, on the loop's thread, and must not block.
  ///
  /// - Parameters:
  ///   - call: of a method that the text declares. One that this service lacks is answered with
  ///     `VarlinkError.methodNotImplemented(call.qualifiedMethod)`.
  ///   - responder: to be consumed once: a reply now, one later (`detach`), or a stream. While the answer is out,
  ///     the connection's next call waits. Dropped, it answers `ServerPolicy.unanswered`.
  func handle(_ call: VarlinkCall, _ responder: consuming Responder)
}
