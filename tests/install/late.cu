// SPDX-License-Identifier: MIT
// late - a program whose module cannot be registered for lack of memory before main(): calls that need it say so as long as
// there is none, and succeed as soon as there is some.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vptr/vptr.h>

// Makes the module so large that its allocation is known by its size.
__constant__ int large[16000] = { 1, 2, 3 };
__device__ int total = 40;

__global__ void add(int *out, int n) {
  total += n;
  *out = total + large[1];
}

static bool is_full = true;
static int refused;

extern "C" void *__libc_calloc(size_t count, size_t size);

// The library's calls come by here, since a program's names go before those of what it links.
extern "C" void *calloc(size_t count, size_t size) {
  Dl_info caller;
  size_t bytes = count * size;
  if (is_full && bytes > sizeof large * 3 && bytes < sizeof large * 4 &&
      dladdr(__builtin_return_address(0), &caller) != 0 && std::strstr(caller.dli_fname, "libvptr.so") != nullptr) {
    refused++;
    return nullptr;
  }
  return __libc_calloc(count, size);
}

static bool expect(cudaError_t wanted, cudaError_t got, const char *what) {
  if (got == wanted)
    return true;
  std::fprintf(stderr, "%s: %s instead of %s: %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted),
               vptr_last_error());
  return false;
}

static cudaError_t launch(int *out, int n) {
  add<<<1, 1>>>(out, n);
  return cudaGetLastError();
}

static bool waits_for_memory(int *out) {
  int n = 0;
  size_t size;
  cudaFuncAttributes attributes;
  const cudaError_t wanted = cudaErrorMemoryAllocation;
  if (!expect(wanted, launch(out, 1), "launch without memory") ||
      !expect(wanted, launch(out, 1), "second launch without memory"))
    return false;
  if (std::strstr(vptr_last_error(), "late.cu") == nullptr) {
    std::fprintf(stderr, "the file is not named: %s\n", vptr_last_error());
    return false;
  }
  return expect(wanted, cudaMemcpyToSymbol(total, &n, sizeof n), "cudaMemcpyToSymbol without memory") &&
         expect(wanted, cudaGetSymbolSize(&size, large), "cudaGetSymbolSize without memory") &&
         expect(wanted, cudaFuncGetAttributes(&attributes, add), "cudaFuncGetAttributes without memory");
}

static bool works(int *out, bool has_kernels) {
  int n = 0, seen = 0;
  if (has_kernels &&
      (!expect(cudaSuccess, launch(out, 2), "launch") ||
       !expect(cudaSuccess, cudaMemcpy(&n, out, sizeof n, cudaMemcpyDeviceToHost), "cudaMemcpy")))
    return false;
  if (!expect(cudaSuccess, cudaMemcpyFromSymbol(&seen, total, sizeof seen), "cudaMemcpyFromSymbol"))
    return false;
  if (seen == (has_kernels ? 42 : 40) && n == (has_kernels ? 44 : 0))
    return true;
  std::fprintf(stderr, "the kernel wrote %d, and the variable has %d\n", n, seen);
  return false;
}

int main() {
  const char *platform = std::getenv("VPTR_PLATFORM");
  bool has_kernels = platform == nullptr || std::strcmp(platform, "fake") != 0;
  int *out = nullptr;
  if (refused != 1) {
    std::fprintf(stderr, "%d allocations were refused before main(), not 1\n", refused);
    return 1;
  }
  if (!expect(cudaSuccess, cudaGetLastError(), "cudaGetLastError in the beginning") ||
      !expect(cudaSuccess, cudaMalloc((void **)&out, sizeof *out), "cudaMalloc, which needs no module") ||
      !waits_for_memory(out))
    return 1;
  is_full = false;
  cudaGetLastError();
  return works(out, has_kernels) && expect(cudaSuccess, cudaFree(out), "cudaFree") ? 0 : 1;
}
