/* SPDX-License-Identifier: MIT */
/* threads - warps, blocks, atomics of each kind, loads and stores with hints, output and ends. */
#include <cassert>
#include <cstdio>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void shuffles(T *x) {
  T value = x[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  value += __shfl_sync(__activemask(), value, 0) + __shfl_xor_sync(~0u, value, 1, 16) + __shfl_up_sync(~0u, value, 1);
  x[threadIdx.x] = value;
}

template <class T> __global__ void matches(unsigned *out, T value) {
  int same;
  *out = __match_any_sync(~0u, value) + __match_all_sync(~0u, value, &same) + __ballot_sync(~0u, same) +
         __any_sync(~0u, same) + __all_sync(~0u, same) + __reduce_add_sync(~0u, 1u) + __reduce_max_sync(~0u, -1) +
         __popc(__activemask()) + __fns(~0u, 0, 1);
  __syncwarp();
}

__global__ void blocks(int *out) {
  out[threadIdx.x] = __syncthreads_count(threadIdx.x > 3) + __syncthreads_and(1) + __syncthreads_or(0);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  const dim3 size = blockDim;
  const uint3 at = threadIdx;
  out[0] += static_cast<int>(size.x + at.y);
}

__global__ void integers(int *i, unsigned *u, unsigned long long *w, long long *l, float *f, double *d) {
  i[0] = atomicAdd(i, 1) + atomicCAS(i, 1, 2) + atomicExch(i, 3) + atomicMax_block(i, 4) + atomicMin_system(i, 4);
  u[0] = atomicInc(u, 5) + atomicDec(u, 5) + atomicAnd(u, 6) + atomicOr(u, 7) + atomicXor_block(u, 8) + atomicSub(u, 9);
  w[0] = atomicAdd(w, 1ull) + atomicCAS(w, 1ull, 2ull) + atomicMax(w, 2ull) + atomicExch(w, 3ull);
  l[0] = atomicMin(l, 1ll) + atomicAnd(l, 3ll);
  f[0] = atomicAdd(f, 1.0f) + atomicExch_block(f, 2.0f);
  d[0] = atomicAdd_system(d, 1.0);
  i[1] = __dp4a(i[0], i[1], i[2]) + __dp2a_lo(i[0], i[1], i[2]) + __ffs(i[0]) + __clzll(l[0]) + __mulhi(i[0], i[1]);
  u[1] = __dp4a(u[0], u[1], u[2]) + __funnelshift_l(u[0], u[1], 5) + __funnelshift_rc(u[0], u[1], 40) + __vadd4(u[0], u[1]) +
         __vabsdiffs2(u[0], u[1]) + __vcmpgtu4(u[0], u[1]) + __vsadu4(u[0], u[1]) + __brev(u[2]) + __byte_perm(u[0], u[1], 2);
}

__global__ void ordered(int *i, float *f, unsigned *u) {
  i[0] = __nv_atomic_fetch_max(i, 3, __NV_ATOMIC_RELAXED) + __nv_atomic_load_n(i, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_add(f, 1.0f, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(i, 5, __NV_ATOMIC_RELEASE);
  int expected = 5, seen = 0;
  if (__nv_atomic_compare_exchange_n(i, &expected, 6, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED))
    __nv_atomic_exchange(i, &expected, &seen, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL);
  bool high, low;
  u[0] = __viaddmax_u32(u[0], u[1], u[2]) + __vibmin_s16x2(u[0], u[1], &high, &low) + high + low + seen;
}

__global__ void hints(float4 *out, const float4 *in, int *flag) {
  out[0] = __ldg(in);
  out[1] = __ldca(in + 1);
  __stcs(out + 2, __ldcg(in + 2));
  while (__ldcv(flag) == 0)
    __nanosleep(100);
  __stwt(flag, __isGlobal(out) + __isShared(out));
}

__global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
  h[0] = __hadd(h[0], __float2half(1.5f)) * h[1] + hexp(h[2]) + __hfma(h[0], h[1], h[2]);
  h2[0] = __hadd2(h2[0], __float2half2_rn(2.0f)) * h2[1] + h2sqrt(h2[2]);
  b[0] = __hmul(b[0], __float2bfloat16(1.5f)) + b[1] + hlog(b[2]);
  b2[0] = __hfma2(b2[0], b2[1], b2[2]);
  h[1] = __shfl_xor_sync(~0u, h[1], 1);
  atomicAdd(h, h[1]);
  atomicAdd(b2, b2[1]);
  if (__hgt(h[0], h[1]) && __hbeq2(h2[0], h2[1]) && b[0] < b[1])
    h[2] = __float2half_rz(static_cast<float>(__half2int_rn(h[0])));
}

__global__ void ends(const char *word, long long *times) {
  const long long begun = clock64();
  printf("thread %d of %s\n", threadIdx.x, word);
  assert(times != nullptr);
  if (blockIdx.x > 100)
    __trap();
  int *heap = static_cast<int *>(malloc(4 * sizeof(int)));
  memset(heap, 0, 16);
  memcpy(heap + 1, heap, 4);
  memmove(heap + 2, heap, 4);
  times[0] = clock64() - begun + clock() + heap[1];
  free(heap);
}

int main() {
  shuffles<int><<<1, 32>>>(nullptr);
  shuffles<double><<<1, 32>>>(nullptr);
  shuffles<unsigned long long><<<1, 32>>>(nullptr);
  matches<<<1, 32>>>(nullptr, 1.5);
  matches<<<1, 32>>>(nullptr, 1l);
  blocks<<<1, 32>>>(nullptr);
  return 0;
}
