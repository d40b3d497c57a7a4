#!/bin/sh
# SPDX-License-Identifier: MIT
# wrapped - atomic counters that wrap, as later clangs write them in LLVM's words: atomicrmw uinc_wrap and udec_wrap. The IR of
# a program whose counters are plain additions and subtractions is rewritten on its way to vptr-kernelc, for all four widths.
LC_ALL=C
kernelc=$PWD/tools/kernelc/vptr-kernelc
export LC_ALL kernelc
[ -x "$kernelc" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
version=$("$kernelc" --version | sed 's/.* \([0-9]*\).*/\1/')
export version
command -v "llvm-as-$version" >/dev/null && command -v "llvm-dis-$version" >/dev/null || { echo "left out: there is no llvm-as-$version here"; exit 77; }
work=$(mktemp -d) || exit 1
export work
trap 'rm -rf "$work"' EXIT

cat >"$work/kernelc" <<'END_OF_SCRIPT'
#!/bin/sh
for word do
  case $word in
    *.bc)
      "llvm-dis-$version" -o "$work/in.ll" "$word" || exit 1
      sed 's/atomicrmw add /atomicrmw uinc_wrap /; s/atomicrmw sub /atomicrmw udec_wrap /' "$work/in.ll" >"$work/out.ll"
      cp "$work/out.ll" "$work/seen.ll"
      "llvm-as-$version" -o "$word" "$work/out.ll" || exit 1 ;;
  esac
done
exec "$kernelc" "$@"
END_OF_SCRIPT
chmod +x "$work/kernelc"
VPTRCC_TEST_KERNELC=$work/kernelc
export VPTRCC_TEST_KERNELC
tests/kernels/vptrcc --front-end=clang -x cu -c -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}

cat >"$work/counters.cu" <<'END_OF_SOURCE'
#include <cuda_runtime.h>
#include <stdio.h>
template <class T> struct counters { T up, down, beyond; };
template <class T> __global__ void count(counters<T> *c, T limit, T *before) {
  T mine = __atomic_fetch_add(&c->up, limit, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&c->down, limit, __ATOMIC_RELAXED);
  if (threadIdx.x == 0)
    __atomic_fetch_sub(&c->beyond, limit, __ATOMIC_RELAXED);
  before[threadIdx.x] = mine;
}
/* 64 threads and limit 9: up is back at 0 each 10 counts, down at 9 each 10, and what is beyond the limit falls to it. */
template <class T> int check() {
  counters<T> c = { 0, 3, 100 }, *there;
  T *before, seen[64];
  int times[10] = { 0 }, failures = 0;
  cudaMalloc(&there, sizeof c);
  cudaMalloc(&before, sizeof seen);
  cudaMemcpy(there, &c, sizeof c, cudaMemcpyHostToDevice);
  count<T><<<1, 64>>>(there, (T)9, before);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  cudaMemcpy(&c, there, sizeof c, cudaMemcpyDeviceToHost);
  cudaMemcpy(seen, before, sizeof seen, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    failures += seen[i] > 9 || ++times[seen[i]] > 7;
  failures += c.up != 4 || c.down != 9 || c.beyond != 9;
  if (failures)
    printf("%d bits: up %d, down %d, beyond %d, %d wrong\n", (int)sizeof(T) * 8, (int)c.up, (int)c.down, (int)c.beyond, failures);
  return failures != 0;
}
int main() {
  int failures = check<unsigned>();
  failures += check<unsigned long long>();
  failures += check<unsigned short>();
  return failures + check<unsigned char>();
}
END_OF_SOURCE
tests/kernels/vptrcc --front-end=clang -o "$work/counters" "$work/counters.cu" || exit 1
[ "$(grep -c 'atomicrmw u.*_wrap' "$work/seen.ll")" -eq 12 ] || { echo 'the IR has no counters that wrap'; exit 1; }
exec "$srcdir/tests/on-opencl" "$work/counters"
