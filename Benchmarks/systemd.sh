#!/usr/bin/env bash
# Measures how long a person waits for a daemon that is not running yet:
# - from connecting to the first restore's reply, under a real systemd with the project's units, beside a minimal C
#   service under the same units;
# - from starting the daemon to READY=1, on an empty store and on one of 100,000 scenes and 1,000,000 entities.
# Prints medians; ROUNDS (31) starts of each, in turn. Needs root and cgroup2.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${ROUNDS:-31}
scenes=${SCENES:-100000}
entities=${ENTITIES:-1000000}
bin=$PWD/.build/bin
work=$(mktemp -d /tmp/restored-measure-XXXXXX)
daemon=
exec {hold}>/dev/null
trap 'exec {hold}>&- || true; [ -z "$daemon" ] || kill "$daemon"; wait; rm -rf "$work"' EXIT

Tests/Systemd/machine.sh can || exit 77
cc -O2 -Wall -Wextra -Werror -o "$work/measure" Benchmarks/Systemd/measure.c
cc -O2 -Wall -Wextra -Werror -o "$work/minimal" Benchmarks/Systemd/minimal.c

median() { sort -n "$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
report() {
  awk -v what="$1" -v us="$(median "$2")" -v than="$3" -v base="$(median "$4")" \
    'BEGIN { printf "%-34s %7.1f ms   %-30s %7.1f ms   ratio %.2f\n", what, us / 1e3, than, base / 1e3, us / base }'
}

stage() {
  PREFIX=/usr DESTDIR=$work/stage scripts/install.sh install
  install -m 755 "$work/minimal" "$work/stage/usr/libexec/minimal"
  install -m 755 "$work/measure" "$work/stage/usr/bin/measure"
  local manager unit
  # More starts than sockets allow in a minute.
  sed -i 's|^TriggerLimitIntervalSec=.*|TriggerLimitIntervalSec=0|' "$work"/stage/usr/lib/systemd/*/restored.socket
  for manager in system user; do
    for unit in socket service; do
      sed -e 's|^ExecStart=.*|ExecStart=/usr/libexec/minimal|' -e 's|restored/io.restored|minimal/io.minimal|' \
        -e 's|restored.socket|minimal.socket|' -e '/^WatchdogSec/d' \
        "$work/stage/usr/lib/systemd/$manager/restored.$unit" >"$work/stage/usr/lib/systemd/$manager/minimal.$unit"
    done
  done
}

# The same two without what the units shut them in with: nearly all of the time above is systemd's, making that.
bare() {
  local name
  for name in restored minimal; do
    inside tee "/run/systemd/system/$name.service" >/dev/null <<END
[Unit]
StartLimitIntervalSec=0
[Service]
Type=notify
User=restored
StateDirectory=restored
ExecStart=/usr/libexec/$name$([ $name = minimal ] || echo ' --all-users')
END
    rm -f "$work/system-$name"
  done
  inside systemctl daemon-reload
  activations inside system /run "system, bare unit"
}

boot() {
  mkfifo "$work/hold"
  mkdir "$work/kept"
  Tests/Systemd/machine.sh run "$work/kept" "$work/stage" <"$work/hold" >"$work/machine" &
  # shellcheck disable=SC2034
  exec {hold}>"$work/hold"
  until [ -s "$work/machine" ]; do sleep 0.1; done
  read -r _ first <"$work/machine"
}

inside() { nsenter --target "$first" --mount --pid --uts --ipc --net --cgroup -- "$@"; }
as_ann() {
  inside setpriv --reuid=61001 --regid=61001 --clear-groups \
    env HOME=/home/ann XDG_RUNTIME_DIR=/run/user/61001 PATH=/usr/bin:/bin "$@"
}

# activations AS MANAGER RUNTIME NAME: the daemon and its peer, in turn; each is stopped before it is called.
activations() {
  local as=$1 manager=$2 runtime=$3 title=$4 name
  local call='{"method":"io.restored.Restore","parameters":{"app":"default","scene":"main"}}'
  "$as" systemctl "--$manager" start restored.socket minimal.socket
  "$as" restorectl save <<<'{"stacks":{"t":["a"]}}' >/dev/null
  for _ in $(seq "$rounds"); do
    for name in restored minimal; do
      "$as" systemctl "--$manager" stop "$name.service" 2>/dev/null
      "$as" measure reply "$runtime/$name/io.$name" "$call" >>"$work/$manager-$name"
    done
  done
  report "$title: first restore" "$work/$manager-restored" "minimal C service, same unit" "$work/$manager-minimal"
}

fill() {
  "$bin/restored" --state-dir "$work/full" --socket "$work/io.restored" 2>/dev/null &
  daemon=$!
  until [ -S "$work/io.restored" ]; do sleep 0.1; done
  python3 Benchmarks/Systemd/fill.py "$work/io.restored" "$scenes" "$entities"
  kill "$daemon"
  wait "$daemon" || true
  daemon=
}

starts() {
  local store
  for _ in $(seq "$rounds"); do
    for store in full empty; do
      "$work/measure" ready "$bin/restored" --state-dir "$work/$store" --socket "$work/io.restored" \
        >>"$work/ready-$store" 2>/dev/null
    done
  done
  report "READY, $scenes scenes" "$work/ready-full" "READY, empty store" "$work/ready-empty"
}

stage
boot
inside systemd-sysusers 2>/dev/null
activations inside system /run "system unit"
bare
inside systemctl start user@61001.service
activations as_ann user /run/user/61001 "user unit"
fill
starts
