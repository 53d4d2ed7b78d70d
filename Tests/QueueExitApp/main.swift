import Glibc
import RestoreClient
import RestoreInMemory

// Queues a state for the daemon at the socket named, or for one in memory, and exits at once.

struct Navigation: Codable {
  var selectedTab = "boards"
  var stacks = ["boards": [["board": ["id": "last"]]]]
}

let socket = CommandLine.arguments[1]
let client = socket == "memory" ? SceneClient.inMemory(app: "exit") : SceneClient(app: "exit", socket: socket)
if socket == "memory" {
  try await client.scene("kept").save(Navigation())
  if try await client.scene("kept").restore(Navigation.self) != nil { print("saved") }
}
client.scene().enqueue(Navigation(), after: .seconds(86_400))
exit(3)
