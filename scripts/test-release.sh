#!/usr/bin/env bash
# All tests, with the programs that are shipped in the place of those of the debug build: other options (docs/decisions/
# 0018-where-the-time-goes.md), and modules optimized together, may show what the debug build does not.
#   FILTER=regex scripts/test-release.sh    only the tests whose names match
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/release.sh
swift build --build-tests -j "${JOBS:-$(nproc)}"

# Beside them what tests run else, from the debug build.
products=$PWD/.build/shipped
rm -rf "$products"
mkdir -p "$products"
find "$(swift build --show-bin-path)" -maxdepth 1 -type f -executable ! -name '*.xctest' -exec ln -s -t "$products" {} +
ln -sf -t "$products" "$PWD/.build/bin/restored" "$PWD/.build/bin/restorectl"

LOG=.build/test-release.log RESTORED_PRODUCTS=$products scripts/test.sh
