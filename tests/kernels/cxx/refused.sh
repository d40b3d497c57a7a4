#!/bin/sh
# SPDX-License-Identifier: MIT
# refused - what kernels in C++ cannot have yet is refused at its place, with the words that refused.txt has.
LC_ALL=C
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export LC_ALL VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tests/kernels/vptrcc --front-end=clang -x cu -c -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}
awk -v work="$work" '
  /^#( |$)/ { next }
  /^== / { count++; print substr($0, 4) > (work "/" count ".expected"); next }
  count { print > (work "/" count ".cu") }' "$srcdir/tests/kernels/cxx/refused.txt" || exit 1
status=0 count=0
for expected in "$work"/*.expected; do
  source=${expected%.expected}.cu
  count=$((count + 1))
  if tests/kernels/vptrcc --front-end=clang -c -o "$work/out" "$source" 2>"$work/errors"; then
    echo "accepted, but should say: $(cat "$expected")"
    status=1
  elif ! grep -qF -e "$source:$(cat "$expected")" "$work/errors"; then
    printf 'should say: %s\nbut says:\n' "$(cat "$expected")"
    sed "s|^$work/||" "$work/errors"
    status=1
  fi
done

# Where clang finds the error, the own front end's words are not told besides.
printf 'template <class T> __global__ void k(T *p) { *p = unknown; }\nvoid f(int *p) { k<<<1, 1>>>(p); }\n' >"$work/wrong.cu"
tests/kernels/vptrcc -c -o "$work/out" "$work/wrong.cu" 2>"$work/errors" && { echo 'an unknown name is accepted'; status=1; }
grep -q "unknown" "$work/errors" && ! grep -q 'not supported yet' "$work/errors" || { cat "$work/errors"; status=1; }

# The halves of a file are compiled at once: an error of the host's alone is told, and one of the device's leaves no object.
kernel='template <class T> __global__ void k(T *p) { *p = T(1); }\nvoid f(int *p) { k<<<1, 1>>>(p); }\n'
printf "$kernel"'#ifndef __CUDA_ARCH__\nint g() { return of_the_host; }\n#endif\n' >"$work/host.cu"
tests/kernels/vptrcc -c -o "$work/host.o" "$work/host.cu" 2>"$work/errors" && { echo "the host's error is accepted"; status=1; }
grep -q "host.cu:4:18: error: .*of_the_host" "$work/errors" && [ ! -e "$work/host.o" ] || { cat "$work/errors"; status=1; }
printf '#ifdef __CUDA_ARCH__\n__device__ int g() { return of_the_device; }\n#endif\nint h(int x) { return x; }\n' >"$work/device.cu"
tests/kernels/vptrcc --front-end=clang -c -o "$work/device.o" "$work/device.cu" 2>"$work/errors" && { echo "the device's error is accepted"; status=1; }
grep -q "of_the_device" "$work/errors" && [ ! -e "$work/device.o" ] || { cat "$work/errors"; status=1; }

# What is in C++ alone goes to clang, though the file itself has no kernel: libraries.
printf '#include <cuda/atomic>\nint main() { return 0; }\n' >"$work/library.cu"
tests/kernels/vptrcc -v -c -o "$work/library.o" "$work/library.cu" 2>"$work/errors" && grep -q 'clang compiles it' "$work/errors" ||
  { cat "$work/errors"; status=1; }
# A file that shares a part of its path with the working folder, and is not in it.
vptrcc=$PWD/tests/kernels/vptrcc
mkdir -p "$work/shared/a" "$work/shared/b"
printf '__global__ void k(int *a, int (*f)(int)) { a[0] = f(a[1]); }\n' >"$work/shared/a/k.cu"
(cd "$work/shared/b" && "$vptrcc" --front-end=clang -c -o k.o "$work/shared/a/k.cu") 2>"$work/errors" &&
  { echo 'a call by an unknown pointer is accepted'; status=1; }
grep -qF "$work/shared/a/k.cu:1:51: error:" "$work/errors" || { cat "$work/errors"; status=1; }
echo "$count refusals"
[ "$count" -ge 10 ] || status=1
exit $status
