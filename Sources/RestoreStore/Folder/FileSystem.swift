#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether a folder can hold a database.
enum FileSystem {
  /// The types, as mount(8) names them, of file systems that other machines write to as well.
  ///
  /// The WAL needs memory that all its processes share, which those of two machines cannot.
  /// Source: sqlite.org/wal.html.
  private static let networks: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "coda", "glusterfs", "fuse.glusterfs",
    "fuse.sshfs", "ncpfs", "ocfs2", "gfs2",
  ]

  /// Refuses a folder of another user's, or on the network.
  ///
  /// Root may use any user's folder: it is who repairs it.
  static func check(_ folder: String) throws(SystemFault) {
    var status = stat()
    if stat(folder, &status) != 0 { throw SystemFault(attempt: "look at", path: folder, number: errno) }
    if geteuid() != 0 && status.st_uid != geteuid() { throw .foreign(owner: status.st_uid, folder) }
    #if os(Linux)
      let device = "\(major(UInt64(status.st_dev))):\(minor(UInt64(status.st_dev)))"
      let mounts = SystemCalls.contents("/proc/self/mountinfo")
      if let type = type(ofDevice: device, in: mounts), networks.contains(type) {
        throw .network(fileSystem: type, folder)
      }
    #endif
  }

  /// The type of the file system on a device, by the lines of proc_pid_mountinfo(5); nil where none names it.
  ///
  /// - Parameter device: its numbers, as `8:1`.
  static func type(ofDevice device: String, in mounts: String) -> String? {
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      // Optional fields end at a lone hyphen; the type follows it.
      guard fields.count > 3, fields[2] == device, let hyphen = fields.firstIndex(of: "-"), hyphen + 1 < fields.count
      else { continue }
      return String(fields[hyphen + 1])
    }
    return nil
  }

  /// The numbers in a `dev_t` as the kernel prints them, makedev(3).
  private static func major(_ device: UInt64) -> UInt64 { device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000 }
  private static func minor(_ device: UInt64) -> UInt64 { device & 0xFF | device >> 12 & 0xFFFF_FF00 }
}
