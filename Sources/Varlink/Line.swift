/// Elements that wait in a line: they join at its end, and leave at its front.
///
/// An array moves all others each time its first one leaves. Here it leaves an empty place, and the places are given back
/// once they are as many as those who wait: so each costs the same however long the line is, and a line that is never empty
/// takes no more than twice the room of those in it. Whoever has left is not kept alive.
///
/// Public, though no app imports it: Swift inlines no `package` declaration into another module, and each call would look
/// the type of the element up.
public struct Line<Element> {
  @usableFromInline var places: [Element?] = []
  /// The first one's place.
  @usableFromInline var front = 0

  /// Empty places that are kept in any case: giving back a few costs more than they do.
  @usableFromInline static var keptPlaces: Int { 32 }
  /// Places that an empty line keeps for those who come next, so that a short one costs no memory each time.
  @usableFromInline static var keptCapacity: Int { 1_024 }

  /// A line that nobody waits in.
  @inlinable public init() {}

  /// How many wait.
  @inlinable public var count: Int { places.count - front }

  /// Whether nobody waits.
  @inlinable public var isEmpty: Bool { front == places.count }

  /// Who is next; nil: nobody waits.
  @inlinable public var first: Element? { isEmpty ? nil : places[front] }

  /// Places held, those of whoever has left included; for tests.
  var capacity: Int { places.capacity }

  /// Has one more wait, behind all others.
  @inlinable public mutating func append(_ element: Element) { places.append(element) }

  /// Takes out who is next; nil: nobody waits.
  @inlinable public mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = places[front].take()
    front += 1
    if isEmpty {
      places.removeAll(keepingCapacity: places.capacity <= Self.keptCapacity)
      front = 0
    } else if front >= Self.keptPlaces, front >= count {
      places.removeFirst(front)
      front = 0
    }
    return element
  }
}
