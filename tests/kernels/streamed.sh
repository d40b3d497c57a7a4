#!/bin/sh
# SPDX-License-Identifier: MIT
# streamed - kernels that look up once a block where the buffers of an array are (tools/kernelc/stream.h), in both forms
# of a kernel, and which kernels they are.
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here'; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0
complain() { echo "$1"; status=1; }

compile() { # program, options...
  program=$1
  shift
  tests/kernels/vptrcc -O2 --finds-buffers "$@" -I "$srcdir/tests/kernels" -o "$folder/$program" \
    "$srcdir/tests/kernels/streamed.cu" 2> "$folder/err" || complain "streamed.cu is not compiled: $(cat "$folder/err")"
}
run() { # threads
  VPTR_BUFFER_BYTES=64M VPTR_BUFFER_ROWS=0 VPTR_THREADS=$1 "$srcdir/tests/on-opencl" "$folder/streamed" \
    > "$folder/out" 2>&1 || complain "$1: exit status $?: $(cat "$folder/out")"
}
kernels() { # those whose text has that word, as names without their arguments
  awk -v word="$1" 'match($0, /extern "C" __global__ void [^(]*/) { name = substr($0, RSTART, RLENGTH) }
                    { sub(/.* _Z[0-9]+/, "", name) }
                    index($0, word) && !seen[name]++ { printf "%s ", name }' "$folder/kept/streamed.kernel.cu"
}

mkdir "$folder/kept"
compile streamed
compile kept.ptx -ptx --keep --keep-dir "$folder/kept"
run loops
run items
kernels __vptr_stream > "$folder/streams"
for kernel in begin wrap turn spread tile twice by_value four bytes count; do
  grep -q "$kernel" "$folder/streams" ||
    complain "$kernel looks up each access; those that do not: $(cat "$folder/streams")"
done
for kernel in stride_on through; do
  grep -q "$kernel" "$folder/streams" && complain "$kernel, whose addresses do not grow evenly, looks up once a block"
done
exit $status
