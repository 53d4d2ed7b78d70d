import Testing

@testable import restorectl

@Suite struct ShownTests {
  @Test(
    "control characters and marks of direction are spelled out",
    arguments: [
      ("a\u{1B}[31mb", "a\\u001b[31mb"), ("\u{0}\u{7}\n\r\t", "\\u0000\\u0007\\u000a\\u000d\\u0009"),
      ("\u{7F}\u{80}\u{9B}\u{9F}\u{A0}", "\\u007f\\u0080\\u009b\\u009f\u{A0}"),
      ("a\u{202E}b\u{2066}", "a\\u202eb\\u2066"),
      ("é e\u{301} 👩‍👧 שלום 日本", "é e\u{301} 👩‍👧 שלום 日本"),
    ]
  )
  func text(_ text: String, _ shown: String) {
    #expect(Array(Shown.text(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test("quoted text cannot end its quotation")
  func quoted() {
    #expect(Shown.quoted("a\"b\\c\u{1B}") == "\"a\\\"b\\\\c\\u001b\"")
  }

  @Test("JSON for a terminal keeps its layout and its value")
  func json() {
    let text = "{\n\t\"a\u{7F}\u{9B}31m\":\r1}"
    #expect(Shown.json(Array(text.utf8)) == "{\n\t\"a\\u007f\\u009b31m\":\\u000d1}")
  }

  @Test(
    "a word for a shell is one word there, and the same text",
    arguments: [
      "main", "a b", "it's", "", "$HOME", "日本", "a;b", "*", "\\", "~", "-x=1/2:3@4", "#", "a'\u{301}; exit 7; '",
    ]
  )
  func word(_ text: String) {
    #expect(Tool.shell("printf '%s|' \(Shown.word(text)) end").text == "\(text)|end|")
  }
}
