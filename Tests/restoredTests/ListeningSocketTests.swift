import Glibc
import TestSupport
import Testing
import Varlink

@testable import RestoredService

@Suite struct ListeningSocketTests {
  private let folder = TemporaryFolder()

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("the socket and its folder are the user's alone, or everyone's, whatever the umask")
  func modes() throws {
    let before = umask(0)
    defer { umask(before) }
    let own = try ListeningSocket.make(ListeningSocket.Claim(folder.file("a/b/io.restored"), everyone: false))
    #expect(mode(own.name) == 0o600)
    #expect(mode(folder.file("a/b")) == 0o700 && mode(folder.file("a")) == 0o700)
    umask(0o077)
    let shared = try ListeningSocket.make(ListeningSocket.Claim(folder.file("c/io.restored"), everyone: true))
    #expect(mode(shared.name) == 0o666 && mode(folder.file("c")) == 0o755)
    close(own.descriptor)
    close(shared.descriptor)
  }

  @Test("a file that a dead daemon left is replaced")
  func stale() throws {
    let path = folder.file("io.restored")
    let dead = try UnixListener(path)
    dead.closeOnly()
    let socket = try ListeningSocket.make(ListeningSocket.Claim(path, everyone: false))
    defer { close(socket.descriptor) }
    _ = try VarlinkClient(path: path)
  }

  @Test("a live one never: whoever listens there is left alone")
  func live() throws {
    let path = folder.file("io.restored")
    let other = try UnixListener(path)
    let fault = #expect(throws: DaemonFault.self) {
      try ListeningSocket.make(ListeningSocket.Claim(path, everyone: false))
    }
    #expect(fault?.exit == .anotherRuns)
    #expect(fault?.message.contains(path) == true)
    _ = try VarlinkClient(path: path)
    other.closeOnly()
  }

  @Test("what is no socket is left alone")
  func otherFile() throws {
    folder.write("precious".utf8, to: "io.restored")
    let fault = #expect(throws: DaemonFault.self) {
      try ListeningSocket.make(ListeningSocket.Claim(folder.file("io.restored"), everyone: false))
    }
    #expect(fault?.exit == .cannotCreate)
    #expect(folder.read("io.restored") == Array("precious".utf8))
  }

  @Test("the socket's file goes with the object, unless another has taken its place")
  func removal() throws {
    let path = folder.file("io.restored")
    var socket: ListeningSocket? = try ListeningSocket.make(ListeningSocket.Claim(path, everyone: false))
    close(try #require(socket).descriptor)
    socket = nil
    #expect(access(path, F_OK) != 0)

    socket = try ListeningSocket.make(ListeningSocket.Claim(path, everyone: false))
    close(try #require(socket).descriptor)
    unlink(path)
    let other = try UnixListener(path)
    socket = nil
    _ = try VarlinkClient(path: path)
    other.closeOnly()
  }

  @Test("where another that does not start removes its folder meanwhile, it is made again")
  func folderRemovedMeanwhile() throws {
    let path = folder.file("a/b/io.restored")
    var first: ListeningSocket.Claim? = try ListeningSocket.Claim(path, everyone: false)
    let second = try ListeningSocket.Claim(path, everyone: false) {
      first?.giveUp()
      first = nil
    }
    let fault = #expect(throws: DaemonFault.self) { try ListeningSocket.Claim(path, everyone: false) }
    #expect(fault?.exit == .anotherRuns)
    second.giveUp()
    #expect(access(folder.file("a"), F_OK) != 0)
  }

  @Test("a folder that leads nowhere is named, and not made for ever")
  func danglingFolder() throws {
    try #require(symlink("nowhere", folder.file("link")) == 0)
    let fault = #expect(throws: DaemonFault.self) {
      try ListeningSocket.Claim(folder.file("link/b/io.restored"), everyone: false)
    }
    #expect(fault?.exit == .cannotCreate)
    #expect(fault?.message.contains("link") == true)
  }

  @Test("a path too long for a Unix socket is named with its length")
  func longPath() {
    let path = folder.file(String(repeating: "x", count: 120))
    let fault = #expect(throws: DaemonFault.self) {
      try ListeningSocket.make(ListeningSocket.Claim(path, everyone: false))
    }
    #expect(fault?.exit == .cannotCreate)
    #expect(fault?.message.contains("\(path.utf8.count) bytes") == true)
  }
}

@Suite struct InstanceLockTests {
  @Test("the second one is told who is first, and the lock goes with its holder")
  func second() throws {
    let folder = TemporaryFolder()
    let path = folder.file("lock")
    var first: InstanceLock? = try InstanceLock(path, of: "the state folder /x")
    let fault = #expect(throws: DaemonFault.self) { try InstanceLock(path, of: "the state folder /x") }
    #expect(fault?.exit == .anotherRuns)
    #expect(fault?.message.contains("pid \(getpid())") == true)
    #expect(fault?.message.contains("/x") == true)
    _ = first
    first = nil
    _ = try InstanceLock(path, of: "the state folder /x")
  }

  @Test("a lock that is discarded takes its file along where it made it, and nowhere else")
  func discard() throws {
    let folder = TemporaryFolder()
    let path = folder.file("lock")
    try InstanceLock(path, of: "x").discard()
    #expect(access(path, F_OK) != 0)
    _ = try InstanceLock(path, of: "x")
    try InstanceLock(path, of: "x").discard()
    #expect(access(path, F_OK) == 0)
  }

  @Test("a file that was discarded after it had been opened is not taken for the lock")
  func discardedMeanwhile() throws {
    let folder = TemporaryFolder()
    let path = folder.file("lock")
    var first: InstanceLock? = try InstanceLock(path, of: "x")
    let second = try InstanceLock(path, of: "x") {
      first?.discard()
      first = nil
    }
    let fault = #expect(throws: DaemonFault.self) { try InstanceLock(path, of: "x") }
    #expect(fault?.exit == .anotherRuns)
    withExtendedLifetime(second) {}
  }

  @Test("a folder that is not there is named")
  func missingFolder() {
    let fault = #expect(throws: DaemonFault.self) { try InstanceLock("/nonexistent/lock", of: "the socket") }
    #expect(fault?.exit == .cannotCreate)
    #expect(fault?.message.contains("/nonexistent/lock") == true)
  }
}

/// A listener of another program's.
private final class UnixListener {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = SocketAddress.with(path: path) { bind(descriptor, $0, $1) }
    try #require(bound == 0 && listen(descriptor, 8) == 0)
  }

  /// Stops listening, and leaves the file as a crash would.
  func closeOnly() { close(descriptor) }
}
