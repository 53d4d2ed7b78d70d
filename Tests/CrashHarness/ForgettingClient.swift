import Foundation
import JSONText
import RestoreInterface
import TestSupport
import Varlink

/// Saves a secret and has it erased, again and again.
final class ForgettingClient: LoadClient, @unchecked Sendable {
  /// The states that the scene may have; nil: there is no scene.
  private var possible: [String?] = [nil]
  /// Texts whose erasure was acknowledged since they were last looked for.
  private(set) var erased: [String] = []

  override func step() throws {
    let secret = freshState()
    possible = [possible[0], secret]
    _ = try call(
      Save.self,
      Save.Parameters(app: loadedApp, scene: name, state: JSONObjectText(secret.utf8))
    )
    possible = [secret, nil]
    _ = try call(ForgetScene.self, SceneAddress(app: loadedApp, scene: name))
    possible = [nil]
    erased.append(secret)
    count(\.forgets)
  }

  override func compare(_ client: VarlinkClient) throws -> [String] {
    var found: String?
    do { found = try client.restore(app: loadedApp, scene: name).text } catch InterfaceError.sceneNotFound {}
    defer { possible = [found] }
    return possible.contains(found) ? [] : ["\(name) is \(found == nil ? "lost" : "another's or a forgotten one")"]
  }

  /// Whether a text that was acknowledged as erased is still in one of the files.
  func traces(in files: [Data]) -> [String] {
    defer { erased = [] }
    // The mark of each state, with the quote that ends it: number 1 is no part of number 12.
    return erased.compactMap { state in
      let mark = state.split(separator: "\"").first { $0.hasPrefix(name) } ?? ""
      let text = Data("\(mark)\"".utf8)
      return files.contains { $0.range(of: text) != nil } ? "\(mark) was erased and is still in a file" : nil
    }
  }
}
