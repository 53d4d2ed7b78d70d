/// The interface `io.restored`: its name, its text, and the limits that belong to the wire.
package enum RestoredInterface {
  /// The interface's name.
  package static let name = "io.restored"

  /// The interface's text in the Varlink interface definition language, as the daemon serves it.
  package static var text: String { String(decoding: PackageResources.io_restored_varlink, as: UTF8.self) }

  /// The release of the programs that speak it.
  package static let productVersion = "0.1.0"

  /// The most ids that one call takes.
  package static let maximumIDs = 10_000
}

/// A method of the interface: its name and the shapes of a call and a reply.
package protocol InterfaceMethod {
  /// What a call takes.
  associatedtype Parameters: WireRecord
  /// What a reply holds.
  associatedtype Reply: WireRecord
  /// The name without the interface's.
  static var name: String { get }
}

extension InterfaceMethod {
  /// The name as calls carry it.
  package static var fullName: String { RestoredInterface.name + "." + name }
}
