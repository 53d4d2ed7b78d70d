#!/usr/bin/env bash
# Builds what is shipped and the load generator, and measures it under attack.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/release.sh >.build/release.log 2>&1 || { tail -n 30 .build/release.log; exit 1; }
generator=(--configuration release --scratch-path .build/release-static --static-swift-stdlib -j "${JOBS:-$(nproc)}")
swift build "${generator[@]}" --product restored-bench >.build/release.log 2>&1 || { tail -n 30 .build/release.log; exit 1; }

exec python3 Benchmarks/hostile.py "$PWD/.build/bin/restored" "$PWD/.build/bin/restorectl" \
  "$(swift build "${generator[@]}" --show-bin-path)/restored-bench" "$PWD/.build/bench"
