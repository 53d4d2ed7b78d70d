import CLinux
import Glibc

/// One listening socket of a server.
///
/// Who is connected already goes first: new peers are let in in time to spare.
final class Acceptor: EventHandler, TurnTask {
  /// Connections taken at once.
  private static let batch = 16
  /// When to look again while there is no descriptor left, in case none of our own is what frees one.
  private static let retryMilliseconds = 1_000

  private let listener: Descriptor
  private unowned let server: VarlinkServer
  private var retry: TimerToken?
  private var isStopped = false
  var line: TurnLine { .newcomers }

  init(_ listener: consuming Descriptor, server: VarlinkServer) throws(SystemFault) {
    self.listener = listener
    self.server = server
    guard clinux_set_nonblocking(self.listener.number) == 0 else { throw SystemFault("fcntl") }
    try server.loop.add(self.listener.number, .readable, self)
  }

  func ready(_ events: EventSet) {
    server.loop.modify(listener.number, [])
    server.loop.resumeLater(self)
  }

  func resume() {
    guard !isStopped, retry == nil else { return }
    accept()
    if retry == nil { server.loop.modify(listener.number, .readable) }
  }

  func flush() {}

  private func accept() {
    for _ in 0..<Self.batch {
      let descriptor = clinux_accept(listener.number)
      if descriptor >= 0 {
        server.admit(descriptor)
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return
      default: return pause(SystemFault("accept4"))
      }
    }
  }

  /// Out of descriptors or memory: stop asking until a connection has closed, or a moment has passed.
  private func pause(_ fault: SystemFault) {
    guard retry == nil else { return }
    server.note(fault)
    server.loop.modify(listener.number, [])
    retry = server.loop.schedule(afterMilliseconds: Self.retryMilliseconds) { [weak self] in self?.retryNow() }
  }

  private func retryNow() {
    retry = nil
    server.loop.modify(listener.number, .readable)
  }

  /// A connection has closed.
  func connectionClosed() {
    guard let retry else { return }
    server.loop.cancel(retry)
    retryNow()
  }

  /// Listens no more; the socket is closed when this goes.
  func stop() {
    if let retry { server.loop.cancel(retry) }
    retry = nil
    isStopped = true
    server.loop.remove(listener.number)
  }
}
