#!/usr/bin/env bash
# Makes the database by which later releases show that they open this one's: run once at each release, and kept for
# ever under Tests/RestoreStoreTests/Releases/. What it holds is written beside it, for the test to ask for.
# With BIN=DIR the programs there are used instead of the debug build's.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=${BIN:-$(swift build --show-bin-path)}
release=$("$bin/restored" --version | awk '{print $2}')
target=Tests/RestoreStoreTests/Releases/$release
[ ! -e "$target" ] || { echo "release-fixture: $target exists, and never changes" >&2; exit 73; }

folder=$(mktemp -d)
export RESTORED_SOCKET=$folder/io.restored NO_COLOR=1
"$bin/restored" --socket "$RESTORED_SOCKET" --state-dir "$folder/state" 2>"$folder/log" &
daemon=$!
trap 'kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true; rm -rf "$folder"' EXIT
until "$bin/restorectl" status --quiet >/dev/null 2>&1; do
  kill -0 "$daemon" 2>/dev/null || { cat "$folder/log" >&2; exit 70; }
  sleep 0.05
done

ctl() { "$bin/restorectl" "$@"; }
held=$folder/held.tsv
note() { (IFS=$'\t'; printf '%s\n' "$*") >>"$held"; }

note uid "$(id -u)"
for app in notes mail; do
  export RESTORECTL_APP=$app
  ctl entities put board b1 b2 b3 00000000-0000-4000-8000-00000000000A >/dev/null
  note ids "$app" board "$(ctl entities list board | paste -sd ' ')"
  echo '{"routes":{"board":{"entities":{"id":"board"}}},"history":5}' >"$folder/table"
  ctl routes set "$folder/table" >/dev/null
  note routes "$app" "$(ctl routes show)"
  for scene in main second third; do
    for round in 1 2; do
      # The first one goes on in overflow pages.
      filling=$([ "$scene" = main ] && head -c 9000 /dev/zero | tr '\0' x || echo short)
      state='{"selectedTab":"a","stacks":{"a":[{"board":{"id":"b1"}},{"board":{"id":"gone"}}]},"values":{"round":'
      state+="$round,\"é\":\"$filling\"}}"
      revision=$(ctl save --scene "$scene" <<<"$state")
      note state "$app" "$scene" "${revision##* }" "$state"
    done
  done
  ctl restore --scene main --launch >/dev/null 2>&1
  ctl confirm --scene main >/dev/null
  ctl restore --scene second --launch >/dev/null 2>&1
  ctl close --scene third >/dev/null
  note closed "$app" third
done

kill "$daemon"
wait "$daemon"
mkdir -p "$target"
cp "$folder/state/restored.sqlite3" "$held" "$target/"
echo "release-fixture: $target"
