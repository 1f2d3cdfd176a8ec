#!/usr/bin/env bash
# Tries a command in a bare Debian: makes a minimal system in a folder (debootstrap), clones the committed HEAD of this
# checkout into it, and runs the command there without a terminal, without input and with almost no environment.
# Usage, as root on a Debian with debootstrap: scripts/try-bare.sh FOLDER [SUITE [COMMAND...]]
#   SUITE is bookworm unless given, from the mirror that apt uses here; COMMAND is ./test unless given.
# A FOLDER that is there already is used as it stands, with HEAD brought up to date: for second runs.
set -euo pipefail

here=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
folder=${1:?usage: scripts/try-bare.sh FOLDER [SUITE [COMMAND...]]} suite=${2:-bookworm}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- ./test
. /etc/os-release

if [ ! -e "$folder/etc/debian_version" ]; then
  mirror=$("$here/scripts/debian-mirror.sh" "$VERSION_CODENAME")
  debootstrap --variant=minbase "$suite" "$folder" "$mirror" >/dev/null
  # The same suites as here, if it is the same release: Debian's own only.
  if [ "$suite" = "$VERSION_CODENAME" ]; then
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(ORIGIN)|deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
      sed -n 's/^Debian|//p' | sort -u >"$folder/etc/apt/sources.list"
  fi
  apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$folder/etc/apt/apt.conf.d/90host" || true
  cp /etc/resolv.conf /etc/hosts "$folder/etc/"
fi

clone=$folder/root/tilewalk
if [ -e "$clone" ]; then
  git -C "$clone" -c "safe.directory=*" fetch -q "$here" HEAD
  git -C "$clone" reset -q --hard FETCH_HEAD
else
  git clone -q "$here" "$clone"
fi

# In a mount and process namespace of its own, so that nothing is left mounted or running.
start=$(date +%s)
code=0
# shellcheck disable=SC2016
unshare --mount --pid --fork sh -c '
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cd / || exit 1
  folder=$1; shift
  exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true \
    chroot "$folder" sh -c "cd /root/tilewalk && exec \"\$@\"" sh "$@"' sh "$folder" "$@" </dev/null || code=$?
echo "try-bare: $* left with $code after $(($(date +%s) - start)) s" >&2
exit "$code"
