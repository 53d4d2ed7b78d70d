import SceneRouting

/// All that the app navigates by.
enum Notes: Navigation {
  enum Tab: String, SceneTab, CaseIterable { case all, archive }

  enum Route: SceneRoute {
    case note(id: Int)
    case search(text: String)
  }
}
