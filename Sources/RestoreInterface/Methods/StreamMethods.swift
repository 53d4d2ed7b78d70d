import JSONText
import SceneModel

/// Streams changes as they happen.
package enum Watch: InterfaceMethod {
  /// The name in the interface.
  package static let name = "Watch"

  /// What a call of `Watch` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String?
    /// The scene's id.
    package var scene: String?
    /// Changes after this revision come first; nil for none.
    package var after: Int?

    /// One with these members.
    package init(app: String? = nil, scene: String? = nil, after: Int? = nil) {
      self.app = app
      self.scene = scene
      self.after = after
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.optionalString("app")
      scene = try fields.optionalString("scene")
      after = try fields.optionalInt("after")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("scene", scene)
      fields.write("after", after)
    }
  }

  /// What `Watch` answers.
  package struct Reply: WireRecord {
    /// The change.
    package var event: WatchEvent

    /// One with these members.
    package init(event: WatchEvent) {
      self.event = event
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      event = try fields.record("event")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("event", event)
    }
  }
}

/// Streams what the caller owns, as records.
package enum ExportRecords: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ExportRecords"

  /// What a call of `ExportRecords` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String?

    /// One with these members.
    package init(app: String? = nil) {
      self.app = app
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.optionalString("app")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
    }
  }

  /// What `ExportRecords` answers.
  package struct Reply: WireRecord {
    /// The records, each the text of one JSON object.
    package var records: [JSONObjectText]

    /// One with these members.
    package init(records: [JSONObjectText]) {
      self.records = records
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      records = try fields.objects("records")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("records", records)
    }
  }
}

/// Takes records that an export wrote: all of one call or nothing.
package enum ImportRecords: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ImportRecords"

  /// What a call of `ImportRecords` takes.
  package struct Parameters: WireRecord {
    /// The records, each the text of one JSON object.
    package var records: [JSONObjectText]
    /// Whether a record that begins a scene forgets the one that is there.
    package var replace: Bool?

    /// One with these members.
    package init(records: [JSONObjectText], replace: Bool? = nil) {
      self.records = records
      self.replace = replace
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      records = try fields.objects("records")
      replace = try fields.optionalBool("replace")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("records", records)
      fields.write("replace", replace)
    }
  }

  /// What `ImportRecords` answers.
  package struct Reply: WireRecord {
    /// How many records were taken.
    package var imported: Int

    /// One with these members.
    package init(imported: Int) {
      self.imported = imported
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      imported = try fields.int("imported")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("imported", imported)
    }
  }
}
