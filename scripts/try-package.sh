#!/usr/bin/env bash
# Tries the packages on a machine without build tools, and without any software of NVIDIA's: makes a bare Debian 12 in a
# folder (debootstrap), installs the .deb there with dpkg, exports a picture, walks a schedule and a lesson, opens the
# window on a display of its own and takes steps in it with keys; then takes the package away again and does the same
# with the .tar.gz. Says how large things are, and leaves with 0 only if all of it worked.
# Usage, as root on a Debian with debootstrap, after `cpack` in build/: scripts/try-package.sh FOLDER [PACKAGE.deb ARCHIVE.tar.gz]
set -euo pipefail

here=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
usage="usage: scripts/try-package.sh FOLDER [PACKAGE.deb ARCHIVE.tar.gz]"
folder=${1:?$usage}
deb=${2:-$(ls "$here"/build/tilewalk_*.deb)} archive=${3:-$(ls "$here"/build/tilewalk-*.tar.gz)}
. "$here/scripts/bare-root.sh"

make_bare_root "$folder" bookworm
mkdir -p "$folder/root/packages"
cp "$deb" "$folder/root/packages/tilewalk.deb"
cp "$archive" "$folder/root/packages/tilewalk.tar.gz"

cat >"$folder/root/packages/try.sh" <<'EOF'
set -eu
cd /root/packages
quietly() { "$@" >log 2>&1 || { cat log; echo "try-package: $* failed"; exit 1; }; }

# try PROGRAM WHAT: without a display first, then on one.
try() {
  echo "== $2: $($1 --version)"
  $1 export --preset toy --at "last rescale" --out "$2.svg"
  grep -q '</svg>' "$2.svg"
  beats=0
  while words=$($1 describe "tilewalk://lesson/6/beat/$((beats + 1))" 2>&1) && ! echo "$words" | grep -q "out of range"; do
    beats=$((beats + 1))
  done
  [ "$beats" -gt 3 ]
  steps=$($1 walk --preset micro | wc -l)
  [ "$steps" -gt 20 ]
  echo "   picture exported, $steps lines of a walk, $beats beats of lesson 6, all without a display"
  quietly xvfb-run -a -s "-screen 0 1920x1080x24" $1 --lesson 6 --beat 2 --screenshot "$2.png"
  code=0
  xvfb-run -a -s "-screen 0 1920x1080x24" timeout 8 $1 tilewalk://lesson/6/beat/2 >log 2>&1 || code=$?
  [ "$code" = 124 ] || { cat log; echo "try-package: the window was left with $code"; exit 1; }
  echo "   picture of the window taken; the window opens by a link and stays open"
  hands "$1"
  worker "$1"
}

# hands PROGRAM: a first start, by somebody who presses → twice and leaves; then a second start.
hands() {
  home=$(mktemp -d)
  cat >hands.sh <<'HANDS'
HOME=$1 "$2" &
program=$!
for k in $(seq 100); do xdotool search --name '^Tilewalk$' >/dev/null 2>&1 && break; sleep 0.2; done
sleep 2
xdotool mousemove 900 400
for k in $3; do xdotool key "$k"; sleep 0.7; done
wait $program
HANDS
  quietly xvfb-run -a -s "-screen 0 1920x1080x24" timeout 60 sh hands.sh "$home" "$1" "Right Right ctrl+q"
  grep -q '^coach_seen = true' "$home/.config/tilewalk/settings.toml" || { echo "try-package: the steps were not taken"; exit 1; }
  grep -q '"beat": *2' "$home/.local/share/tilewalk/progress.json" || { cat "$home/.local/share/tilewalk/progress.json"; exit 1; }
  quietly xvfb-run -a -s "-screen 0 1920x1080x24" timeout 60 sh hands.sh "$home" "$1" "ctrl+q"
  grep -q 'where you stopped' "$home/.local/state/tilewalk/tilewalk.log"
  # Nothing is written but where the XDG folders are; the shader cache is Mesa's.
  stray=$(cd "$home" && find . -type f ! -path './.config/tilewalk/*' ! -path './.local/share/tilewalk/*' \
            ! -path './.local/state/tilewalk/*' ! -path './.cache/mesa*')
  [ -z "$stray" ] || { echo "try-package: written outside its folders: $stray"; exit 1; }
  echo "   lesson 1 begun by two keys, gone on with at the next start; nothing written outside XDG folders"
  rm -r "$home"
}

# worker PROGRAM: what becomes of the GPU worker where there is nothing of NVIDIA's.
worker() {
  gpu=$(dirname "$(command -v "$1")")/tilewalk-gpu
  if [ ! -e "$gpu" ]; then
    echo "   no GPU worker in this package"
    return
  fi
  ! ldconfig -p | grep -q 'libcuda\|libnvidia\|libcudart' || { echo "try-package: there is software of NVIDIA's here"; exit 1; }
  ! ldd "$gpu" | grep 'not found' || exit 1
  code=0
  "$gpu" info >log 2>&1 || code=$?
  [ "$code" = 3 ] && grep -qi driver log || { cat log; echo "try-package: tilewalk-gpu info left with $code"; exit 1; }
  grep 'GPU worker' /root/.local/state/tilewalk/tilewalk.log | tail -n 1 | sed 's/^[^ ]* */   the window: /'
  grep -q 'GPU worker: .*driver' /root/.local/state/tilewalk/tilewalk.log || exit 1
}

for tool in cc c++ make cmake ninja pkg-config; do
  ! command -v $tool || { echo "try-package: $tool is there; this is not a bare system"; exit 1; }
done
quietly apt-get -q update
dpkg -i tilewalk.deb >log 2>&1 || quietly apt-get -q -y --no-install-recommends -f install
dpkg -s tilewalk | grep -q '^Status: install ok installed'
echo "packages: $(du -h tilewalk.deb | cut -f1) .deb, $(du -h tilewalk.tar.gz | cut -f1) .tar.gz, $(dpkg -s tilewalk | sed -n 's/^Installed-Size: //p') KB installed"
dpkg -s tilewalk | grep '^Depends'
quietly apt-get -q -y --no-install-recommends install xvfb xauth libgl1-mesa-dri xdotool
export LIBGL_ALWAYS_SOFTWARE=1
try tilewalk deb
[ -s /root/.local/state/tilewalk/tilewalk.log ]

# The archive brings its libraries: those of the package go.
quietly apt-get -q -y purge tilewalk
quietly apt-get -q -y autoremove
if ls /usr/bin/tilewalk /usr/share/tilewalk 2>/dev/null || ls /usr/lib/*/libfmt.so* 2>/dev/null; then
  echo "try-package: the package left something behind"
  exit 1
fi
mkdir -p unpacked
tar -xzf tilewalk.tar.gz --strip-components=1 -C unpacked
try "$PWD/unpacked/bin/tilewalk" archive
before=$(cat /root/.local/state/tilewalk/tilewalk.log | wc -c)
xvfb-run -a timeout 5 unpacked/bin/tilewalk --portable --lesson 1 >log 2>&1 || true
[ -s unpacked/bin/tilewalk-data/state/tilewalk.log ]
[ "$before" = "$(cat /root/.local/state/tilewalk/tilewalk.log | wc -c)" ]
echo "   --portable keeps its files beside the program"
EOF
in_bare_root "$folder" /root/packages sh try.sh
