import Glibc
import JSONText

@testable import Varlink

/// An interface with one method of each kind of behaviour.
final class ProbeInterface: VarlinkInterface {
  /// Calls of `Later` that are unanswered.
  var pending: [PendingReply] = []
  /// Streams of `Watch` that are open.
  var streams: [ReplyStream] = []
  /// Streams whose peer went.
  var closedStreams = 0
  /// The parameters of each `Note`, in order.
  var notes: [String] = []
  /// Who called last.
  var lastPeer: Peer?

  let interfaceText = """
    interface org.example.probe

    # Gives the parameters back.
    method Echo() -> ()
    # Answered when the test says so.
    method Later() -> ()
    # As Later, and may overlap.
    method Queue() -> ()
    # Streams what the test sends.
    method Watch() -> (n: int)
    # Streams 1, 2 and 3.
    method Count() -> (n: int)
    # Remembers the parameters.
    method Note() -> ()
    # Replies with that many bytes of text.
    method Fill(bytes: int) -> (text: string)
    # As Note, and takes two milliseconds of the processor.
    method Work() -> ()
    # Takes thirty milliseconds in which the processor is others'.
    method Doze() -> ()
    # Is never answered by its handler.
    method Forget() -> ()
    method Missing() -> ()

    """

  func mayOverlap(_ method: String) -> Bool { method == "Queue" }

  func handle(_ call: VarlinkCall, _ responder: consuming Responder) {
    lastPeer = call.peer
    switch call.method {
    case "Echo": responder.reply(call.parameters)
    case "Later", "Queue": pending.append(responder.detach())
    case "Watch": watch(responder)
    case "Count": count(responder)
    case "Note":
      notes.append(String(decoding: call.parameters, as: UTF8.self))
      responder.reply()
    case "Work":
      let began = WorkClock.nanoseconds()
      while WorkClock.nanoseconds() - began < 2_000_000 {}
      notes.append(String(decoding: call.parameters, as: UTF8.self))
      responder.reply()
    case "Doze":
      usleep(30_000)
      responder.reply()
    case "Fill": fill(call, responder)
    case "Forget": return
    default: responder.fail(.methodNotImplemented(call.qualifiedMethod))
    }
  }

  private func watch(_ responder: consuming Responder) {
    guard let stream = responder.stream() else { return }
    stream.onClose = { [unowned self] in closedStreams += 1 }
    streams.append(stream)
  }

  private func count(_ responder: consuming Responder) {
    guard let stream = responder.stream() else { return }
    for number in 1...2 { stream.send(#"{"n":\#(number)}"#.utf8) }
    stream.finish(#"{"n":3}"#.utf8)
  }

  private func fill(_ call: VarlinkCall, _ responder: consuming Responder) {
    guard let document = try? JSONDocument(Array(call.parameters)),
      let member = document.member(document.root, "bytes"), let count = JSONScalar.int(document.text(member))
    else { return responder.fail(.invalidParameter("bytes")) }
    responder.reply { writer in
      writer.beginObject()
      writer.key("text")
      writer.string(String(repeating: "x", count: count))
      writer.endObject()
    }
  }
}
