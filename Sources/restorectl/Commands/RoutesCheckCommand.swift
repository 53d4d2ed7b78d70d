import JSONText
import SceneModel

extension Command {
  static let routesCheck = Command(
    summary: "Finds every fault of a route table, from FILE or standard input (-), without a daemon.",
    operands: [.one("FILE")],
    example: "restorectl routes check routes.json",
    run: RoutesCheckCommand.run
  )
}

private enum RoutesCheckCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let input = try Input(path: session.operand(0))
    let bytes = try input.readAll(limit: longest)
    let table: RouteTable
    do throws(RouteTableFaults) { table = try RouteTable(validating: bytes) } catch {
      let lines = error.all.map { line($0, in: bytes, of: input.name) }
      throw Failure(
        .input,
        lines.joined(separator: "\nrestorectl: "),
        remedy:
          "\(Count.text(lines.count, "fault")); correct the table, then: restorectl routes set\(session.invocation.which.app) FILE",
        json: json(error.all, in: bytes)
      )
    }
    if session.wantsJSON {
      try session.output.jsonLine(json([], in: bytes))
    } else if !session.invocation.has(.quiet) {
      let counts = table.counts
      let parts = [
        Count.text(counts.cases, "case"), Count.text(counts.tabs, "tab"), "\(counts.renamed) renamed",
        Count.text(counts.links, "link"),
      ]
      try session.output.line("no faults: \(parts.joined(separator: ", "))")
    }
    return .done
  }

  /// The most that is read: a table that is larger by little is told its size.
  private static let longest = 16 * 1024 * 1024

  private static func line(_ fault: RouteTableFault, in bytes: [UInt8], of name: String) -> String {
    let place = TextPosition(offset: fault.offset, in: bytes)
    let path = fault.path.isEmpty ? "" : "\(Shown.text(fault.path)): "
    return "\(name): line \(place.line), column \(place.column): \(path)\(Shown.text(fault.reason))"
  }

  private static func json(_ faults: [RouteTableFault], in bytes: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("faults")
    writer.beginArray()
    for fault in faults {
      let place = TextPosition(offset: fault.offset, in: bytes)
      writer.beginObject()
      writer.key("path")
      writer.string(fault.path)
      writer.key("reason")
      writer.string(fault.reason)
      writer.key("line")
      writer.int(place.line)
      writer.key("column")
      writer.int(place.column)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
