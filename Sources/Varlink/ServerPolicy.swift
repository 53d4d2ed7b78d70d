/// What a server allows.
///
/// Beyond each, the peer is told so where it can be, and the connection is closed.
package struct ServerLimits: Sendable {
  /// Connections at a time.
  package var connections = 4_096
  /// Connections of one uid at a time; nil: as many as there may be at all.
  package var connectionsPerUser: Int?
  /// Bytes of one message, without its NUL.
  package var messageBytes = 16 << 20
  /// Bytes received from one uid and not yet handed to a method, over all its connections.
  ///
  /// Beyond it the connection that holds the most is closed.
  package var unfinishedBytesPerUser = 32 << 20
  /// Bytes of calls of one uid whose answers were put off, over all its connections.
  ///
  /// Beyond it none of its calls is begun until one is answered; those of connections whose calls take long from half of
  /// it on, those sent ahead from three quarters on, first calls from seven eighths on.
  package var workingBytesPerUser = 16 << 20
  /// Bytes of replies to one uid that are not yet with the kernel, beyond which none of its calls is begun, in the same
  /// parts.
  ///
  /// Those of its connections that have read nothing for a while are closed then.
  package var unsentBytesPerUser = 16 << 20
  /// Milliseconds that such a connection has to read something while others of its uid wait.
  package var patienceMilliseconds = 250
  /// Bytes that wait for a peer to read them, beyond which none of its calls is begun.
  ///
  /// A reply may exceed it.
  package var unreadBytes = 256 << 10
  /// Bytes that wait on a stream, beyond which the connection is closed: a stream's sender is to look at
  /// `ReplyStream.pendingBytes` long before.
  package var streamBytes = 32 << 20
  /// Calls of one connection in one turn of the loop, so that the others get theirs.
  package var callsPerTurn = 32
  /// Microseconds of work for one connection after which no more of its calls is begun in a turn.
  ///
  /// One whose calls take longer is served in time to spare from then on.
  package var quickMicroseconds = 200
  /// Calls of one connection that may be unanswered at a time where their interface lets them overlap.
  package var overlappingCalls = 32

  /// The limits by default.
  package init() {}
}

/// A limit that a peer ran into.
package enum ServerLimit: String, Sendable {
  case connections, connectionsPerUser, message
}

/// What the embedding program decides for a server.
///
/// All of it is called on the loop's thread.
package struct ServerPolicy {
  /// Sizes and numbers.
  package var limits = ServerLimits()

  /// Asked for each new peer: nil lets it in; an error is sent, then the connection is closed.
  package var refusal: (Peer) -> VarlinkError? = { _ in nil }

  /// The error for a peer beyond a limit.
  package var beyond: (_ limit: ServerLimit, _ maximum: Int, _ actual: Int) -> VarlinkError = { _, _, _ in
    .permissionDenied
  }

  /// The error for a call whose responder was dropped unanswered, by qualified method: a defect of the program.
  package var unanswered: (String) -> VarlinkError = { .methodNotImplemented($0) }

  /// Told of what the server could not do (accept, for want of descriptors) when that begins: again only after a minute
  /// without.
  package var onFault: (SystemFault) -> Void = { _ in }

  /// Everyone is let in, the limits are those by default.
  package init() {}
}
