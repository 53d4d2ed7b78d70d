import CLinux
import JSONText

/// The process at the other end of a connection, as the kernel saw it when the connection was made.
package struct Peer: Hashable, Sendable {
  /// Effective user id.
  package let uid: UInt32
  /// Effective group id.
  package let gid: UInt32
  /// Process id; only good for messages, since a process may end and its number come back.
  package let pid: Int32

  /// Makes a peer by hand.
  package init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }

  /// The peer of a connected Unix socket (SO_PEERCRED, unix(7)), or nil where the kernel does not know it.
  package init?(of descriptor: Int32) {
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    var pid: Int32 = 0
    guard clinux_peer(descriptor, &uid, &gid, &pid) == 0 else { return nil }
    self.init(uid: uid, gid: gid, pid: pid)
  }
}

/// One call as it came in.
///
/// Its envelope has been checked, its parameters have not.
package struct VarlinkCall: Sendable {
  /// The interface's name.
  ///
  /// It is one that is registered.
  package let interface: String
  /// The method's bare name, as `GetInfo`.
  ///
  /// It is one that the interface's text declares.
  package let method: String
  /// The bytes of the parameters: they begin with `{`, and as many brackets open as close; nothing else is checked.
  ///
  /// `{}` where the call had none or null. They share the memory of the whole message: copy what you keep.
  package let parameters: ArraySlice<UInt8>
  /// The same split into its members, where the server did that in passing.
  package let split: JSONSplit?
  /// The caller wants as many replies as there are.
  package let more: Bool
  /// The caller wants no reply; whatever is answered is not sent.
  package let oneway: Bool
  /// The caller would go on with a protocol of its own after the reply.
  ///
  /// The server takes it for an ordinary call.
  package let upgrade: Bool
  /// Nobody is there any more to hear the answer: a call that changes nothing need not be carried out.
  package let isUnheard: Bool
  /// Who calls.
  package let peer: Peer
  /// The connection, numbered from 1 in the order of acceptance; never used twice by one server.
  package let connection: UInt64

  /// The qualified name, as in the call: `org.varlink.service.GetInfo`.
  package var qualifiedMethod: String { "\(interface).\(method)" }
}
