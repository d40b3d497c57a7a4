#!/bin/sh
# SPDX-License-Identifier: MIT
# headers - all CUDA headers in both halves of a program that clang compiles, in both orders, without a warning, for each
# standard and several devices; and the macros and guards by which others' headers know that CUDA is there.
. "$srcdir/tests/clang/compiler.sh"
status=0
cd "$srcdir/include/vptr/cuda" || exit 1
groups='cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h cooperative_groups/memcpy_async.h'
headers=$(echo *.h *.hpp "$groups" cuda_pipeline.h cuda/atomic cuda/barrier cuda/latch cuda/pipeline cuda/semaphore)
cd - >/dev/null || exit 1
[ "$(echo "$headers" | wc -w)" -gt 40 ] || { echo "few headers: $headers"; exit 1; }

# accepted SIDE WHAT: the program on standard input
accepted() {
  half "$1" -Wall -Wextra -Werror -fsyntax-only - || { echo "^ $2 for the $1, with $clang"; status=1; }
}

# The first version of cuBLAS gives the names of the second to other functions: it is alone.
together=$(for header in $headers; do [ "$header" = cublas.h ] || echo "#include <$header>"; done)
reverse=$(echo "$together" | sort -r)
for clang in $clangs; do
  for side in device host; do
    accepted $side 'all headers from the last' <<EOF
$reverse
EOF
    accepted $side 'cublas.h' <<EOF
#include <cublas.h>
EOF
    for standard in c++14 gnu++17 c++20; do
      accepted $side "all headers as $standard" <<EOF
$together
EOF
    done
    standard=c++17
    for arch in sm_60 sm_80 sm_90; do
      accepted $side "all headers for $arch" <<EOF
$together
EOF
    done
    arch=sm_70
    accepted $side 'macros and guards' <<'EOF'
#if !defined __CUDACC__ || !defined __CUDA__ || __CUDACC_VER_MAJOR__ != 13 || CUDART_VERSION != 13000
#error "a macro is wrong"
#endif
#if defined CUDA_VERSION || defined min || defined __funnelshift_l || defined __noinline__
#error "a macro was left behind"
#endif
#ifndef __CUDA_RUNTIME_H__
#error "no guard of cuda_runtime.h's"
#endif
#ifndef __CUDA_RUNTIME_API_H__
#error "no guard of cuda_runtime_api.h's"
#endif
#ifndef __DRIVER_TYPES_H__
#error "no guard of driver_types.h's"
#endif
#ifndef __VECTOR_TYPES_H__
#error "no guard of vector_types.h's"
#endif
#include <cuda.h>
#if CUDA_VERSION != 13000
#error "cuda.h has another version"
#endif
__global__ void __launch_bounds__(128) one(int *);
__global__ void __launch_bounds__(128, 2) two(const __grid_constant__ int, int *);
__global__ void __launch_bounds__(128, 2, 1) __cluster_dims__(1, 1, 1) three(int *);
__managed__ int managed = 5;
__device__ __noinline__ int call(int x) { return x; }
__device__ __forceinline__ int word(int x) { return x; }
__global__ void __launch_bounds__(128) one(int *x) {
#ifdef __CUDA_ARCH__
  static_assert(__CUDA_ARCH__ == 700, "");
#endif
  *x = call(word(managed));
}
EOF
  done
done
exit $status
