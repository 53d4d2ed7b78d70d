import Foundation
import TestSupport
import Testing

private let hasMandoc = Finished("sh", ["-c", "command -v mandoc"]).ending == .exit(0)

/// The manual pages beside the programs that they are about.
@Suite struct ManPageTests {
  private static let pages = ["restorectl.1", "restored.8"]

  private func page(_ name: String) -> String {
    String(decoding: Files.read(Checkout.file("docs/man/\(name)")), as: UTF8.self)
  }

  /// The long options in a help text.
  private func options(in help: String) -> Set<String> {
    Set(help.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) })
  }

  /// The long options in the source of a page.
  private func options(of page: String) -> Set<String> {
    Set(page.matches(of: /Fl Fl ([a-z][a-z-]+)/).map { String($0.1) })
  }

  private func help(_ program: String, _ arguments: [String] = []) -> String {
    Finished(Files.products + "/" + program, arguments + ["--help"]).text
  }

  /// The paragraph of each command: from its `.It` to the next one.
  private func entries(of page: String) -> [String: String] {
    var entries: [String: String] = [:]
    let items = page.replacing(".It Xo\n.Cm", with: ".It Cm").components(separatedBy: "\n.It Cm ")
    for item in items.dropFirst() {
      let words = item.prefix { $0 != "\n" }.split(separator: " ")
      let name = words.prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }.joined(separator: " ")
      entries[name] = item.components(separatedBy: "\n.It ")[0].components(separatedBy: "\n.El")[0]
    }
    return entries
  }

  @Test("restored(8) and restored --help name the same options")
  func daemonOptions() {
    #expect(options(of: page("restored.8")) == options(in: help("restored")))
  }

  @Test("restorectl(1) has every command of restorectl --help, and no other")
  func commands() {
    let listed = help("restorectl").split(separator: "Commands:\n")[1].split(separator: "\n\n")[0]
    let commands = listed.split(separator: "\n").map { line in
      line.drop { $0 == " " }.split(separator: "  ")[0].trimmingCharacters(in: .whitespaces)
    }
    let described = entries(of: page("restorectl.1")).keys.map { $0 == "completions bash" ? "completions" : $0 }
    #expect(Set(commands) == Set(described))
  }

  @Test("restorectl(1) gives each command the options that its own help lists, and all the common ones")
  func commandOptions() throws {
    let page = page("restorectl.1")
    for (name, entry) in entries(of: page) where !name.hasPrefix("completions") {
      let help = help("restorectl", name.split(separator: " ").map(String.init))
      let synopsis = try #require(help.split(separator: "\n").first)
      #expect(options(of: entry) == options(in: String(synopsis)), "\(name)")
      #expect(entry.contains("Fl 0") == synopsis.contains("[-0]"), "\(name)")
    }
    let common = try #require(help("restorectl").components(separatedBy: "Common options:\n").last)
    let section = try #require(page.components(separatedBy: ".Ss Common options").last)
    #expect(options(in: common).isSubset(of: options(of: section.components(separatedBy: "\n.Ss ")[0])))
  }

  @Test("mandoc finds no fault, not one of style", .enabled(if: hasMandoc, "mandoc is not installed: make setup"))
  func lint() {
    let result = Finished("mandoc", ["-Tlint", "-Wstyle"] + Self.pages.map { Checkout.file("docs/man/\($0)") })
    #expect(result.ending == .exit(0) && result.text.isEmpty && result.errors.isEmpty, "\(result.text)")
  }
}
