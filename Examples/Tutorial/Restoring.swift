import RestoreClient
import SceneRouting

let client = SceneClient(app: "org.example.Notes")

/// Brings the app back to where it was, and keeps it from now on.
@MainActor func begin(_ router: Router<Notes>, _ model: Model) async -> KeptScene<Notes> {
  _ = try? await client.entities("note").sync(Array(model.notes.keys))
  let kept = await router.keep(in: client.scene())
  kept.saveWhenAskedToEnd()
  for gone in kept.dropped { print("no longer there: \(gone.kind ?? "screen") \(gone.id ?? "")") }
  return kept
}

/// Closes what shows a note that was deleted.
@MainActor func close(_ id: Int, in router: Router<Notes>) async {
  router.entityWasDeleted("note", id)
  try? await client.entities("note").delete(id)
}
