#!/bin/sh
# SPDX-License-Identifier: MIT
# cublas_headers - our headers of cuBLAS beside NVIDIA's, where these are installed (CUDA_HOME): each function that ours
# declare has the same prototype there, and each enumerator the same value. And the programs that conform to cuBLAS
# compile against NVIDIA's headers, by nvcc where there is one.
cuda=${CUDA_HOME:-/usr/local/cuda}
theirs=$cuda/include
[ -e "$theirs/cublas_api.h" ] || { echo "left out: there is no cuBLAS of NVIDIA's in $cuda"; exit 77; }
ours="$srcdir/include/vptr/cuda"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# prototypes HEADER FOLDER: a line for each function. One of NVIDIA's takes nothing by the old form. Numbers of 16 bits are hidden from C in NVIDIA's.
prototypes() {
  printf '#include <%s>\n' "$1" >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$2" -I"$srcdir/include" "$work/all.c" &&
    sed -nE 's/vptr_long_long/long long int/g; s/\(\/\* \?\?\? \*\/\)/(void)/; s/^.* extern [A-Za-z_ ]* \*?(cublas[A-Za-z0-9_]* \(.*;).*/\1/p' \
      "$work/info" |
    grep -vE "__half_raw|__nv_bfloat16" | sort -u
}

if $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" && [ -e "$work/info" ]; then
  for header in cublas_v2.h cublas.h cublasLt.h; do
    prototypes $header "$ours" >"$work/ours" && prototypes $header "$theirs" >"$work/theirs" || status=1
    grep -q cublasLt "$work/ours" || [ "$(wc -l <"$work/ours")" -gt 400 ] || { echo "$header: hardly a function was found in ours"; status=1; }
    comm -23 "$work/ours" "$work/theirs" >"$work/other"
    [ ! -s "$work/other" ] || { cat "$work/other"; echo "^ $header: NVIDIA's has other prototypes"; status=1; }
  done
else
  echo "left out in part: $CC cannot list prototypes (-aux-info)"
fi

# The numbers of the version are ours.
grep -ohE 'CUBLAS(LT)?_[A-Za-z0-9_]+ = ' "$ours/cublas_api.h" "$ours/cublasLt.h" | sed 's/ = //' | sort -u >"$work/names"
{
  printf '#include <stdio.h>\n#include <cublas_api.h>\n#include <cublasLt.h>\nint main(void) {\n'
  sed 's/.*/  printf("& %d\\n", (int)&);/' "$work/names"
  printf '  return 0;\n}\n'
} >"$work/values.c"
$CC -I"$ours" -I"$srcdir/include" "$work/values.c" -o "$work/our-values" && "$work/our-values" >"$work/ours" &&
  $CC -I"$theirs" "$work/values.c" -o "$work/their-values" && "$work/their-values" >"$work/theirs" || status=1
[ -s "$work/ours" ] && diff "$work/ours" "$work/theirs" || { echo '^ enumerators, ours before NVIDIA'\''s'; status=1; }

compile=${NVCC:-$cuda/bin/nvcc}
command -v "$compile" >"$work/err" || compile="$CC -I$theirs"
for program in "$srcdir"/tests/cublas/conform_*.c; do
  if grep -q 'blas_c' "$program" && ! printf '#include <cblas.h>\n' | $CC -fsyntax-only -x c - 2>"$work/err"; then
    echo "left out in part: $program needs CBLAS (libblas-dev)"
    continue
  fi
  $compile -D_GNU_SOURCE -I"$srcdir/tests/cublas" -c "$program" -o "$work/program.o" || { echo "^ $program"; status=1; }
done
exit $status
