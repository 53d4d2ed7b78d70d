import Glibc

/// Why a client got no reply.
///
/// An error reply is none of these: it is a `VarlinkReply`.
package enum VarlinkClientError: Error, Hashable, Sendable {
  /// There is nothing at the path.
  case missing(path: String)
  /// Something is at the path, but nobody listens.
  case refused(path: String)
  /// The socket, or a folder on the way to it, is not open to this user.
  case notPermitted(path: String)
  /// The time was over.
  ///
  /// The connection is of no more use: a reply may still come for the call given up.
  case timedOut
  /// The other end closed the connection before the reply.
  case closed
  /// The reply has more bytes than the client takes.
  case replyTooLarge(maximum: Int)
  /// What came is no reply of the protocol.
  case malformedReply(reason: String)
  /// The system refused: out of descriptors, path too long.
  case system(SystemFault)

  /// What a failed connect(2) means.
  package init(connecting fault: SystemFault, to path: String) {
    switch fault.code {
    case ENOENT, ENOTDIR: self = .missing(path: path)
    case ECONNREFUSED, ENOTSOCK, EPROTOTYPE: self = .refused(path: path)
    case EACCES, EPERM: self = .notPermitted(path: path)
    case EAGAIN, ETIMEDOUT: self = .timedOut
    default: self = .system(fault)
    }
  }

  /// What happened, in one sentence without a full stop.
  package var sentence: String {
    switch self {
    case .missing(let path): "there is no socket at \(path)"
    case .refused(let path): "nobody listens at \(path)"
    case .notPermitted(let path): "the socket \(path) is not open to this user"
    case .timedOut: "no reply within the time given"
    case .closed: "the service closed the connection before it replied"
    case .replyTooLarge(let maximum): "the reply has more than \(maximum) bytes"
    case .malformedReply(let reason): "the reply breaks the protocol: \(reason)"
    case .system(let fault): fault.sentence
    }
  }
}
