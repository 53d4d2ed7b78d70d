import CSQLite
import Foundation
import RestoreInterface
import TestSupport
import Varlink

/// Scenes of a client that autosaves begin so.
let autosavedPrefix = "auto"

/// Kills the daemon under load, again and again, and looks each time whether all is there that was acknowledged.
struct CrashRun {
  /// How a run is made.
  struct Plan {
    var kills = 60
    var seed = UInt64.random(in: 0 ... .max)
    var durability = "full"
    /// Puts the files back after each kill as they were before: a harness that sees losses must then report them.
    var isSabotaged = false
  }

  private let plan: Plan
  private var random: SeededGenerator
  private var daemon: DaemonProcess
  private var folder = TemporaryFolder()
  private var clients: [LoadClient] = []
  private var book = SceneBook()
  private var figures = Figures()
  /// The database's files as they were before the last life, for a sabotaged run.
  private var files: [[UInt8]] = []
  private(set) var kills: [CrashPlace: Int] = [:]
  private(set) var losses: [String] = []

  /// What the names of the database's files end in.
  private static let files = ["", "-wal"]

  init(_ plan: Plan) {
    self.plan = plan
    random = SeededGenerator(seed: plan.seed)
    daemon = Self.daemon("restored", folder, plan, starting: false)
    beginAnew()
  }

  var killCount: Int { kills.values.reduce(0, +) }

  /// What was counted, as lines of text.
  var lines: [String] {
    let places = CrashPlace.allCases.map { "  \($0.rawValue): \(kills[$0, default: 0])" }
    return ["kills: \(killCount)"] + places + (figures + book.figures).lines + ["losses: \(losses.count)"]
  }

  /// Runs until the plan is carried out.
  mutating func run() throws {
    daemon.start()
    var turn = 0
    while killCount < plan.kills {
      let place = CrashPlace.allCases[turn % CrashPlace.allCases.count]
      turn += 1
      try live(until: plan.isSabotaged ? .randomMoment : place)
      if plan.isSabotaged { putBack() }
      use("restored")
      guard daemon.startIfItLives() else {
        losses.append("after a kill at \(place) the daemon does not start: \(daemon.process.errors)")
        break
      }
      try compare()
    }
  }

  // MARK: One life

  /// Ends the daemon that runs, and has one die at `place`.
  private mutating func live(until place: CrashPlace) throws {
    switch place {
    case .inMigration:
      daemon.kill()
      beginAnew()
      use("crashing-daemon")
      if daemon.startIfItLives(["CRASH_AT": "inMigration:1"]) { throw Unexpected("a new database needs no migration") }
      note(place)
    case .starting:
      load(killingAfter: nil)
      daemon.launch()
      usleep(.random(in: 0...20_000, using: &random))
      daemon.process.send(SIGKILL)
      note(place)
    default:
      // One that went by itself leaves another file behind than one that was killed.
      if Bool.random(using: &random) { daemon.kill() } else { daemon.stop() }
      if plan.isSabotaged { files = Self.files.map { Files.read(daemon.database + $0) } }
      use("crashing-daemon")
      let hook = place.passages.map { ["CRASH_AT": "\(place.rawValue):\(Int.random(in: $0, using: &random))"] }
      // An erasure that was left over is made up for at start, and may pass the place then.
      if daemon.startIfItLives(hook ?? [:]) { load(killingAfter: place) } else { note(place) }
    }
  }

  /// Has all clients call the daemon until it is dead.
  ///
  /// - Parameter place: where it is to die; nil: at any moment, and that is not counted.
  private mutating func load(killingAfter place: CrashPlace?) {
    let moment = Moment()
    let target = place?.passages == nil ? Int.random(in: 1...500, using: &random) : Int.max
    let round = Round(socket: daemon.socket, floor: book.newest, target: target, moment: moment)
    let threads = onThreads(clients.map { client in { client.run(round) } }) { moment.come() }
    moment.wait()
    let process = daemon.process
    if place?.passages == nil {
      if place == .stopping { process.send(SIGTERM) }
      usleep(.random(in: 0...3_000, using: &random))
      process.send(SIGKILL)
    }
    for thread in threads { pthread_join(thread, nil) }
    // A load that ended before the place was passed often enough leaves a daemon that lives.
    let isAlive = clients.contains { !$0.wasCutOff }
    process.send(SIGKILL)
    note(isAlive && place?.passages != nil ? .randomMoment : place)
  }

  private mutating func note(_ place: CrashPlace?) {
    let ending = daemon.ended()
    switch ending {
    case .signal(SIGKILL): if let place { kills[place, default: 0] += 1 }
    // It was faster.
    case .exit(0) where place == .stopping: break
    default: losses.append("the daemon ended by itself: \(ending)")
    }
  }

  // MARK: After it

  private mutating func compare() throws {
    let client = try daemon.client()
    var sent: [SentSave] = []
    for load in clients {
      let taken = load.take()
      sent += taken.sent
      losses += taken.wrong
      figures += taken.figures
      losses += try load.compare(client)
    }
    losses += try book.compare(sent, client)
    let files = Self.files.map { Data(Files.read(daemon.database + $0)) }
    for case let load as ForgettingClient in clients { losses += load.traces(in: files) }
    // What was damaged and recovered would be no loss that the books show, but one all the same.
    losses += try client.call(GetStatus.self, NoMembers()).problems
    losses += integrityFaults(of: daemon.database)
    figures.integrityChecks += 1
  }

  private func putBack() {
    for (name, bytes) in zip(Self.files, files) { folder.write(bytes, to: "state/restored.sqlite3" + name) }
    unlink(daemon.database + "-shm")
  }

  // MARK: Beginning

  /// A new folder, and clients that know of nothing in it.
  private mutating func beginAnew() {
    folder = TemporaryFolder()
    figures += book.figures
    book = SceneBook()
    for client in clients {
      let taken = client.take()
      figures += taken.figures
      losses += taken.wrong
    }
    let shared = ["shared-0", "shared-1"]
    clients = [
      SavingClient("alone", scenes: (0...3).map { "alone-\($0)" }, seed: random.next()),
      SavingClient("together-a", scenes: shared, seed: random.next()),
      SavingClient("together-b", scenes: shared, seed: random.next()),
      AutosavingClient(autosavedPrefix, seed: random.next()),
      PipeliningClient("ahead", seed: random.next()),
      ShowingClient("shown", seed: random.next()),
      EntityClient("kind", seed: random.next()),
      ForgettingClient("secret", seed: random.next()),
    ]
    use("restored")
  }

  private mutating func use(_ program: String) { daemon = Self.daemon(program, folder, plan, starting: false) }

  private static func daemon(
    _ program: String,
    _ folder: TemporaryFolder,
    _ plan: Plan,
    starting: Bool
  ) -> DaemonProcess {
    DaemonProcess(
      ["--durability", plan.durability],
      folder: folder,
      program: Files.products + "/" + program,
      starting: starting
    )
  }
}

/// What must not happen to the harness itself.
struct Unexpected: Error {
  let what: String
  init(_ what: String) { self.what = what }
}

/// What SQLite's own check finds, https://sqlite.org/pragma.html#pragma_integrity_check; it reads beside the daemon.
private func integrityFaults(of database: String) -> [String] {
  var handle: OpaquePointer?
  defer { sqlite3_close(handle) }
  guard sqlite3_open_v2(database, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
    return ["the database cannot be opened"]
  }
  sqlite3_busy_timeout(handle, 5_000)
  var faults: [String] = []
  for (pragma, sound) in [("integrity_check", "ok"), ("foreign_key_check", "")] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, "PRAGMA \(pragma)", -1, &statement, nil) == SQLITE_OK else {
      return ["PRAGMA \(pragma) does not run"]
    }
    var result = sqlite3_step(statement)
    while result == SQLITE_ROW {
      let text = String(cString: sqlite3_column_text(statement, 0))
      if text != sound { faults.append("\(pragma): \(text)") }
      result = sqlite3_step(statement)
    }
    if result != SQLITE_DONE { faults.append("\(pragma) ended with \(result)") }
  }
  return faults
}
