#!/usr/bin/env bash
# The main job, done by the real programs in a temporary folder: an app's scene is saved, the daemon is killed
# and started again, an entity is deleted, and the scene comes back without the route that led to it.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=${BIN:-$(swift build --show-bin-path)}
folder=$(mktemp -d)
export RESTORED_SOCKET=$folder/io.restored RESTORECTL_APP=demo NO_COLOR=1
daemon=

stop_daemon() {
  [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
  [ -z "$daemon" ] || wait "$daemon" 2>/dev/null || true
  daemon=
}
trap 'stop_daemon; rm -rf "$folder"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

# Where commands are shown, whatever their output goes to.
exec 3>&1

# Shows a restorectl command as it would be typed, and runs it.
run() {
  printf '$ restorectl %s\n' "${*/#$folder\//}" >&3
  "$bin/restorectl" "$@"
}

start_daemon() {
  "$bin/restored" --socket "$RESTORED_SOCKET" --state-dir "$folder/state" 2>>"$folder/daemon.log" &
  daemon=$!
  # The socket can be reached once the daemon serves: each try waits for nothing but that.
  for _ in $(seq 200); do
    "$bin/restorectl" status --quiet >/dev/null 2>&1 && return
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.05
  done
  echo "demo: the daemon did not start:" >&2
  cat "$folder/daemon.log" >&2
  exit 1
}

say "1. A daemon starts, and an app declares what exists: two boards and three cards."
start_daemon
run entities put board b1 b2
run entities put card c1 c2 c3

say "2. The app saves where it is: a board, a card on it, another card above that; an inbox beside."
cat >"$folder/state.json" <<'STATE'
{
  "selectedTab": "boards",
  "stacks": {
    "boards": [{"board": {"id": "b1"}}, {"card": {"boardID": "b1", "cardID": "c1"}}, {"card": {"boardID": "b1", "cardID": "c2"}}],
    "inbox": [{"card": {"boardID": "b2", "cardID": "c3"}}]
  },
  "values": {"scroll": {"boards": 1520.5}, "draft": "not sent yet"}
}
STATE
cat "$folder/state.json"
run save "$folder/state.json"
run show

say "3. The daemon is killed (SIGKILL), as by a power cut, and started again."
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
daemon=
start_daemon
run status

say "4. Meanwhile card c1 is deleted."
run entities delete card c1

say "5. The app comes back: it stands where it was, without the card that is gone. The report is on stderr."
run restore 2>"$folder/report" >"$folder/restored.json"
cat "$folder/restored.json"
cat "$folder/report"

# What was shown is checked, so that this demonstration can fail.
require() { "$@" || { echo "demo: not as it must be: $*" >&2; exit 1; }; }
lacks() { ! grep -q "$1" "$2"; }
require grep -q 'dropped /stacks/boards/1: card: no entity card "c1"' "$folder/report"
require lacks '"c1"' "$folder/restored.json"
require grep -q '"cardID": "c2"' "$folder/restored.json"
require grep -q '"draft": "not sent yet"' "$folder/restored.json"

say "6. Nothing that was saved is lost: put the card back, and so is its route."
run entities put card c1
run restore >"$folder/again.json"
require cmp "$folder/state.json" "$folder/again.json"
echo "The same bytes as were saved."

# The same with an app that a person uses: Examples/Boards, driven as by a person, in a terminal of its own.
if ! command -v tmux >/dev/null || [ ! -x "$bin/boards" ]; then
  say "7. With tmux and a debug build this would go on with an app in a terminal, Examples/Boards."
  exit 0
fi
export BOARDS_FILE=$folder/boards.json TMUX_TMPDIR=$folder
mux() { tmux -L demo -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null || true; stop_daemon; rm -rf "$folder"' EXIT

# Without this the server would end with each app, and might just be ending when the next one is started.
mux start-server \; set-option -g exit-empty off

# Shows the screen once it holds a text.
screen() {
  for _ in $(seq 200); do
    if mux capture-pane -p -t app 2>/dev/null | grep -qF -- "$1"; then
      mux capture-pane -p -t app | sed 's/ *$//' | grep -v '^$' | sed 's/^/    /'
      return
    fi
    sleep 0.05
  done
  echo "demo: the app did not show \"$1\":" >&2
  mux capture-pane -p -t app >&2
  exit 1
}
start_app() { mux new-session -d -s app -x 80 -y 24 "exec $bin/boards"; }
start_crashing_app() { mux new-session -d -s app -x 80 -y 24 "BOARDS_CRASH_ON=c1 exec $bin/boards"; }
until_ended() { while mux has-session -t app 2>/dev/null; do sleep 0.05; done; }
press() { mux send-keys -t app "$@"; }
kill_app() {
  kill -KILL "$(mux display-message -p -t app '#{pane_pid}')"
  until_ended
}
is_saved() {
  for _ in $(seq 200); do
    "$bin/restorectl" restore --app org.example.Boards --scene window-1 --quiet 2>/dev/null | grep -qF "$1" && return
    sleep 0.05
  done
  echo "demo: $1 was not saved" >&2
  exit 1
}

say "7. An app in a terminal, on the Swift libraries: a person opens a board, then a card on it."
start_app
screen "> House" >/dev/null
press Enter
screen "> Fix the door" >/dev/null
press j Enter
screen "Card c2"
is_saved '"cardID":"c2"'

say "8. It is killed, and started again: the same card."
kill_app
start_app
screen "Card c2"

say "9. It is killed, the card is deleted elsewhere, and it is started again: on the card's board, with a note."
kill_app
"$bin/boards" delete-card c2
start_app
screen "No longer there: card c2."
press q
until_ended

say "10. A card that crashes the app when it is shown does so at three starts; the fourth leads out of it."
start_app
screen "> Fix the door" >/dev/null
press Enter
screen "Card c1" >/dev/null
press q
until_ended
for _ in 1 2 3; do
  start_crashing_app
  until_ended
  echo "    crashed"
done
start_crashing_app
screen "could not be brought back"
press q
until_ended
