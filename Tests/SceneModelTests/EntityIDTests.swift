import SceneModel
import Testing

@Suite struct EntityIDTests {
  private static let upper = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  @Test("two UUIDs are one id whatever their case, and are described in lower case")
  func uuid() throws {
    let id = try #require(EntityID(Self.upper))
    #expect(id == EntityID(Self.upper.lowercased()))
    #expect(id.description == Self.upper.lowercased())
    #expect(id == .uuid(0xE621_E1F8_C36C_495A, 0x93FC_0C24_7A3E_6E5F))
  }

  @Test(
    "what only resembles a UUID is a text, whose case counts",
    arguments: [
      "E621E1F8C36C495A93FC0C247A3E6E5F", "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}",
      "E621E1F8-C36C-495A-93FC-0C247A3E6E5G", "E621E1F8-C36C-495A-93FC_0C247A3E6E5F",
      "E621E1F-8C36C-495A-93FC-0C247A3E6E5F",
    ]
  )
  func noUUID(text: String) throws {
    #expect(EntityID(text) == .text(Array(text.utf8)))
    #expect(EntityID(text) != EntityID(text.lowercased()))
  }

  @Test("an id has 1 to 4,096 bytes")
  func length() {
    #expect(EntityID("") == nil)
    #expect(EntityID(String(repeating: "a", count: 4096)) != nil)
    #expect(EntityID(String(repeating: "a", count: 4097)) == nil)
  }

  @Test("a letter composed and decomposed makes two ids")
  func composition() {
    #expect(EntityID("\u{E9}") != EntityID("e\u{301}"))
  }
}
