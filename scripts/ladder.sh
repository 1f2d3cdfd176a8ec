#!/usr/bin/env bash
# How far apart the rungs of the ladder are: the lines that change from each kernel to the next, of the kernel part, as
# `git diff --no-index` counts them. The kernel part begins after a file's head and #includes and ends where its host
# part does; blank lines and lines of comment alone do not count.
# usage: scripts/ladder.sh [--diff RUNG]    --diff fa2: the difference itself, from the rung before to fa2
set -euo pipefail
cd "$(dirname "$0")/../kernels"
rungs=(naive tiled fa1 fa2 fa3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for rung in "${rungs[@]}"; do
  sed -e '1,/^namespace {/d' -e '/^\/\/ ---- Host/,$d' "$rung.cu" | grep -v -E '^ *(//.*)?$' >"$work/$rung.cu"
done

if [ "${1:-}" = --diff ]; then
  before=
  for rung in "${rungs[@]}"; do
    [ "$rung" != "${2:-}" ] || exec git diff --no-index --color=auto "$work/${before:-$rung}.cu" "$work/$rung.cu"
    before=$rung
  done
  echo "ladder.sh: no rung is called ${2:-}; there are ${rungs[*]}" >&2
  exit 2
fi

printf '%-16s %8s %8s %8s\n' rung lines new changed
before=
for rung in "${rungs[@]}"; do
  lines=$(wc -l <"$work/$rung.cu")
  if [ -z "$before" ]; then
    printf '%-16s %8d %8s %8s\n' "$rung" "$lines" - -
  else
    stat=$(git diff --no-index --shortstat "$work/$before.cu" "$work/$rung.cu" || true)
    added=$(grep -o '[0-9]* insertion' <<<"$stat" | grep -o '[0-9]*' || echo 0)
    removed=$(grep -o '[0-9]* deletion' <<<"$stat" | grep -o '[0-9]*' || echo 0)
    printf '%-16s %8d %8d %8d\n' "$rung" "$lines" "$added" $((added + removed))
  fi
  before=$rung
done
