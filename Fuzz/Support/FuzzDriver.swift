import Glibc

/// libFuzzer's own loop (llvm.org/docs/LibFuzzer.html), for a program that brings its `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs one fuzz target with the options of the command line.
package enum FuzzDriver {
  // libFuzzer takes a C function, which cannot capture; it is set once, before the only thread starts the loop.
  nonisolated(unsafe) private static var check: ([UInt8]) -> Void = { _ in }

  /// Gives `check` one input after another, and ends the process.
  ///
  /// - Parameter check: ends the process (`require`) where something does not hold of its input.
  package static func run(_ check: @escaping ([UInt8]) -> Void) -> Never {
    Self.check = check
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    let status = runDriver(&count, &arguments) { data, count in
      FuzzDriver.check(Array(UnsafeBufferPointer(start: data, count: count)))
      return 0
    }
    exit(status)
  }

  /// Ends the process, so that libFuzzer keeps the input, where `condition` does not hold.
  package static func require(_ condition: Bool, _ sentence: StaticString) {
    guard condition else { fatalError("does not hold: \(sentence)") }
  }

  /// Whether `text` may be a JSON Pointer.
  ///
  /// By its first byte: a slash and a mark that combines with it are one character, which begins with no slash.
  package static func isPointer(_ text: String) -> Bool { text.isEmpty || text.utf8.first == UInt8(ascii: "/") }
}
