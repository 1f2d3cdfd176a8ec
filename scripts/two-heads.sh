#!/usr/bin/env bash
# Runs a command on an X server of its own with two monitors of 1920x1080 beside each other, HEADS=1 for one, without any
# hardware: Xorg with the dummy driver, and openbox where it is installed. The second can be unplugged with
# `xrandr --output DUMMY1 --off` and plugged in again with `--mode 1920x1080 --pos 1920x0`; a bare `xrandr` after it makes the driver say so.
# Needs xserver-xorg-core, xserver-xorg-video-dummy, x11-xserver-utils and x11-utils, and a user who may start Xorg.
#   scripts/two-heads.sh COMMAND ...
set -euo pipefail
work=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT
cat >"$work/xorg.conf" <<'CONF'
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "DontVTSwitch" "true"
EndSection
Section "Device"
  Identifier "heads"
  Driver "dummy"
  VideoRam 131072
EndSection
Section "Monitor"
  Identifier "any"
  HorizSync 5-1000
  VertRefresh 5-200
EndSection
Section "Screen"
  Identifier "screen"
  Device "heads"
  Monitor "any"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1920x1080"
    Virtual 3840 1080
  EndSubSection
EndSection
CONF
Xorg -displayfd 5 -config "$work/xorg.conf" -logfile "$work/log" -noreset -nolisten tcp -sharevts -novtswitch \
  5>"$work/display" >"$work/out" 2>&1 &
pids+=($!)
for _ in $(seq 100); do
  [ -s "$work/display" ] && break
  sleep 0.1
done
[ -s "$work/display" ] || { cat "$work/out" >&2; echo "two-heads.sh: Xorg did not start" >&2; exit 1; }
DISPLAY=:$(cat "$work/display")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1
if [ "${HEADS:-2}" = 2 ]; then
  xrandr --addmode DUMMY1 1920x1080
  xrandr --fb 3840x1080 --output DUMMY1 --mode 1920x1080 --pos 1920x0
  xrandr >/dev/null  # asks the driver, which takes the second for connected only then
fi
if command -v openbox >/dev/null; then
  openbox 2>"$work/openbox" &
  pids+=($!)
  for _ in $(seq 50); do  # a program that starts before it would think that there is no window manager
    xprop -root _NET_SUPPORTED 2>/dev/null | grep -q FULLSCREEN && break
    sleep 0.1
  done
fi
"$@"
