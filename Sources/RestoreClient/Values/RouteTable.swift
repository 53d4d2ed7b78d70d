import JSONText

/// What an app's routes are called and refer to: one table per app, set at each start.
///
/// Every member may be left out. What each means is in `docs/ROUTES.md`.
public struct RouteTable: Hashable, Sendable {
  /// One case of the app's routes.
  public struct Case: Hashable, Sendable {
    /// The parameters that refer to entities, and the kind of each; `[:]`: none; nil: by their names, `boardID`.
    public var entities: [String: String]?
    /// The parameters that hold a route of their own.
    public var routes: [String]

    /// A case with these members.
    public init(entities: [String: String]? = nil, routes: [String] = []) {
      self.entities = entities
      self.routes = routes
    }
  }

  /// A link and where it leads.
  public struct Link: Hashable, Sendable {
    /// The pattern, as `myapp://board/{id:int}`.
    public var link: String
    /// The state it leads to, as the text of one JSON object; a string `"{id:int}"` in it stands for the link's part.
    public var state: String

    /// A link to a state.
    public init(_ link: String, state: String) {
      self.link = link
      self.state = state
    }
  }

  /// What is done with routes whose case `routes` does not list.
  public enum UnknownRoutes: String, Hashable, Sendable { case keep, drop }
  /// How stacks are encoded.
  public enum StackEncoding: String, Hashable, Sendable { case routes, navigationPath }

  /// The tabs that there are; nil: any.
  public var tabs: [String]?
  /// The cases that there are, by name; nil: any.
  public var routes: [String: Case]?
  /// Cases that earlier releases called otherwise: old name to new.
  public var renamed: [String: String] = [:]
  /// Tabs that earlier releases called otherwise: old id to new.
  public var renamedTabs: [String: String] = [:]
  /// What is done with other cases; nil: they are kept.
  public var unknownRoutes: UnknownRoutes?
  /// What restoring does with stale routes where it is not told; nil: it drops them.
  public var stale: StalePolicy?
  /// How stacks are encoded; nil: as arrays of routes.
  public var stackEncoding: StackEncoding?
  /// The links that lead somewhere; the first that matches wins.
  public var links: [Link] = []
  /// Revisions kept of each scene, 1 to 1,000; nil: 10.
  public var history: Int?
  /// Seconds after which a scene is no longer restored unless asked for; nil: never.
  public var maximumAgeSeconds: Int?

  /// A table that says nothing.
  public init() {}

  /// The table as the text of one JSON object; equal tables have equal bytes.
  package var json: [UInt8] {
    var writer = JSONWriter(reserving: 512)
    writer.beginObject()
    if let tabs { Self.write("tabs", tabs, to: &writer) }
    if let routes { Self.write(routes, to: &writer) }
    Self.write("renamed", renamed, to: &writer)
    Self.write("renamedTabs", renamedTabs, to: &writer)
    Self.write("unknownRoutes", unknownRoutes?.rawValue, to: &writer)
    Self.write("stale", stale?.rawValue, to: &writer)
    Self.write("stackEncoding", stackEncoding?.rawValue, to: &writer)
    if !links.isEmpty { Self.write(links, to: &writer) }
    Self.write("history", history, to: &writer)
    Self.write("maximumAgeSeconds", maximumAgeSeconds, to: &writer)
    writer.endObject()
    return writer.bytes
  }

  private static func write(_ name: StaticString, _ value: String?, to writer: inout JSONWriter) {
    guard let value else { return }
    writer.key(name)
    writer.string(value)
  }

  private static func write(_ name: StaticString, _ value: Int?, to writer: inout JSONWriter) {
    guard let value else { return }
    writer.key(name)
    writer.int(value)
  }

  private static func write(_ name: StaticString, _ values: [String], to writer: inout JSONWriter) {
    writer.key(name)
    writer.beginArray()
    for value in values { writer.string(value) }
    writer.endArray()
  }

  private static func write(_ name: StaticString, _ names: [String: String], to writer: inout JSONWriter) {
    if names.isEmpty { return }
    writer.key(name)
    writeObject(names, to: &writer)
  }

  private static func writeObject(_ names: [String: String], to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in names.sorted(by: { $0.key < $1.key }) {
      writer.key(escaping: key)
      writer.string(value)
    }
    writer.endObject()
  }

  private static func write(_ routes: [String: Case], to writer: inout JSONWriter) {
    writer.key("routes")
    writer.beginObject()
    for (name, entry) in routes.sorted(by: { $0.key < $1.key }) {
      writer.key(escaping: name)
      writer.beginObject()
      if let entities = entry.entities {
        writer.key("entities")
        writeObject(entities, to: &writer)
      }
      if !entry.routes.isEmpty { write("routes", entry.routes, to: &writer) }
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(_ links: [Link], to writer: inout JSONWriter) {
    writer.key("links")
    writer.beginArray()
    for link in links {
      writer.beginObject()
      write("link", link.link, to: &writer)
      writer.key("state")
      writer.raw(link.state.utf8)
      writer.endObject()
    }
    writer.endArray()
  }
}
