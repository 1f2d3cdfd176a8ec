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
. "$here/scripts/bare-root.sh"

make_bare_root "$folder" "$suite"
clone=$folder/root/tilewalk
if [ -e "$clone" ]; then
  git -C "$clone" -c "safe.directory=*" fetch -q "$here" HEAD
  git -C "$clone" reset -q --hard FETCH_HEAD
else
  git clone -q "$here" "$clone"
fi

start=$(date +%s)
code=0
in_bare_root "$folder" /root/tilewalk "$@" || code=$?
echo "try-bare: $* left with $code after $(($(date +%s) - start)) s" >&2
exit "$code"
