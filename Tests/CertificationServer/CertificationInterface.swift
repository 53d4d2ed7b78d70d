import JSONText
import Varlink

/// The service that certifies clients.
///
/// A client calls Start, Test01 and so on to End, handing each reply's value to the next call; each call is checked
/// against what the client must have been told. See https://github.com/varlink.
final class CertificationInterface: VarlinkInterface {
  /// How many steps each client has behind it.
  private var progress: [String: Int] = [:]

  func handle(_ call: VarlinkCall, _ responder: consuming Responder) {
    guard let parameters = try? JSONDocument(Array(call.parameters)) else {
      return responder.fail(.invalidParameter("parameters"))
    }
    if call.method == "Start" { return start(parameters, responder) }
    guard let member = parameters.member(parameters.root, "client_id"), parameters.kind(member) == .string else {
      return responder.fail(.invalidParameter("client_id"))
    }
    let client = parameters.string(member)
    guard let done = progress[client] else {
      return responder.fail(VarlinkError("org.varlink.certification.ClientIdError"))
    }
    let step = CertificationStep.all[done]
    guard step.method == call.method, step.manner == call.manner, step.accepts(parameters, of: client) else {
      progress[client] = nil
      return responder.fail(step.mismatch(client, call))
    }
    progress[client] = done + 1 < CertificationStep.all.count ? done + 1 : nil
    answer(step, call, responder)
  }

  private func start(_ parameters: JSONDocument, _ responder: consuming Responder) {
    guard parameters.count(parameters.root) == 0 else { return responder.fail(.invalidParameter("client_id")) }
    let client = String(UInt64.random(in: 0 ... .max), radix: 16)
    progress[client] = 0
    responder.reply(#"{"client_id":"\#(client)"}"#.utf8)
  }

  private func answer(_ step: CertificationStep, _ call: VarlinkCall, _ responder: consuming Responder) {
    guard step.manner == .more else { return responder.reply("{\(step.replies.first ?? "")}".utf8) }
    guard let stream = responder.stream() else { return }
    for reply in step.replies.dropLast() { stream.send("{\(reply)}".utf8) }
    stream.finish("{\(step.replies[step.replies.count - 1])}".utf8)
  }

  let interfaceText = """
    # Checks a client of this protocol, value by value.
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)
    method Test01(client_id: string) -> (bool: bool)
    method Test02(client_id: string, bool: bool) -> (int: int)
    method Test03(client_id: string, int: int) -> (float: float)
    method Test04(client_id: string, float: float) -> (string: string)
    method Test05(client_id: string, string: string) -> (bool: bool, int: int, float: float, string: string)
    method Test06(client_id: string, bool: bool, int: int, float: float, string: string) -> (
      struct: (bool: bool, int: int, float: float, string: string)
    )
    method Test07(client_id: string, struct: (bool: bool, int: int, float: float, string: string)) -> (
      map: [string]string
    )
    method Test08(client_id: string, map: [string]string) -> (set: [string]())
    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)
    # Call with more: there are ten replies.
    method Test10(client_id: string, mytype: MyType) -> (string: string)
    # Call oneway.
    method Test11(client_id: string, last_more_replies: []string) -> ()
    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()
    error CertificationError (wants: object, got: object)

    """
}

extension VarlinkCall {
  fileprivate var manner: CertificationStep.Manner { oneway ? .oneway : more ? .more : .single }
}

extension CertificationStep {
  private func expected(_ client: String, _ members: String) -> [UInt8] {
    Array(#"{"client_id":"\#(client)"\#(members.isEmpty ? "" : ",")\#(members)}"#.utf8)
  }

  /// Whether the parameters are, as values, what the client must have been told.
  fileprivate func accepts(_ parameters: JSONDocument, of client: String) -> Bool {
    wants.contains { members in
      guard let wanted = try? JSONDocument(expected(client, members)) else { return false }
      return parameters.isEqual(parameters.root, to: wanted, wanted.root)
    }
  }

  fileprivate func mismatch(_ client: String, _ call: VarlinkCall) -> VarlinkError {
    var writer = JSONWriter()
    writer.beginObject()
    for (key, method, parameters) in [
      ("wants", "org.varlink.certification.\(method)", expected(client, wants[0])),
      ("got", call.qualifiedMethod, Array(call.parameters)),
    ] {
      writer.key(escaping: key)
      writer.beginObject()
      writer.key("method")
      writer.string(method)
      writer.key("parameters")
      writer.raw(parameters)
      writer.endObject()
    }
    writer.endObject()
    return VarlinkError("org.varlink.certification.CertificationError", parameters: writer.bytes)
  }
}
