/* SPDX-License-Identifier: MIT */
/* conform_driver_virtual_kernel - kernels over several mappings, and while a range grows. */
#include "conform_kernel.h"

static const char text[] = "extern \"C\" __global__ void fill(unsigned *x, unsigned first, unsigned long long n) {\n"
                           "  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
                           "       i += gridDim.x * blockDim.x) x[i] = first + (unsigned)i;\n"
                           "}\n"
                           "extern \"C\" __global__ void twice(unsigned *x, unsigned long long n) {\n"
                           "  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
                           "       i += gridDim.x * blockDim.x) x[i] *= 2;\n"
                           "}\n";

enum { PIECES = 3 };

static size_t granule;

static int grow(CUdeviceptr at, const CUmemAllocationProp *prop) {
  CUmemGenericAllocationHandle handle = 0;
  CUmemAccessDesc access;
  memset(&access, 0, sizeof access);
  access.location = prop->location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return cuMemCreate(&handle, granule, prop, 0) == CUDA_SUCCESS &&
         cuMemMap(at, granule, 0, handle, 0) == CUDA_SUCCESS && cuMemRelease(handle) == CUDA_SUCCESS &&
         cuMemSetAccess(at, granule, &access, 1) == CUDA_SUCCESS;
}

static int holds(CUdeviceptr at, unsigned factor, size_t count) {
  unsigned *host = calloc(count, sizeof *host);
  int fine = host != NULL && cuMemcpyDtoH(host, at, count * sizeof *host) == CUDA_SUCCESS;
  for (size_t i = 0; fine && i < count; i++)
    fine = host[i] == factor * (unsigned)i;
  free(host);
  return fine;
}

/* One launch over all that is mapped; what was there before the range grew is there after. */
static void kernels_go_over_seams(CUfunction fill, CUfunction twice, const CUmemAllocationProp *prop) {
  const size_t words = granule / 4;
  CUdeviceptr base = 0;
  conform_true(cuMemAddressReserve(&base, PIECES * granule, 0, 0, 0) == CUDA_SUCCESS);
  for (unsigned i = 0; i < PIECES; i++) {
    CUdeviceptr at = base + i * granule;
    unsigned first = i * (unsigned)words;
    unsigned long long count = words;
    void *arguments[] = { &at, &first, &count };
    conform_true(grow(at, prop));
    conform_true(conform_launch(fill, NULL, arguments));
  }
  conform_true(holds(base, 1, PIECES * words));
  unsigned long long all = PIECES * words;
  void *arguments[] = { &base, &all };
  conform_true(conform_launch(twice, NULL, arguments));
  conform_true(holds(base, 2, PIECES * words));
  conform_true(cuMemUnmap(base, PIECES * granule) == CUDA_SUCCESS);
  conform_true(cuMemAddressFree(base, PIECES * granule) == CUDA_SUCCESS);
}

int main(void) {
  CUmodule module = conform_load(text);
  CUmemAllocationProp prop;
  int is_there = 0;
  memset(&prop, 0, sizeof prop);
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  conform_true(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) ==
               CUDA_SUCCESS);
  if (!is_there)
    return CONFORM_LEFT_OUT;
  conform_true(cuMemGetAllocationGranularity(&granule, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS);
  kernels_go_over_seams(conform_function(module, "fill"), conform_function(module, "twice"), &prop);
  conform_true(cuModuleUnload(module) == CUDA_SUCCESS);
  return conform_done("conform_driver_virtual_kernel");
}
