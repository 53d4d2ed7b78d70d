import JSONText
import RestoreInterface

/// What a command works with: its command line, the daemon, and where its words go.
struct Session: ~Copyable {
  let invocation: Invocation
  let notes: Notes
  var output: Output
  /// The daemon's socket, whether there is one or not.
  let socket: String
  private let timeout: Int
  private var daemon: Daemon?

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    let noColor = invocation.has(.noColor)
    notes = Notes(quiet: invocation.has(.quiet), noColor: noColor)
    output = Output(noColor: noColor)
    socket = SocketChoice.path(named: invocation.value(.socket))
    timeout = try invocation.timeout
  }

  var app: String { invocation.app }
  var scene: String { invocation.scene }
  var wantsJSON: Bool { invocation.has(.json) }

  /// The first operand of that place; nil: not given.
  func operand(_ place: Int) -> String? {
    invocation.operands.indices.contains(place) ? invocation.operands[place] : nil
  }

  // MARK: Calling

  /// Calls a method and waits for its reply.
  ///
  /// - Throws: the daemon's error, `noDaemon`, `again` after the time-out, `brokenReply`.
  mutating func call<M: InterfaceMethod>(_ method: M.Type, _ parameters: M.Parameters) throws(Failure) -> Answer<M> {
    try send(method, parameters)
    return try receive(method)
  }

  /// Sends a call without waiting; `receive` takes the replies in the order of the calls.
  ///
  /// - Parameter more: whether the method is to stream.
  mutating func send<M: InterfaceMethod>(
    _: M.Type,
    _ parameters: M.Parameters,
    more: Bool = false
  ) throws(Failure) {
    if daemon == nil { daemon = try Daemon(socket: socket, timeout: timeout, which: invocation.which) }
    try daemon!.send(M.fullName, parameters.encoded, more: more)
  }

  /// Waits for the next reply.
  ///
  /// - Parameter forever: whether to wait without an end, as for the events of a watch.
  mutating func receive<M: InterfaceMethod>(_: M.Type, forever: Bool = false) throws(Failure) -> Answer<M> {
    let reply = try daemon!.receive(M.fullName, forever: forever)
    do {
      return Answer(
        parameters: reply.parameters,
        continues: reply.continues,
        reply: try M.Reply(leniently: reply.parameters)
      )
    } catch {
      let fault = "\(M.name) has no fitting member \(Self.member(in: error))"
      throw ReplyFailure.broken(fault, socket: socket, invocation.which)
    }
  }

  private static func member(in fault: WireFault) -> String {
    switch fault {
    case .invalidParameter(let name): Shown.quoted(name)
    case .limitExceeded(let name, _, _): Shown.quoted(name)
    }
  }

  // MARK: Printing

  /// With `--json`, prints the reply's parameters as one line.
  ///
  /// - Returns: whether it did, and nothing else is to be printed.
  mutating func printsJSON<M>(_ answer: Answer<M>) throws(Failure) -> Bool {
    guard wantsJSON else { return false }
    try output.jsonLine(answer.parameters)
    return true
  }

  /// Prints what a change came to, as JSON or in words; with `--quiet`, only as JSON.
  mutating func report<M>(_ answer: Answer<M>, _ words: String) throws(Failure) {
    if try printsJSON(answer) || invocation.has(.quiet) { return }
    try output.line(words)
  }
}

/// One reply, as it came and as it reads.
struct Answer<M: InterfaceMethod> {
  /// One JSON object, checked.
  let parameters: ArraySlice<UInt8>
  /// Whether more replies follow.
  let continues: Bool
  let reply: M.Reply
}
