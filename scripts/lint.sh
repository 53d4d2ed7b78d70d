#!/usr/bin/env bash
# What `swift format lint` does not check: length of files and functions, unfinished work, shell scripts.
set -euo pipefail
cd "$(dirname "$0")/.."

maximum_file_lines=400
maximum_function_lines=40
failed=0

mapfile -t swift_files < <(find Sources Tests Examples Benchmarks Fuzz migrations -name '*.swift' | sort)
mapfile -t scripts < <(find scripts Benchmarks Fuzz Tests .ci -type f \( -name '*.sh' -o -path .ci/run \) | sort)

mapfile -t other_files < <(find Sources Tests Examples Benchmarks Fuzz scripts -name '*.[ch]' -o -name '*.py' -o -name '*.sh')
for file in "${swift_files[@]}" "${other_files[@]}"; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt "$maximum_file_lines" ]; then
    echo "$file: $lines lines; a file is one idea, at most $maximum_file_lines"
    failed=1
  fi
done

awk -v maximum="$maximum_function_lines" -f scripts/function-length.awk "${swift_files[@]}" || failed=1

if grep -nsIwE 'TO''DO|FIX''ME|XX''X' -r Sources Tests Benchmarks Fuzz migrations scripts docs .ci Makefile Package.swift ./*.md; then
  echo "unfinished work is an issue, not a comment"
  failed=1
fi

if command -v shellcheck >/dev/null; then
  shellcheck "${scripts[@]}" || failed=1
else
  echo "lint: shellcheck is not installed: shell scripts were not checked"
fi

exit "$failed"
