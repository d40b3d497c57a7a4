#!/bin/sh
# SPDX-License-Identifier: MIT
# stuck - threads that wait for ever end the grid: the first block says so with file, line and kernel, and the launch has failed.
# On GPUs such programs hang.
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
cat >"$work/wait.h" <<'END'
__device__ inline void wait_for_all() {
  __syncwarp(0xffffffffu);
}
END
cat >"$work/stuck.cu" <<'END'
#include <cooperative_groups.h>
#include <cstdio>
#include "wait.h"
__global__ void parted(int *a) {
  if (threadIdx.x == 7)
    a[0] = __shfl_sync(0xffffffffu, a[1], 3);
  else
    __syncthreads();
}
__global__ void elsewhere(int *a) {
  if (threadIdx.y >= 2)
    a[1] = __any_sync(0xffffffffu, a[2]);
  else
    wait_for_all();
}
__global__ void few(int *a) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 3, 64;");
  a[threadIdx.x] = 1;
}
__global__ void grids(int *a) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  if (blockIdx.x == 2 && threadIdx.x == 5)
    grid.sync();
  else if (blockIdx.x == 2)
    __syncthreads();
  a[threadIdx.x] = 1;
}
int main(int argc, char **) {
  int *a;
  cudaMalloc(&a, 4096);
  void *arguments[] = { &a };
  if (argc == 1)
    parted<<<dim3(3, 2), 64>>>(a);
  else if (argc == 2)
    elsewhere<<<2, dim3(8, 4)>>>(a);
  else if (argc == 3)
    few<<<1, 64>>>(a);
  else
    cudaLaunchCooperativeKernel((void *)grids, dim3(4), dim3(32), arguments, 0, 0);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
tests/kernels/vptrcc --front-end=clang -O1 -o "$work/stuck" "$work/stuck.cu" || exit 1
status=0

# says WORDS ARGUMENT...: that the program prints them once, and then that the launch has failed
says() {
  words=$1
  shift
  "$srcdir/tests/on-opencl" "$work/stuck" "$@" >"$work/out" 2>&1
  code=$?
  [ "$code" -ne 77 ] || { cat "$work/out"; exit 77; }
  [ "$(grep -cF "$words" "$work/out")" -eq 1 ] &&
    [ "$(grep -c '\] waits here for ever, and others of its block somewhere else$' "$work/out")" -eq 1 ] && grep -q '^cudaErrorLaunchFailure$' "$work/out" && return
  echo "should say: $words, but says:"
  cat "$work/out"
  status=1
}
says "$work/stuck.cu:6: parted: block: ["
says "$work/wait.h:2: elsewhere: block: [" 1
says "$work/stuck.cu:18: few: block: [0,0,0], thread: [0,0,0]" 1 2
says "$work/stuck.cu:24: grids: block: [2,0,0], thread: [5,0,0]" 1 2 3
exit $status
