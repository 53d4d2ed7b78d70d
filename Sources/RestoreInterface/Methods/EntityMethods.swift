import JSONText
import SceneModel

/// Adds entities, and declares their kind.
package enum PutEntities: InterfaceMethod {
  /// The name in the interface.
  package static let name = "PutEntities"

  /// What a call of `PutEntities` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The kind of entity.
    package var kind: String
    /// The ids.
    package var ids: [String]
    /// The sync under way.
    package var sync: String?
    /// The app's own mark of its model.
    package var version: String?

    /// One with these members.
    package init(app: String, kind: String, ids: [String], sync: String? = nil, version: String? = nil) {
      self.app = app
      self.kind = kind
      self.ids = ids
      self.sync = sync
      self.version = version
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      kind = try fields.string("kind")
      ids = try fields.strings("ids", maximum: RestoredInterface.maximumIDs)
      sync = try fields.optionalString("sync")
      version = try fields.optionalString("version")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("kind", kind)
      fields.write("ids", ids)
      fields.write("sync", sync)
      fields.write("version", version)
    }
  }

  /// What `PutEntities` answers.
  package struct Reply: WireRecord {
    /// How many were not there before.
    package var added: Int

    /// One with these members.
    package init(added: Int) {
      self.added = added
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      added = try fields.int("added")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("added", added)
    }
  }
}

/// Deletes entities.
package enum DeleteEntities: InterfaceMethod {
  /// The name in the interface.
  package static let name = "DeleteEntities"

  /// What a call of `DeleteEntities` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The kind of entity.
    package var kind: String
    /// The ids.
    package var ids: [String]
    /// The app's own mark of its model.
    package var version: String?

    /// One with these members.
    package init(app: String, kind: String, ids: [String], version: String? = nil) {
      self.app = app
      self.kind = kind
      self.ids = ids
      self.version = version
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      kind = try fields.string("kind")
      ids = try fields.strings("ids", maximum: RestoredInterface.maximumIDs)
      version = try fields.optionalString("version")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("kind", kind)
      fields.write("ids", ids)
      fields.write("version", version)
    }
  }

  /// What `DeleteEntities` answers.
  package typealias Reply = DeletionCount
}

/// Lists the ids of a kind, a page at a time.
package enum ListEntities: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ListEntities"

  /// What a call of `ListEntities` takes.
  package struct Parameters: WireRecord {
    /// The app's id.
    package var app: String
    /// The kind of entity.
    package var kind: String
    /// The `next` of the page before; nil for the first page.
    package var after: String?
    /// The most to answer with.
    package var limit: Int?

    /// One with these members.
    package init(app: String, kind: String, after: String? = nil, limit: Int? = nil) {
      self.app = app
      self.kind = kind
      self.after = after
      self.limit = limit
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      app = try fields.string("app")
      kind = try fields.string("kind")
      after = try fields.optionalString("after")
      limit = try fields.optionalInt("limit")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("app", app)
      fields.write("kind", kind)
      fields.write("after", after)
      fields.write("limit", limit)
    }
  }

  /// What `ListEntities` answers.
  package struct Reply: WireRecord {
    /// The ids.
    package var ids: [String]
    /// What to pass as `after` for the next page; nil at the end.
    package var next: String?

    /// One with these members.
    package init(ids: [String], next: String? = nil) {
      self.ids = ids
      self.next = next
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      ids = try fields.strings("ids", maximum: RestoredInterface.maximumIDs)
      next = try fields.optionalString("next")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("ids", ids)
      fields.write("next", next)
    }
  }
}

/// Lists the kinds that an app has declared.
package enum ListKinds: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ListKinds"

  /// What a call of `ListKinds` takes.
  package typealias Parameters = AppAddress

  /// What `ListKinds` answers.
  package struct Reply: WireRecord {
    /// The kinds, by name.
    package var kinds: [KindEntry]

    /// One with these members.
    package init(kinds: [KindEntry]) {
      self.kinds = kinds
    }

    /// Reads the members that `fields` holds.
    ///
    /// - Throws: `WireFault` naming the first member that is missing or mistyped.
    package init(from fields: inout FieldReader) throws(WireFault) {
      kinds = try fields.records("kinds")
    }

    /// Writes the members, leaving out those that are nil.
    package func write(to fields: inout JSONWriter) {
      fields.write("kinds", kinds)
    }
  }
}

/// Erases a kind: it is no longer declared.
package enum ForgetKind: InterfaceMethod {
  /// The name in the interface.
  package static let name = "ForgetKind"

  /// What a call of `ForgetKind` takes.
  package typealias Parameters = KindAddress

  /// What `ForgetKind` answers.
  package typealias Reply = DeletionCount
}
