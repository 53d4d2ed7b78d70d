import JSONText
import SceneModel

/// One route in a line: its case name, its parameters, and how it stands with its references.
struct RouteWords {
  private let review: StateReview
  private var document: JSONDocument { review.document }

  init(_ review: StateReview) {
    self.review = review
  }

  /// The phrases of a route, and the standings of its references in order.
  func phrases(
    _ entry: StateOutline.Entry,
    isReached: Bool
  ) -> (phrases: [Phrase], standings: [(kind: String, standing: Standing)]) {
    let name = entry.caseName.map(Shown.text)
    guard !entry.parameters.isEmpty else { return ([Phrase(name ?? value(entry.node))], []) }
    var parts: [Phrase] = []
    var standings: [(String, Standing)] = []
    var left = 0
    for parameter in labelled(entry) {
      guard let reference = parameter.reference else {
        if parts.count < Self.mostParameters {
          parts.append(Phrase(parameter.label + value(parameter.node)))
        } else {
          left += 1
        }
        continue
      }
      let found = review.ids(of: reference).map {
        (node: $0, standing: review.standing(of: $0, in: reference, isReached: isReached))
      }
      parts.append(Self.described(parameter.label, found.map { (value($0.node), $0.standing) }))
      standings += found.map { (reference.kind, $0.standing) }
    }
    if left > 0 { parts.append(Phrase("\(left) more")) }
    for place in parts.indices.dropLast() { parts[place].append(",") }
    return ([Phrase((name ?? "no case name") + ":")] + parts, standings)
  }

  private struct Parameter {
    let label: String
    let node: Int
    let reference: StateOutline.Reference?
  }

  /// The parameters, and then the references that are deeper inside one, by their kinds.
  private func labelled(_ entry: StateOutline.Entry) -> [Parameter] {
    func label(_ name: String) -> String { Shown.text(DisplayWidth.cut(name, columns: Self.longestValue)) + " " }
    let references = Dictionary(entry.references.map { ($0.value, $0) }) { first, _ in first }
    let parameters = entry.parameters.map { name, node in
      // An unnamed parameter of a case says nothing by its name.
      Parameter(label: name == "_0" ? "" : label(name), node: node, reference: references[node])
    }
    let shown = Set(entry.parameters.map(\.value))
    return parameters
      + entry.references.filter { !shown.contains($0.value) }
      .map { Parameter(label: label($0.kind), node: $0.value, reference: $0) }
  }

  /// `cardID "c1" (missing)`; of a long list, how many of each, and the first that are missing.
  private static func described(_ label: String, _ ids: [(text: String, standing: Standing)]) -> Phrase {
    var phrase = Phrase(label)
    guard ids.count > mostIDs else {
      for (place, id) in ids.enumerated() {
        phrase.append((place > 0 ? " " : "") + id.text + " ")
        phrase.append("(\(id.standing.word))", id.standing.tone)
      }
      return phrase
    }
    phrase.append("\(ids.count) ids ")
    var counts: [(standing: Standing, count: Int)] = []
    for id in ids {
      if let place = counts.firstIndex(where: { $0.standing == id.standing }) {
        counts[place].count += 1
      } else {
        counts.append((id.standing, 1))
      }
    }
    for (place, part) in counts.enumerated() {
      phrase.append(place > 0 ? ", " : "(")
      phrase.append("\(part.count) \(part.standing.word)", part.standing.tone)
      guard part.standing == .missing else { continue }
      let named = ids.filter { $0.standing == .missing }.prefix(mostIDs).map(\.text).joined(separator: " ")
      phrase.append(": \(named)\(part.count > mostIDs ? " …" : "")", .bad)
    }
    phrase.append(")")
    return phrase
  }

  /// A value in few columns: strings cut, large containers counted.
  func value(_ node: Int) -> String {
    switch document.kind(node) {
    case .string: return Shown.quoted(DisplayWidth.cut(document.string(node), columns: Self.longestValue))
    case .object, .array:
      if document.range(node).count <= Self.longestValue {
        return Shown.text(String(decoding: JSONLine.of(document.text(node)), as: UTF8.self))
      }
      let count = document.count(node)
      return document.kind(node) == .object ? "{\(Count.text(count, "member"))}" : "[\(Count.text(count, "element"))]"
    default: return DisplayWidth.cut(document.string(node), columns: Self.longestValue)
    }
  }

  /// A UUID fits, with room to spare.
  private static let longestValue = 48
  private static let mostParameters = 8
  private static let mostIDs = 3
}
