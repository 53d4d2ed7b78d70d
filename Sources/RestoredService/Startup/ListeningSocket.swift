import CLinux
import Glibc

/// The socket that the daemon listens on: one passed by the service manager, or one of its own at a path.
///
/// A socket file of its own is removed when the object goes.
final class ListeningSocket {
  /// The descriptor; whoever serves on it closes it.
  let descriptor: Int32
  /// Whether it is a connection already, as `varlinkctl exec:` passes it.
  let isConnected: Bool
  /// Where it is, for messages.
  let name: String
  private let own: (path: String, identity: Identity, lock: InstanceLock)?

  private static let backlog: Int32 = 1_024
  private static let firstPassedDescriptor: Int32 = 3

  private init(
    _ descriptor: Int32,
    isConnected: Bool,
    name: String,
    own: (path: String, identity: Identity, lock: InstanceLock)? = nil
  ) {
    self.descriptor = descriptor
    self.isConnected = isConnected
    self.name = name
    self.own = own
  }

  deinit {
    // Only what this process made: somebody may have put another socket in its place.
    if let own, Identity(of: own.path) == own.identity { unlink(own.path) }
  }

  /// The socket that systemd passed: the one named `varlink`, or the only one.
  ///
  /// Nil where none was passed.
  /// Source: sd_listen_fds(3).
  static func passed(environment: (String) -> String?) throws(DaemonFault) -> ListeningSocket? {
    guard let pid = environment("LISTEN_PID"), Int32(pid) == getpid(), let count = environment("LISTEN_FDS"),
      let count = Int32(count), count > 0
    else { return nil }
    let names = (environment("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
    var chosen: Int32?
    for index in 0..<count {
      let descriptor = firstPassedDescriptor + index
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      if count == 1 || (Int(index) < names.count && names[Int(index)] == "varlink") { chosen = chosen ?? descriptor }
    }
    for variable in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(variable) }
    guard let chosen else {
      throw DaemonFault(
        exit: .usage,
        message: "\(count) sockets were passed and none is named varlink: set FileDescriptorName=varlink"
      )
    }
    let listens = clinux_is_listening(chosen)
    guard listens >= 0 else {
      throw DaemonFault(exit: .usage, message: "descriptor \(chosen), passed as socket, is none: \(errorText(errno))")
    }
    return ListeningSocket(chosen, isConnected: listens == 0, name: "the socket that was passed")
  }

  /// Where the daemon is to listen, settled before anything else of it is made.
  enum Place {
    case passed(ListeningSocket)
    case claimed(Claim)

    /// Listens there.
    func listen() throws(DaemonFault) -> ListeningSocket {
      switch self {
      case .passed(let socket): socket
      case .claimed(let claim): try ListeningSocket.make(claim)
      }
    }

    /// Removes what was made for it: the daemon does not start.
    func giveUp() {
      if case .claimed(let claim) = self { claim.giveUp() }
    }
  }

  /// A path that no other daemon has, nor gets while this is there.
  final class Claim {
    let path: String
    /// Whether all users may connect.
    let everyone: Bool
    fileprivate let lock: InstanceLock
    private let folders: [String]

    /// - Parameters:
    ///   - everyone: let all users connect: the socket is 0666 in a folder of 0755, else 0600 in one of 0700.
    ///   - made: called each time the folder has been made and nothing is in it yet; for tests.
    /// - Throws: `anotherRuns` where somebody has it; nothing that it made is left then.
    init(_ path: String, everyone: Bool, made: () -> Void = {}) throws(DaemonFault) {
      var address = try ListeningSocket.address(path)
      self.path = path
      self.everyone = everyone
      (folders, lock) = try Self.take(path, mode: everyone ? 0o755 : 0o700, made)
      do throws(DaemonFault) { _ = try ListeningSocket.isDead(path, &address) } catch {
        giveUp()
        throw error
      }
    }

    /// Makes the folder and takes the lock in it; anew where a daemon that does not start after all has removed its own
    /// folder meanwhile.
    private static func take(
      _ path: String,
      mode: mode_t,
      _ made: () -> Void
    ) throws(DaemonFault) -> (folders: [String], lock: InstanceLock) {
      let folder = Folder.parent(of: path)
      while true {
        let folders = try Folder.make(folder, mode: mode, for: "the socket")
        made()
        do throws(DaemonFault) {
          return (folders, try InstanceLock(path + ".lock", of: "the socket \(path)"))
        } catch {
          let isGone = Folder.isMissing(folder)
          Folder.remove(folders)
          if !isGone { throw error }
        }
      }
    }

    /// Removes what was made for it: the daemon does not start.
    func giveUp() {
      lock.discard()
      Folder.remove(folders)
    }
  }

  /// Makes a socket at the path that is claimed, and listens on it.
  ///
  /// A file that a dead daemon left is replaced, a live one never: the lock beside it tells them apart, and the
  /// connection that is tried tells a listener that knows nothing of the lock.
  static func make(_ claim: Claim) throws(DaemonFault) -> ListeningSocket {
    let path = claim.path
    var address = try address(path)
    if try isDead(path, &address) { unlink(path) }
    let descriptor = clinux_unix_socket(0)
    guard descriptor >= 0 else { throw failure(path, "make a socket") }
    let before = umask(claim.everyone ? 0o111 : 0o177)
    let bound = withAddress(&address) { bind(descriptor, $0, $1) }
    umask(before)
    guard bound == 0, listen(descriptor, backlog) == 0, let identity = Identity(of: path) else {
      let fault = failure(path, "listen")
      close(descriptor)
      throw fault
    }
    return ListeningSocket(
      descriptor,
      isConnected: false,
      name: path,
      own: (path: path, identity: identity, lock: claim.lock)
    )
  }

  private static func failure(_ path: String, _ action: String) -> DaemonFault {
    DaemonFault(
      exit: .cannotCreate,
      message: "cannot \(action) at \(path): \(RestoredService.failure(errno, remedy: "choose another --socket"))"
    )
  }

  private static func address(_ path: String) throws(DaemonFault) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else {
      throw DaemonFault(
        exit: .cannotCreate,
        message: "the socket's path has \(path.utf8.count) bytes, a Unix socket's at most \(room - 1): \(path)"
      )
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  private static func withAddress<R>(
    _ address: inout sockaddr_un,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
  ) -> R {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Whether a socket is left at `path` on which nobody listens; false: nothing is there.
  ///
  /// - Throws: where somebody listens, and where there is something else.
  private static func isDead(_ path: String, _ address: inout sockaddr_un) throws(DaemonFault) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw DaemonFault(
        exit: .cannotCreate,
        message: "\(path) exists and is no socket; move it, or choose another --socket"
      )
    }
    let probe = clinux_unix_socket(0)
    guard probe >= 0 else { throw failure(path, "look who listens") }
    defer { close(probe) }
    guard withAddress(&address, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
      throw DaemonFault(
        exit: .anotherRuns,
        message: "another process listens at \(path); stop it, or choose another --socket"
      )
    }
    return true
  }

  /// What tells a file from another that has its name: with the time, since numbers of removed files come back.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
    let seconds: Int
    let nanoseconds: Int

    init?(of path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
      (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
  }
}
