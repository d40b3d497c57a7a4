/* SPDX-License-Identifier: MIT */
/* barrier_latch - cuda::latch and cuda::counting_semaphore in shared memory. */
#include <cuda/latch>
#include <cuda/semaphore>

#include <new>

#include "check.h"

enum { THREADS = 96 };
typedef cuda::latch<cuda::thread_scope_block> latch;
typedef cuda::counting_semaphore<cuda::thread_scope_block> semaphore;

__global__ void count(int *out) {
  __shared__ __align__(alignof(latch)) unsigned char place[sizeof(latch)];
  __shared__ int sum;
  latch *done = reinterpret_cast<latch *>(place);
  if (threadIdx.x == 0) {
    new (done) latch(64);
    sum = 0;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    atomicAdd(&sum, (int)threadIdx.x);
    done->count_down();
  } else {
    done->wait();
    out[threadIdx.x - 64] = *(volatile int *)&sum;
  }
}

/* Three at once may be inside. */
__global__ void enter(int *out) {
  __shared__ __align__(alignof(semaphore)) unsigned char place[sizeof(semaphore)];
  __shared__ int inside, most;
  semaphore *doors = reinterpret_cast<semaphore *>(place);
  if (threadIdx.x == 0) {
    new (doors) semaphore(3);
    inside = most = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (int round = 0; round < 5; round++) {
      doors->acquire();
      atomicMax(&most, atomicAdd(&inside, 1) + 1);
      __nanosleep(20);
      atomicSub(&inside, 1);
      doors->release();
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = inside;
    out[1] = most;
  }
}

int main() {
  items<int, 32> sums;
  count<<<1, THREADS>>>(sums.device);
  sums.fetch();
  EXPECT_EACH(32, sums[i] == 63 * 32);
  items<int, 2> out;
  enter<<<1, 256>>>(out.device);
  out.fetch();
  EXPECT(out[0] == 0 && out[1] >= 1 && out[1] <= 3);
  return result();
}
