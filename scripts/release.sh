#!/usr/bin/env bash
# Builds both programs as they are shipped, into .build/bin: the daemon with Swift's own libraries linked in,
# restorectl as one file that needs nothing from the system. Two ways of linking need two scratch paths.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc)}
bin=.build/bin
mkdir -p "$bin"

# The modules are optimized together when they are linked, and no register is kept for walking the stack, which the
# tables for exceptions tell as well: a twelfth of a save (docs/decisions/0018-where-the-time-goes.md).
whole=(--configuration release --experimental-lto-mode=full --omit-frame-pointers)

# Whether two parts of the program change one value at once is checked in debug builds, which run all tests; in the
# daemon the checks were a twelfth of a save (docs/decisions/0018-where-the-time-goes.md).
daemon=("${whole[@]}" --static-swift-stdlib --scratch-path .build/release-static -j "$jobs"
  -Xswiftc -enforce-exclusivity=unchecked)
swift build "${daemon[@]}" --product restored
install -m 755 -s "$(swift build "${daemon[@]}" --show-bin-path)/restored" "$bin/restored"

client=(--configuration release --scratch-path .build/release-fully-static -Xswiftc -static-executable -j "$jobs")
swift build "${client[@]}" --product restorectl
install -m 755 -s "$(swift build "${client[@]}" --show-bin-path)/restorectl" "$bin/restorectl"

for program in restored restorectl; do
  printf '%-11s %6.1f MB  %s\n' "$program" "$(stat -c %s "$bin/$program" | awk '{print $1 / 1e6}')" \
    "$(file -b "$bin/$program" 2>/dev/null | grep -oE '(dynamically|statically) linked' || true)"
done
