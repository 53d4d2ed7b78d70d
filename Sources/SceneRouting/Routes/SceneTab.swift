/// One of an app's top-level sections: an enum of strings, or a struct where tabs are made at run time.
public protocol SceneTab: RawRepresentable, Hashable, Sendable where RawValue == String {
  /// All tabs that there are; nil where they are made at run time.
  ///
  /// A `CaseIterable` type answers with its cases. From then on a stack saved for any other tab is left out.
  static var known: [Self]? { get }
}

extension SceneTab {
  /// Not known.
  public static var known: [Self]? { nil }
}

extension SceneTab where Self: CaseIterable {
  /// All cases.
  public static var known: [Self]? { Array(allCases) }
}

/// The tab of an app that has a single stack.
public enum OnlyTab: String, SceneTab, CaseIterable {
  /// The one tab, by the name that the service documents for such apps.
  case main
}
