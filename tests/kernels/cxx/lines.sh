#!/bin/sh
# SPDX-License-Identifier: MIT
# lines - of each piece of kernel C the translator knows the program's file and line, also of what people did not write: loops
# over a block's threads, declarations, the kernels behind them. It is seen in what --dump tells.
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tests/kernels/vptrcc --front-end=clang -x cu -c -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}
cat >"$work/lines.cu" <<'EOF'
#include "given.h"
template <class T> __global__ void sums(T *x) {
  __shared__ T all[32]; T value = x[threadIdx.x];
  given(all + threadIdx.x, value);
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(~0u, value, offset);
  if (threadIdx.x == 0)
    x[0] = value + all[x[1] & 31];
}
template __global__ void sums<int>(int *);
template __global__ void sums<unsigned>(unsigned *);

template <class T> __global__ void doubled(T *x) {
  x[threadIdx.x] *= 2;
}
template __global__ void doubled<int>(int *);
EOF
# its only line of code has the number of the one that comes before it in the kernel
printf '\n\ntemplate <class T> __device__ void given(T *to, T x) { *to = x * T(3); }\n' >"$work/given.h"
status=0
complain() { echo "$1"; cat "$work/dump"; status=1; }
for step in tree plan; do
  tests/kernels/vptrcc --front-end=clang "--dump=$step" -o "$work/dump" "$work/lines.cu" || exit 1
  ! awk '/^in / { own = /lines\.cu:$/ } own && $1 + 0 > 16 { found = 1 } END { exit !found }' "$work/dump" ||
    complain 'a line is behind the end of the program'
  ! awk '/^in / { own = /given\.h:$/ } own && $1 + 0 > 0 && $1 + 0 != 3 { found = 1 } END { exit !found }' "$work/dump" ||
    complain 'a line of the header is none of its code'
done
grep -q '^in .*given\.h:$' "$work/dump" || complain 'two files with one number of a line are one file'
for head in '2  kernel _Z4sumsIiEvPT_' '2  kernel _Z4sumsIjEvPT_' '13  kernel _Z7doubledIiEvPT_'; do
  grep -q "^ *$head\$" "$work/dump" || complain "not there: $head"
done
exit $status
