/* SPDX-License-Identifier: MIT */
/* vptrcc.cu - one program of kernels, launched in many ways, that checks itself. With OTHER it is a second file, which
 * has things of the same names, and with RDC each uses what the other defines. */
#include <cstdio>
#include <vector>

#define LAUNCH(kernel, ...) kernel<<<1, 64>>>(__VA_ARGS__)

#ifdef RDC
extern __device__ int shared_factor;
__device__ int times(int x);
#else
static __device__ int shared_factor = 3;
static __device__ int times(int x) { return x * shared_factor; }
#endif

static __device__ int launches;
static __constant__ int offsets[2] = { 100, 200 };

int run_other(void);

namespace {
#ifdef OTHER
const int first = 1000;
#else
const int first = 0;
#endif
__global__ void fill(int *out, int by) {
  out[threadIdx.x] = first + times((int)threadIdx.x) + by;
  if (threadIdx.x == 0)
    launches++;
}
} /* namespace */

static __global__ void add(int *out, int) { out[threadIdx.x] += offsets[0]; }
static __global__ void add(int *out, float by = 2.0f) { out[threadIdx.x] += (int)by; }

static int check(const std::vector<int> &got, int more, const char *what) {
  for (int i = 0; i < (int)got.size(); i++)
    if (got[i] != first + 3 * i + more)
      return printf("%s: %d is %d, not %d\n", what, i, got[i], first + 3 * i + more), 1;
  return 0;
}

static int run(void) {
  std::vector<int> host(64);
  int *device = nullptr, count = 0, fails = 0;
  size_t bytes = host.size() * sizeof(int);
  cudaMalloc(&device, bytes);
  auto fetch = [&] { cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost); };

  fill<<<dim3(1), dim3(64, 1), 0, 0>>>(device, 5);
  fetch();
  fails += check(host, 5, "fill");
  LAUNCH(add, device, 1);
  fetch();
  fails += check(host, 105, "add by int");
  if (device) add<<<1, host.size() >> 0>>>(device, 7.9f);
  fetch();
  fails += check(host, 112, "add by float");
  void (*pointer)(int *, int) = fill;
  pointer<<<1, 64>>>(device, 1);
  fetch();
  fails += check(host, 1, "by pointer");

  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  if (count != 2)
    fails += printf("launches: %d\n", count);
  fill<<<1, 0>>>(device, 1);
  if (cudaGetLastError() != cudaErrorInvalidValue)
    fails += printf("an empty block is no error\n");
  cudaFree(device);
  return fails;
}

#ifdef OTHER
#ifdef RDC
__device__ int shared_factor = 3;
#endif
int run_other(void) { return run(); }
#else
#ifdef RDC
__device__ int times(int x) { return x * shared_factor; }
#endif
int main(void) { return run() + run_other() == 0 ? 0 : 1; }
#endif
