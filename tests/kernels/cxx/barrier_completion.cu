/* SPDX-License-Identifier: MIT */
/* barrier_completion - a function that a cuda::barrier calls when a phase is complete, before anybody goes on. */
#include <cuda/barrier>

#include <new>

#include "check.h"

enum { THREADS = 64 };

struct adds_up {
  int *sum, *total;
  __device__ void operator()() const {
    *total += *sum;
    *sum = 0;
  }
};
typedef cuda::barrier<cuda::thread_scope_block, adds_up> barrier;

__global__ void run(int *out) {
  __shared__ __align__(alignof(barrier)) unsigned char place[sizeof(barrier)];
  __shared__ int sum, total;
  barrier *meeting = reinterpret_cast<barrier *>(place);
  int i = (int)threadIdx.x;
  if (i == 0) {
    sum = total = 0;
    new (meeting) barrier(THREADS, adds_up{ &sum, &total });
  }
  __syncthreads();
  for (int round = 1; round <= 3; round++) {
    atomicAdd(&sum, i * round);
    meeting->arrive_and_wait();
    out[(round - 1) * THREADS + i] = total;
    meeting->arrive_and_wait(); /* adds nothing: the sum is 0 */
  }
}

int main() {
  items<int, 3 * THREADS> out;
  run<<<1, THREADS>>>(out.device);
  out.fetch();
  EXPECT_EACH(3 * THREADS, out[i] == 63 * 32 * (i < THREADS ? 1 : i < 2 * THREADS ? 3 : 6));
  return result();
}
