/// Why a call of the store was not carried out: what is wrong, where, and what to do about it.
///
/// After any error but `storageFailed` and `notYetErased` nothing of the call is stored and what was
/// stored before stays. No text of it holds a state, an id or any other stored value.
public struct StoreError: Error, Hashable, Sendable {
  /// Which error it is.
  ///
  /// Open: a later release may add codes, so a `switch` needs a default.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code of its name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The values that an error is about.
  ///
  /// Nil where the code has no use for them.
  public struct Details: Hashable, Sendable {
    /// The app.
    public var app: String?
    /// The scene.
    public var scene: String?
    /// The revision that was asked for.
    public var revision: Int?
    /// The revision that the caller took for the newest (`revisionConflict`).
    public var expected: Int?
    /// The newest revision, 0 for none (`revisionConflict`); the size or number that was too large (`limitExceeded`).
    public var actual: Int?
    /// The name of the limit (`limitExceeded`).
    public var limit: String?
    /// The limit's value, the schema that this release knows (`newerSchema`), or the maximum age in seconds (`sceneExpired`).
    public var maximum: Int?
    /// When the scene's newest revision was saved, in milliseconds since 1970 in UTC (`sceneExpired`).
    public var savedAt: Int?
    /// The JSON Pointer into the state or the route table (`invalidState`, `invalidRoutes`).
    public var path: String?
    /// What is wrong at `path`, with the parameter, or with the record (`invalidState`, `invalidRoutes`,
    /// `invalidParameter`, `invalidRecord`).
    public var reason: String?
    /// The parameter (`invalidParameter`).
    public var parameter: String?
    /// The record, counted from 0 (`invalidRecord`).
    public var index: Int?
    /// The sync (`syncNotFound`).
    public var sync: String?
    /// The process that holds the folder (`locked`).
    public var process: Int?

    /// Makes details that say nothing.
    public init() {}
  }

  /// Which error it is.
  public var code: Code { content.code }
  /// What is wrong and where, in one sentence without a full stop.
  public var message: String { content.message }
  /// What to do about it, in one sentence; nil where the message says it.
  public var remedy: String? { content.remedy }
  /// The values that the error is about.
  public var details: Details { content.details }

  /// Behind a pointer: what may be an error is handed on at each save, and hardly ever is one.
  private let content: Content

  private final class Content: Sendable {
    let code: Code
    let message: String
    let remedy: String?
    let details: Details

    init(_ code: Code, _ message: String, _ remedy: String?, _ details: Details) {
      (self.code, self.message, self.remedy, self.details) = (code, message, remedy, details)
    }
  }

  package init(_ code: Code, _ message: String, remedy: String? = nil, _ fill: (inout Details) -> Void = { _ in }) {
    var details = Details()
    fill(&details)
    content = Content(code, message, remedy, details)
  }

  /// Whether both say the same of the same.
  public static func == (left: StoreError, right: StoreError) -> Bool {
    left.content === right.content
      || left.code == right.code && left.message == right.message && left.remedy == right.remedy
        && left.details == right.details
  }

  /// Feeds all that is compared into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(remedy)
    hasher.combine(details)
  }
}

extension StoreError: CustomStringConvertible {
  /// The message and the remedy.
  public var description: String {
    remedy.map { "\(message): \($0)" } ?? message
  }
}

extension StoreError.Code {
  /// There is no such scene.
  public static let sceneNotFound = Self(rawValue: "sceneNotFound")
  /// The scene has no such revision, or no longer.
  public static let revisionNotFound = Self(rawValue: "revisionNotFound")
  /// The scene's newest revision is another one than the caller took for the newest.
  public static let revisionConflict = Self(rawValue: "revisionConflict")
  /// The scene is older than the app's route table allows, and was not asked for all the same.
  public static let sceneExpired = Self(rawValue: "sceneExpired")
  /// The route table breaks a rule.
  public static let invalidRoutes = Self(rawValue: "invalidRoutes")
  /// The state breaks a rule.
  public static let invalidState = Self(rawValue: "invalidState")
  /// A record of an import cannot be taken; none of its call was.
  public static let invalidRecord = Self(rawValue: "invalidRecord")
  /// A name or an id breaks a rule.
  public static let invalidParameter = Self(rawValue: "invalidParameter")
  /// Something is larger, longer or more than may be.
  public static let limitExceeded = Self(rawValue: "limitExceeded")
  /// The user keeps as much as one user may.
  ///
  /// Nothing was saved; reads go on.
  public static let quotaExceeded = Self(rawValue: "quotaExceeded")
  /// The sync has lapsed, was ended, or never was.
  public static let syncNotFound = Self(rawValue: "syncNotFound")
  /// The disk, or the database's own bound, is full.
  ///
  /// Nothing was saved; reads go on.
  public static let storageFull = Self(rawValue: "storageFull")
  /// The disk or the database failed.
  ///
  /// Nothing was saved, as far as can be known: where the sync failed that was to end the call, a loss of power may
  /// leave all of it, unless a later call was answered.
  public static let storageFailed = Self(rawValue: "storageFailed")
  /// Another process has been reading the database for so long that its log has grown far beyond its bound.
  ///
  /// Nothing failed: everything is saved. The log goes back to its size once that process has ended its read.
  public static let logHeld = Self(rawValue: "logHeld")
  /// What was forgotten is deleted, but its bytes are not scrubbed from the files yet.
  ///
  /// That is retried until done.
  public static let notYetErased = Self(rawValue: "notYetErased")
  /// The database was written by a newer release.
  ///
  /// It was left as it is.
  public static let newerSchema = Self(rawValue: "newerSchema")
  /// The file is a database of another program.
  ///
  /// Opening a store sets it aside; only looking at one reports this.
  public static let notOurDatabase = Self(rawValue: "notOurDatabase")
  /// The database is damaged, and could not be recovered, or is being recovered.
  ///
  /// It was left as it is.
  public static let damaged = Self(rawValue: "damaged")
  /// Another process has the folder, or has had the database locked for longer than the store waits.
  public static let locked = Self(rawValue: "locked")
  /// The file system that holds the folder is no place for a database: read-only, or of the network.
  public static let unsuitableDisk = Self(rawValue: "unsuitableDisk")
  /// The folder or a file in it cannot be made, opened or written.
  public static let folderUnusable = Self(rawValue: "folderUnusable")
}
