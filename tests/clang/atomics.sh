#!/bin/sh
# SPDX-License-Identifier: MIT
# atomics - atomic operations on 16 bytes, which older clangs leave to a library, become kernels with each clang.
. "$srcdir/tests/clang/compiler.sh"
[ -x tools/kernelc/vptr-kernelc ] || { echo 'left out: vptr-kernelc is not built'; exit 77; }
status=0
for clang in $clangs; do
  half device -w -O2 -emit-llvm -c -I"$srcdir/tests/kernels" -o tests/clang/atomics.bc \
    "$srcdir/tests/kernels/cxx/atomics_wide.cu" || { echo "^ with $clang"; status=1; continue; }
  tools/kernelc/vptr-kernelc -o tests/clang/atomics.txt tests/clang/atomics.bc || { echo "^ with $clang"; status=1; continue; }
  [ "$(grep -o 'atomicCAS((ulonglong2 \*)' tests/clang/atomics.txt | wc -l)" -gt 20 ] ||
    { echo "few exchanges of 16 bytes, with $clang"; status=1; }
done

# Memory that is not aligned so, or another size, is no such operation: it is refused by its name, with each clang.
for clang in $clangs; do
  half device -w -O2 -emit-llvm -c -o tests/clang/atomics.bc - <<'EOF' || { echo "^ with $clang"; status=1; continue; }
struct odd { char bytes[12]; };
__global__ void kernel(odd *at, odd value) { __atomic_exchange(at, &value, &value, __ATOMIC_RELAXED); }
EOF
  tools/kernelc/vptr-kernelc -o tests/clang/atomics.txt tests/clang/atomics.bc 2>tests/clang/atomics.err &&
    { echo "12 bytes at once are accepted, with $clang"; status=1; }
  grep -q '__atomic_exchange() has no body' tests/clang/atomics.err || { cat tests/clang/atomics.err; status=1; }
done
rm -f tests/clang/atomics.bc tests/clang/atomics.txt tests/clang/atomics.err
exit $status
