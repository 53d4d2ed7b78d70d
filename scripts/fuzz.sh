#!/usr/bin/env bash
# Runs every target under Fuzz/: first all inputs that once failed, then FUZZ_SECONDS of new ones.
# An input that fails is kept in Fuzz/regressions/TARGET: mend the fault, then commit the file.
#   FUZZ_TARGET=JSONText scripts/fuzz.sh    one of them
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
scratch=.build/fuzz

toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")/..
runtime=$(find "$toolchain/lib/clang" -name "libclang_rt.fuzzer_no_main-$(uname -m).a" | head -n 1)
if [ -z "$runtime" ]; then
  echo "fuzz: this Swift toolchain has no libFuzzer (libclang_rt.fuzzer_no_main)" >&2
  exit 1
fi

# libFuzzer's own -sanitize=fuzzer brings a second main, which SwiftPM's programs cannot be linked with:
# so its instrumentation and its library without main, by name.
build=(--configuration release --scratch-path "$scratch" -j "${JOBS:-$(nproc)}" --sanitize address
  -Xswiftc '-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp'
  -Xswiftc -enable-testing -Xlinker "$runtime" -Xlinker -lstdc++)

# Leaks are not looked for: the Swift runtime keeps what it allocates once, on purpose.
export RESTORED_FUZZ=1 SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

failed=0
for folder in Fuzz/*/; do
  name=$(basename "$folder")
  [ -e "$folder/main.swift" ] || continue
  [ -z "${FUZZ_TARGET-}" ] || [ "$FUZZ_TARGET" = "$name" ] || continue
  swift build "${build[@]}" --product "Fuzz$name" >"$scratch.log" 2>&1 || { tail -n 30 "$scratch.log"; exit 1; }
  program=$(swift build "${build[@]}" --show-bin-path)/Fuzz$name
  corpus=.build/fuzz-corpus/$name
  kept=Fuzz/regressions/$name
  mkdir -p "$corpus" "$kept" "Fuzz/seeds/$name"

  mapfile -t earlier < <(find "$kept" -type f ! -name '.*' | sort)
  if [ "${#earlier[@]}" -gt 0 ]; then
    "$program" "${earlier[@]}" </dev/null >"$scratch.log" 2>&1 || { tail -n 30 "$scratch.log"; failed=1; continue; }
  fi
  if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$kept/" "$corpus" "Fuzz/seeds/$name" </dev/null >"$scratch.log" 2>&1; then
    runs=$(awk '/number_of_executed_units/ { print $2 }' "$scratch.log")
    coverage=$(grep -oE 'cov: [0-9]+' "$scratch.log" | tail -n 1)
    echo "fuzz: $name: ${#earlier[@]} earlier findings and $runs inputs in $seconds s, none failed ($coverage)"
  else
    tail -n 30 "$scratch.log"
    echo "fuzz: $name: an input failed; it is kept in $kept"
    failed=1
  fi
done
exit "$failed"
