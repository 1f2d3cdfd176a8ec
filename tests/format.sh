#!/usr/bin/env bash
# Whether every source file is as .clang-format has it and no line is over 120 columns. clang-format 14 alone is asked:
# other versions break lines elsewhere. Names each file that differs, and the command that mends it.
# Usage: tests/format.sh [FILE...]      without files: all of the repository's. Leaves with 77 where version 14 is not there.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

formatter=
for candidate in clang-format-14 clang-format; do
  if [[ $("$candidate" --version 2>/dev/null || true) == *"version 14."* ]]; then
    formatter=$candidate
    break
  fi
done
if [ -z "$formatter" ]; then
  echo "Skipped: clang-format 14 is not installed (Debian 12: clang-format, elsewhere clang-format-14)."
  exit 77
fi

if [ $# = 0 ]; then
  mapfile -t files < <(find app core kernels tests -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' | LC_ALL=C sort)
  set -- "${files[@]}"
fi
[ $# -gt 0 ] || { echo "No source files were found."; exit 1; }

bad=0
differ=$("$formatter" --dry-run "$@" 2>&1 | sed -n 's/^\([^:]*\):[0-9].*clang-format-violations.*/\1/p' | sort -u)
if [ -n "$differ" ]; then
  echo "Not as .clang-format has it; $formatter -i mends it:"
  echo "$differ"
  bad=1
fi
# Columns, not bytes: what follows the first byte of a character in UTF-8 does not count.
long=$(LC_ALL=C awk '{ line = $0; gsub(/[\200-\277]/, "", line) } length(line) > 120 { print FILENAME ":" FNR }' "$@")
if [ -n "$long" ]; then
  echo "Over 120 columns:"
  echo "$long"
  bad=1
fi
exit $bad
