// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// One room of the house: a library target under `Sources/`.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A program under `Sources/`, or under `path`.
func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// The tests of one room, under `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "restored",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "RestoreStore", targets: ["RestoreStore"]),
    .library(name: "RestoreClient", targets: ["RestoreClient"]),
    .library(name: "RestoreInMemory", targets: ["RestoreInMemory"]),
    .library(name: "SceneRouting", targets: ["SceneRouting"]),
    .executable(name: "restored", targets: ["restored"]),
    .executable(name: "restorectl", targets: ["restorectl"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CLinux"),
    .target(
      name: "Migrations",
      path: "migrations",
      resources: [
        .embedInCode("m0001_initial.sql"), .embedInCode("m0002_counts.sql"), .embedInCode("m0003_route_checksums.sql"),
      ],
      swiftSettings: strict
    ),
    room("JSONText"),
    room("SceneModel", ["JSONText"]),
    room(
      "RestoreStore",
      [
        "CSQLite", "JSONText", "SceneModel", "Migrations",
        .target(name: "CLinux", condition: .when(platforms: [.linux])),
      ]
    ),
    room("Varlink", ["CLinux", "JSONText"]),
    .target(
      name: "RestoreInterface",
      dependencies: ["JSONText", "SceneModel"],
      resources: [.embedInCode("io.restored.varlink")],
      swiftSettings: strict
    ),
    room("RestoreClient", ["JSONText", "SceneModel", "Varlink", "RestoreInterface"]),
    room("RestoreInMemory", ["RestoreClient", "RestoredService", "Varlink"]),
    .target(name: "CMainQueue"),
    room(
      "SceneRouting",
      ["RestoreClient", "SceneModel", "JSONText", .target(name: "CMainQueue", condition: .when(platforms: [.linux]))]
    ),
    room("RestoredService", ["CLinux", "JSONText", "SceneModel", "RestoreStore", "Varlink", "RestoreInterface"]),
    program("restored", ["RestoredService"]),
    program("restorectl", ["CLinux", "JSONText", "SceneModel", "Varlink", "RestoreInterface"]),
    program("certification-server", ["CLinux", "JSONText", "Varlink"], path: "Tests/CertificationServer"),
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", "JSONText", "Varlink", "RestoreInterface"],
      path: "Tests/Support",
      swiftSettings: strict
    ),
    .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
    program("relaunch-app", ["JSONText", "Varlink", "RestoreInterface", "TestSupport"], path: "Tests/RelaunchApp"),
    program("crashing-daemon", ["RestoredService", "RestoreStore"], path: "Tests/CrashingDaemon"),
    program(
      "crash-harness",
      ["TestSupport", "CSQLite", "JSONText", "RestoreInterface", "Varlink"],
      path: "Tests/CrashHarness"
    ),
    program("queue-exit-app", ["RestoreClient", "RestoreInMemory"], path: "Tests/QueueExitApp"),
    program("foreign-loop-app", ["RestoreClient", "SceneRouting", "TestSupport"], path: "Tests/ForeignLoopApp"),
    program("boards", ["RestoreClient", "SceneRouting"], path: "Examples/Boards"),
    program("notes-tutorial", ["RestoreClient", "SceneRouting"], path: "Examples/Tutorial"),
    program("routing-bench", ["RestoreClient", "SceneRouting"], path: "Benchmarks/Routing"),
    .executableTarget(name: "restored-bench", path: "Benchmarks/LoadGenerator"),
    tests("JSONText", ["JSONText", "CSQLite", "TestSupport"]),
    tests("SceneModel", ["SceneModel", "JSONText", "TestSupport"], resources: [.copy("vectors.json")]),
    tests(
      "RestoreStore",
      ["RestoreStore", "SceneModel", "JSONText", "CSQLite", "FaultVFS", "TestSupport"],
      resources: [.copy("Releases")]
    ),
    tests("Varlink", ["Varlink", "JSONText", "CLinux", "TestSupport", "certification-server"]),
    tests("RestoreInterface", ["RestoreInterface", "JSONText", "SceneModel", "Varlink"]),
    tests(
      "restored",
      [
        "RestoredService", "restored", "restorectl", "relaunch-app", "crashing-daemon", "crash-harness", "TestSupport",
        "RestoreInterface", "RestoreStore",
        "Varlink",
        "JSONText",
      ]
    ),
    tests(
      "RestoreClient",
      [
        "RestoreClient", "RestoreInMemory", "restored", "queue-exit-app", "TestSupport", "RestoreInterface",
        "SceneModel", "Varlink",
      ]
    ),
    tests(
      "SceneRouting",
      [
        "SceneRouting", "RestoreClient", "RestoreInMemory", "SceneModel", "TestSupport", "restored", "foreign-loop-app",
        "boards", "notes-tutorial",
      ]
    ),
    tests("Packaging", ["restored", "restorectl", "TestSupport", "RestoreInterface", "Varlink"]),
    tests(
      "restorectl",
      ["restorectl", "restored", "TestSupport", "RestoreInterface", "SceneModel", "Varlink", "JSONText"]
    ),
  ]
)

// Fuzz targets link libFuzzer, which only `make fuzz` hands to the linker.
if Context.environment["RESTORED_FUZZ"] != nil {
  package.targets += [
    .target(name: "FuzzSupport", path: "Fuzz/Support", swiftSettings: strict),
    program("FuzzJSONText", ["FuzzSupport", "JSONText"], path: "Fuzz/JSONText"),
    program("FuzzSceneModel", ["FuzzSupport", "SceneModel"], path: "Fuzz/SceneModel"),
    program("FuzzRouteTable", ["FuzzSupport", "SceneModel"], path: "Fuzz/RouteTable"),
    program("FuzzCalls", ["FuzzSupport", "Varlink", "RestoreInterface"], path: "Fuzz/Calls"),
    program("FuzzLinks", ["FuzzSupport", "SceneModel", "JSONText"], path: "Fuzz/Links"),
    program("FuzzVarlink", ["FuzzSupport", "Varlink"], path: "Fuzz/Varlink"),
  ]
}

// `RESTORED_TESTS=RestoreStore,Varlink` leaves out the tests of all other rooms: a short build for work on one room.
if let chosen = Context.environment["RESTORED_TESTS"] {
  let names = Set(chosen.split(separator: ",").map { "\($0)Tests" })
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
