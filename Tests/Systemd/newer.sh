#!/usr/bin/env bash
# Gets the next Debian release's systemd, 257, with what it needs, unpacked into .build/newer-systemd: a tree for
# machine.sh to lay over the files of this release, as an upgrade would. It has varlinkctl too, which this release
# lacks. Nothing is installed, and once it is there no network is needed.
# Exit 77 with the reason where it cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."

tree=$PWD/.build/newer-systemd
release=trixie
packages=(systemd libsystemd-shared libsystemd0 libc6 libacl1 libapparmor1 libaudit1 libblkid1 libcap-ng0 libcap2
  libcrypt1 libgcc-s1 libkmod2 liblz4-1 liblzma5 libmount1 libpam0g libpcre2-8-0 libseccomp2 libselinux1
  libssl3t64 libzstd1 zlib1g)

refuse() {
  echo "$1"
  exit 77
}

[ ! -e "$tree/complete" ] || exit 0
command -v apt-get >/dev/null || refuse "needs apt-get, to unpack Debian's next systemd"
grep -qsx 'VERSION_CODENAME=bookworm' /etc/os-release || refuse "needs Debian 12, to upgrade from"

rm -rf "$tree"
mkdir -p "$tree"/apt/{lists/partial,archives/partial} "$tree/root"
# The archive that this system's own sources name.
# shellcheck disable=SC2016
archive=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 2>/dev/null | awk '$1 == "bookworm" { print $2; exit }')
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [ -z "$archive" ] || [ ! -e "$keyring" ]; then refuse "needs apt sources of Debian 12"; fi
echo "deb [signed-by=$keyring] $archive $release main" >"$tree/apt/sources.list"
apt=(apt-get -qq -o Dir::Etc::SourceList="$tree/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o Dir::State::Lists="$tree/apt/lists" -o Dir::Cache::Archives="$tree/apt/archives" -o Dir::Cache::pkgcache=
  -o Dir::Cache::srcpkgcache= -o Acquire::Languages=none -o APT::Sandbox::User=root)

{
  "${apt[@]}" update && cd "$tree/apt/archives" && "${apt[@]}" download "${packages[@]}"
} >"$tree/log" 2>&1 || refuse "needs Debian's archive: $(tail -n 1 "$tree/log")"

for package in ./*.deb; do dpkg-deb --extract "$package" "$tree/root"; done
rm -rf "$tree/apt"
touch "$tree/complete"
