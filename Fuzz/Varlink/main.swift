import FuzzSupport

@testable import Varlink

/// The whole messages in `bytes`, fed in pieces of `size`.
func frames(_ bytes: [UInt8], inPiecesOf size: Int) -> [[UInt8]] {
  var buffer = FrameBuffer()
  var found: [[UInt8]] = []
  var position = 0
  while position < bytes.count {
    let end = min(position + size, bytes.count)
    bytes[position..<end].withUnsafeBytes { buffer.append($0) }
    position = end
    while let frame = buffer.next() { found.append(Array(frame)) }
  }
  let taken = found.reduce(0) { $0 + $1.count + 1 }
  FuzzDriver.require(Array(buffer.partial) == Array(bytes[taken...]), "what is not whole yet stays")
  return found
}

// What a peer sends: messages are cut at NUL however they arrive, and each is a call or a fault, never a crash.
FuzzDriver.run { bytes in
  let whole = frames(bytes, inPiecesOf: max(bytes.count, 1))
  FuzzDriver.require(whole == frames(bytes, inPiecesOf: 3), "how bytes arrive means nothing")
  for frame in whole {
    _ = CallEnvelope.wantsReply(beginning: frame.prefix(frame.count / 2))
    do throws(EnvelopeFault) {
      let call = try CallEnvelope(frame[...])
      FuzzDriver.require(call.parameters.first == UInt8(ascii: "{"), "parameters are an object")
      FuzzDriver.require(call.method.first == UInt8(ascii: "\""), "a method is a string")
    } catch {}
  }
}
