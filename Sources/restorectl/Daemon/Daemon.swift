import Glibc
import JSONText
import Varlink

/// The connection to the daemon, and what goes wrong with it in words.
struct Daemon: ~Copyable {
  private let client: VarlinkClient
  private let socket: String
  private let timeout: Int
  private let which: Which

  /// Nesting of a reply's parameters: a state's 512 levels, and those around it.
  static let deepestReply = 520

  /// Connects.
  ///
  /// - Parameters:
  ///   - timeout: milliseconds to wait for the connection and for each reply.
  ///   - which: what names the same daemon, app and scene in the command lines that failures suggest.
  /// - Throws: `noDaemon`, `refused`, `again` after the time-out, `usage` where no socket can have that path.
  init(socket: String, timeout: Int, which: Which) throws(Failure) {
    self.socket = socket
    self.timeout = timeout
    self.which = which
    guard !socket.isEmpty else { throw .usage("--socket takes a path", remedy: "name one, or leave out --socket") }
    do {
      client = try VarlinkClient(path: socket, timeoutMilliseconds: timeout)
    } catch {
      throw Self.failure(error, socket: socket, timeout: timeout, which, method: nil)
    }
  }

  /// Sends a call without waiting for its reply.
  func send(_ method: String, _ parameters: [UInt8], more: Bool) throws(Failure) {
    do {
      client.timeoutMilliseconds = timeout
      try client.send(method, parameters, more: more)
    } catch {
      throw Self.failure(error, socket: socket, timeout: timeout, which, method: method)
    }
  }

  /// Waits for the next reply.
  ///
  /// - Parameter method: the one called, for messages.
  /// - Parameter forever: whether to wait without an end.
  /// - Returns: the parameters, one JSON object that was checked, and whether more replies follow.
  /// - Throws: the failure that the daemon replied; `noDaemon` where it went away; `again`, `brokenReply`; where it waits
  ///   without an end, `brokenPipe` once the reader of standard output has gone.
  func receive(_ method: String, forever: Bool) throws(Failure) -> (parameters: ArraySlice<UInt8>, continues: Bool) {
    let received: VarlinkReply?
    do {
      received = try next(forever: forever)
    } catch {
      if forever, error == .closed {
        throw Self.noDaemon("the daemon at \(Shown.text(socket)) has gone", socket)
      }
      throw Self.failure(error, socket: socket, timeout: timeout, which, method: method)
    }
    guard let reply = received else { throw .brokenPipe }
    let parameters = Array(reply.parameters)
    do {
      // The client only split the message: what is printed and decoded from here on is known to be JSON.
      let document = try JSONDocument(parameters, maximumDepth: Self.deepestReply)
      guard document.kind(document.root) == .object else {
        throw ReplyFailure.broken("parameters that are no object", socket: socket, which)
      }
    } catch let fault as JSONFault {
      throw ReplyFailure.broken("no JSON at byte \(fault.offset): \(fault.sentence)", socket: socket, which)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw ReplyFailure.broken("\(error)", socket: socket, which)
    }
    if let name = reply.error {
      throw ReplyFailure(name: name, parameters: parameters[...], method: method, socket: socket, which: which).failure
    }
    return (parameters[...], reply.continues)
  }

  /// The next reply; nil: the reader of standard output has gone while this waited without an end.
  ///
  /// Whoever watches may wait long for the write that would tell.
  private func next(forever: Bool) throws(VarlinkClientError) -> VarlinkReply? {
    client.timeoutMilliseconds = forever ? 0 : timeout
    while true {
      do throws(VarlinkClientError) {
        return try client.receive()
      } catch {
        guard forever, error == .timedOut else { throw error }
      }
      var waits = [
        pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      ]
      while poll(&waits, 2, -1) < 0, errno == EINTR {}
      if waits[1].revents & Int16(POLLERR | POLLHUP) != 0 { return nil }
    }
  }

  // MARK: Faults of the connection

  /// - Parameter method: the one called; nil: none was, as there was no connection yet.
  private static func failure(
    _ error: VarlinkClientError,
    socket: String,
    timeout: Int,
    _ which: Which,
    method: String?
  ) -> Failure {
    let shown = Shown.text(socket)
    switch error {
    case .missing: return noDaemon("no daemon at \(shown): there is no socket", socket)
    case .refused: return nobody(at: socket)
    case .closed:
      return noDaemon(
        "the daemon at \(shown) closed the connection before it replied; what came of it is unknown",
        socket
      )
    case .notPermitted:
      return Failure(
        .refused,
        "the socket \(shown) is not open to you",
        remedy: "name your own with --socket, or run it as its owner"
      )
    case .timedOut:
      let seconds = timeout % 1000 == 0 ? "\(timeout / 1000)" : "\(Double(timeout) / 1000)"
      return Failure(
        .again,
        "timed out: no \(method == nil ? "connection to" : "reply from") \(shown) within \(seconds) s",
        remedy: method.map { Outcome.unknown($0, which) } ?? Outcome.tryAgain
      )
    case .replyTooLarge(let maximum):
      return ReplyFailure.broken("a reply of more than \(maximum) bytes", socket: socket, which)
    case .malformedReply(let reason): return ReplyFailure.broken(Shown.text(reason), socket: socket, which)
    case .system(let fault):
      if method == nil {
        return .usage("cannot connect to \(shown): \(fault.reason)", remedy: "name another with --socket")
      }
      return noDaemon("the connection to \(shown) failed: \(fault.reason)", socket)
    }
  }

  /// There is something at the path, and no process takes a connection to it.
  private static func nobody(at socket: String) -> Failure {
    let shown = Shown.text(socket)
    var status = stat()
    guard stat(socket, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else {
      return noDaemon("no daemon at \(shown): nobody listens there", socket)
    }
    return Failure(.noDaemon, "no daemon at \(shown): it is no socket", remedy: "name the daemon's with --socket")
  }

  private static func noDaemon(_ what: String, _ socket: String) -> Failure {
    Failure(.noDaemon, what, remedy: "start one with: \(SocketChoice.start(socket))")
  }
}
