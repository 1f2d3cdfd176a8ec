#!/usr/bin/env bash
# The kernels as they are must not pay for the traced build, nor for those with a switch. Compiles a kernel file twice,
# as it is, and with its STEP headings (TILEWALK_NO_TRACE) and every comparison with kSwitch taken out of the source,
# and compares the machine code of every kernel instance: all but the traced ones must agree, byte by byte. Needs nvcc
# and readelf, no GPU.
# usage: untraced.sh NVCC FILE.cu [NVCC-OPTION...]
set -euo pipefail
nvcc=$1 source=$2
shift 2
command -v readelf >/dev/null || { echo "untraced.sh: needs readelf, of binutils"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ccache keeps what it has seen; without -c it would not take -cubin.
compiler=("$nvcc")
! command -v ccache >/dev/null || compiler=(ccache "$nvcc")
"${compiler[@]}" "$@" -c -cubin -o "$work/with.cubin" "$source"
# A copy of the kernels in which no switch is known: it comes first where headers are looked for.
cp -r "$(dirname "$source")" "$work/kernels"
find "$work/kernels" -name '*.cu*' -exec sed -E -i \
  -e 's/kSwitch == Switch::None/true/g' \
  -e 's/(C::)?kSwitch == Switch::[A-Z][A-Za-z0-9]+/false/g' \
  -e 's/(C::)?kSwitch != Switch::[A-Z][A-Za-z0-9]+/true/g' {} +
"${compiler[@]}" "-I$work" "$@" -DTILEWALK_NO_TRACE -c -cubin -o "$work/without.cubin" \
  "$work/kernels/$(basename "$source")"

# code FILE: one line "kernel digest" for each kernel of a cubin, whose code is section .text.<kernel>. What the
# compiler puts before a name for the file that it is in is left out.
code() {
  readelf -SW "$1" 2>/dev/null | sed -n 's/^ *\[ *[0-9]*\] \.text\.\([^ ]*\) *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2 \3/p' |
    while read -r kernel offset size; do
      name=$(sed -E 's/.*_GLOBAL__N__[0-9a-f]+_[0-9]+_\w+_cu_[0-9a-f]{8}(_[0-9]+|[0-9]+)//' <<<"$kernel")
      echo "$name $(tail -c +$((16#$offset + 1)) "$1" | head -c $((16#$size)) | sha256sum | cut -c1-16) $((16#$size))"
    done | sort
}
code "$work/with.cubin" >"$work/with"
code "$work/without.cubin" >"$work/without"

# A kernel's last flag (template argument of type bool, mangled "Lb1E" for true) says whether the instance is traced.
same=0 traced=0 status=0
while read -r kernel digest bytes; do
  flags=${kernel##*Lb}
  if grep -qx "$kernel $digest $bytes" "$work/without"; then
    same=$((same + 1))
  elif [ "$flags" != "$kernel" ] && [ "${flags:0:2}" = 1E ]; then
    traced=$((traced + 1))
  else
    echo "untraced.sh: $kernel is another kernel without the headings and switches"
    status=1
  fi
done <"$work/with"
echo "$source: $same kernels are the same with and without the headings and switches; $traced are traced and differ"
[ "$same" -gt 0 ] || { echo "untraced.sh: no kernel is the same"; status=1; }
exit $status
