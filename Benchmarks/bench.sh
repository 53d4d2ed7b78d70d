#!/usr/bin/env bash
# Installs the peers, builds what is shipped and what measures it, and measures.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Benchmarks/tool.sh
source Benchmarks/tool.sh

scripts/setup.sh bench
shipped
tool restored-bench
mkdir -p .build/bench
cc -O2 -Wall -Wextra -Werror -o .build/bench/floor Benchmarks/Floor/floor.c -lsqlite3 -lpthread

exec python3 Benchmarks/bench.py .build/bin/restored .build/bin/restorectl "$tool" .build/bench/floor .build/bench
