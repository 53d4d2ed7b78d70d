import CLinux
import Glibc
import Varlink

/// Serves `org.varlink.certification` on a socket until its parent ends: `certification-server PATH`.
///
/// Says `listening` on standard output once it does.
func serve(_ path: String) throws {
  _ = clinux_die_with_parent(SIGKILL)
  let loop = try EventLoop()
  let server = try VarlinkServer(
    loop: loop,
    identity: ServiceIdentity(
      vendor: "restored",
      product: "certification-server",
      version: "1",
      url: "https://varlink.org"
    ),
    interfaces: [CertificationInterface()]
  )
  try server.listen(on: UnixSocket.listen(path: path, mode: 0o600))
  print("listening")
  fflush(nil)
  try loop.run()
}

guard CommandLine.arguments.count == 2 else {
  print("usage: certification-server PATH")
  exit(64)
}
do { try serve(CommandLine.arguments[1]) } catch {
  print("certification-server: \(error)")
  exit(1)
}
