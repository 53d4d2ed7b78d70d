import Glibc
import TestSupport
import Testing

@testable import restorectl

@Suite struct AtomicFileTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("what is not committed leaves the file as it was, and nothing beside it")
  func abandoned() throws {
    let folder = TemporaryFolder()
    folder.write("old".utf8, to: "f")
    do {
      var file = try AtomicFile(path: folder.file("f"))
      try file.append(Array("new".utf8))
    }
    #expect(folder.read("f") == Array("old".utf8))
    #expect(Tool.shell("ls -A \(folder.path)").text == "f\n")
  }

  @Test("a committed file has the new contents and its old permissions; a link to it stays one")
  func committed() throws {
    let folder = TemporaryFolder()
    folder.write("old".utf8, to: "f")
    chmod(folder.file("f"), 0o640)
    symlink("f", folder.file("l"))
    var file = try AtomicFile(path: folder.file("l"))
    try file.append(Array("n".utf8))
    try file.append(Array("ew".utf8))
    try file.commit()
    #expect(folder.read("f") == Array("new".utf8))
    #expect(mode(folder.file("f")) == 0o640)
    #expect(Tool.shell("ls -A \(folder.path); readlink \(folder.file("l"))").text == "f\nl\nf\n")
  }

  @Test("a pipe is written to and stays a pipe")
  func pipe() throws {
    let folder = TemporaryFolder()
    mkfifo(folder.file("p"), 0o600)
    let reader = open(folder.file("p"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var file = try AtomicFile(path: folder.file("p"))
    try file.append(Array("new".utf8))
    try file.commit()
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, 8) == 3)
  }

  @Test("a folder that is not there is named")
  func missing() {
    do throws(Failure) {
      _ = try AtomicFile(path: "/nowhere/f")
      Issue.record("opened")
    } catch {
      #expect(error.exit == .storage)
      #expect(error.what.contains("/nowhere/f"))
    }
  }
}
