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

  @Test(
    "each script is one that its shell can read",
    arguments: [("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish -n")]
  )
  func syntax(_ shell: String, _ check: String) {
    let result = Tool.shell(
      "command -v \(shell) >/dev/null || exit 0; restorectl completions \(shell) > /tmp/$$ && \(check) /tmp/$$; e=$?; rm /tmp/$$; exit $e"
    )
    #expect(result.exit == 0, "\(result.error)")
  }

  @Test("every command and option is in every script", arguments: Completions.shells)
  func whole(_ shell: String) throws {
    let script = try #require(Completions.script(for: shell))
    for verb in Verb.allCases { #expect(script.contains(verb.lastWord)) }
    for option in Option.allCases { #expect(script.contains(option.name)) }
  }
}
