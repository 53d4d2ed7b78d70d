# Names every Swift function whose body has more than `maximum` lines, and fails if there is one.
# A function reaches from its `func`, `init` or `deinit` to the first `}` at its own indentation, which the house
# format guarantees; the signature's first line and the closing brace are not counted. One on a single line is short
# enough, and one without a branch or a loop is a list (of prepared statements, say), however long.

function opens(text) {
  return text ~ /^(([a-z]+|[a-z]+\(set\)|@[A-Za-z]+(\([^)]*\))?) )*(func |init[(?<]|deinit )/
}

FNR == 1 { depth = 0 }

{
  match($0, /^ */)
  indent = RLENGTH
  text = substr($0, indent + 1)
  while (depth > 0 && text != "" && indent < column[depth]) depth--
}

opens(text) && text !~ /\{.*\}$/ {
  while (depth > 0 && indent <= column[depth]) depth--
  depth++
  column[depth] = indent
  branches[depth] = 0
  start[depth] = FNR
  name[depth] = text
  next
}

depth > 0 && text ~ /^(if|guard|for|while|repeat|switch|do) / { branches[depth] = 1 }

depth > 0 && indent == column[depth] && text ~ /^}/ {
  lines = FNR - start[depth] - 1
  if (lines > maximum && branches[depth]) {
    printf "%s:%d: %d lines; a function is at most %d: %s\n", FILENAME, start[depth], lines, maximum, name[depth]
    bad = 1
  }
  depth--
}

END { exit bad }
