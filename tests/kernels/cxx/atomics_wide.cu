/* SPDX-License-Identifier: MIT */
/* atomics_wide - atomic operations on 16 bytes at once: CUDA's functions on any such type, cuda::atomic, atomic_ref. */
#include <cuda/atomic>

#include "check.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

enum { BLOCK = 64, BLOCKS = 16, THREADS = BLOCK * BLOCKS };

typedef unsigned __int128 wide;

struct node {
  int number;
  node *next;
};
struct alignas(16) head {
  node *top;
  long long changes;
};
struct pair { /* aligned as 8 bytes are */
  long long count, sum;
};

template <class T> __device__ bool is_same(const T &left, const T &right) {
  return __builtin_memcmp(&left, &right, sizeof left) == 0;
}

template <class T, class Change> __device__ void change(T *at, Change body) {
  T seen = *at, old;
  do {
    old = seen;
    seen = atomicCAS(at, old, body(old));
  } while (!is_same(seen, old));
}

__global__ void numbers(wide *at) {
  __shared__ wide here;
  wide more = (static_cast<wide>(1) << 70) + threadIdx.x;
  if (threadIdx.x == 0)
    here = 0;
  __syncthreads();
  change(at, [more](wide old) { return old + more; });
  change(&here, [more](wide old) { return old + more; });
  __syncthreads();
  if (threadIdx.x == 0)
    at[1 + blockIdx.x] = atomicExch_block(&here, static_cast<wide>(0));
}

static void numbers_are_added() {
  items<wide, 1 + BLOCKS> out;
  const wide of_block = (static_cast<wide>(BLOCK) << 70) + BLOCK * (BLOCK - 1) / 2;
  numbers<<<BLOCKS, BLOCK>>>(out.device);
  out.fetch();
  EXPECT(out[0] == of_block * BLOCKS);
  for (int block = 0; block < BLOCKS; block++)
    EXPECT(out[1 + block] == of_block);
}

__global__ void push(head *at, node *nodes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  nodes[i].number = i;
  change(at, [=](head old) {
    nodes[i].next = old.top;
    return head{ nodes + i, old.changes + 1 };
  });
}

static void nodes_are_pushed() {
  items<head, 1> top;
  items<node, THREADS> nodes;
  static bool found[THREADS];
  push<<<BLOCKS, BLOCK>>>(top.device, nodes.device);
  top.fetch();
  nodes.fetch();
  EXPECT(top[0].changes == THREADS);
  int count = 0;
  for (node *at = top[0].top; at != nullptr && count <= THREADS; at = nodes[(int)(at - nodes.device)].next, count++)
    found[nodes[(int)(at - nodes.device)].number] = true;
  EXPECT(count == THREADS);
  EXPECT_EACH(THREADS, found[i]);
}

/* Both counts of a pair are of one change, whoever looks. */
__global__ void pairs(cuda::atomic<pair> *all, pair *plain, int *torn) {
  __shared__ cuda::atomic<pair, cuda::thread_scope_block> here;
  cuda::atomic_ref<pair, cuda::thread_scope_device> other(*plain);
  if (threadIdx.x == 0)
    here.store({ 0, 0 }, cuda::memory_order_relaxed);
  __syncthreads();
  auto add = [torn](auto &to) {
    pair seen = to.load(cuda::memory_order_relaxed);
    while (!to.compare_exchange_weak(seen, pair{ seen.count + 1, seen.sum + 7 }))
      ;
    if (seen.sum != 7 * seen.count)
      atomicAdd(torn, 1);
  };
  add(*all);
  add(other);
  add(here);
  __syncthreads();
  pair last = here;
  if (last.count != BLOCK || last.sum != 7 * BLOCK)
    atomicAdd(torn, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    last = here.exchange({ 1, 2 });
  if (threadIdx.x == 0 && (last.sum != 7 * BLOCK || here.load().sum != 2))
    atomicAdd(torn, 1);
}

static void pairs_are_whole() {
  items<cuda::atomic<pair>, 1> all;
  struct alignas(16) aligned {
    pair value;
  };
  items<aligned, 1> plain;
  items<int, 1> torn;
  pairs<<<BLOCKS, BLOCK>>>(all.device, &plain.device->value, torn.device);
  torn.fetch();
  all.fetch();
  plain.fetch();
  EXPECT(torn[0] == 0);
  EXPECT(plain[0].value.count == THREADS && plain[0].value.sum == 7 * THREADS);
  pair last;
  memcpy(&last, all.host, sizeof last);
  EXPECT(last.count == THREADS && last.sum == 7 * THREADS);
}

/* Each operation that LLVM has, one after the other on each side. */
template <class T> __device__ inline void calculate(T *at, T *seen) {
  const T value = (static_cast<T>(0xfedcba9876543210ull) << 64) | 0xf123456789abcdefull;
  seen[0] = __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
  seen[1] = __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
  seen[2] = __atomic_fetch_sub(at, static_cast<T>(0xffffffffffffffffull), __ATOMIC_SEQ_CST);
  seen[3] = __atomic_fetch_xor(at, value >> 7, __ATOMIC_RELAXED);
  seen[4] = __atomic_fetch_or(at, value >> 30, __ATOMIC_RELAXED);
  seen[5] = __atomic_fetch_and(at, value, __ATOMIC_RELAXED);
  seen[6] = __atomic_fetch_nand(at, static_cast<T>(static_cast<wide>(value) << 3), __ATOMIC_RELAXED);
  seen[7] = __atomic_fetch_min(at, value >> 1, __ATOMIC_RELAXED);
  seen[8] = __atomic_fetch_max(at, value, __ATOMIC_RELAXED);
  seen[9] = __atomic_fetch_max(at, value >> 2, __ATOMIC_RELAXED);
  seen[10] = __atomic_exchange_n(at, value, __ATOMIC_ACQ_REL);
  seen[11] = __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
template <class T> __global__ void calculated(T *at, T *seen) { calculate(at, seen); }

template <class T> static void calculations_agree() {
  items<T, 12> out;
  items<T, 1> at;
  calculated<<<1, 1>>>(at.device, out.device);
  out.fetch();
  const T expected[12] = {
#define VALUE ((static_cast<T>(0xfedcba9876543210ull) << 64) | 0xf123456789abcdefull)
    0,
    VALUE,
    static_cast<T>(static_cast<wide>(VALUE) * 2),
    static_cast<T>(static_cast<wide>(VALUE) * 2 - 0xffffffffffffffffull),
  };
  EXPECT_EACH(4, out[i] == expected[i]);
  EXPECT(out[4] == (out[3] ^ (VALUE >> 7)));
  EXPECT(out[5] == (out[4] | (VALUE >> 30)));
  EXPECT(out[6] == (out[5] & VALUE));
  EXPECT(out[7] == ~(out[6] & static_cast<T>(static_cast<wide>(VALUE) << 3)));
  EXPECT(out[8] == (out[7] < (VALUE >> 1) ? out[7] : VALUE >> 1));
  EXPECT(out[9] == (out[8] < VALUE ? VALUE : out[8]));
  EXPECT(out[10] == (out[9] < (VALUE >> 2) ? VALUE >> 2 : out[9]));
  EXPECT(out[11] == VALUE);
}

int main() {
  numbers_are_added();
  nodes_are_pushed();
  pairs_are_whole();
  calculations_agree<wide>();
  calculations_agree<__int128>();
  return result();
}
