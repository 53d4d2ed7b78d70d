import CLinux
import Glibc

/// Serves interfaces to peers on Unix sockets.
///
/// See https://varlink.org.
///
/// It answers `org.varlink.service` itself, finds the interface of each call, and holds peers to the limits. Nothing
/// in it blocks, logs, or wakes up without a peer. Confined to the loop's thread.
package final class VarlinkServer {
  /// How long a peer that was told off may take to read it.
  static let lingerMilliseconds = 2_000
  /// Peers that may take that time at once.
  static let maximumLingering = 64
  private static let scratchBytes = 64 << 10
  /// Nanoseconds without a fault after which the next one is another one.
  private static let faultPause: Int64 = 60_000_000_000

  /// The loop that it serves on.
  package let loop: EventLoop
  /// What it allows.
  package let policy: ServerPolicy
  /// Peers connected now.
  package private(set) var connectionCount = 0
  /// Calls begun since the start.
  package private(set) var callCount: UInt64 = 0
  /// Whether `stop` was called.
  package private(set) var isStopping = false

  private let registry: InterfaceRegistry
  private var acceptors: [Acceptor] = []
  private var connections: [UInt64: Connection] = [:]
  private var users: [UInt32: UserTally] = [:]
  private var lastConnection: UInt64 = 0
  /// The time given to `stop` is over.
  private(set) var isOverdue = false
  private var whenDrained: (() -> Void)?
  private var stopTimer: TimerToken?
  /// When something last could not be done for a peer.
  private var lastFault: Int64?
  var lingering = 0
  /// Where all connections read to: none of them keeps a buffer of its own while it is idle.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: scratchBytes, alignment: 16)

  /// Makes a server that listens nowhere yet.
  ///
  /// - Parameters:
  ///   - identity: what `GetInfo` says.
  ///   - interfaces: what it offers beside `org.varlink.service`, in the order in which `GetInfo` names them.
  /// - Throws: where an interface's text does not parse, or two have one name.
  package init(
    loop: EventLoop,
    identity: ServiceIdentity,
    interfaces: [any VarlinkInterface],
    policy: ServerPolicy = ServerPolicy()
  ) throws(InterfaceTextFault) {
    self.loop = loop
    self.policy = policy
    registry = try InterfaceRegistry(identity: identity, interfaces: interfaces)
  }

  deinit { scratch.deallocate() }

  // MARK: Peers

  /// Accepts the peers of a listening socket from now on, and takes the socket over: it is closed at `stop`.
  ///
  /// Throws what fcntl(2) or epoll_ctl(2) says; the socket is closed then.
  package func listen(on listener: consuming Descriptor) throws(SystemFault) {
    acceptors.append(try Acceptor(listener, server: self))
  }

  /// Serves a socket that is connected already, as an accepted one.
  ///
  /// Throws where it cannot be made non-blocking; the socket is closed then.
  package func serve(_ connected: consuming Descriptor) throws(SystemFault) {
    let descriptor = connected.release()
    guard descriptor >= 0 else { throw SystemFault("fcntl") }
    guard clinux_set_nonblocking(descriptor) == 0 else {
      let fault = SystemFault("fcntl")
      close(descriptor)
      throw fault
    }
    admit(descriptor)
  }

  /// Takes a connected, non-blocking socket in, or tells it why not.
  func admit(_ descriptor: Int32) {
    guard !isStopping, let peer = Peer(of: descriptor) else {
      close(descriptor)
      return
    }
    lastConnection += 1
    let connection = Connection(descriptor, id: lastConnection, peer: peer, server: self, user: tally(of: peer))
    do throws(SystemFault) { try loop.add(descriptor, .readable, connection) } catch {
      close(descriptor)
      if connection.user.members == 0 { users[peer.uid] = nil }
      return note(error)
    }
    connections[connection.id] = connection
    connection.user.members += 1
    if let refusal = refusal(of: connection) {
      connection.isCounted = false
      connection.send(ReplyFrame.make(refusal))
      return connection.closeWhenSent(lingering: true)
    }
    connectionCount += 1
    connection.user.connections += 1
  }

  /// Tells of what could not be done for a peer, unless that was told and goes on: who comes again and again would fill
  /// the log else.
  func note(_ fault: SystemFault) {
    let now = SteadyClock.nanoseconds()
    if let lastFault, now - lastFault < Self.faultPause { return self.lastFault = now }
    lastFault = now
    policy.onFault(fault)
  }

  private func tally(of peer: Peer) -> UserTally {
    if let tally = users[peer.uid] { return tally }
    let tally = UserTally(policy.limits)
    users[peer.uid] = tally
    return tally
  }

  private func refusal(of connection: Connection) -> VarlinkError? {
    if let refusal = policy.refusal(connection.peer) { return refusal }
    let limits = policy.limits
    if connectionCount >= limits.connections {
      return policy.beyond(.connections, limits.connections, connectionCount + 1)
    }
    let own = connection.user.connections
    if let maximum = limits.connectionsPerUser, own >= maximum {
      return policy.beyond(.connectionsPerUser, maximum, own + 1)
    }
    return nil
  }

  var openConnections: some Collection<Connection> { connections.values }

  /// Whether a peer may be given time to read why it is refused.
  var mayLinger: Bool { lingering < Self.maximumLingering && !isStopping }

  func connectionClosed(_ connection: Connection) {
    connections[connection.id] = nil
    if connection.isCounted {
      connectionCount -= 1
      connection.user.connections -= 1
    }
    connection.user.members -= 1
    if connection.user.members == 0 { users[connection.peer.uid] = nil }
    for acceptor in acceptors { acceptor.connectionClosed() }
    if isStopping && connections.isEmpty { drained() }
  }

  /// Counts bytes received and not yet begun.
  ///
  /// Beyond the limit of one user its connection that holds most is closed.
  func received(_ bytes: Int, on connection: Connection) {
    let user = connection.user
    user.unfinishedBytes += bytes
    guard user.unfinishedBytes > policy.limits.unfinishedBytesPerUser else { return }
    connections.values.filter { $0.user === user }.max { $0.unfinishedBytes < $1.unfinishedBytes }?.close()
  }

  /// Closes, after a while, those connections of a user that take no bytes while others of the user wait for room.
  func tryPatience(of user: UserTally) {
    guard !user.isTried else { return }
    user.isTried = true
    for connection in connections.values where connection.user === user { connection.hasRead = false }
    _ = loop.schedule(afterMilliseconds: policy.limits.patienceMilliseconds) { [self] in
      user.isTried = false
      guard user.isCrowded else { return }
      for connection in Array(connections.values) where connection.user === user && connection.isBlocked {
        connection.close()
      }
      if user.isCrowded { tryPatience(of: user) }
    }
  }

  // MARK: Calls

  /// Begins the call that a message is, or answers why it is none.
  ///
  /// - Returns: false where it must wait for the calls before it; nothing has been done then.
  func dispatch(_ message: ArraySlice<UInt8>, on connection: Connection) -> Bool {
    let envelope: CallEnvelope
    do throws(EnvelopeFault) { envelope = try CallEnvelope(message) } catch {
      if connection.isBusy { return false }
      callCount &+= 1
      reject(error, on: connection)
      return true
    }
    let found = registry.find(envelope.method)
    if connection.isBusy, !found.mayOverlap { return false }
    callCount &+= 1
    switch found {
    case .method(let entry, let method): begin(envelope, entry, method, on: connection)
    case .missing(let error):
      if !envelope.oneway { connection.send(ReplyFrame.make(error)) }
    case .malformed:
      reject(.member("method", oneway: envelope.oneway), on: connection)
    }
    return true
  }

  private func begin(
    _ envelope: CallEnvelope,
    _ entry: InterfaceRegistry.Entry,
    _ method: String,
    on connection: Connection
  ) {
    let call = VarlinkCall(
      interface: entry.name,
      method: method,
      parameters: envelope.parameters,
      split: envelope.split,
      more: envelope.more,
      oneway: envelope.oneway,
      upgrade: envelope.upgrade,
      isUnheard: connection.outputBroken && !envelope.oneway,
      peer: connection.peer,
      connection: connection.id
    )
    connection.begin(call, entry.interface)
  }

  private func reject(_ fault: EnvelopeFault, on connection: Connection) {
    switch fault {
    case .unreadable: connection.closeWhenSent(lingering: false)
    case .member(let name, let oneway):
      if !oneway { connection.send(ReplyFrame.make(.invalidParameter(name))) }
      connection.closeWhenSent(lingering: true)
    case .parameters(let oneway):
      if !oneway { connection.send(ReplyFrame.make(.invalidParameter("parameters"))) }
    }
  }

  // MARK: Stopping

  /// Stops: accepts no more and closes the listening sockets, ends streams, answers every call that has been received
  /// whole, and closes each connection after its last reply.
  ///
  /// - Parameters:
  ///   - milliseconds: after which no call is begun any more, and who does not read its replies is just closed. Calls
  ///     that are being worked on are waited for however long they take: their callers are to know what became of them.
  ///   - then: called once on the loop's thread when no connection is left.
  package func stop(within milliseconds: Int = 10_000, then: @escaping () -> Void) {
    guard !isStopping else { return }
    isStopping = true
    whenDrained = then
    for acceptor in acceptors { acceptor.stop() }
    acceptors = []
    stopTimer = loop.schedule(afterMilliseconds: milliseconds) { [self] in
      isOverdue = true
      for connection in Array(connections.values) where !connection.isBusy { connection.close() }
    }
    if connections.isEmpty { return drained() }
    for connection in Array(connections.values) { connection.serverStops() }
  }

  private func drained() {
    if let stopTimer { loop.cancel(stopTimer) }
    let callback = whenDrained
    whenDrained = nil
    callback?()
  }
}
