#!/bin/sh
# SPDX-License-Identifier: MIT
# cufft_headers - our headers of cuFFT beside NVIDIA's, where these are installed (CUDA_HOME): each function that ours
# declare has the same prototype there, and each enumerator the same value. And the programs that conform to cuFFT
# compile against NVIDIA's headers, by nvcc where there is one.
cuda=${CUDA_HOME:-/usr/local/cuda}
theirs=$cuda/include
[ -e "$theirs/cufftXt.h" ] || { echo "left out: there is no cuFFT of NVIDIA's in $cuda"; exit 77; }
ours="$srcdir/include/vptr/cuda"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

prototypes() { # folder -> a line for each function
  printf '#include <cufftXt.h>\n' >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$1" -I"$srcdir/include" "$work/all.c" &&
    sed -nE 's/vptr_long_long/long long int/g; s/^.* extern cufftResult (cufft[A-Za-z0-9_]* \(.*;).*/\1/p' "$work/info" | sort -u
}

if $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" && [ -e "$work/info" ]; then
  prototypes "$ours" >"$work/ours" && prototypes "$theirs" >"$work/theirs" || status=1
  [ "$(wc -l <"$work/ours")" -gt 30 ] || { echo "hardly a function was found in ours"; status=1; }
  comm -23 "$work/ours" "$work/theirs" >"$work/other"
  [ ! -s "$work/other" ] || { cat "$work/other"; echo "^ NVIDIA's has other prototypes"; status=1; }
else
  echo "left out in part: $CC cannot list prototypes (-aux-info)"
fi

# The numbers of the version are ours.
grep -oE '^  (typedef .*)?CUFFT_[A-Za-z0-9_]+ = |[{] CUFFT_[A-Za-z0-9_]+ = ' "$ours/cufft.h" | sed 's/^[ {]*//; s/ = //' |
  sort -u >"$work/names"
printf 'CUFFT_FORWARD\nCUFFT_INVERSE\nCUFFT_PLAN_NULL\nMAX_CUFFT_ERROR\n' >>"$work/names"
{
  printf '#include <stdio.h>\n#include <cufft.h>\nint main(void) {\n'
  sed 's/.*/  printf("& %d\\n", (int)&);/' "$work/names"
  printf '  return 0;\n}\n'
} >"$work/values.c"
$CC -I"$ours" -I"$srcdir/include" "$work/values.c" -o "$work/our-values" && "$work/our-values" >"$work/ours" &&
  $CC -I"$theirs" "$work/values.c" -o "$work/their-values" && "$work/their-values" >"$work/theirs" || status=1
[ -s "$work/ours" ] && diff "$work/ours" "$work/theirs" || { echo '^ values, ours before NVIDIA'\''s'; status=1; }

compile=${NVCC:-$cuda/bin/nvcc}
command -v "$compile" >"$work/err" || compile="$CC -I$theirs"
for program in "$srcdir"/tests/cufft/conform_*.c; do
  if grep -q 'fft_check' "$program" && ! printf '#include <fftw3.h>\n' | $CC -fsyntax-only -x c - 2>"$work/err"; then
    echo "left out in part: $program needs FFTW (libfftw3-dev)"
    continue
  fi
  $compile -D_GNU_SOURCE -I"$srcdir/tests/cufft" -c "$program" -o "$work/program.o" || { echo "^ $program"; status=1; }
done
exit $status
