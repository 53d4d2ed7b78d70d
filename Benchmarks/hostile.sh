#!/usr/bin/env bash
# Builds what is shipped and the load generator, and measures it under attack.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Benchmarks/tool.sh
source Benchmarks/tool.sh

shipped
tool restored-bench
exec python3 Benchmarks/hostile.py "$PWD/.build/bin/restored" "$PWD/.build/bin/restorectl" "$tool" "$PWD/.build/bench"
