/* SPDX-License-Identifier: MIT */
/* cuda_atomic - cuda::atomic and cuda::atomic_ref: orders, scopes, exchanges, in memory of both kinds. */
/* options: -std=c++20 */
#include "check.h"

#include <cuda/atomic>

template <class T> __global__ void run(T *plain, cuda::atomic<T, cuda::thread_scope_device> *objects, T *taken) {
  T i = T(threadIdx.x + 1);
  cuda::atomic_ref<T, cuda::thread_scope_device> sum(plain[0]), largest(plain[1]), loop(plain[2]);
  sum.fetch_add(i, cuda::std::memory_order_relaxed);
  largest.fetch_max(i);
  T seen = loop.load();
  while (!loop.compare_exchange_weak(seen, T(seen + i)))
    ;
  objects[0]++;
  objects[1].fetch_sub(i, cuda::memory_order_acq_rel);
  T ticket = objects[2].fetch_add(T(1));
  taken[ticket] = i;
  __shared__ T room;
  if (threadIdx.x == 0)
    room = T(0);
  __syncthreads();
  cuda::atomic_ref<T, cuda::thread_scope_block> inside(room);
  inside.fetch_or(T(1) << T(i % 16));
  __syncthreads();
  if (threadIdx.x == 0)
    objects[3].store(room, cuda::memory_order_release);
}

template <class T> void check() {
  using atomic = cuda::atomic<T, cuda::thread_scope_device>;
  items<T, 3> plain;
  items<T, 40> taken;
  T values[4] = {};
  atomic *objects = nullptr;
  CALL(cudaMalloc(&objects, 4 * sizeof *objects));
  CALL(cudaMemset(objects, 0, 4 * sizeof *objects));
  run<<<1, 40>>>(plain.device, objects, taken.device);
  plain.fetch(), taken.fetch();
  static_assert(sizeof(atomic) == sizeof(T), "");
  CALL(cudaMemcpy(values, objects, sizeof values, cudaMemcpyDeviceToHost));
  CALL(cudaFree(objects));
  EXPECT(plain[0] == T(820) && plain[1] == T(40) && plain[2] == T(820));
  EXPECT(values[0] == T(40) && values[1] == T(-820) && values[2] == T(40) && values[3] == T(0xffff));
  T all = 0;
  for (T each : taken.host)
    all += each;
  EXPECT(all == T(820));
}

int main() {
  check<int>();
  check<unsigned>();
  check<unsigned long long>();
  return result();
}
