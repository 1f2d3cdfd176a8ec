#!/usr/bin/env bash
# The untraced kernels must not pay for the traced build. Compiles a kernel file twice, as it is and with its STEP
# headings taken out (TILEWALK_NO_TRACE), and compares the machine code of every kernel instance: all but the
# traced ones must agree, byte by byte. Needs nvcc and readelf, no GPU.
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
"${compiler[@]}" "$@" -DTILEWALK_NO_TRACE -c -cubin -o "$work/without.cubin" "$source"

# code FILE: one line "kernel digest" for each kernel of a cubin, whose code is section .text.<kernel>.
code() {
  readelf -SW "$1" 2>/dev/null | sed -n 's/^ *\[ *[0-9]*\] \.text\.\([^ ]*\) *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2 \3/p' |
    while read -r kernel offset size; do
      echo "$kernel $(tail -c +$((16#$offset + 1)) "$1" | head -c $((16#$size)) | sha256sum | cut -c1-16) $((16#$size))"
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
    echo "untraced.sh: $kernel is another kernel without the headings"
    status=1
  fi
done <"$work/with"
echo "$source: $same kernels are the same with and without the headings; $traced are traced and differ"
[ "$same" -gt 0 ] || { echo "untraced.sh: no kernel is the same"; status=1; }
exit $status
