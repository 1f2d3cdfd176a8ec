#!/usr/bin/env bash
# Makes the pictures of the README anew, with the program itself: the stage at five steps in two themes, the
# window, the recorded GPU run, the model beside it, and the lessons.
# Needs a build, rsvg-convert (librsvg2-bin) and, for the window, xvfb-run.
set -euo pipefail
root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
tilewalk=$root/build/bin/tilewalk
out=$root/assets/pictures
mkdir -p "$out"

tile="Q tile 2 and K tile 3"
declare -A steps=(
  [1-load]="load V of $tile"
  [2-score]="score of $tile"
  [3-max]="row max of $tile"
  [4-output]="accumulate of $tile"
  [5-store]="store lse of Q tile 2"
)
for name in "${!steps[@]}"; do
  for theme in light projector; do
    "$tilewalk" export --preset toy --row 6 --at "${steps[$name]}" --size 1920x1080 --theme "$theme" --out - |
      rsvg-convert -o "$out/$name-$theme.png"
  done
done
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a "$tilewalk" --preset toy --at "row max of Q tile 2 and K tile 2" --size 1920x1080 \
  --screenshot "$out/window.png"
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a "$tilewalk" --preset toy --tab gpu --do gpu-benchmark --do gpu-run --do gpu-large \
  --gpu-seconds 15 --size 1920x1080 --screenshot "$out/gpu.png"
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a "$tilewalk" --board "curves?curve=against&gpu=h200-measured" --size 1920x1080 \
  --screenshot "$out/against.png"
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a "$tilewalk" --lesson 7 --beat 2 --do present-here --size 1920x1080 \
  --screenshot "$out/room.png"
# One picture a lesson, at the beat that shows its stage best.
beats=([1]=2 [2]=2 [3]=2 [4]=2 [5]=2 [6]=2 [7]=2 [8]=2 [9]=2 [10]=2 [11]=2 [12]=2 [13]=2?year=2026 [14]=8)
for lesson in "${!beats[@]}"; do
  LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a "$tilewalk" --open "tilewalk://lesson/$lesson/beat/${beats[$lesson]}" --size 1280x720 \
    --screenshot "$out/lesson-$(printf %02d "$lesson").png"
done
