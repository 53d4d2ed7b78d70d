# shellcheck shell=bash
# Sourced from the project's folder: `shipped` builds what is shipped, and `tool NAME` what measures it, whose path it
# leaves in `tool`. Tools have a scratch path of their own: with other options than the release's in the same one, each
# would build the other's work anew.

quietly() { "$@" >.build/tool.log 2>&1 || { tail -n 30 .build/tool.log; exit 1; }; }

shipped() {
  mkdir -p .build
  quietly scripts/release.sh
}

tool() {
  local options=(--configuration release --scratch-path .build/tools --static-swift-stdlib -j "${JOBS:-$(nproc)}")
  mkdir -p .build
  quietly swift build "${options[@]}" --product "$1"
  # shellcheck disable=SC2034 # for who sources this
  tool=$(swift build "${options[@]}" --show-bin-path)/$1
}
