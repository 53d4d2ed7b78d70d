import Glibc
import RestoreClient
import RestoredService
import Varlink

/// Finds the daemon inside this process.
final class MemoryConnector: Connector {
  let place = "memory"
  private let daemon: Result<PrivateDaemon, VarlinkClientError>

  /// Starts one; where that fails, each connecting says why.
  init() {
    guard let folder = MemoryFolder() else {
      daemon = .failure(.system(SystemFault("mkdtemp")))
      return
    }
    do {
      // The folder goes once the database in it is closed.
      daemon = .success(try PrivateDaemon(folder: folder.path) { folder.remove() })
    } catch let fault as SystemFault {
      daemon = .failure(.system(fault))
    } catch {
      daemon = .failure(.missing(path: "\(folder.path): \(error)"))
    }
  }

  func connect() throws(VarlinkClientError) -> Descriptor {
    let daemon = try daemon.get()
    do throws(SystemFault) { return try daemon.connect() } catch { throw .system(error) }
  }
}
