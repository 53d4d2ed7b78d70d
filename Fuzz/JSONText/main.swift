import FuzzSupport
import JSONText

// Any bytes: they are refused with a place inside them, or everything that JSONText promises holds of them.
FuzzDriver.run { bytes in
  do throws(JSONFault) {
    let document = try JSONDocument(bytes)
    checkNodes(of: document)
    checkCuts(of: document)
    checkSkim(of: document)
  } catch {
    FuzzDriver.require((0...bytes.count).contains(error.offset), "a fault's offset is inside its text")
    _ = JSONDocument.pointer(toOffset: error.offset, in: bytes)
    _ = TextPosition(offset: error.offset, in: bytes)
    skimAnything(bytes)
  }
}

/// Each node's text is a document of its own, with the hash that the node has.
func checkNodes(of document: JSONDocument) {
  // Every node of a large text would take quadratic time: some of them then, spread evenly.
  let all = sequence(first: document.root) { $0 + 1 < document.next(document.root) ? $0 + 1 : nil }
  let step = document.next(document.root) / 64 + 1
  for node in all where node % step == 0 {
    guard let alone = try? JSONDocument(Array(document.text(node))) else {
      FuzzDriver.require(false, "a node's text is valid by itself")
      return
    }
    FuzzDriver.require(alone.range(alone.root).count == alone.bytes.count, "no white space around a node")
    FuzzDriver.require(alone.isEqual(alone.root, to: document, node), "a node equals its own text")
    FuzzDriver.require(alone.leafHash(alone.root) == document.leafHash(node), "equal values, equal hashes")
    _ = document.pointer(to: node)
    checkRewritten(node, of: document)
  }
}

/// A string written anew from its decoded bytes is the same value.
func checkRewritten(_ node: Int, of document: JSONDocument) {
  guard document.kind(node) == .string else { return }
  var writer = JSONWriter()
  document.withDecoded(node) { writer.string(utf8: $0) }
  guard let again = try? JSONDocument(writer.bytes) else {
    FuzzDriver.require(false, "what the writer wrote is valid")
    return
  }
  FuzzDriver.require(again.isEqual(again.root, to: document, node), "decoding and encoding keep the value")
}

/// Cutting parts leaves a valid text with as many parts fewer.
func checkCuts(of document: JSONDocument) {
  let root = document.root
  for mask in 1...7 {
    var edits = JSONEdits()
    var asked = 0
    var cut = 0
    let removed: (Int) -> Bool = { _ in
      defer { asked += 1 }
      guard mask >> (asked % 3) & 1 == 1 else { return false }
      cut += 1
      return true
    }
    edits.removeElements(of: root, in: document, where: removed)
    edits.removeMembers(of: root, in: document, where: removed)
    guard let left = try? JSONDocument(edits.applied(to: document.bytes)) else {
      FuzzDriver.require(false, "a cut text stays valid")
      return
    }
    FuzzDriver.require(left.count(left.root) == document.count(root) - cut, "cutting takes just what was named")
  }
}

/// Splitting one level finds the parts that the document has.
func checkSkim(of document: JSONDocument) {
  var parts: [ArraySlice<UInt8>] = []
  let kind = document.kind(document.root)
  guard kind == .object || kind == .array else { return }
  do throws(JSONFault) {
    var skim = try JSONSkim(document.bytes[...], kind)
    if kind == .object {
      while let (key, value) = try skim.nextMember() { parts += [key, value] }
    } else {
      while let element = try skim.nextElement() { parts.append(element) }
    }
  } catch { FuzzDriver.require(false, "what is valid can be split") }
  var wanted = document.elements(document.root).map { document.text($0) }
  for (key, value) in document.members(document.root) { wanted += [document.text(key), document.text(value)] }
  FuzzDriver.require(parts == wanted, "splitting finds the document's own parts")
}

/// Splitting ends, whatever it is given.
func skimAnything(_ bytes: [UInt8]) {
  do throws(JSONFault) {
    var objects = try JSONSkim(bytes[...], .object)
    while try objects.nextMember() != nil {}
  } catch { FuzzDriver.require((0...bytes.count).contains(error.offset), "a skim's fault is inside its text") }
  do throws(JSONFault) {
    var arrays = try JSONSkim(bytes[...], .array)
    while try arrays.nextElement() != nil {}
  } catch { FuzzDriver.require((0...bytes.count).contains(error.offset), "a skim's fault is inside its text") }
}
