import Foundation
import RestoreClient
import RestoreInMemory
import TestSupport
import Testing

/// What a client talks to in a test: every rule holds with each.
enum Peer: CaseIterable, Sendable {
  case daemon, memory

  /// Runs `body` with a client of a peer of its own.
  func client(app: String = "boards", _ body: (SceneClient) async throws -> Void) async throws {
    switch self {
    case .daemon:
      let daemon = DaemonProcess()
      try await body(SceneClient(app: app, socket: daemon.socket, timeout: .seconds(30)))
      _ = daemon.process
    case .memory: try await body(SceneClient.inMemory(app: app))
    }
  }
}

/// The navigation of the app that these tests play.
struct Navigation: Codable, Hashable, Sendable {
  var selectedTab: String?
  var stacks: [String: [Route]] = [:]

  enum Route: Codable, Hashable, Sendable {
    case board(id: String)
    case card(boardID: String, cardID: Int)
  }

  /// One stack of boards.
  static func boards(_ ids: String...) -> Navigation {
    Navigation(selectedTab: "boards", stacks: ["boards": ids.map { .board(id: $0) }])
  }
}

/// The error that `body` throws.
func error(_ body: () async throws -> Void) async -> RestoreError? {
  do {
    try await body()
    return nil
  } catch { return error as? RestoreError }
}
