import JSONText
import SceneModel

extension Dropped: WireRecord {
  /// Reads the members that `fields` holds.
  ///
  /// - Throws: `WireFault` naming the first member that is missing or mistyped.
  package init(from fields: inout FieldReader) throws(WireFault) {
    self.init(
      path: try fields.string("path"),
      reason: try fields.choice("reason"),
      route: try fields.optionalString("route"),
      kind: try fields.optionalString("kind"),
      id: try fields.optionalString("id")
    )
  }

  /// Writes the members, leaving out those that are nil.
  package func write(to fields: inout JSONWriter) {
    fields.write("path", path)
    fields.write("reason", reason)
    fields.write("route", route)
    fields.write("kind", kind)
    fields.write("id", id)
  }
}
