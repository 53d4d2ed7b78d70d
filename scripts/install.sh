#!/usr/bin/env bash
# Puts a release where a system looks for it, or takes exactly that away again. It builds nothing and starts nothing.
#   scripts/install.sh install | uninstall
#   PREFIX    where it will live (/usr/local); the units name the daemon there
#   DESTDIR   put before every path, to stage a package
#   BINARIES  where the programs are (.build/bin)
# systemd reads units from the prefixes /usr and /usr/local; docs/PACKAGING.md says what each file is for.
set -euo pipefail
cd "$(dirname "$0")/.."

action=${1-}
prefix=${PREFIX:-/usr/local}
destination=${DESTDIR-}
binaries=${BINARIES:-.build/bin}
documents=$prefix/share/doc/restored

if [ "$action" != install ] && [ "$action" != uninstall ]; then
  echo "usage: scripts/install.sh install | uninstall" >&2
  exit 64
fi
if [[ $prefix != /* || $prefix == *[[:space:]%\|\\]* ]]; then
  echo "install: PREFIX must be an absolute path without spaces, % | or backslash: \"$prefix\"" >&2
  exit 64
fi

if [ "$action" = install ]; then
  for program in restored restorectl; do
    [ -x "$binaries/$program" ] && continue
    echo "install: there is no $binaries/$program: run make release first" >&2
    exit 66
  done
fi

# place MODE PATH COMMAND...: a file, with what COMMAND prints.
place() {
  local mode=$1 path=$destination$2
  shift 2
  if [ "$action" = uninstall ]; then
    rm -f "$path"
    return
  fi
  install -d "$(dirname "$path")"
  # Beside the old one, then in its place: a program that runs is not written into.
  "$@" >"$path.new"
  chmod "$mode" "$path.new"
  mv -f "$path.new" "$path"
}

# A file in which places are named after the prefix.
filled() { sed "s|@libexecdir@|$prefix/libexec|g" "$1"; }

place 755 "$prefix/libexec/restored" cat "$binaries/restored"
place 755 "$prefix/bin/restorectl" cat "$binaries/restorectl"

for manager in system user; do
  place 644 "$prefix/lib/systemd/$manager/restored.socket" cat "systemd/$manager/restored.socket"
  place 644 "$prefix/lib/systemd/$manager/restored.service" filled "systemd/$manager/restored.service.in"
done
place 644 "$prefix/lib/sysusers.d/restored.conf" cat systemd/sysusers.d/restored.conf

place 644 "$prefix/share/varlink/io.restored.varlink" cat Sources/RestoreInterface/io.restored.varlink
place 644 "$prefix/share/man/man1/restorectl.1" cat docs/man/restorectl.1
place 644 "$prefix/share/man/man8/restored.8" cat docs/man/restored.8

place 644 "$prefix/share/bash-completion/completions/restorectl" "$binaries/restorectl" completions bash
place 644 "$prefix/share/zsh/site-functions/_restorectl" "$binaries/restorectl" completions zsh
place 644 "$prefix/share/fish/vendor_completions.d/restorectl.fish" "$binaries/restorectl" completions fish

place 644 "$prefix/share/licenses/restored/LICENSE" cat LICENSE
# As they lie here, since they lead to each other; what a page leads to comes with it.
interface=Sources/RestoreInterface/io.restored.varlink
for file in *.md LICENSE docs/*.md docs/*/*.md docs/*/*.svg Sources/*/*.docc/*.md "$interface" Examples/*/*; do
  mode=644
  [ ! -x "$file" ] || mode=755
  place "$mode" "$documents/$file" cat "$file"
done

if [ "$action" = uninstall ]; then
  # Folders of its own, where nothing else has been put into them; a package manager owns all others.
  for folder in "$documents" "$prefix/share/licenses/restored"; do
    [ ! -d "$destination$folder" ] || find "$destination$folder" -depth -type d -empty -delete
  done
  [ -n "$destination" ] || echo "uninstall: /var/lib/restored, ~/.local/state/restored and the user restored stay"
elif [ -z "$destination" ]; then
  cat <<END
install: done. For one user:  systemctl --user daemon-reload && systemctl --user enable --now restored.socket
         For all users:  systemd-sysusers && systemctl daemon-reload && systemctl enable --now restored.socket
END
fi
