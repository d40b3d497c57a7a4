/* SPDX-License-Identifier: MIT */
/* spanned - an array that is larger than a buffer may be, so that it consists of several: kernels that stream over it,
 * jump about in it, follow pointers from memory into it and add into it by atomics, beside the same array in host
 * memory; and what CUDA's calls say of it. The program runs itself anew with small buffers; tests/kernels/apart.sh
 * runs it with buffers that lie apart, and on a device that has not room for all. */
#include "kernels.h"

#include <unistd.h>
#include <vector>

#define HOLDS(condition) EXPECT((int)(condition), 1)

enum { COUNT = 40 << 20, PART = 64 << 20, JUMPS = 1 << 16, BLOCK = 256 };

struct slice {
  unsigned *first;
  int count;
};

__global__ void begin(unsigned *values, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = i * 2654435761u;
}

__global__ void smooth(unsigned *to, const unsigned *from, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n)
    to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
}

__global__ void gather(unsigned *to, const unsigned *from, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[(i * 2246822519u) % n];
}

__global__ void follow(const struct slice *slices, int count, unsigned *sums) {
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    unsigned sum = 0;
    for (int i = 0; i < slices[k].count; i++)
      sum += slices[k].first[i];
    sums[k] = sum;
  }
}

__global__ void tally(unsigned *counts, unsigned stride, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[(i % 5) * stride < n ? (i % 5) * stride : 0], 1u);
}

static void run_anew(char **arguments) {
  setenv("VPTR_BUFFER_BYTES", "64M", 1);
  setenv("VPTR_TEST_SPANNED", "1", 1);
  execv("/proc/self/exe", arguments);
  perror("spanned: running itself anew");
  exit(1);
}

static unsigned *array(void) {
  unsigned *p = NULL;
  CHECK(cudaMalloc((void **)&p, COUNT * sizeof(unsigned)));
  return p;
}

/* Where the device's memory is its own the buffers lie apart, and kernels that do not find them are refused. */
static int finds_buffers(unsigned *p) {
  begin<<<1, 1>>>(p, 1);
  return cudaGetLastError() == cudaSuccess;
}

/* Of a budget that the arrays do not fit together, one leaves for the others, part by part; and one that is larger
 * than the budget is copied and set, and no kernel gets it. */
static void check_budget(unsigned *kept) {
  enum { LARGE = 400 << 20 };
  unsigned char *large = NULL, seen[2000];
  std::vector<unsigned> back(COUNT);
  CHECK(cudaMemcpy(back.data(), kept, COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (unsigned i = 0; i < COUNT; i++)
    wrong += back[i] != 0x01010101;
  HOLDS(wrong == 0);
  CHECK(cudaMalloc((void **)&large, LARGE));
  CHECK(cudaMemset(large, 7, LARGE));
  CHECK(cudaMemset(large + PART - 1000, 8, 1000));
  CHECK(cudaMemcpy(seen, large + PART - 1000, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2000; i++)
    wrong += seen[i] != (i < 1000 ? 8 : 7);
  CHECK(cudaMemcpy(seen, large + LARGE - 5, 5, cudaMemcpyDeviceToHost));
  HOLDS(wrong == 0 && seen[0] == 7 && seen[4] == 7);
  begin<<<1, 1>>>((unsigned *)large, 1);
  HOLDS(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaFree(large));
}

static void check_streaming(unsigned *a, unsigned *b) {
  std::vector<unsigned> seen(COUNT);
  begin<<<COUNT / BLOCK, BLOCK>>>(a, COUNT);
  CHECK(cudaMemset(b, 0, COUNT * sizeof(unsigned)));
  smooth<<<COUNT / BLOCK, BLOCK>>>(b, a, COUNT);
  CHECK(cudaMemcpy(seen.data(), b, COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (unsigned i = 1; i + 1 < COUNT; i++)
    wrong += seen[i] != ((i - 1) + 2 * i + (i + 1)) * 2654435761u;
  HOLDS(wrong == 0 && seen[0] == 0 && seen[COUNT - 1] == 0);
  /* from the middle of one part, to the middle of another */
  const unsigned lead = PART / sizeof(unsigned) - 1000, some = PART / sizeof(unsigned) + 5000;
  smooth<<<some / BLOCK + 1, BLOCK>>>(b + lead, a + lead + 7, some);
  CHECK(cudaMemcpy(seen.data(), b + lead, some * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 1; i + 1 < some; i++)
    wrong += seen[i] != 4 * (lead + 7 + i) * 2654435761u;
  HOLDS(wrong == 0);
}

static void check_jumps(const unsigned *a) {
  std::vector<unsigned> seen(JUMPS);
  unsigned *to = NULL;
  CHECK(cudaMalloc((void **)&to, JUMPS * sizeof(unsigned)));
  gather<<<JUMPS / BLOCK, BLOCK>>>(to, a, COUNT);
  CHECK(cudaMemcpy(seen.data(), to, JUMPS * sizeof(unsigned), cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (unsigned i = 0; i < JUMPS; i++)
    wrong += seen[i] != (i * 2246822519u) % COUNT * 2654435761u;
  HOLDS(wrong == 0);
  CHECK(cudaFree(to));
}

/* Pointers that lie in memory lead across a seam, too. */
static void check_pointers(unsigned *a) {
  enum { SLICES = 5, EACH = 3000 };
  struct slice host[SLICES], *slices = NULL;
  unsigned *sums = NULL, seen[SLICES];
  for (int k = 0; k < SLICES; k++)
    host[k] = { a + (size_t)k * (COUNT - EACH) / (SLICES - 1), EACH };
  host[1].first = a + PART / sizeof(unsigned) - EACH / 2;
  CHECK(cudaMalloc((void **)&slices, sizeof host));
  CHECK(cudaMalloc((void **)&sums, sizeof seen));
  CHECK(cudaMemcpy(slices, host, sizeof host, cudaMemcpyHostToDevice));
  follow<<<1, 32>>>(slices, SLICES, sums);
  CHECK(cudaMemcpy(seen, sums, sizeof seen, cudaMemcpyDeviceToHost));
  for (int k = 0; k < SLICES; k++) {
    unsigned sum = 0;
    for (int i = 0; i < EACH; i++)
      sum += (unsigned)(host[k].first - a + i) * 2654435761u;
    HOLDS(seen[k] == sum);
  }
  CHECK(cudaFree(slices));
  CHECK(cudaFree(sums));
}

static void check_atomics(unsigned *b) {
  const unsigned stride = COUNT / 5;
  unsigned seen = 0;
  CHECK(cudaMemset(b, 0, COUNT * sizeof(unsigned)));
  tally<<<100, 250>>>(b, stride, COUNT);
  for (unsigned k = 0; k < 5; k++) {
    CHECK(cudaMemcpy(&seen, b + k * stride, sizeof seen, cudaMemcpyDeviceToHost));
    HOLDS(seen == 100 * 250 / 5);
  }
}

static void check_calls(unsigned *a) {
  struct cudaPointerAttributes attributes;
  cudaStream_t stream;
  const size_t odd = PART - 12345, bytes = PART + 54321;
  std::vector<unsigned char> out(bytes, 0x5a), in(bytes);
  CHECK(cudaPointerGetAttributes(&attributes, (char *)a + PART + 77));
  HOLDS(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == (char *)a + PART + 77);
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemcpyAsync((char *)a + odd, out.data(), bytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync((char *)a + odd + 20000, 1, PART, stream));
  CHECK(cudaMemcpyAsync(in.data(), (char *)a + odd, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; i++)
    wrong += in[i] != (i < 20000 || i >= 20000 + PART ? 0x5a : 1);
  HOLDS(wrong == 0);
  HOLDS(cudaMemset(a + 1, 0, COUNT * sizeof(unsigned)) == cudaErrorInvalidValue);
  HOLDS(cudaFree(a + PART / sizeof(unsigned)) != cudaSuccess);
}

int main(int count, char **arguments) {
  (void)count;
  if (getenv("VPTR_TEST_SPANNED") == NULL)
    run_anew(arguments);
  unsigned *a = array(), *b = array(), *kept = getenv("VPTR_DEVICE_BYTES") != NULL ? array() : NULL;
  if (!finds_buffers(a)) {
    puts("left out: buffers of an allocation lie apart on this device");
    return 77;
  }
  if (kept != NULL)
    CHECK(cudaMemset(kept, 1, COUNT * sizeof(unsigned)));
  size_t free_before = 0, free_behind = 0, total = 0;
  check_streaming(a, b);
  check_jumps(a);
  if (kept != NULL) {
    check_budget(kept);
    CHECK(cudaFree(kept));
  }
  check_pointers(a);
  check_atomics(b);
  check_calls(a);
  CHECK(cudaMemGetInfo(&free_before, &total));
  CHECK(cudaFree(a));
  CHECK(cudaMemGetInfo(&free_behind, &total));
  HOLDS(kept != NULL || free_behind >= free_before + COUNT * sizeof(unsigned));
  CHECK(cudaFree(b));
  return verdict("spanned");
}
