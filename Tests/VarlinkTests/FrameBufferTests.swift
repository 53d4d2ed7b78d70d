import Testing

@testable import Varlink

@Suite struct FrameBufferTests {
  private func feed(_ buffer: inout FrameBuffer, _ text: String) {
    Array(text.utf8).withUnsafeBytes { buffer.append($0) }
  }

  private func next(_ buffer: inout FrameBuffer) -> String? {
    buffer.next().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a message that comes in byte by byte is whole at its NUL")
  func byteByByte() {
    var buffer = FrameBuffer()
    for byte in "hello" {
      feed(&buffer, String(byte))
      let isWhole = buffer.hasMessage()
      #expect(!isWhole)
    }
    feed(&buffer, "\0")
    #expect(next(&buffer) == "hello")
    #expect(buffer.count == 0)
  }

  @Test("several messages and the beginning of one come out in order, empty ones too")
  func several() {
    var buffer = FrameBuffer()
    feed(&buffer, "one\0\0two\0thr")
    #expect(next(&buffer) == "one")
    #expect(next(&buffer) == "")
    #expect(next(&buffer) == "two")
    #expect(next(&buffer) == nil)
    #expect(String(decoding: buffer.partial, as: UTF8.self) == "thr")
    feed(&buffer, "ee\0")
    #expect(next(&buffer) == "three")
    #expect(next(&buffer) == nil)
  }

  @Test("any cut of a stream into pieces yields the same messages")
  func anyCut() {
    let messages = (0..<40).map { String(repeating: "m", count: $0 * 7 % 23) + "\($0)" }
    let stream = Array((messages.joined(separator: "\0") + "\0").utf8)
    for step in 1...64 {
      var buffer = FrameBuffer()
      var found: [String] = []
      for start in stride(from: 0, to: stream.count, by: step) {
        stream[start..<min(start + step, stream.count)].withUnsafeBytes { buffer.append($0) }
        if step % 3 != 0 || start % 2 == 0 { while let message = next(&buffer) { found.append(message) } }
      }
      while let message = next(&buffer) { found.append(message) }
      #expect(found == messages, "in pieces of \(step)")
    }
  }

  @Test("a message taken stays as it is while the buffer goes on")
  func takenStays() {
    var buffer = FrameBuffer()
    feed(&buffer, "first\0sec")
    let first = buffer.next()
    feed(&buffer, "ond\0")
    #expect(next(&buffer) == "second")
    #expect(first.map(Array.init) == Array("first".utf8))
  }
}
