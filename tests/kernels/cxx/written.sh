#!/bin/sh
# SPDX-License-Identifier: MIT
# written - what kernel C has so that drivers make more of it: sums that cannot overflow are signed, kernels with warps have a
# form for devices with warps. And what it has for the host: which variables are references.
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
status=0

# kernel_c: the kernel C of standard input, of the kernels alone
kernel_c() {
  cat >"$work/k.cu"
  tests/kernels/vptrcc --front-end=clang --keep --keep-dir "$work" -c -o "$work/k.o" "$work/k.cu" || exit 1
  sed -n '/__global__/,$p' "$work/k.kernel.cu"
}

# count WORDS: how often it is in the text on standard input
count() { grep -oF -e "$1" | wc -l; }

expect() {
  [ "$2" -eq "$3" ] && return
  echo "$1: $2, not $3"
  status=1
}

# What waits across several stops is put into the thread's frame once, and taken from there where it is used.
text=$(kernel_c <<'END'
__global__ void k(float *a) {
  float *own = a + 4 * threadIdx.x, p = own[0], q = own[1], r = own[2], s = own[3];
  p += __shfl_xor_sync(~0u, p, 1);
  q += __shfl_xor_sync(~0u, q, 1);
  r += __shfl_xor_sync(~0u, r, 1);
  s += __shfl_xor_sync(~0u, s, 1);
  own[0] = p, own[1] = q, own[2] = r, own[3] = s;
}
END
)
expect 'values put into frames' "$(echo "$text" | grep -oE 'vptr_kept->[pv][0-9]+ =' | wc -l)" 8
expect 'values taken from frames' "$(echo "$text" | grep -oE '= vptr_kept->[pv][0-9]+' | wc -l)" 11

# A flag of LLVM's that its interface has from 18 on.
version=$("$VPTRCC_TEST_KERNELC" --version | sed 's/[^0-9]*//')
text=$(kernel_c <<'END'
__global__ void k(int n, const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j++)
    b[i] += a[j * n + i];
}
END
)
[ "$version" -lt 18 ] || [ "$(echo "$text" | count '(int)')" -ge 3 ] || {
  printf 'an index is not made of signed sums:\n%s\n' "$text"
  status=1
}

text=$(kernel_c <<'END'
__global__ void k(unsigned n, const float *a, float *b) { b[n * threadIdx.x] = a[n + threadIdx.x]; }
END
)
expect 'signed sums of numbers that may wrap' "$(echo "$text" | count '(int)')" 0

text=$(kernel_c <<'END'
__global__ void k(int *a) { a[threadIdx.x] = __shfl_xor_sync(~0u, a[threadIdx.x], 1) + __any_sync(~0u, a[0]); }
__global__ void plain(int *a) { a[threadIdx.x] = 1; }
END
)
expect 'kernels with two forms' "$(echo "$text" | count 'if (__vptr_native())')" 1
expect 'shuffles of the device' "$(echo "$text" | count '__vptr_warp_bfly(')" 1
expect 'votes of the device' "$(echo "$text" | count '__vptr_warp_any(')" 1

# A truth as a floating number is chosen, not converted (cast.c says why).
text=$(kernel_c <<'END'
__global__ void k(int *a, float *b, double *c) {
  bool truth = a[threadIdx.x] > 3;
  b[threadIdx.x] = (float)truth;
  c[threadIdx.x] = (double)truth;
}
END
)
expect 'floats of truths' "$(echo "$text" | count '!= 0 ? 1.0f : 0.0f')" 1
expect 'doubles of truths' "$(echo "$text" | count '!= 0 ? 1.0 : 0.0')" 1

# Whether a grid may meet is read once, and not in front of each meeting, where it would be a trip to memory.
text=$(kernel_c <<'END'
#include <cooperative_groups.h>
__global__ void k(int *a, int n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int i = 0; i < n; i++) {
    a[grid.thread_rank()] += a[grid.size() - 1 - grid.thread_rank()];
    grid.sync();
    a[i]++;
    grid.sync();
  }
}
END
)
expect 'meetings of the device' "$(echo "$text" | count '__vptr_warp_meet(')" 2
expect 'looks whether the grid may meet, two of which are for states' "$(echo "$text" | count '__vptr_grid() + 12')" 3

# The host asks a kernel for what it was compiled for, and launches by that.
echo '__global__ void k(int *a) { *a = 1; }' >"$work/arch.cu"
tests/kernels/vptrcc --front-end=clang -arch=sm_80 --keep --keep-dir "$work" -c -o "$work/arch.o" "$work/arch.cu" || exit 1
expect 'kernels that say that they are for 8.0' "$(count ' arch=800' <"$work/arch.module")" 1

# What the module says of references is what it says by the own front end.
cat >"$work/references.cu" <<'END'
texture<float, 2> image;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> parts, idle;
texture<unsigned char, 2> bytes;
surface<void, 2> sheet;
__device__ unsigned long long number;
__global__ void k(float *a) {
  *a = tex2D(image, 1, 2) + tex2D(parts, 1, 2) + tex2D(bytes, 1, 2) + number;
  surf2Dwrite(*a, sheet, 4, 3);
}
END
for by in own clang; do
  tests/kernels/vptrcc --front-end=$by -ptx -o "$work/references" "$work/references.cu" || exit 1
  grep '^//vptr variable .*name=\(image\|parts\|idle\|bytes\|sheet\|number\) ' "$work/references" | sort >"$work/references.$by"
done
diff "$work/references.own" "$work/references.clang" || { echo 'what is told of references by the own front end and by clang differs'; status=1; }
expect 'references that are told of' "$(count ' reference=' <"$work/references.clang")" 5
expect 'references that read floats' "$(count ' reads=floats' <"$work/references.clang")" 2

# Barriers that some threads miss are seen at once, and others are left as they are.
text=$(kernel_c <<'END'
__global__ void k(int n, int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (t > a[i])
      return;
    s[t] = a[i];
    __syncthreads();
    a[t] += s[63 - t];
  }
}
END
) || exit 1
expect 'frames where threads miss a barrier' "$(echo "$text" | count 'vptr_frames[vptr_t]')" 1
[ ! -e "$work/k-2.kernel.cu" ] || { echo 'kernels whose threads miss a barrier were written twice'; status=1; }
text=$(kernel_c <<'END'
__global__ void k(int n, int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    s[t] = t < a[i] ? a[t] : n;
    __syncthreads();
    for (int j = 0; j < t; j++)
      if (s[j] == n)
        break;
      else
        a[t] += s[j];
    if (blockIdx.x > 3)
      __syncthreads();
  }
}
END
) || exit 1
expect 'frames where all threads reach the barriers' "$(echo "$text" | count vptr_frames)" 0
# clang 16 makes one number of three bytes of bit-fields.
cat >"$work/bits.ll" <<'END'
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%bits = type { i24, i32 }
define void @k(ptr %to, ptr byval(%bits) align 4 %from) {
  %whole = load i24, ptr %from, align 4
  %wide = zext i24 %whole to i32
  store i32 %wide, ptr %to, align 4
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
END
if "clang-$version" -Wno-override-module -c -emit-llvm -x ir -o "$work/bits.bc" "$work/bits.ll" 2>"$work/errors"; then
  "$VPTRCC_TEST_KERNELC" -o "$work/bits.cu" "$work/bits.bc" && grep -q 'u8 f0\[3\];' "$work/bits.cu" || status=1
fi

# Loops for what no warp is split by, states for the rest.
threads_of() {
  cat >"$work/w.cu"
  tests/kernels/vptrcc --front-end=clang --dump=plan "$work/w.cu" 2>&1 | sed -n 's/^ *threads: //p'
}
loops='loops of one work-item over at most 1024 threads where VPTR_LOOPS is set, else states, which one work-item runs for its block'
states='states, which one work-item runs for its block'
plan() {
  got=$(threads_of)
  [ "$got" = "$2" ] && return
  echo "$1: $got"
  status=1
}
plan 'a sum by shuffles' "$loops" <<'END'
__global__ void k(int *a) {
  int v = a[threadIdx.x];
  for (int by = 16; by > 0; by /= 2)
    v += __shfl_down_sync(~0u, v, by);
  a[threadIdx.x] = v;
}
END
plan 'the first warp alone' "$loops" <<'END'
__global__ void k(int *a) {
  if (threadIdx.x < 32)
    a[threadIdx.x] += __shfl_xor_sync(~0u, a[threadIdx.x], 1);
}
END
plan 'half of a warp' "$states" <<'END'
__global__ void k(int *a) {
  if (threadIdx.x < 16)
    a[threadIdx.x] += __shfl_xor_sync(0xffffu, a[threadIdx.x], 1);
}
END
plan 'what differs in memory' "$states" <<'END'
__global__ void k(int *a) {
  if (a[threadIdx.x] > 0)
    a[threadIdx.x] += __shfl_xor_sync(__activemask(), a[threadIdx.x], 1);
}
END
plan 'threads that have left' "$states" <<'END'
__global__ void k(int *a, int n) {
  if ((int)threadIdx.x >= n)
    return;
  a[threadIdx.x] += __shfl_xor_sync(~0u, a[threadIdx.x], 1);
}
END
plan 'threads that sleep' "$states" <<'END'
__global__ void k(volatile int *a) {
  while (a[0] != (int)threadIdx.x / 32)
    __nanosleep(50);
  a[threadIdx.x] = __shfl_xor_sync(~0u, a[threadIdx.x], 1);
}
END
exit $status
