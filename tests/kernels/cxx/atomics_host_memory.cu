/* SPDX-License-Identifier: MIT */
/* atomics_host_memory - atomic operations on managed, pinned and mapped memory and on variables: the host sees the sums. */
#include "check.h"

enum { THREADS = 64, BLOCKS = 16, ALL = THREADS * BLOCKS };

struct counters {
  int count;
  unsigned most;
  unsigned long long wide;
  float sum;
  double precise;
  unsigned short small;
};

__managed__ counters managed_variable;
__device__ counters device_variable;

__device__ void count(counters *c) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_system(&c->count, 1);
  atomicMax_system(&c->most, i);
  atomicAdd_system(&c->wide, 1ull << 33);
  atomicAdd_system(&c->sum, 0.5f);
  atomicAdd_system(&c->precise, 0.25);
  unsigned short seen = c->small, wanted;
  do {
    wanted = seen;
    seen = atomicCAS(&c->small, wanted, (unsigned short)(wanted + 2));
  } while (seen != wanted);
}
__global__ void run(counters *c) {
  count(c);
}
__global__ void variables() {
  count(&managed_variable);
  count(&device_variable);
}

static void expect_counted(const counters &c, int times, const char *what) {
  check_that(c.count == ALL * times && c.most == ALL - 1 && c.wide == ((unsigned long long)ALL * times) << 33, what,
             __FILE__, __LINE__);
  check_that(c.sum == 0.5f * ALL * times && c.precise == 0.25 * ALL * times && c.small == 2 * ALL * times, what,
             __FILE__, __LINE__);
}

int main() {
  counters *managed, *pinned, *mapped, *mapped_device, copy;
  CALL(cudaMallocManaged(&managed, sizeof *managed));
  CALL(cudaMallocHost(&pinned, sizeof *pinned));
  CALL(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
  CALL(cudaHostGetDevicePointer(&mapped_device, mapped, 0));
  memset(managed, 0, sizeof *managed);
  memset(pinned, 0, sizeof *pinned);
  memset(mapped, 0, sizeof *mapped);
  for (int round = 1; round <= 3; round++) {
    run<<<BLOCKS, THREADS>>>(managed);
    run<<<BLOCKS, THREADS>>>(pinned);
    run<<<BLOCKS, THREADS>>>(mapped_device);
    variables<<<BLOCKS, THREADS>>>();
    LAUNCHED();
    expect_counted(*managed, round, "managed memory");
    expect_counted(*pinned, round, "pinned memory");
    expect_counted(*mapped, round, "mapped memory");
    expect_counted(managed_variable, round, "a managed variable");
    CALL(cudaMemcpyFromSymbol(&copy, device_variable, sizeof copy));
    expect_counted(copy, round, "a device variable");
  }
  CALL(cudaFree(managed));
  CALL(cudaFreeHost(pinned));
  CALL(cudaFreeHost(mapped));
  return result();
}
