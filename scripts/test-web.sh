#!/usr/bin/env bash
# Builds the page and tests it in real browsers, Debian's Chromium and Firefox, under a display of its own (Xvfb). The
# pictures that they make are left in build-web/pictures, to be looked at.
# Usage: scripts/test-web.sh [figures] [chromium | firefox]      without a name: both
#   figures: instead of the tests what the page costs and may cost: start, frame, rest, heap. It takes a quiet machine.
# Leaves with 0 only if nothing failed; the last line says how many minutes it took.
set -euo pipefail
exec </dev/null

root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
cd "$root"
begun=$SECONDS
figures=''
[ "${1:-}" != figures ] || { figures=yes; shift; }
work=$(mktemp -d)
server=''
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

scripts/setup.sh webtest
./run --web --no-serve
[ -n "$figures" ] || scripts/build.sh web core_tests
scripts/setup.sh
scripts/build.sh release tilewalk  # what the page saves is held against what it writes

# What drives the browsers, of the versions that are written down, signed by their sums.
drive=.cache/web-test
mkdir -p "$drive"
if ! cmp -s tests/web/package-lock.json "$drive/package-lock.json" || [ ! -d "$drive/node_modules/axe-core" ]; then
  cp tests/web/package.json tests/web/package-lock.json "$drive/"
  npm ci --prefix "$drive" --ignore-scripts --no-audit --no-fund --loglevel=error
fi
cp tests/web/*.mjs "$drive/"

wait_for() {  # FILE PROCESS
  for _ in $(seq 100); do
    [ ! -s "$1" ] || return 0
    kill -0 "$2" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
Xvfb -displayfd 3 -screen 0 1920x1200x24 -noreset -nolisten tcp 3>"$work/display" >"$work/xvfb.log" 2>&1 &
server=$!
wait_for "$work/display" "$server" || { cat "$work/xvfb.log" >&2; exit 1; }
DISPLAY=:$(<"$work/display")
export TILEWALK_SERVE=$root/scripts/serve-web.py TILEWALK_NATIVE=$root/build/bin/tilewalk TILEWALK_SOURCE=$root
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe HOME=$work/home TMPDIR=$work
export XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache
mkdir -p "$HOME"
unset WAYLAND_DISPLAY XAUTHORITY
failed=0
if [ -n "$figures" ]; then
  for browser in ${1:-chromium firefox}; do
    node "$drive/measure.mjs" build-web/site "$browser" || failed=1
  done
  exit "$failed"
fi
# The zip for a host holds what is served here, and nothing else.
(cd build-web && cpack -B "$work/zip") >"$work/cpack.log" || { cat "$work/cpack.log" >&2; failed=1; }
python3 -m zipfile -e "$work"/zip/tilewalk-web-*.zip "$work/zip/site" && diff -r build-web/site "$work/zip/site" || failed=1
echo "The core's tests, in node:"
node build-web/bin/core_tests.js --no-colors || failed=1
for browser in ${1:-chromium firefox}; do
  node "$drive/run.mjs" build-web/site build-web/pictures "$browser" || failed=$((failed + 1))
done
echo "The page: $failed of its tests' programs failed, $(((SECONDS - begun + 59) / 60)) minutes in all"
[ "$failed" = 0 ]
