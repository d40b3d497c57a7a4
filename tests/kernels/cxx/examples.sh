#!/bin/sh
# SPDX-License-Identifier: MIT
# examples - those examples whose kernels clang compiles and that need no library are built, and run on PoCL: each checks
# its results against the CPU, and says what came of it.
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tests/kernels/vptrcc --front-end=clang -x cu -c -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}
status=0 count=0
for source in "$srcdir"/examples/10-textures/*.cu "$srcdir"/examples/11-groups/*.cu "$srcdir"/examples/1[3-6]-*/*.cu; do
  count=$((count + 1))
  if ! tests/kernels/vptrcc -O1 -o "$work/program" "$source" >"$work/said" 2>&1 || [ -s "$work/said" ]; then
    echo "$source is not built without words:"
    cat "$work/said"
    status=1
  elif ! "$srcdir/tests/on-opencl" "$work/program" >"$work/said" 2>&1 || [ ! -s "$work/said" ]; then
    echo "$source:"
    cat "$work/said"
    status=1
  fi
done
echo "$count examples"
[ "$count" -ge 6 ] || status=1
exit $status
