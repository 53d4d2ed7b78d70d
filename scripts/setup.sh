#!/usr/bin/env bash
# Installs what building and testing need. Where all is there it does nothing and needs no network.
#   scripts/setup.sh          the build and the tests
#   scripts/setup.sh bench    also the peers that the benchmarks compare with
set -euo pipefail
cd "$(dirname "$0")/.."

# A command that proves a package is there, then the package.
needed=(
  "have_header:libsqlite3-dev"
  "jq --version:jq"
  "tmux -V:tmux"
  "sqlite3 --version:sqlite3"
  "strace -V:strace"
  "have_venv:python3-venv"
  "have_command mandoc:mandoc"
  "have_command pkg-config:pkg-config"
  # 14 MB, GLib with it: the main loops of others that apps are tried in.
  "pkg-config --exists Qt6Core:qt6-base-dev"
)
if [ "${1-}" = bench ]; then
  needed+=("redis-server --version:redis-server" "redis-cli --version:redis-tools" "have_command dconf:dconf-cli")
fi

have_command() { command -v "$1"; }
have_header() {
  local folder
  for folder in /usr/include /usr/local/include /usr/include/x86_64-linux-gnu; do
    [ -e "$folder/sqlite3.h" ] && return 0
  done
  return 1
}
have_venv() { python3 -c 'import venv, ensurepip'; }

missing=()
for entry in "${needed[@]}"; do
  ${entry%:*} >/dev/null 2>&1 || missing+=("${entry##*:}")
done

install_packages() {
  local run=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: missing: $*" >&2
      echo "setup: install them as root: apt-get install $*" >&2
      exit 1
    fi
    run=(sudo)
  fi
  if ! command -v apt-get >/dev/null; then
    echo "setup: missing: $* (these are Debian's names)" >&2
    echo "setup: install them with this system's package manager, then run make again" >&2
    exit 1
  fi
  echo "setup: installing $*"
  # RUNLEVEL=1 keeps a package's service from being started: the scripts start their own.
  "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update >/dev/null
  "${run[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get -q install -y --no-install-recommends "$@" >/dev/null
}

[ "${#missing[@]}" -eq 0 ] || install_packages "${missing[@]}"

# The Varlink clients that the interoperability tests drive; their own script knows which, and where they go.
Tests/Interop/setup.sh || [ $? -eq 77 ]

# The next release's systemd, which the tests of the units lay over this one's; where it cannot be had they are skipped.
Tests/Systemd/newer.sh || [ $? -eq 77 ]
