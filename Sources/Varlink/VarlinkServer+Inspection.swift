/// What a server holds at the moment. Each looks at every connection.
extension VarlinkServer {
  /// Bytes of replies that wait for their peers to read.
  package var unsentBytes: Int { openConnections.reduce(0) { $0 + $1.output.count } }

  /// Bytes of memory that connections hold for calls and replies.
  package var bufferedBytes: Int { openConnections.reduce(0) { $0 + $1.input.capacity + $1.output.capacity } }

  /// Whether it was stopped and no connection is left.
  package var isDrained: Bool { isStopping && openConnections.isEmpty }
}
