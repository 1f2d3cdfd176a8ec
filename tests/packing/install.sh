#!/usr/bin/env bash
# Installs into a folder of its own and starts the program from there: what it needs at run time must be found in the
# installation, without the source tree. Usage: install.sh BUILD-FOLDER CMAKE
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "install: $*" >&2; exit 1; }

"$2" --install "$1" --prefix "$place/usr" --component program >"$place/log" || fail "cmake --install failed: $(tail -n 3 "$place/log")"
cd /
export HOME=$place/home XDG_CONFIG_HOME='' XDG_DATA_HOME='' XDG_STATE_HOME='' XDG_CACHE_HOME=''
tilewalk=$place/usr/bin/tilewalk
share=$place/usr/share

"$tilewalk" describe tilewalk://lesson/6/beat/2 | grep -q '^Lesson 6: ' || fail "the lessons are not found"
"$tilewalk" describe 'tilewalk://walk?inputs=trained-head' | grep -q 'induction-head.safetensors' || fail "the trained head is not found"
"$tilewalk" export --preset micro --out "$place/a.svg" && grep -q '</svg>' "$place/a.svg" || fail "no picture is exported"
[ -s "$share/tilewalk/recordings/h200.json" ] || fail "the recordings are missing"
[ ! -e "$place/home" ] || fail "something was written into the home folder"

# What the desktop reads names what is there.
id=alt.tilewalk.tilewalk
desktop=$share/applications/$id.desktop
metainfo=$share/metainfo/$id.metainfo.xml
[ -x "$place/usr/bin/$(sed -n 's/^Exec=\([a-z]*\).*/\1/p' "$desktop")" ] || fail "Exec names no program"
icon=$(sed -n 's/^Icon=//p' "$desktop")
for size in 16 24 32 48 64 128 256 512; do
  file=$share/icons/hicolor/${size}x$size/apps/$icon.png
  [ "$(head -c 8 "$file" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "$file is no PNG"
  [ $((16#$(head -c 20 "$file" | tail -c 4 | od -An -tx1 | tr -d ' '))) = $size ] || fail "$file has another size"
done
grep -q '</svg>' "$share/icons/hicolor/scalable/apps/$icon.svg" || fail "the icon as SVG is missing"
for type in $(sed -n 's/^MimeType=//p' "$desktop" | tr ';' ' '); do
  grep -q "<mime-type type=\"$type\">" "$share/mime/packages/tilewalk.xml" || fail "$type is not described"
  grep -q "<mediatype>$type</mediatype>" "$metainfo" || fail "$type is not in the metainfo"
done
grep -q "<release version=\"$("$tilewalk" --version | sed 's/tilewalk //')\"" "$metainfo" ||
  fail "the metainfo is of another version"
if command -v xmllint >/dev/null; then
  xmllint --noout "$metainfo" "$share/mime/packages/tilewalk.xml" "$place/a.svg" || fail "no valid XML"
fi
grep -q "<id>$id</id>" "$metainfo" && grep -q ">$id.desktop</launchable>" "$metainfo" || fail "the metainfo is of another id"
if command -v appstreamcli >/dev/null; then
  appstreamcli validate --no-net "$metainfo" >"$place/log" || fail "$(cat "$place/log")"
fi
if command -v desktop-file-validate >/dev/null; then
  desktop-file-validate "$desktop" >"$place/log" 2>&1 && [ ! -s "$place/log" ] || fail "$(cat "$place/log")"
fi
# A desktop with a MIME database knows a recording by its name, and the type by its own.
if command -v update-mime-database >/dev/null; then
  update-mime-database "$share/mime" 2>"$place/log" || fail "$(cat "$place/log")"
  grep -q '^60:application/x-tilewalk-run+json:\*.run.json' "$share/mime/globs2" || fail "a recording has no type of its own"
fi
[ -s "$share/doc/tilewalk/copyright" ] || fail "the licences are missing"
echo "installed and started from $place"
