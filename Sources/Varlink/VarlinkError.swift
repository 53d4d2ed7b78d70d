import JSONText

/// An error reply: its qualified name, and its parameters as JSON text.
///
/// The errors of `org.varlink.service` are here; an interface makes its own.
/// See https://varlink.org/Service.
package struct VarlinkError: Error, Hashable, Sendable {
  /// The qualified name, as `org.varlink.service.InvalidParameter`.
  package let name: String
  /// One JSON object.
  package let parameters: [UInt8]

  /// Makes an error.
  ///
  /// - Parameter parameters: one JSON object; not checked.
  package init(_ name: String, parameters: [UInt8] = Array("{}".utf8)) {
    self.name = name
    self.parameters = parameters
  }

  /// Makes an error with one parameter, a string.
  package init(_ name: String, _ key: StaticString, _ value: String) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(key)
    writer.string(value)
    writer.endObject()
    self.init(name, parameters: writer.bytes)
  }

  /// There is no such interface here.
  package static func interfaceNotFound(_ interface: String) -> Self {
    Self("org.varlink.service.InterfaceNotFound", "interface", interface)
  }

  /// The interface has no such method.
  package static func methodNotFound(_ method: String) -> Self {
    Self("org.varlink.service.MethodNotFound", "method", method)
  }

  /// The interface has the method, this service does not.
  package static func methodNotImplemented(_ method: String) -> Self {
    Self("org.varlink.service.MethodNotImplemented", "method", method)
  }

  /// A parameter is missing, of the wrong type, out of its range, or unknown.
  package static func invalidParameter(_ parameter: String) -> Self {
    Self("org.varlink.service.InvalidParameter", "parameter", parameter)
  }

  /// The caller may not do that.
  package static let permissionDenied = Self("org.varlink.service.PermissionDenied")

  /// The method streams and has to be called with `more`.
  package static let expectedMore = Self("org.varlink.service.ExpectedMore")
}
