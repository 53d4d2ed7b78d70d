/// A Varlink interface's description, read: its types, methods and errors, in order.
///
/// See https://varlink.org/Interface-Definition.
package struct InterfaceText: Hashable, Sendable {
  /// The interface's name, as `org.varlink.service`.
  package let name: String
  /// What the text declares with `type`.
  package let types: [TypeDeclaration]
  /// What it declares with `method`.
  package let methods: [MethodDeclaration]
  /// What it declares with `error`.
  package let errors: [ErrorDeclaration]

  /// Reads a text.
  ///
  /// - Throws: the first fault, with its line: of the grammar, a name declared twice, a type that is nowhere declared.
  package init(parsing text: String) throws(InterfaceTextFault) {
    var parser = try InterfaceTextParser(text)
    self = try parser.interface()
  }

  init(
    name: String,
    types: [TypeDeclaration],
    methods: [MethodDeclaration],
    errors: [ErrorDeclaration]
  ) {
    self.name = name
    self.types = types
    self.methods = methods
    self.errors = errors
  }

  /// A field of a struct, or a parameter.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let type: FieldType
  }

  /// A declared type: always a struct or an enum.
  package struct TypeDeclaration: Hashable, Sendable {
    package let name: String
    package let type: FieldType
  }

  /// A method with its parameters in and out.
  package struct MethodDeclaration: Hashable, Sendable {
    package let name: String
    package let input: [Field]
    package let output: [Field]
  }

  /// An error with its parameters.
  package struct ErrorDeclaration: Hashable, Sendable {
    package let name: String
    package let fields: [Field]
  }

  /// The type of a field.
  package indirect enum FieldType: Hashable, Sendable {
    case bool, int, float, string
    /// Any object.
    case object
    /// Any value.
    case any
    /// A type that the text declares.
    case named(String)
    case `enum`([String])
    case `struct`([Field])
    case array(FieldType)
    /// An object of any keys with values of one type; of `struct([])`, a set of strings.
    case map(FieldType)
    /// `?`: may be null or left out.
    case optional(FieldType)
  }
}

/// Why a text is no interface description.
package struct InterfaceTextFault: Error, Hashable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// What is wrong, as a phrase.
  package let reason: String

  /// Line and reason in one phrase.
  package var sentence: String { "line \(line): \(reason)" }
}
