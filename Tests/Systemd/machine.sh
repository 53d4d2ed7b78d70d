#!/usr/bin/env bash
# A machine for tests: this system's own systemd as process 1 of name spaces of its own, over a copy-on-write view of
# this system's files. Nothing is installed, and all of it is gone afterwards.
#   machine.sh can                    exit 77 with the reason where this system cannot
#   machine.sh run KEPT TREE...       boots with the files of each TREE laid over the system's and the folder KEPT as
#                                     its /kept; prints "pid N" once it is up (N: process 1, as seen from here), and
#                                     shuts it down at the end of standard input
#   RESTORED_REPORTS                  a folder that is to be its /reports
# Enter it with nsenter --target N --mount --pid --uts --ipc --net --cgroup.
set -euo pipefail

spaces=(--mount --pid --uts --ipc --net --cgroup)
users="61001:ann 61002:ben 61003:cam 61004:dan 61005:eve 61006:fay"

refuse() {
  echo "$1"
  exit 77
}

can() {
  [ "$(id -u)" -eq 0 ] || refuse "needs root, to boot a systemd in name spaces"
  [ -x /lib/systemd/systemd ] || refuse "needs systemd, which is not installed"
  unified=$(findmnt --noheadings --output TARGET --types cgroup2 | head -n 1)
  [ -n "$unified" ] || refuse "needs cgroup2, which is not mounted"
  local probe=$unified/restored-probe-$$
  mkdir "$probe" 2>/dev/null || refuse "needs a cgroup of its own, and $unified is read-only"
  rmdir "$probe"
  # An overlay in a name space of its own: what most containers forbid.
  # shellcheck disable=SC2016
  unshare "${spaces[@]}" --fork --propagation private sh -ec '
    mount -t tmpfs none /mnt; mkdir /mnt/up /mnt/work /mnt/all
    mount -t overlay -o lowerdir=/,upperdir=/mnt/up,workdir=/mnt/work none /mnt/all
    mount -t proc none /mnt/all/proc; mount -t sysfs none /mnt/all/sys; mount -t cgroup2 none /mnt/all/sys/fs/cgroup' >/dev/null 2>&1 ||
    refuse "needs to mount in name spaces of its own, which this system forbids"
}

# The cgroups for the machine: in the unified tree, and in systemd's own old one where that exists beside it.
make_cgroups() {
  groups=("$unified/restored-$$")
  if [ -e /sys/fs/cgroup/systemd/cgroup.procs ]; then groups+=("/sys/fs/cgroup/systemd/restored-$$"); fi
  mkdir "${groups[@]}"
}

clean_up() {
  [ -z "${outer-}" ] || kill -KILL "$outer" 2>/dev/null || true
  wait 2>/dev/null || true
  local group
  for group in "${groups[@]}"; do
    find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
  done
  rm -rf --one-file-system "$folder"
}

# Runs as the first process of the new name spaces.
inside() {
  local folder=$1 kept=$2 root
  shift 2
  mount -t tmpfs -o mode=755 none "$folder/mount"
  root=$folder/mount/root
  mkdir -p "$folder"/mount/{upper,work,root}
  mount -t overlay -o "lowerdir=/,upperdir=$folder/mount/upper,workdir=$folder/mount/work" none "$root"
  lay_out "$root" "$@"
  mount_kernel_trees "$root"
  mkdir -p "$root/kept"
  mount --bind "$kept" "$root/kept"
  if [ -n "${RESTORED_REPORTS-}" ]; then
    mkdir "$root/reports"
    mount --bind "$RESTORED_REPORTS" "$root/reports"
  fi
  hostname restored-test
  cd "$root"
  mkdir -p run/before
  pivot_root . run/before
  umount --lazy /run/before
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 container=restored-test \
    /lib/systemd/systemd --unit=machine.target --log-target=journal --show-status=no
}

# Files: the trees, a few users with managers of their own, and nothing started at boot but the journal.
lay_out() {
  local root=$1 tree entry number name
  shift
  rm -rf "$root"/{usr/lib,etc}/systemd/{system,user}/*.{wants,requires} "$root/var/log/journal"
  rm -f "$root/etc/machine-id"
  printf '%032d\n' "$$" >"$root/etc/machine-id"
  for entry in $users; do
    number=${entry%:*} name=${entry#*:}
    echo "$name:x:$number:$number::/home/$name:/bin/sh" >>"$root/etc/passwd"
    echo "$name:x:$number:" >>"$root/etc/group"
    install -d -m 700 -o "$number" -g "$number" "$root/home/$name"
  done
  for tree in "$@"; do cp -a -t "$root" "$tree"/*; done
  cat >"$root/etc/systemd/system/machine.target" <<END
[Unit]
Requires=systemd-journald.service systemd-user-sessions.service basic.target
After=systemd-journald.service systemd-user-sessions.service basic.target
AllowIsolate=yes
END
  cat >"$root/etc/systemd/system/user@.service" <<END
[Unit]
After=systemd-user-sessions.service
[Service]
Type=notify
User=%i
Slice=user-%i.slice
Environment=XDG_RUNTIME_DIR=/run/user/%i
ExecStartPre=+install -d -m 700 -o %i -g %i /run/user/%i
ExecStart=/lib/systemd/systemd --user --unit=basic.target --log-target=journal
KillMode=mixed
Delegate=yes
TimeoutStopSec=20
END
}

mount_kernel_trees() {
  local root=$1 node
  mount -t proc none "$root/proc"
  mount -t sysfs -o ro none "$root/sys"
  mount -t cgroup2 none "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 none "$root/run"
  # Where services' views of the files are put together. Made by the first system service that has one of its own,
  # which is long before anybody logs in, but not on a machine that starts so little.
  install -d -m 755 "$root/run/systemd"
  install -d -m 700 "$root/run/systemd/unit-root"
  mount -t tmpfs -o mode=1777 none "$root/tmp"
  mount -t tmpfs -o mode=755 none "$root/dev"
  for node in null zero full random urandom tty; do
    : >"$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
  done
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777 none "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666 none "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
}

wait_until_up() {
  local state
  for _ in $(seq 600); do
    first=$(pgrep --parent "$outer" 2>/dev/null) || first=
    if [ -n "$first" ]; then
      state=$(nsenter --target "$first" "${spaces[@]}" systemctl is-system-running 2>/dev/null) || true
      case $state in running | degraded) return ;; esac
    fi
    kill -0 "$outer" 2>/dev/null || break
    sleep 0.05
  done
  echo "the machine did not come up:"
  tail -n 20 "$folder/console"
  exit 1
}

case ${1-} in
  can) can ;;
  inside)
    shift
    inside "$@"
    ;;
  run)
    kept=$(readlink -f "$2")
    shift 2
    can
    folder=$(mktemp -d /tmp/restored-machine-XXXXXX)
    mkdir "$folder/mount"
    groups=()
    trap clean_up EXIT
    make_cgroups
    (
      for group in "${groups[@]}"; do echo "$BASHPID" >"$group/cgroup.procs"; done
      exec unshare "${spaces[@]}" --fork --kill-child --propagation private "$0" inside "$folder" "$kept" "$@"
    ) >"$folder/console" 2>&1 </dev/null &
    outer=$!
    wait_until_up
    echo "pid $first"
    cat >/dev/null
    # What systemd understands as "halt": everything is stopped in order.
    kill -s RTMIN+3 "$first" 2>/dev/null || true
    for _ in $(seq 400); do
      kill -0 "$outer" 2>/dev/null || break
      sleep 0.05
    done
    ;;
  *)
    echo "usage: machine.sh can | run FOLDER TREE..." >&2
    exit 64
    ;;
esac
