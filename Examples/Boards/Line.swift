/// One line of a screen.
struct Line: Equatable {
  enum Style: Equatable { case plain, bar, selected, note }

  var text: String
  var style = Style.plain

  init(_ text: String, _ style: Style = .plain) { (self.text, self.style) = (text, style) }

  /// The line in exactly so many columns: cut, or filled with spaces.
  func fitted(to columns: Int) -> Line {
    var fitted = ""
    var width = 0
    for scalar in text.unicodeScalars {
      let columnsOfScalar = Self.columns(of: scalar)
      if width + columnsOfScalar > columns { break }
      fitted.unicodeScalars.append(scalar)
      width += columnsOfScalar
    }
    return Line(fitted + String(repeating: " ", count: columns - width), style)
  }

  /// How many columns a terminal gives to a scalar.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return 1
    }
  }
}
