import Glibc

/// A folder of a test's own, removed with all that is in it when the test lets go of it.
public final class TemporaryFolder: Sendable {
  /// Its absolute path, short enough for a Unix socket in it.
  public let path: String

  /// `$TMPDIR`, unless it is too long for sockets below it.
  private static let base: String = {
    let chosen = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return chosen.hasPrefix("/") && chosen.utf8.count <= 40 ? chosen : "/tmp"
  }()

  /// Makes a folder of mode 0700.
  public init() {
    var template = Array("\(Self.base)/restored-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("mkdtemp: \(String(cString: strerror(errno)))") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The path of `name` in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, for a test to find.
  public func write(_ bytes: some Collection<UInt8>, to name: String) {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { fatalError("\(file(name)): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let bytes = Array(bytes)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { fatalError("short write to \(file(name))") }
  }

  /// All bytes of a file; empty where there is none.
  public func read(_ name: String) -> [UInt8] { Files.read(file(name)) }

  private static func remove(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      if entry.pointee.d_type == UInt8(DT_DIR) { remove(path + "/" + name) } else { unlink(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }
}

/// Whole files.
public enum Files {
  /// All bytes of a file; empty where it cannot be read.
  public static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// The folder with the programs under test: `RESTORED_PRODUCTS`, or that which this test program was built into.
  public static let products: String = {
    if let chosen = getenv("RESTORED_PRODUCTS") { return String(cString: chosen) }
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }()
}
