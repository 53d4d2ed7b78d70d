#!/usr/bin/env bash
# What a push costs the main actor, with and without autosave: at most 5 µs with it.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build -c release --static-swift-stdlib --scratch-path .build/release-static --product routing-bench -j "${JOBS:-$(nproc)}" >&2
.build/release-static/release/routing-bench
