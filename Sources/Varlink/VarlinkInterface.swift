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
  ///     the connection's next call waits, unless both may overlap. Dropped, it answers `ServerPolicy.unanswered`.
  func handle(_ call: VarlinkCall, _ responder: consuming Responder)

  /// Whether calls of this method may be begun while earlier ones that may overlap are unanswered.
  ///
  /// For methods that hand their work on to something that does it in the order in which it was handed over: then a
  /// peer that sends many calls before it reads a reply has several of them done in one. Replies keep the order of the
  /// calls all the same. By default no method may.
  func mayOverlap(_ method: String) -> Bool
}

extension VarlinkInterface {
  /// No method may overlap another.
  package func mayOverlap(_ method: String) -> Bool { false }
}
