import Foundation
import Testing

@testable import RestoreStore

/// The databases under `Releases/`, one of each release, made by `scripts/release-fixture.sh` with that release's
/// programs and never made again.
@Suite("A database from every earlier release opens, and gives back what it held")
struct ReleaseTests {
  static let releases: [String] = {
    let folder = Bundle.module.resourceURL?.appendingPathComponent("Releases").path ?? ""
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }()

  /// What `held.tsv` says was there: lines of fields with tabs between them.
  private func held(_ folder: String) throws -> [[String]] {
    try String(contentsOfFile: folder + "/held.tsv", encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  @Test("there is one of this release's kind at least")
  func exists() { #expect(!Self.releases.isEmpty) }

  @Test("it opens, whole, and holds every revision and id", arguments: releases)
  func opens(release: String) throws {
    let source = try #require(Bundle.module.resourceURL).appendingPathComponent("Releases/\(release)").path
    let fixture = Fixture()
    try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source + "/restored.sqlite3", toPath: fixture.database)
    let held = try held(source)
    let session = try fixture.open()
    #expect(session.writer.recovery == nil)
    let integrity = try Statement("PRAGMA integrity_check", on: session.writer.connection).all { $0.text(0) }
    #expect(integrity == ["ok"])
    let uid = try #require(held.first { $0[0] == "uid" }.flatMap { UInt32($0[1]) })
    var count = 0
    for line in held where line[0] == "state" {
      count += 1
      let request = RestoreRequest(uid: uid, app: line[1], scene: line[2], revision: Int(line[3]), stale: .keep)
      #expect(String(decoding: try session.reader.restore(request).state, as: UTF8.self) == line[4], "\(line)")
    }
    #expect(count >= 6)
    for line in held where line[0] == "ids" {
      let page = try session.reader.entities(uid: uid, app: line[1], kind: line[2], after: nil, limit: nil)
      #expect(page.ids.joined(separator: " ") == line[3])
    }
    for line in held where line[0] == "closed" {
      let closed = try session.reader.scenes(uid: uid, app: line[1], closed: true).map(\.scene)
      #expect(closed == [line[2]])
    }
    let apps = held.filter { $0[0] == "routes" }
    #expect(!apps.isEmpty)
    for line in apps {
      let table = try #require(try session.reader.routes(uid: uid, app: line[1]))
      #expect(String(decoding: table.bytes, as: UTF8.self) == line[2])
    }
    try goesOn(session, uid)
  }

  /// Expects saves to be numbered from what the earlier release gave on.
  private func goesOn(_ session: Session, _ uid: UInt32) throws {
    let before = try session.reader.status(uid: uid, problems: [])
    #expect(before.revision > 0 && before.usedBytes > 0)
    var bytes = 0
    for number in 1...3 {
      let state = #"{"values":{"n":\#(number)}}"#
      bytes += state.utf8.count
      let save = try session.saving("after", state)
      let result = session.writer.perform([WriteCommand(uid: uid, app: "app", save)])[0]
      guard case .saved(let saved) = try result.outcome.get() else { throw Unexpected() }
      #expect(saved.revision == before.revision + number)
    }
    let after = try session.reader.status(uid: uid, problems: [])
    #expect(after.revision == before.revision + 3 && after.usedBytes == before.usedBytes + bytes)
  }
}
