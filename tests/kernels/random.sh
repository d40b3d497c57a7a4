#!/bin/sh
# SPDX-License-Identifier: MIT
# random - random C++ functions (random/generator.c), by clang: the device's results are the host's, to the last bit. New ones
# for every seed: VPTR_TEST_SEEDS names others, VPTR_TEST_COUNT how many functions each has. A program that differs stays,
# and is named.
work=tests/kernels/random.work
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
mkdir -p "$work" || exit 1
tests/kernels/vptrcc --front-end=clang -x cu -c -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}

# Both halves must not fuse what the other does not.
build() {
  tests/kernels/vptrcc --front-end=clang -fmad=false -Xcompiler -ffp-contract=off -std=c++17 -O1 -w \
    -I "$srcdir/tests/kernels/random" -o "$1" "$1.cu"
}

status=0 count=0
for seed in ${VPTR_TEST_SEEDS:-7}; do
  program=$work/seed-$seed
  tests/kernels/random/generator "$seed" "${VPTR_TEST_COUNT:-100}" >"$program.cu" || exit 1
  count=$((count + 1))
  build "$program" 2>"$work/errors" || { cat "$work/errors"; echo "see $PWD/$program.cu"; status=1; continue; }
  "$srcdir/tests/on-opencl" "$program" 2>"$work/errors"
  result=$?
  [ $result -ne 77 ] || exit 77
  [ $result -eq 0 ] || { cat "$work/errors"; echo "see $PWD/$program.cu"; status=1; continue; }
  rm -f "$program" "$program.cu"
done
echo "$count programs of ${VPTR_TEST_COUNT:-100} functions"
[ "$count" -gt 0 ] || status=1
exit $status
