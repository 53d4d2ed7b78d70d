import CLinux
import Glibc
import RestoreInterface
import RestoreStore

/// The daemon as a program, from its command line to its exit code.
///
/// Here and not in `main.swift`, so that a test can run the very same daemon with a store that ends the process where
/// it is told to: the program that is shipped has no such switch.
package enum DaemonProgram {
  /// Files and connections together; systemd's unit grants as many.
  private static let wantedDescriptors: rlim_t = 8_192

  /// Does what the command line and the environment say, and returns once the daemon was told to stop.
  ///
  /// Blocks for as long as the daemon serves. What cannot be done is said on standard error and ends the process, with
  /// the exit code that `restored --help` names.
  ///
  /// - Parameter adjust: may change how the store is opened, after the options have been read; by default nothing.
  package static func run(adjusting adjust: @escaping (inout StoreOptions) -> Void = { _ in }) {
    let log = Log(environment: environment)
    do throws(DaemonFault) {
      switch try DaemonOptions.parse(Array(CommandLine.arguments.dropFirst()), environment: environment) {
      case .help: print(DaemonOptions.help)
      case .version: print("restored \(RestoredInterface.productVersion)\n")
      case .serve(let options) where options.check:
        let places = Places(environment: environment, uid: getuid())
        let problems = try DatabaseCheck.run(places.stateFolder(options.stateFolder), print)
        if problems > 0 { exit(DaemonExit.storage.rawValue) }
      case .serve(var options):
        options.adjustStore = adjust
        signal(SIGPIPE, SIG_IGN)
        // A file at its limit (LimitFSIZE=) is an error of the write then, as on a full disk, and not the end.
        signal(SIGXFSZ, SIG_IGN)
        raiseDescriptorLimit()
        clinux_return_large_memory()
        ProcessSettings.leaveOutMemoryStatistics()
        try Daemon(options, log: log, environment: environment).run()
      }
    } catch {
      log.write(.cannotStart, error.message)
      exit(error.exit.rawValue)
    }
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func print(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
  }

  /// The soft limit is 1,024 as a rule, for programs that use select(2).
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, wantedDescriptors))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
