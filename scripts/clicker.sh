#!/usr/bin/env bash
# Teaches lessons 6 and 7 (or those that are named) in the real window with the clicker's forward key alone, from the
# first beat to the last, and says how many presses it took. A press that changes nothing on the screen, or a lesson that
# comes to no end, is a fault. Needs a build, xvfb-run, xdotool and import (imagemagick).
#   scripts/clicker.sh [LESSON ...]
set -euo pipefail
root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
if [ -z "${DISPLAY_IS_OURS:-}" ]; then
  DISPLAY_IS_OURS=1 LIBGL_ALWAYS_SOFTWARE=1 exec xvfb-run -a -s "-screen 0 1280x720x24" "$0" "$@"
fi
home=$(mktemp -d)
export XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home XDG_STATE_HOME=$home XDG_CACHE_HOME=$home
log=$home/tilewalk/tilewalk.log
trap 'kill "${program:-}" 2>/dev/null || true; rm -rf "$home"' EXIT
seen() { import -silent -window root -depth 8 rgb:- | sha256sum; }

# The picture once it stands still.
settled() {
  local last now
  sleep 0.3
  last=$(seen)
  for _ in $(seq 40); do
    sleep 0.1
    now=$(seen)
    [ "$now" = "$last" ] && break
    last=$now
  done
  echo "$now"
}

faults=0
lessons=("$@")
[ $# -gt 0 ] || lessons=(6 7)
for lesson in "${lessons[@]}"; do
  : >"$home/out"
  "$root/build/bin/tilewalk" --lesson "$lesson" --present --reduced-motion >"$home/out" 2>&1 &
  program=$!
  window=$(timeout 30 xdotool search --sync --pid $program --name Tilewalk | head -1)
  sleep 1.5
  xdotool windowfocus "$window"
  before=$(settled) presses=0 end=
  while [ $presses -lt 200 ]; do
    xdotool key Next
    presses=$((presses + 1))
    after=$(settled)
    if grep -q "That was the last beat of the lesson" "$log" 2>/dev/null; then
      end=yes
      break
    fi
    if [ "$after" = "$before" ]; then
      echo "lesson $lesson: press $presses changed nothing"
      faults=$((faults + 1))
    fi
    before=$after
  done
  [ -n "$end" ] || { echo "lesson $lesson: no end after $presses presses"; faults=$((faults + 1)); }
  # The last press says that there is no more.
  echo "lesson $lesson: $((presses - 1)) presses from the first beat to the end"
  kill $program
  wait $program 2>/dev/null || true
  rm -f "$log"
done
exit $((faults > 0))
