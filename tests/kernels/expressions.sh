#!/bin/sh
# SPDX-License-Identifier: MIT
# expressions - random expressions over mixed types, on the device and on the host: new ones for every seed. VPTR_TEST_SEEDS
# names others, VPTR_TEST_COUNT how many expressions each has. A program that differs stays, and is named.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
work=tests/kernels/expressions.work
mkdir -p "$work" || exit 1
status=0
for seed in ${VPTR_TEST_SEEDS:-1 2 3}; do
  program=$work/seed-$seed
  tests/kernels/expressions "$seed" "${VPTR_TEST_COUNT:-200}" >"$program.cu" &&
    tests/kernels/vptrcc -fmad=false -w -o "$program" "$program.cu" || exit 1
  # PoCL counts its compiler's warnings
  "$srcdir/tests/on-opencl" "$program" 2>"$work/errors"
  result=$?
  [ $result -ne 77 ] || exit 77
  [ $result -eq 0 ] || { cat "$work/errors"; echo "see $PWD/$program.cu"; status=1; continue; }
  rm -f "$program" "$program.cu"
done
exit $status
