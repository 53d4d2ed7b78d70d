/// A few words that stay on one line where they can, each in its tone.
struct Phrase: Sendable, Equatable {
  struct Span: Sendable, Equatable {
    let text: String
    let tone: Tone
  }

  private(set) var spans: [Span] = []

  /// One span; the text is safe to print.
  init(_ text: String, _ tone: Tone = .plain) { spans = [Span(text: text, tone: tone)] }

  private init() {}

  /// The same words with more after them.
  func adding(_ text: String, _ tone: Tone = .plain) -> Phrase {
    var phrase = self
    phrase.append(text, tone)
    return phrase
  }

  mutating func append(_ text: String, _ tone: Tone = .plain) {
    if !text.isEmpty { spans.append(Span(text: text, tone: tone)) }
  }

  /// Columns that it takes.
  var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  func text(_ style: Style) -> String { spans.reduce(into: "") { $0 += style.set($1.text, $1.tone) } }

  /// The same text, one phrase a word.
  var words: [Phrase] {
    var (words, word) = ([Phrase](), Phrase())
    for span in spans {
      for (place, piece) in span.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if place > 0, !word.spans.isEmpty {
          words.append(word)
          word = Phrase()
        }
        word.append(String(piece), span.tone)
      }
    }
    return word.spans.isEmpty ? words : words + [word]
  }

  /// What fits into that many columns, at least one character, and what is left; nil: nothing is.
  private func broken(at columns: Int) -> (Phrase, Phrase?) {
    var (head, rest, room) = (Phrase(), Phrase(), columns)
    for span in spans {
      let fitting = rest.spans.isEmpty ? DisplayWidth.prefix(span.text, columns: room) : ""
      let start = head.spans.isEmpty && fitting.isEmpty ? String(span.text.prefix(1)) : fitting
      head.append(start, span.tone)
      rest.append(String(span.text.dropFirst(start.count)), span.tone)
      room -= DisplayWidth.of(start)
    }
    return (head, rest.spans.isEmpty ? nil : rest)
  }

  /// Phrases set in lines, a space between two; one too long for a line is broken between words, and a word that is,
  /// where the line ends.
  ///
  /// - Parameter columns: room in each line; nil: all goes on one.
  static func lines(_ phrases: [Phrase], columns: Int?) -> [[Phrase]] {
    guard let columns else { return [phrases] }
    var lines: [[Phrase]] = [[]]
    var used = 0
    for phrase in phrases.flatMap({ $0.width > columns ? $0.words : [$0] }) {
      let width = phrase.width
      if used > 0, used + 1 + width > columns {
        lines.append([])
        used = 0
      }
      var rest: Phrase? = phrase
      while let piece = rest {
        let isWhole = piece.width <= columns - (used > 0 ? used + 1 : 0)
        let (head, tail) = isWhole ? (piece, nil) : piece.broken(at: columns)
        lines[lines.count - 1].append(head)
        used += head.width + (used > 0 ? 1 : 0)
        if tail != nil {
          lines.append([])
          used = 0
        }
        rest = tail
      }
    }
    return lines
  }
}
