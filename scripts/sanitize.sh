#!/usr/bin/env bash
# All tests under the thread sanitizer, then under the address sanitizer, each in a scratch path of its own.
# RESTORED_SANITIZER tells the tests which one, so that those about time or memory can stand aside.
set -euo pipefail
cd "$(dirname "$0")/.."

# Leaks are not looked for: the Swift runtime keeps what it allocates once, on purpose.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}

failed=0
for sanitizer in thread address; do
  echo "sanitize: $sanitizer"
  log=.build/sanitize-$sanitizer.log
  if ! RESTORED_SANITIZER=$sanitizer swift test --disable-xctest -j "${JOBS:-$(nproc)}" \
    --scratch-path ".build/$sanitizer" --sanitize "$sanitizer" ${FILTER:+--filter "$FILTER"} >"$log" 2>&1; then
    grep -E '✘|Sanitizer|SUMMARY|error:' "$log" | head -n 100 || tail -n 40 "$log"
    echo "sanitize: $sanitizer failed; all of the output is in $log"
    failed=1
  fi
  grep -E '^[^ ]+ Test run with' "$log" | tail -n 1 || true
done
exit "$failed"
