#!/usr/bin/env bash
# Pictures of a talk on two monitors, in the real windows, by real keys and a real pointer: each state as the one who
# talks sees it (NAME-presenter.png) and as the room does (NAME-room.png). To be looked at.
#   scripts/pictures-present.sh FOLDER
# Needs a build, xdotool, import (imagemagick) and what scripts/two-heads.sh needs.
set -euo pipefail
root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
if [ -z "${TWO_HEADS:-}" ]; then
  mkdir -p "$1"
  TWO_HEADS=1 exec "$root/scripts/two-heads.sh" "$0" "$(cd "$1" && pwd)"
fi
out=$1
home=$(mktemp -d)
export XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home XDG_STATE_HOME=$home XDG_CACHE_HOME=$home
"$root/build/bin/tilewalk" --lesson 7 --beat 2 --reduced-motion &
program=$!
trap 'kill $program 2>/dev/null || true; rm -rf "$home"' EXIT
window=$(timeout 30 xdotool search --sync --pid $program --name Tilewalk | head -1)
sleep 2
xdotool windowactivate --sync "$window" 2>/dev/null || xdotool windowfocus --sync "$window"

keys() { for key in "$@"; do xdotool key "$key"; sleep "${PACE:-0.6}"; done; }
picture() {
  sleep 0.8
  import -silent -window root -crop 1920x1080+0+0 +repage "$out/$1-presenter.png"
  import -silent -window root -crop 1920x1080+1920+0 +repage "$out/$1-room.png"
}
point() { xdotool mousemove "$1" "$2"; sleep 0.3; }

keys shift+F5
sleep 1
picture live
keys Next
keys f Right Right
picture frozen
keys f b
picture black
keys b w
picture white
keys w 5
point 700 500
picture spotlight
keys 1 z
point 500 560
picture lens
keys z 3
point 400 300
xdotool mousedown 1
for k in $(seq 0 8 320); do xdotool mousemove $((400 + k)) $((300 + k % 48)); sleep 0.02; done
xdotool mouseup 1
picture pen
keys 1 ctrl+shift+w
picture rehearsal
keys ctrl+shift+w ctrl+n
xdotool type --delay 60 " Ask the back row by name."
picture note
keys Escape o
sleep 4
picture overview
keys o ctrl+p
picture question
keys Return
picture answer
keys Escape
xrandr --output DUMMY1 --off
xrandr >/dev/null
sleep 2
import -silent -window root "$out/unplugged.png"
xrandr --fb 3840x1080 --output DUMMY1 --mode 1920x1080 --pos 1920x0
xrandr >/dev/null
sleep 2
picture plugged
