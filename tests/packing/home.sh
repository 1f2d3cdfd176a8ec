#!/usr/bin/env bash
# Starts the window with a home folder that is looked at afterwards: files are written where the XDG folders are, or
# where their variables point, and nowhere else; the log keeps to its level; and nothing is drawn while nothing happens.
# Usage: home.sh TILEWALK
set -euo pipefail
[ -n "${DISPLAY:-}" ] || exit 77
tilewalk=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "home: $*" >&2; exit 1; }
mkdir "$place/work" "$place/home" "$place/other"
cd "$place/work"
export XDG_CONFIG_HOME='' XDG_DATA_HOME='' XDG_STATE_HOME='' XDG_CACHE_HOME='' XDG_PICTURES_DIR=''
export MESA_SHADER_CACHE_DISABLE=true  # it would be written by OpenGL, not by us
strays() { (cd "$place" && find . -type f "$@"); }

HOME=$place/home timeout 60 "$tilewalk" --lesson 1 --do part-forward --do quit 2>"$place/log" || fail "left with $?: $(cat "$place/log")"
for file in .config/tilewalk/settings.toml .local/share/tilewalk/progress.json .local/state/tilewalk/tilewalk.log; do
  [ -s "$place/home/$file" ] || fail "$file is missing"
done
stray=$(strays ! -path ./log ! -path './home/.config/tilewalk/*' ! -path './home/.local/share/tilewalk/*' ! -path './home/.local/state/tilewalk/*')
[ -z "$stray" ] || fail "written elsewhere: $stray"

rm -r "$place/home"
mkdir "$place/home"
HOME=$place/home XDG_CONFIG_HOME=$place/other/c XDG_DATA_HOME=$place/other/d XDG_STATE_HOME=$place/other/s \
  timeout 60 "$tilewalk" --log-level debug --lesson 1 --do quit 2>"$place/log" || fail "left with $?: $(cat "$place/log")"
stray=$(strays ! -path ./log ! -path './other/[cds]/tilewalk/*')
[ -z "$stray" ] || fail "written elsewhere although the variables are set: $stray"
grep -q ' DEBUG opened' "$place/other/s/tilewalk/tilewalk.log" || fail "the log lacks what --log-level debug adds"

rm -r "$place/other/s"
HOME=$place/home XDG_CONFIG_HOME=$place/other/c XDG_DATA_HOME=$place/other/d XDG_STATE_HOME=$place/other/s \
  timeout 60 "$tilewalk" --log-level error --lesson 1 --do quit 2>"$place/log" || fail "left with $?: $(cat "$place/log")"
[ ! -e "$place/other/s/tilewalk/tilewalk.log" ] || fail "the log says more than --log-level error: $(cat "$place/other/s/tilewalk/tilewalk.log")"
# A lesson that stands there: five seconds without a frame, as the log's finest level tells.
export HOME=$place/home
"$tilewalk" --log-level trace --lesson 1 2>"$place/log" &
program=$!
drawn() { grep -c ' TRACE drawn' "$HOME/.local/state/tilewalk/tilewalk.log" 2>/dev/null || true; }
quiet=no
for _ in $(seq 8); do  # the start, and the answer of the GPU worker, take as long as the machine needs
  before=$(drawn)
  sleep 5
  after=$(drawn)
  if [ "${before:-0}" -gt 0 ] && [ "$after" = "$before" ]; then quiet=yes; break; fi
done
kill $program && wait $program 2>/dev/null || true
[ "${after:-0}" -gt 0 ] || fail "the window was not drawn"
[ $quiet = yes ] || fail "$((after - before)) frames were drawn in the last 5 s, in which nothing happened"
echo "nothing written but in XDG folders; $before frames at the start, none in 5 s of nothing"
