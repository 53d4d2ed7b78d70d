/// Why a state cannot be saved; nothing of it was kept.
package enum StateFault: Error, Hashable, Sendable {
  /// The state breaks a rule.
  ///
  /// `path` is the JSON Pointer (RFC 6901) into the state, `""` for the whole; `reason` is one
  /// sentence that names what is wrong and, where there is one, what to write instead.
  case invalid(path: String, reason: String)
  /// The state goes beyond a limit: `name` as the table of limits spells it, in routes or in bytes.
  case limit(name: String, maximum: Int, actual: Int)
}
