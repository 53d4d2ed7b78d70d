#!/usr/bin/env bash
# What a push costs the main actor, with and without autosave: at most 5 µs with it.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Benchmarks/tool.sh
source Benchmarks/tool.sh

tool routing-bench
"$tool"
