import Foundation
import Glibc
import Testing

@testable import Varlink

@Suite struct AcceptorTests {
  @Test("out of descriptors it neither spins nor ends, and takes the waiting peers when others go")
  func outOfDescriptors() throws {
    let service = try CertificationProcess(descriptors: 20)
    var clients = try (0..<40).map { _ in try VarlinkClient(path: service.path, timeoutMilliseconds: 20_000) }
    #expect(try clients[0].call("org.varlink.service.GetInfo").error == nil)
    let before = try service.processorTicks()
    usleep(500_000)
    // A loop that spins would use some 50 ticks.
    #expect(try service.processorTicks() - before < 10)
    #expect(try clients[0].call("org.varlink.service.GetInfo").error == nil)
    clients.removeFirst(30)
    for client in clients { #expect(try client.call("org.varlink.service.GetInfo").error == nil) }
    #expect(service.isRunning)
  }

  @Test("an idle process sleeps through, with peers connected")
  func idleProcess() throws {
    let service = try CertificationProcess()
    let clients = try (0..<10).map { _ in try VarlinkClient(path: service.path) }
    for client in clients { #expect(try client.call("org.varlink.service.GetInfo").error == nil) }
    let before = try service.sleeps()
    usleep(500_000)
    // Going to sleep after the last reply may be counted late.
    #expect(try service.sleeps() - before <= 1)
    withExtendedLifetime(clients) {}
  }
}
