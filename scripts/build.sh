#!/usr/bin/env bash
# Configures the build folder of a preset (CMakePresets.json) if need be, and builds the targets. Silent when there is
# nothing to do. Everything it says goes to standard error.
# Usage: scripts/build.sh PRESET TARGET...
set -euo pipefail

cd "${BASH_SOURCE[0]%/*}/.."
preset=$1; shift
case $preset in
  release) folder=build ;;
  *) folder=build-$preset ;;
esac

# One at a time in one folder.
mkdir -p "$folder"
exec 9>"$folder/.lock"
flock 9

# A folder that was configured by something else, or for a checkout that has moved since, is configured afresh.
if [ ! -e "$folder/build.ninja" ] || ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$folder/CMakeCache.txt"; then
  cmake --fresh --preset "$preset" ${IMGUI_SOURCE_DIR:+"-DIMGUI_SOURCE_DIR=$IMGUI_SOURCE_DIR"} >&2
fi
if [[ $(ninja -C "$folder" -n "$@" 2>&1) != *"no work to do"* ]]; then
  ninja -C "$folder" "$@" >&2
fi
