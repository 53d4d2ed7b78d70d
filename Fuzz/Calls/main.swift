import FuzzSupport
import RestoreInterface

@testable import Varlink

/// Reads the parameters of a call as those of `method`; what can be read is written so that it is read as the same.
///
/// In passing they are read as by themselves.
func check<M: InterfaceMethod>(_ method: M.Type, _ call: CallEnvelope) {
  let text = call.parameters
  if let split = call.split {
    let written = (try? M.Parameters(strictly: split))?.encoded
    FuzzDriver.require(written == (try? M.Parameters(strictly: text))?.encoded, "split in passing, it is read the same")
  }
  do throws(WireFault) {
    let written = try M.Parameters(strictly: text).encoded
    let again = try M.Parameters(strictly: written[...]).encoded
    FuzzDriver.require(written == again, "what was read is written and read as the same")
  } catch {
    if case .limitExceeded(_, let maximum, let actual) = error {
      FuzzDriver.require(actual > maximum, "a limit that is named was exceeded")
    }
  }
  // What a client reads; a newer daemon may say more.
  if let reply = try? M.Reply(leniently: text) {
    FuzzDriver.require((try? M.Reply(leniently: reply.encoded[...])) != nil, "a reply that is written can be read")
  }
}

// One message: an envelope and the parameters of whatever method it names, which each method is given to read.
FuzzDriver.run { bytes in
  do throws(EnvelopeFault) {
    let call = try CallEnvelope(bytes[...])
    for method in RestoredInterface.methods { check(method, call) }
    if let error = InterfaceError(name: "io.restored.LimitExceeded", parameters: call.parameters) {
      FuzzDriver.require(!error.name.isEmpty, "an error has a name")
    }
  } catch {}
}
