#!/usr/bin/env bash
# All tests under the thread sanitizer, then under the address sanitizer, each built in a scratch path of its own.
#   SANITIZER=thread scripts/sanitize.sh    only one of them: thread or address
#   FILTER=regex scripts/sanitize.sh        only the tests whose names match
# The tests learn from RESTORED_SANITIZER which one it is, so that what cannot be under it stands aside. Reports go to
# files, also those of the daemons and apps that tests start and kill; one report is a failure, whatever the tests say.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# sanitize_tests SANITIZER: runs the tests under it; fails where one fails, or where there is a report.
sanitize_tests() {
  local folder=$PWD/.build/sanitize/$1 status=0 reports options
  rm -rf "$folder"
  mkdir -p "$folder"
  # Daemons that tests start as other users write there too.
  chmod 1777 "$folder"
  options="log_path='$folder/report':log_exe_name=1"
  # Optimised, for the tests with much work take many times as long without. Leaks are not looked for: the Swift runtime
  # keeps what it allocates once, on purpose. A race does not end the process, so that one run finds all; that process
  # still ends with a failure.
  LOG=$folder/test.log RESTORED_SANITIZER=$1 RESTORED_REPORTS=$folder \
    ASAN_OPTIONS="$options:detect_leaks=0:${ASAN_OPTIONS-}" TSAN_OPTIONS="$options:${TSAN_OPTIONS-}" \
    scripts/test.sh --scratch-path ".build/$1" --sanitize "$1" -Xswiftc -O || status=$?
  mapfile -t reports < <(find "$folder" -name 'report.*' -size +0 | sort)
  if [ "${#reports[@]}" -gt 0 ]; then
    head -n 60 "${reports[0]}"
    echo "sanitize: ${#reports[@]} processes have written reports to $folder:"
    grep -h 'SUMMARY:' "${reports[@]}" | sort | uniq -c | sort -rn | head -n 40
    [ "$status" -ne 0 ] || status=1
  fi
  if [ "$status" -eq 0 ]; then echo "sanitize: $1: clean"; else echo "sanitize: $1: failed"; fi
  return "$status"
}

case ${SANITIZER-} in
  thread | address) sanitizers=("$SANITIZER") ;;
  "") sanitizers=(thread address) ;;
  *)
    echo "sanitize: SANITIZER is thread or address, not $SANITIZER" >&2
    exit 64
    ;;
esac

failed=0
for sanitizer in "${sanitizers[@]}"; do
  echo "sanitize: $sanitizer"
  sanitize_tests "$sanitizer" || failed=1
done
exit "$failed"
