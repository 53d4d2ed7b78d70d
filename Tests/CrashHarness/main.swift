import Glibc
import TestSupport

// Kills the daemon under load and looks whether anything acknowledged is lost; prints its figures.
// usage: crash-harness [--kills N] [--seed N] [--durability full|normal] [--sabotage]
// Exit code 1 where something was lost; with --sabotage that is what it must be.

private func plan() -> CrashRun.Plan? {
  var plan = CrashRun.Plan()
  var rest = CommandLine.arguments.dropFirst()
  while let option = rest.popFirst() {
    switch option {
    case "--sabotage": plan.isSabotaged = true
    case "--kills":
      guard let number = rest.popFirst().flatMap({ Int($0) }) else { return nil }
      plan.kills = number
    case "--seed":
      guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
      plan.seed = number
    case "--durability":
      guard let word = rest.popFirst() else { return nil }
      plan.durability = word
    default: return nil
    }
  }
  return plan
}

/// Carries the plan out; the daemon and its folder are gone on return, which they would not be at `exit`.
private func execute() -> Int32 {
  guard let plan = plan() else {
    print("usage: crash-harness [--kills N] [--seed N] [--durability full|normal] [--sabotage]")
    return 64
  }
  print("crash: seed \(plan.seed), durability \(plan.durability)")
  var run = CrashRun(plan)
  do { try run.run() } catch {
    print("crash: \(error)")
    return 70
  }
  for loss in run.losses.prefix(20) { print("lost: \(loss)") }
  for line in run.lines { print(line) }
  return run.losses.isEmpty ? 0 : 1
}

exit(execute())
