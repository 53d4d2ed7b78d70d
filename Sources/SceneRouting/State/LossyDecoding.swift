/// A value that decodes whatever it meets: either as `Value`, or as the reason why not.
///
/// Since decoding it never fails, the container around it always goes on to the next element; one that fails stays where
/// it is, and a loop that tries again never ends.
struct Lossy<Value: Decodable>: Decodable {
  let result: Result<Value, Unreadable>

  init(from decoder: any Decoder) {
    do {
      // Through a container, so that the decoder's own treatment of dates and data applies.
      result = .success(try decoder.singleValueContainer().decode(Value.self))
    } catch {
      result = .failure(Unreadable(error))
    }
  }
}

/// Why a value could not be decoded, in words.
struct Unreadable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      reason = "\(error)"
      return
    }
    switch error {
    case .keyNotFound(let key, _): reason = "the member \(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      reason = context.debugDescription
    @unknown default: reason = "\(error)"
    }
  }
}

/// An array read element by element; what cannot be read is left out, with its place.
struct LossyArray<Element: Decodable>: Decodable {
  var elements: [Element] = []
  var unreadable: [(index: Int, reason: String)] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let index = container.currentIndex
      switch try container.decode(Lossy<Element>.self).result {
      case .success(let element): elements.append(element)
      case .failure(let error): unreadable.append((index, error.reason))
      }
    }
  }
}

/// A key of any name.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The id of a tab or a presentation in any form that a state may spell it in: `"boards"`, `0`, `{"boards":{}}`.
private struct SpelledName: Decodable {
  let name: String

  init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: NameKey.self), keyed.allKeys.count == 1 {
      name = keyed.allKeys[0].stringValue
    } else if let integer = try? decoder.singleValueContainer().decode(Int.self) {
      name = String(integer)
    } else {
      name = try decoder.singleValueContainer().decode(String.self)
    }
  }
}

/// `stacks` or `modals`, in whichever form they were saved: an object, or names and values in turn in an array.
struct NamedValues<Value: Decodable>: Decodable {
  struct Pair {
    /// The name, or why there is none.
    let name: Result<String, Unreadable>
    let value: Result<Value, Unreadable>
    /// How a JSON Pointer goes on from the container to the value.
    let step: String
  }

  var pairs: [Pair] = []

  init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: NameKey.self) {
      for key in keyed.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        let value = try keyed.decode(Lossy<Value>.self, forKey: key).result
        pairs.append(Pair(name: .success(key.stringValue), value: value, step: Pointer.step(key.stringValue)))
      }
      return
    }
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let name = try container.decode(Lossy<SpelledName>.self).result.map(\.name)
      if container.isAtEnd { break }
      let step = "/\(container.currentIndex)"
      pairs.append(Pair(name: name, value: try container.decode(Lossy<Value>.self).result, step: step))
    }
  }
}

/// A selected tab in whatever form.
struct LossyName: Decodable {
  let name: String
  init(from decoder: any Decoder) throws { name = try SpelledName(from: decoder).name }
}

/// The parts of JSON Pointers.
enum Pointer {
  /// One step to a member, `~` and `/` escaped (RFC 6901, section 3).
  static func step(_ name: String) -> String {
    var escaped = "/"
    for character in name.unicodeScalars {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
