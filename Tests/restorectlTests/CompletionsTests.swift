import TestSupport
import Testing

@testable import restorectl

@Suite struct CompletionsTests {
  @Test("bash completes commands, their second words, options and values")
  func bash() {
    func completed(_ line: String) -> [String] {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        source <(restorectl completions bash)
        COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _restorectl; printf '%s\\n' "${COMPREPLY[@]}"
        """
      let result = Tool.shell(script)
      #expect(result.error == "")
      return result.text.split(separator: "\n").map(String.init)
    }
    #expect(completed("restorectl sa") == ["save"])
    #expect(completed("restorectl entities s") == ["sync"])
    #expect(completed("restorectl --app x entities sync card --ver") == ["--version"])
    #expect(completed("restorectl restore --stale tr") == ["truncate"])
    #expect(completed("restorectl save --if") == ["--if-revision"])
    #expect(completed("restorectl completions f") == ["fish"])
    #expect(completed("restorectl save /etc/host").contains("/etc/hosts"))
  }

  @Test("another shell is answered with those that there are, not with a guess", arguments: ["tcsh", "zs", "", "bahs"])
  func unknown(_ shell: String) {
    let result = Tool.run(["completions", shell])
    #expect(result.exit == 64 && result.text.isEmpty)
    #expect(result.error.hasSuffix("restorectl: there are some for: bash, zsh, fish\n"))
  }

  @Test("each script is one that its shell can read", arguments: Completions.shells.filter(Tool.has))
  func syntax(_ shell: String) {
    let folder = TemporaryFolder()
    let file = folder.file("script")
    #expect(Tool.shell("restorectl completions \(shell) >\(file) && \(shell) -n \(file)").exit == 0)
  }

  @Test("fish completes commands, their second words, options and values", .enabled(if: Tool.has("fish")))
  func fish() {
    func completed(_ line: String) -> [String] {
      let result = Tool.shell("fish -c \"restorectl completions fish | source; complete -C '\(line)'\"")
      return result.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(completed("restorectl sa") == ["save"])
    #expect(completed("restorectl entities s") == ["sync"])
    #expect(completed("restorectl restore --stale tr") == ["truncate"])
    #expect(completed("restorectl save --if") == ["--if-revision"])
  }

  @Test("every command and option is in every script", arguments: Completions.shells)
  func whole(_ shell: String) throws {
    let script = try #require(Completions.script(for: shell))
    for verb in Verb.allCases { #expect(script.contains(verb.lastWord)) }
    for option in Option.allCases { #expect(script.contains(option.name)) }
  }
}
