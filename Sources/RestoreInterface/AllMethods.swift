extension RestoredInterface {
  /// Every method, in the order of the interface's text.
  package static var methods: [any InterfaceMethod.Type] {
    [
      Save.self,
      Restore.self,
      Launch.self,
      Confirm.self,
      Check.self,
      ListScenes.self,
      CloseScene.self,
      ReopenScene.self,
      ForgetScene.self,
      ResetApp.self,
      ForgetUser.self,
      ListRevisions.self,
      Rollback.self,
      PutEntities.self,
      DeleteEntities.self,
      BeginSync.self,
      EndSync.self,
      ListEntities.self,
      ListKinds.self,
      ForgetKind.self,
      SetRoutes.self,
      GetRoutes.self,
      ResolveLink.self,
      Watch.self,
      ExportRecords.self,
      ImportRecords.self,
      GetStatus.self,
    ]
  }
}
