#!/usr/bin/env bash
# Runs all tests, lists the skipped ones with their reasons, and ends with the runner's closing lines.
# A test may be skipped for what the machine or the user cannot be given: its reason then begins with "needs root",
# "needs systemd" or "cannot here:". With CI=true any other skip is a failure, since it could have run.
#   FILTER=regex scripts/test.sh    only the tests whose names match
#   scripts/test.sh ARGUMENT...     further arguments of swift test; LOG names the file for all output
set -uo pipefail
cd "$(dirname "$0")/.." || exit

log=${LOG:-.build/test.log}
mkdir -p "$(dirname "$log")"

# All that the tests make is in these two folders, in memory and else, which go however this script ends. Short paths:
# Unix sockets are made in them.
TMPDIR=$(mktemp -d /tmp/rt-XXXXXX) || exit 1
RESTORED_TEST_MEMORY=$(mktemp -d /dev/shm/rt-XXXXXX 2>/dev/null) || RESTORED_TEST_MEMORY=$TMPDIR
export TMPDIR RESTORED_TEST_MEMORY
# Other users have to come through to the sockets of tests that serve them.
chmod 711 "$TMPDIR"
trap 'rm -rf "$TMPDIR" "$RESTORED_TEST_MEMORY"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

arguments=(--disable-xctest -j "${JOBS:-$(nproc)}" "$@")

# The tests of the Swift client run by themselves, before all others: those wait for processes and sockets on the very
# threads on which asynchronous code goes on, and a client whose turn does not come for ten seconds rightly gives up.
apart='^(RestoreClientTests|SceneRoutingTests)\.'
status=0
if [ -n "${FILTER-}" ]; then
  swift test "${arguments[@]}" --filter "$FILTER" >"$log" 2>&1 || status=$?
else
  swift test "${arguments[@]}" --filter "$apart" >"$log" 2>&1 || status=$?
  swift test "${arguments[@]}" --skip-build --skip "$apart" >>"$log" 2>&1 || status=$?
fi

if ! grep -q '◇ Test run started' "$log"; then
  tail -n 60 "$log"
  echo "test: the tests did not start; all of the output is in $log"
  exit 1
fi

if [ "$status" -ne 0 ]; then
  grep -E '✘|recorded an issue|↳|error:|Fatal' "$log" | head -n 200
fi

skipped=$(grep -E '^➜ (Test|Suite) .* skipped' "$log" || true)
if [ -n "$skipped" ]; then
  printf 'Skipped:\n%s\n' "$skipped"
  avoidable=$(grep -vE 'skipped: "(needs root|needs systemd|cannot here:)' <<<"$skipped" || true)
  if [ "${CI-}" = true ] && [ -n "$avoidable" ]; then
    printf 'test: these could have run here:\n%s\n' "$avoidable"
    [ "$status" -ne 0 ] || status=1
  fi
fi

# The closing lines last, whatever was printed before them.
closing=$(grep -E '^[^ ]+ Test run with [0-9]+ tests?' "$log" || true)
if [ "$(grep -c . <<<"$closing")" -lt "$(grep -c '◇ Test run started' "$log")" ]; then
  [ -z "$closing" ] || echo "$closing"
  tail -n 40 "$log"
  echo "test: a test run ended before its end; all of the output is in $log"
  exit 1
fi
if grep -qE 'Test run with 0 tests' <<<"$closing"; then
  echo "test: no test ran"
  status=1
fi
echo "$closing"
exit "$status"
