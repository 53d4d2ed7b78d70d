import Glibc
import RestoreClient
import RestoreInterface
import RestoreStore
import Synchronization
import Varlink

/// Answers a client's calls in this process, by the store that the daemon keeps its scenes in.
///
/// A call is carried out on the caller's thread before it returns; there is no reply to be lost.
final class MemoryExchange: Exchange {
  let place = "memory"
  private let store: Result<MemoryStore, RestoreError>

  init() {
    do throws(RestoreError) { store = .success(try MemoryStore()) } catch { store = .failure(error) }
  }

  func exchange(
    _ method: String,
    _ parameters: [UInt8],
    deadline: ContinuousClock.Instant
  ) async throws(ExchangeFault) -> VarlinkReply {
    if Task.isCancelled { throw .cancelled }
    do throws(RestoreError) {
      return VarlinkReply(parameters: try store.get().answer(method, parameters[...]))
    } catch { throw .notSent(error) }
  }
}
