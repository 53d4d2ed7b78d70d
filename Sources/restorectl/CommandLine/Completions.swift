/// Completion scripts, made from the command table.
enum Completions {
  static let shells = ["bash", "zsh", "fish"]

  /// The script; nil: there is none for that shell.
  static func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  /// First words, each once.
  private static var firstWords: [String] {
    Verb.allCases.map(\.rawValue).filter { !$0.contains(" ") } + Verb.groups
  }

  /// The command's own options and those of every command, each once.
  private static func options(of verb: Verb) -> [Option] {
    let own = verb.command.options
    return own + Option.common.filter { $0 != .version || !own.contains(.modelVersion) }
  }

  private static func takesFile(_ verb: Verb) -> Bool { verb.command.operands.contains { $0.name == "FILE" } }

  /// The words that stand for an operand or a value written as `a|b|c`.
  private static func choices(_ name: String?) -> [String] {
    guard let name, name.contains("|") else { return [] }
    return name.split(separator: "|").map(String.init)
  }

  // MARK: bash

  private static var bash: String {
    var text = """
      # bash completion for restorectl
      _restorectl() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= i
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            --socket|--timeout|--scene|--app) ((i++)) ;;
            -*) ;;
            \(Verb.groups.joined(separator: "|"))) verb=${COMP_WORDS[i]}; [[ $((i + 1)) -lt $COMP_CWORD ]] && verb+=" ${COMP_WORDS[i + 1]}"; break ;;
            *) verb=${COMP_WORDS[i]}; break ;;
          esac
        done
        case $before in
          --stale) COMPREPLY=($(compgen -W "drop truncate keep" -- "$word")); return ;;
          --socket|--state) COMPREPLY=($(compgen -f -- "$word")); return ;;
        esac
        case $verb in
          '') COMPREPLY=($(compgen -W "\((firstWords + Option.common.map { "--\($0.name)" }).joined(separator: " "))" -- "$word")) ;;

      """
    for group in Verb.groups {
      text += bashCase(group, words: Verb.members(of: group).map(\.lastWord), files: false)
    }
    for verb in Verb.allCases {
      let words = options(of: verb).map { "--\($0.name)" } + verb.command.operands.flatMap { choices($0.name) }
      text += bashCase(verb.rawValue, words: words, files: takesFile(verb))
    }
    return text + "  esac\n}\ncomplete -o filenames -F _restorectl restorectl\n"
  }

  private static func bashCase(_ name: String, words: [String], files: Bool) -> String {
    let fileWords = files ? " $(compgen -f -- \"$word\")" : ""
    return "    '\(name)') COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")\(fileWords)) ;;\n"
  }

  // MARK: zsh

  private static var zsh: String {
    var text = """
      #compdef restorectl
      _restorectl() {
        local verb= i
        for ((i = 2; i < CURRENT; i++)); do
          case $words[i] in
            --socket|--timeout|--scene|--app) ((i++)) ;;
            -*) ;;
            \(Verb.groups.joined(separator: "|"))) verb=$words[i]; (( i + 1 < CURRENT )) && verb+=" $words[i+1]"; break ;;
            *) verb=$words[i]; break ;;
          esac
        done
        local -a found
        case $verb in

      """
    let first =
      Verb.allCases.filter { !$0.rawValue.contains(" ") }.map { ($0.rawValue, $0.command.summary) }
      + Verb.groups.map { ($0, "commands for \($0)") }
    text += zshCase("", first, files: false)
    for group in Verb.groups {
      text += zshCase(group, Verb.members(of: group).map { ($0.lastWord, $0.command.summary) }, files: false)
    }
    for verb in Verb.allCases {
      let words =
        options(of: verb).map { ("--\($0.name)", verb.command.summary(of: $0)) }
        + verb.command.operands.flatMap { choices($0.name) }.map { ($0, "") }
      text += zshCase(verb.rawValue, words, files: takesFile(verb))
    }
    return text + "  esac\n}\n" + zshEnd
  }

  /// Read by `source`, the file registers the function; found in `$fpath`, it is itself the function's first call.
  private static let zshEnd = """
    if [ "$funcstack[1]" = _restorectl ]; then _restorectl "$@"; else compdef _restorectl restorectl; fi

    """

  private static func zshCase(_ name: String, _ words: [(String, String)], files: Bool) -> String {
    let entries = words.map { word, summary in
      single(summary.isEmpty ? word : "\(word):\(summary)")
    }
    let file = files ? "; _files" : ""
    return "    '\(name)') found=(\(entries.joined(separator: " "))); _describe restorectl found\(file) ;;\n"
  }

  // MARK: fish

  private static var fish: String {
    var text = "# fish completion for restorectl\ncomplete -c restorectl -f\n"
    let known = firstWords.joined(separator: " ")
    for word in firstWords {
      let summary = Verb(rawValue: word)?.command.summary ?? "commands for \(word)"
      text += "complete -c restorectl -n 'not __fish_seen_subcommand_from \(known)' -a \(word) -d \(single(summary))\n"
    }
    for verb in Verb.allCases { text += fish(verb) }
    return text
  }

  private static func fish(_ verb: Verb) -> String {
    var text = ""
    var condition = verb.rawValue.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
      .joined(separator: "; and ")
    if let group = Verb.groups.first(where: { verb.rawValue.hasPrefix($0 + " ") }) {
      let others = Verb.members(of: group).map(\.lastWord).joined(separator: " ")
      text +=
        "complete -c restorectl -n '__fish_seen_subcommand_from \(group); and not __fish_seen_subcommand_from \(others)'"
        + " -a \(verb.lastWord) -d \(single(verb.command.summary))\n"
    } else if verb == .forget {
      // `entities forget` has the word too.
      condition += "; and not __fish_seen_subcommand_from entities"
    }
    for option in options(of: verb) {
      let takes = option.placeholder == nil ? "" : option == .state || option == .socket ? " -r -F" : " -x"
      let words = choices(option.placeholder)
      let values = words.isEmpty ? "" : " -a '\(words.joined(separator: " "))'"
      text +=
        "complete -c restorectl -n '\(condition)' -l \(option.name)\(takes)\(values) -d \(single(verb.command.summary(of: option)))\n"
    }
    if takesFile(verb) { text += "complete -c restorectl -n '\(condition)' -F\n" }
    let words = verb.command.operands.flatMap { choices($0.name) }
    if !words.isEmpty { text += "complete -c restorectl -n '\(condition)' -a '\(words.joined(separator: " "))'\n" }
    return text
  }

  /// A word in single quotes, as all three shells read it.
  private static func single(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
