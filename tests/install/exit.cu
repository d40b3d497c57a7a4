// SPDX-License-Identifier: MIT
// exit - a program that leaves its kernels as they are, as programs do, and complains if anything of OpenCL's is released
// behind its last exit handler: a driver may have taken itself down there.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

static bool is_over;

static void note_end() {
  is_over = true;
}

static int refuse(const char *call) {
  std::fprintf(stderr, "%s behind the program's last exit handler\n", call);
  _exit(1);
}

// The library's calls come by here, since a program's names go before those of what it links.
#define WATCH(call)                                                       \
  extern "C" int call(void *object) {                                     \
    typedef int release(void *);                                          \
    return is_over ? refuse(#call) : ((release *)dlsym(RTLD_NEXT, #call))(object); \
  }
WATCH(clReleaseKernel)
WATCH(clReleaseProgram)
WATCH(clReleaseMemObject)
WATCH(clReleaseCommandQueue)
WATCH(clReleaseContext)
WATCH(clReleaseEvent)

__device__ int counted;
__global__ void count(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = i;
    atomicAdd(&counted, 1);
  }
}

int main() {
  std::atexit(note_end);
  const int n = 1000;
  int *a, sum = 0;
  if (cudaMalloc((void **)&a, n * sizeof *a) != cudaSuccess)
    return 2;
  count<<<4, 256>>>(a, n);
  if (cudaMemcpyFromSymbol(&sum, counted, sizeof sum) != cudaSuccess || sum != n) {
    std::fprintf(stderr, "%d, not %d: %s\n", sum, n, cudaGetErrorString(cudaGetLastError()));
    return 3;
  }
  return 0;
}
