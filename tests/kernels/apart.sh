#!/bin/sh
# SPDX-License-Identifier: MIT
# apart - arrays of several buffers, kernels that are compiled to find them, by both front ends, and those that are not:
# where the buffers lie apart, where they lie in a row, and on a device that has not room for all of them.
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export VPTRCC_TEST_KERNELC
front_ends='own clang'
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'kernels by clang are left out: vptr-kernelc is not built here'; front_ends=own; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0
complain() { echo "$1"; status=1; }

compile() { # program, source, options...
  program=$1
  source=$2
  shift 2
  tests/kernels/vptrcc "$@" -I "$srcdir/tests/kernels" -o "$folder/$program" "$source" 2> "$folder/err" ||
    complain "$source is not compiled: $(cat "$folder/err")"
}
run() { # expected status, program
  "$srcdir/tests/on-opencl" "$folder/$2" > "$folder/out" 2>&1
  result=$?
  [ $result -eq "$1" ] || complain "$2: exit status $result, not $1: $(cat "$folder/out")"
}

for front_end in $front_ends; do
  compile finds "$srcdir/tests/kernels/spanned.cu" --finds-buffers --front-end=$front_end
  compile seams "$srcdir/tests/kernels/seams.cu" --finds-buffers --front-end=$front_end
  VPTR_BUFFER_ROWS=0 run 0 finds
  VPTR_BUFFER_ROWS=0 run 0 seams
done
run 0 finds
run 0 seams
for rows in 0 1; do
  VPTR_BUFFER_ROWS=$rows VPTR_DEVICE_BYTES=384M VPTR_OVERSUBSCRIBE=1 run 0 finds
done
compile seams "$srcdir/tests/kernels/seams.cu" --finds-buffers --front-end=own
VPTR_THREADS=items VPTR_BUFFER_ROWS=0 run 0 seams
VPTR_ARGUMENTS=one VPTR_BUFFER_ROWS=0 run 0 seams

compile plain "$srcdir/tests/kernels/spanned.cu" --front-end=own
VPTR_BUFFER_ROWS=0 run 77 plain
VPTR_DEVICE_BYTES=384M VPTR_OVERSUBSCRIBE=1 run 0 plain

# What is printed is copied by pieces that look nothing up.
cat > "$folder/text.cu" <<'END'
#include <stdio.h>
__global__ void tell(const char *text) { printf("%s\n", text); }
int main() { return 0; }
END
tests/kernels/vptrcc --finds-buffers --front-end=own -o "$folder/text" "$folder/text.cu" 2> "$folder/err" &&
  complain 'text in device memory is printed by kernels that find buffers'
grep -q 'text in device memory has no form' "$folder/err" || complain "no word of why: $(cat "$folder/err")"
exit $status
