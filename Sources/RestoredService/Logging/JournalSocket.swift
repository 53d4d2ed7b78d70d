import Glibc

/// Sends events to systemd's journal in its native protocol.
///
/// Source: systemd.io, "Native Journal Protocol".
final class JournalSocket: Sendable {
  private let descriptor: Int32
  /// Where the journal listens.
  static let path = "/run/systemd/journal/socket"

  /// Nil unless standard error is the journal's stream: `$JOURNAL_STREAM` names its device and inode.
  init?(environment: (String) -> String?, standardError: Int32 = 2, path: String = JournalSocket.path) {
    let named = (environment("JOURNAL_STREAM") ?? "").split(separator: ":")
    var status = stat()
    guard named.count == 2, fstat(standardError, &status) == 0, UInt64(named[0]) == UInt64(status.st_dev),
      UInt64(named[1]) == UInt64(status.st_ino)
    else { return nil }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    guard DatagramAddress(path)?.connect(descriptor) == true else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends an event; false where the journal did not take it.
  func send(_ event: LogEvent) -> Bool {
    let bytes = Self.encode(event)
    return bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      == bytes.count
  }

  /// The event as the journal reads it: a line a field, or a length before a value that has lines of its own.
  static func encode(_ event: LogEvent) -> [UInt8] {
    var bytes: [UInt8] = []
    append("MESSAGE", event.message, to: &bytes)
    append("PRIORITY", String(event.kind.level.rawValue), to: &bytes)
    append("MESSAGE_ID", event.kind.rawValue, to: &bytes)
    append("SYSLOG_IDENTIFIER", "restored", to: &bytes)
    for field in event.fields { append("RESTORED_\(field.name)", field.value, to: &bytes) }
    return bytes
  }

  private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += name.utf8
    if value.utf8.contains(0x0A) {
      bytes.append(0x0A)
      withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value.utf8
    bytes.append(0x0A)
  }
}

/// The address of a datagram socket: a path, or an abstract name that begins with `@`.
struct DatagramAddress {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// Nil where the name is too long for a Unix socket.
  init?(_ name: String) {
    var bytes = Array(name.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
  }

  /// Connects a socket to it; false where nobody has it.
  func connect(_ descriptor: Int32) -> Bool {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, length) == 0 }
    }
  }
}
