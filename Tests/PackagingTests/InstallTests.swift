import Foundation
import RestoreInterface
import TestSupport
import Testing

/// What `make install` puts where.
@Suite struct InstallTests {
  private let stage = TemporaryFolder()

  private func files() -> [String] {
    (FileManager.default.enumerator(atPath: stage.path)?.compactMap { $0 as? String } ?? []).filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: stage.file($0), isDirectory: &isFolder) && !isFolder.boolValue
    }
  }

  private func text(_ path: String) -> String { String(decoding: stage.read(path), as: UTF8.self) }

  @Test("every file is where a system looks for it")
  func places() {
    #expect(Checkout.install("install", prefix: "/usr", into: stage.path).ending == .exit(0))
    let expected: Set = [
      "usr/libexec/restored", "usr/bin/restorectl",
      "usr/lib/systemd/system/restored.service", "usr/lib/systemd/system/restored.socket",
      "usr/lib/systemd/user/restored.service", "usr/lib/systemd/user/restored.socket",
      "usr/lib/sysusers.d/restored.conf", "usr/share/varlink/io.restored.varlink",
      "usr/share/man/man1/restorectl.1", "usr/share/man/man8/restored.8",
      "usr/share/bash-completion/completions/restorectl", "usr/share/zsh/site-functions/_restorectl",
      "usr/share/fish/vendor_completions.d/restorectl.fish", "usr/share/licenses/restored/LICENSE",
    ]
    let installed = Set(files())
    #expect(installed.isSuperset(of: expected), "missing: \(expected.subtracting(installed))")
    let others = installed.subtracting(expected).filter { !$0.hasPrefix("usr/share/doc/restored/") }
    #expect(others.isEmpty)
    #expect(installed.contains("usr/share/doc/restored/docs/PACKAGING.md"))
    #expect(text("usr/share/varlink/io.restored.varlink") == RestoredInterface.text)
    for path in installed { #expect(stage.read(path).isEmpty == false, "\(path) is empty") }
  }

  @Test("what the installed documents lead to is installed with them")
  func links() {
    #expect(Checkout.install("install", prefix: "/usr", into: stage.path).ending == .exit(0))
    let documents = "usr/share/doc/restored/"
    var count = 0
    for page in files() where page.hasPrefix(documents) && page.hasSuffix(".md") {
      let folder = page.prefix(through: page.lastIndex(of: "/") ?? page.startIndex)
      for link in text(page).matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
        count += 1
        let exists = FileManager.default.fileExists(atPath: stage.file("\(folder)\(link.1)"))
        #expect(exists, "\(page) leads to \(link.1), which is not installed")
      }
    }
    #expect(count > 50)
    #expect(FileManager.default.isExecutableFile(atPath: stage.file(documents + "Examples/tmux/tmux-scene")))
  }

  @Test("the units name the daemon under PREFIX, and no template's mark is left", arguments: ["/usr", "/opt/restored"])
  func prefix(_ prefix: String) {
    #expect(Checkout.install("install", prefix: prefix, into: stage.path).ending == .exit(0))
    for manager in ["system", "user"] {
      let unit = text("\(prefix.dropFirst())/lib/systemd/\(manager)/restored.service")
      #expect(unit.contains("\nExecStart=\(prefix)/libexec/restored"), "\(unit)")
      #expect(!unit.contains("@libexecdir@"))
    }
  }

  @Test("uninstall takes away what install put there, and nothing else")
  func uninstall() {
    #expect(Checkout.install("install", prefix: "/usr", into: stage.path).ending == .exit(0))
    stage.write("mine".utf8, to: "usr/share/doc/restored/mine.txt")
    #expect(Checkout.install("uninstall", prefix: "/usr", into: stage.path).ending == .exit(0))
    #expect(files() == ["usr/share/doc/restored/mine.txt"])
    #expect(Checkout.install("uninstall", prefix: "/usr", into: stage.path).ending == .exit(0))
  }

  @Test("a PREFIX that units cannot name is refused", arguments: ["usr", "/opt/my programs", "/opt/%h"])
  func badPrefix(_ prefix: String) {
    let result = Checkout.install("install", prefix: prefix, into: stage.path)
    #expect(result.ending == .exit(64) && result.errors.contains("PREFIX"))
    #expect(files().isEmpty)
  }
}
