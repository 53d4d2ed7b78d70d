#!/usr/bin/env bash
# Builds what is shipped and the load generator, and measures what a route table costs a restore.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Benchmarks/tool.sh
source Benchmarks/tool.sh

shipped
tool restored-bench
exec python3 Benchmarks/routes.py .build/bin/restored .build/bin/restorectl "$tool" .build/bench
