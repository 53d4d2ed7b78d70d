#!/usr/bin/env bash
# Installs the peers, builds what is shipped and what measures it, and measures.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh bench
scripts/release.sh >.build/release.log 2>&1 || { tail -n 30 .build/release.log; exit 1; }
generator=(--configuration release --scratch-path .build/release-static --static-swift-stdlib -j "${JOBS:-$(nproc)}")
swift build "${generator[@]}" --product restored-bench >.build/release.log 2>&1 || { tail -n 30 .build/release.log; exit 1; }
mkdir -p .build/bench
cc -O2 -Wall -Wextra -Werror -o .build/bench/floor Benchmarks/Floor/floor.c -lsqlite3 -lpthread

exec python3 Benchmarks/bench.py .build/bin/restored .build/bin/restorectl \
  "$(swift build "${generator[@]}" --show-bin-path)/restored-bench" .build/bench/floor .build/bench
