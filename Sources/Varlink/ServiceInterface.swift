import JSONText

/// What a service says about itself, https://varlink.org/Service.
package struct ServiceIdentity: Hashable, Sendable {
  /// Who makes it.
  package let vendor: String
  /// What it is.
  package let product: String
  /// Which release.
  package let version: String
  /// Where to read about it.
  package let url: String

  /// Makes an identity.
  package init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}

/// `org.varlink.service`: lists the interfaces and hands out their texts.
final class ServiceInterface: VarlinkInterface {
  private let identity: ServiceIdentity
  private var information: [UInt8] = []
  private var descriptions: [String: [UInt8]] = [:]

  init(_ identity: ServiceIdentity) { self.identity = identity }

  /// Makes the replies for these interfaces once and for all.
  func publish(_ interfaces: [(name: String, text: String)]) {
    information = ReplyFrame.make { writer in
      writer.beginObject()
      for (key, value) in [
        ("vendor", identity.vendor), ("product", identity.product), ("version", identity.version),
        ("url", identity.url),
      ] {
        writer.key(escaping: key)
        writer.string(value)
      }
      writer.key("interfaces")
      writer.beginArray()
      for interface in interfaces { writer.string(interface.name) }
      writer.endArray()
      writer.endObject()
    }
    for interface in interfaces {
      descriptions[interface.name] = ReplyFrame.make { writer in
        writer.beginObject()
        writer.key("description")
        writer.string(interface.text)
        writer.endObject()
      }
    }
  }

  /// Bytes of parameters that are looked into: no name of an interface is as long.
  private static let parameterBytes = 4_096

  func handle(_ call: VarlinkCall, _ responder: consuming Responder) {
    guard call.parameters.count <= Self.parameterBytes else { return responder.fail(.invalidParameter("parameters")) }
    switch call.method {
    case "GetInfo": getInfo(call, responder)
    default: getInterfaceDescription(call, responder)
    }
  }

  private func getInfo(_ call: VarlinkCall, _ responder: consuming Responder) {
    // The usual call, which has none.
    if call.parameters.elementsEqual("{}".utf8) { return responder.reply(frame: information) }
    guard let document = try? JSONDocument(Array(call.parameters)) else {
      return responder.fail(.invalidParameter("parameters"))
    }
    for (key, _) in document.members(document.root) {
      return responder.fail(.invalidParameter(document.string(key)))
    }
    responder.reply(frame: information)
  }

  private func getInterfaceDescription(_ call: VarlinkCall, _ responder: consuming Responder) {
    guard let document = try? JSONDocument(Array(call.parameters)) else {
      return responder.fail(.invalidParameter("parameters"))
    }
    var name: String?
    for (key, value) in document.members(document.root) {
      guard document.isString(key, "interface"), document.kind(value) == .string else {
        return responder.fail(.invalidParameter(document.string(key)))
      }
      name = document.string(value)
    }
    guard let name else { return responder.fail(.invalidParameter("interface")) }
    guard let description = descriptions[name] else { return responder.fail(.interfaceNotFound(name)) }
    responder.reply(frame: description)
  }

  let interfaceText = """
    # What every Varlink service says about itself.
    interface org.varlink.service

    # Who made this service, and which interfaces it offers.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The description of one interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # There is no such interface here.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, this service does not.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or of the wrong type.
    error InvalidParameter (parameter: string)

    # The caller may not do that.
    error PermissionDenied ()

    # The method has to be called with more.
    error ExpectedMore ()

    """
}
