#!/bin/sh
# Gets the Varlink clients that the interoperability tests run, into .build/interop:
#   venv/bin/python                  with PyPI's varlink and asyncvarlink
#   bin/varlink-go-certification     Debian's varlink-go
# Done once, it returns at once. What cannot be had is named on standard error.
# Exit: 0 all is there; 77 something is missing and cannot be had here; 1 it could be had, but that failed.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${INTEROP_DIR:-$root/.build/interop}
varlink=31.0.0
asyncvarlink=0.3.3
stamp=$dir/complete-$varlink-$asyncvarlink
status=0

[ -e "$stamp" ] && exit 0
mkdir -p "$dir/bin" || exit 1
# Tests of several suites may come here at once.
if command -v flock >/dev/null; then
  exec 9>"$dir/lock"
  flock 9
  [ -e "$stamp" ] && exit 0
fi

missing() {
  echo "interop: $1" >&2
  [ "$2" -eq 77 ] && [ "$status" -ne 0 ] || status=$2
}

python_clients() {
  "$dir/venv/bin/python" -c 'import varlink, asyncvarlink' 2>/dev/null && return
  command -v python3 >/dev/null || { missing "no python3 here: varlink and asyncvarlink are not tested" 77; return; }
  python3 -m venv "$dir/venv" >"$dir/venv.log" 2>&1 ||
    { missing "python3 cannot make a venv (python3-venv is missing?): see $dir/venv.log" 77; return; }
  "$dir/venv/bin/pip" install --quiet --disable-pip-version-check \
    "varlink==$varlink" "asyncvarlink==$asyncvarlink" >"$dir/pip.log" 2>&1 ||
    missing "pip could not install varlink and asyncvarlink: see $dir/pip.log" 1
}

go_client() {
  tool='varlink-go-certification'
  [ -x "$dir/bin/$tool" ] && return
  if ! command -v $tool >/dev/null; then
    command -v apt-get >/dev/null || { missing "no $tool and no apt-get here: it is not tested" 77; return; }
    get_go_package >"$dir/apt.log" 2>&1
  fi
  found=$(command -v $tool || ls "$dir/go/usr/bin/$tool" 2>/dev/null)
  if [ -n "$found" ]; then
    ln -sf "$found" "$dir/bin/$tool"
  else
    missing "apt could not get varlink-go: see $dir/apt.log" 1
  fi
}

get_go_package() {
  if [ "$(id -u)" -eq 0 ]; then
    apt-get install -y --no-install-recommends varlink-go && return
    apt-get update && apt-get install -y --no-install-recommends varlink-go
  else
    cd "$dir" && apt-get download varlink-go && dpkg-deb -x varlink-go_*.deb go
  fi
}

python_clients
go_client
[ "$status" -eq 0 ] && : >"$stamp"
exit "$status"
