#!/usr/bin/env bash
# Fetches, once, what building Tilewalk for a browser needs beyond scripts/setup.sh, into .cache/web: Debian 13's
# Emscripten, and the sources of the libraries that are part of the program there. Debian 12's own Emscripten is too old.
# Everything is signed by Debian's archive keys and comes from the mirror that apt uses. Takes 250 MB of network and
# 2.5 GB of disk. Does nothing, quickly, when everything is there.
# Usage: scripts/setup-web.sh
set -euo pipefail

root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
cache=$root/.cache
web=$cache/web
. "$root/scripts/private-apt.sh"

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup-web: $*"; exit 1; }

# In .cache/web: tools/ (Emscripten and what it runs, unpacked), binaryen/bin/ (the same programs as this system can run
# them), source/NAME/ (what the program is built with).
tools=(emscripten binaryen node-acorn node-xtend libc6 libgcc-s1 libstdc++6)
# Of this system's release, so that pictures and numbers are the native program's; md4c's as its authors packed it.
sources=(freetype fmtlib giflib)
complete="4 ${tools[*]} ${sources[*]} md4c imgui"

"$root/scripts/setup.sh" web
mkdir -p "$cache"
exec 9>"$cache/web.lock"
flock 9
[ ! -r "$web/complete" ] || [ "$(<"$web/complete")" != "$complete" ] || exit 0

. /etc/os-release
[ "$(dpkg --print-architecture)" = amd64 ] || fail "this has been tried on amd64 alone, and takes amd64's programs."
[ -r "$debian_keys" ] || fail "$debian_keys is missing; install the package debian-archive-keyring."
mirror=$("$root/scripts/debian-mirror.sh" "$VERSION_CODENAME")
[ -n "$mirror" ] || fail "no Debian mirror for $VERSION_CODENAME was found in apt's sources; try apt-get update."

work=$cache/web-fetch log=$cache/web-fetch.log
say "Fetching Emscripten (Debian 13's, 250 MB) and five libraries' sources from the mirror that apt uses."
make_private_apt "$work" "deb TRUST $mirror trixie main" "deb-src TRUST $mirror trixie main" \
  "deb-src TRUST $mirror $VERSION_CODENAME main"
apt=(apt-get -q -c "$work/apt.conf")
if ! { "${apt[@]}" update &&
       (cd "$work/cache" && "${apt[@]}" download "${tools[@]}") &&
       (cd "$work/source" && "${apt[@]}" source --download-only imgui/trixie "${sources[@]/%//$VERSION_CODENAME}" &&
        "${apt[@]}" source --download-only --tar-only "md4c/$VERSION_CODENAME"); } >"$log" 2>&1; then
  grep '^[EW]: ' "$log" | tail -n 8 >&2 || tail -n 8 "$log" >&2
  fail "Emscripten could not be fetched: the network or the mirror is away, or Debian's keys did not sign what came." \
       "The whole log: $log"
fi

say "Unpacking."
mkdir -p "$work/web/tools" "$work/web/binaryen/bin" "$work/web/source"
for package in "$work"/cache/*.deb; do dpkg-deb -x "$package" "$work/web/tools"; done
for name in imgui "${sources[@]}"; do
  dpkg-source -q --no-copy -x "$work/source/${name}"_*.dsc "$work/web/source/$name" >>"$log" 2>&1 ||
    fail "the source of $name could not be unpacked; see $log"
done

mkdir "$work/web/source/md4c"
tar -xf "$work"/source/md4c_*.orig.tar.* -C "$work/web/source/md4c" --strip-components=1

# Binaryen's programs want Debian 13's C library: they run through its loader.
cat >"$work/web/binaryen/run" <<'END'
#!/bin/sh
here=$(cd "${0%/*}/../.." && pwd -P)
libraries=$here/tools/usr/lib/x86_64-linux-gnu
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/tools/usr/bin/${0##*/}" "$@"
END
chmod +x "$work/web/binaryen/run"
for program in "$work"/web/tools/usr/bin/wasm*; do ln -s ../run "$work/web/binaryen/bin/${program##*/}"; done

# Emscripten looks for both beside itself.
ln -s ../nodejs "$work/web/tools/usr/share/emscripten/node_modules"
cat >"$work/web/tools/usr/share/emscripten/.emscripten" <<'END'
import os, shutil
from tools.utils import path_from_root
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = os.path.normpath(path_from_root('../../../../binaryen'))
NODE_JS = shutil.which('node') or shutil.which('nodejs')
FROZEN_CACHE = True
END

echo "$complete" >"$work/web/complete"
rm -rf "$web"
mv "$work/web" "$web"
rm -rf "$work"
