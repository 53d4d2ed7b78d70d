import TestSupport
import Testing

private let hasPython = Finished("python3", ["-c", ""]).ending == .exit(0)

@Suite("The example of windows that share a scene", .enabled(if: hasPython, "needs python3"))
struct WindowsExampleTests {
  private let daemon = DaemonProcess(["--durability", "normal"])

  private func window(_ arguments: [String]) -> ChildProcess {
    // The checkout is above the folder of this file.
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return ChildProcess(
      "python3",
      [root + "/Examples/windows/window.py"] + arguments,
      environment: ["RESTORED_SOCKET": daemon.socket]
    )
  }

  @Test("three windows that push at once lose no route, and each one's are in its order")
  func race() throws {
    let names = ["left", "middle", "right"]
    let windows = names.map { window([$0, "40"]) }
    for window in windows { #expect(window.wait() == .exit(0), "\(window.errors)") }
    let client = try daemon.client()
    let routes = try client.restore(app: "windows", scene: "shared").text.split(separator: "{\"window\"").dropFirst()
    #expect(routes.count == 120)
    for name in names {
      let own = routes.filter { $0.contains("\"\(name)\"") }
      #expect(own.count == 40)
      for (number, route) in own.enumerated() { #expect(route.contains("\"number\": \(number)}")) }
    }
    #expect(try client.restore(app: "windows", scene: "shared").newest == 120, "each save made one revision")
  }

  @Test("a mistake prints the usage")
  func usage() {
    let mistaken = window(["left"])
    #expect(mistaken.wait() == .exit(1))
    #expect(mistaken.errors.contains("usage: window.py NAME COUNT"))
  }
}
