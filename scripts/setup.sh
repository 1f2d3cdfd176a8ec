#!/usr/bin/env bash
# Installs what building Tilewalk needs and is missing here: packages with apt, and on Debian 12, whose Dear ImGui is too
# old, the source of Debian 13's in .cache/imgui. No CUDA: it is optional and not installed here.
# Usage: scripts/setup.sh [test | web | webtest]
#   with `test`, also what only the tests need; with `web`, what building for a browser does, and `webtest`, testing that
# Asks nothing. Does nothing, quickly, when everything is there. IMGUI_SOURCE_DIR=... spares fetching Dear ImGui.
set -euo pipefail

root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
cache=$root/.cache
purpose=${1:-run}
. "$root/scripts/private-apt.sh"

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

# ---- Which packages, by system. One list; imgui is what differs.
packages=(
  g++ cmake ninja-build ccache git pkg-config
  libglfw3-dev libgl-dev libfreetype-dev libgif-dev python3-glad
  nlohmann-json3-dev libtomlplusplus-dev libmd4c-dev libmd4c-html0-dev libcli11-dev libfmt-dev libstb-dev doctest-dev
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core libwebsockets-dev libqrencode-dev
)
test_packages=(xvfb libgl1-mesa-dri python3-pil poppler-utils)
web_packages=(clang-19 lld-19 llvm-19 nodejs python3 dpkg-dev debian-archive-keyring libfast-float-dev brotli)
imgui_from_source=no

note='' ID=unknown VERSION_ID='' PRETTY_NAME='this system'
if [ -r /etc/os-release ]; then . /etc/os-release; fi
case "$ID:$VERSION_ID" in
  debian:12) packages+=(dpkg-dev) imgui_from_source=yes test_packages+=(clang-format) ;;
  debian:13 | ubuntu:24.04) packages+=(libimgui-dev) ;;
  *) packages+=(libimgui-dev)
     note="$PRETTY_NAME is not one of the tried systems (Debian 12, Debian 13, Ubuntu 24.04): taking Debian 13's packages." ;;
esac
[ "$purpose" != test ] || packages+=("${test_packages[@]}")
[ "$purpose" != web ] || packages+=("${web_packages[@]}")
if [ "$purpose" = webtest ]; then
  packages+=("${test_packages[@]}" chromium firefox-esr)
  command -v npm >/dev/null || packages+=(npm)
fi
[ -z "${IMGUI_SOURCE_DIR:-}" ] || imgui_from_source=no

# ---- Nothing to do? The stamp names the system and the list, and is newer than the last change to the packages.
machine=$([ ! -r /etc/machine-id ] || echo "$(</etc/machine-id)")
wanted="$ID $VERSION_ID $machine ${packages[*]}"
stamp=$cache/installed-$purpose
imgui_there() { [ $imgui_from_source = no ] || [ -e "$cache/imgui/.complete" ]; }
if [ -r "$stamp" ] && [ "$(<"$stamp")" = "$wanted" ] && [ ! /var/lib/dpkg/status -nt "$stamp" ] && imgui_there; then
  exit 0
fi

# ---- Packages.
missing_packages() {
  local there package
  there=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "${packages[@]}" 2>/dev/null || true)"
  for package in "${packages[@]}"; do
    [[ $there == *" $package=installed "* ]] || printf '%s ' "$package"
  done
}

install_packages() {
  local missing as_root log=$cache/apt.log
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  [ -z "$note" ] || say "$note"
  if [ "$(id -u)" = 0 ]; then
    as_root=()
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=(sudo)
  else
    say "These packages are missing and installing them needs root. Please run, or ask an administrator to run:"
    say "  apt-get install -y --no-install-recommends ${missing% }"
    exit 1
  fi
  say "Installing with apt: ${missing% }"
  # A failed update is not the end: another vendor's list may be broken, or what is known already may do.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get -q
             -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2)
  if ! { "${apt[@]}" update || true; "${apt[@]}" install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    grep '^[EW]: ' "$log" | tail -n 8 >&2 || tail -n 8 "$log" >&2
    fail "apt could not install the packages above. Is the network there? The whole log: $log"
  fi
}

# ---- Dear ImGui's source from Debian 13, on Debian 12.
fetch_imgui() {
  local work=$cache/imgui-fetch log=$cache/imgui-fetch.log mirror
  local otherwise="Or give a source folder of Dear ImGui 1.90 or newer: IMGUI_SOURCE_DIR=/path/to/imgui"
  [ -r "$debian_keys" ] || fail "$debian_keys is missing; install the package debian-archive-keyring. $otherwise"
  mirror=$("$root/scripts/debian-mirror.sh" "$VERSION_CODENAME")
  [ -n "$mirror" ] || fail "no Debian mirror for $VERSION_CODENAME was found in apt's sources; try apt-get update. $otherwise"
  say "Fetching the source of Dear ImGui (Debian 13's) from the mirror that apt uses."

  make_private_apt "$work" "deb-src TRUST $mirror trixie main"
  if ! { apt-get -q -c "$work/apt.conf" update &&
         (cd "$work/source" && apt-get -q -c "$work/apt.conf" source --download-only imgui); } >"$log" 2>&1; then
    grep '^[EW]: ' "$log" | tail -n 8 >&2 || tail -n 8 "$log" >&2
    fail "Dear ImGui's source could not be fetched: the network or the mirror is away, or Debian's keys did not sign" \
         "what came. The whole log: $log. $otherwise"
  fi
  dpkg-source -q -x "$work"/source/imgui_*.dsc "$work/imgui" >>"$log" 2>&1 || fail "the source of Dear ImGui could not be unpacked; see $log"

  # In place at one stroke: a half-finished try never looks like a whole one.
  touch "$work/imgui/.complete"
  rm -rf "$cache/imgui"
  mv "$work/imgui" "$cache/imgui"
  rm -rf "$work"
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  install_packages
else
  say "$PRETTY_NAME has no apt. Trying with what is installed; the equivalents of these are needed: ${packages[*]}"
fi
imgui_there || fetch_imgui
printf '%s' "$wanted" >"$stamp"
