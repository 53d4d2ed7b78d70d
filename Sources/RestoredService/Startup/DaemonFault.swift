import Glibc
import RestoreStore
import Varlink

/// Why the daemon cannot start or go on: what is wrong and where, what to do, and the exit code.
struct DaemonFault: Error {
  let exit: DaemonExit
  let message: String
}

/// The exit codes of `restored`, after sysexits.h.
enum DaemonExit: Int32 {
  case usage = 64
  case cannotCreate = 73
  case storage = 74
  case anotherRuns = 75
  case newerDatabase = 78
}

extension DaemonFault {
  /// What any failure at start means to whoever started the daemon.
  init(_ error: any Error) {
    switch error {
    case let fault as DaemonFault: self = fault
    case let fault as SystemFault:
      self.init(exit: .cannotCreate, message: fault.sentence + remedyOfOpenFiles(fault.code))
    case let error as StoreError:
      let exit: DaemonExit =
        switch error.code {
        case .newerSchema: .newerDatabase
        case .locked: .anotherRuns
        case .folderUnusable: .cannotCreate
        default: .storage
        }
      self.init(exit: exit, message: error.description)
    default: self.init(exit: .storage, message: "\(error)")
    }
  }
}

/// The kernel's words for an errno.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// The kernel's words for an errno, and what to do: what the caller says, unless too many files are open.
func failure(_ code: Int32, remedy: String) -> String {
  let ofFiles = remedyOfOpenFiles(code)
  return errorText(code) + (ofFiles.isEmpty ? "; \(remedy)" : ofFiles)
}

/// What to do where no more files may be open, as it follows the kernel's words; empty where that is not what is wrong.
private func remedyOfOpenFiles(_ code: Int32) -> String {
  code == EMFILE || code == ENFILE ? "; let it open more files (ulimit -n, or LimitNOFILE= of the unit)" : ""
}
