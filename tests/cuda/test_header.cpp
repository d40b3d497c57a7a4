// SPDX-License-Identifier: MIT
// test_header - the counterpart of test_header.c: what C++ programs write.
#include <cuda_occupancy.h>
#include <cuda_runtime.h>
#include <cstdio>

static int failures;

static void expect(bool condition, const char *what) {
  if (!condition) {
    failures++;
    std::printf("FAILED: %s\n", what);
  }
}

static void typed_pointers_need_no_cast() {
  float *numbers = nullptr;
  const double *constants = nullptr;
  void *anything = nullptr;
  expect(cudaMalloc(&numbers, 40) == cudaSuccess && numbers != nullptr, "float *");
  expect(cudaMalloc(&constants, 40) == cudaSuccess && constants != nullptr, "const double *");
  expect(cudaMalloc(&anything, 40) == cudaSuccess && anything != nullptr, "void *");
  cudaFree(numbers);
  cudaFree(const_cast<double *>(constants));
  cudaFree(anything);
  expect(cudaMalloc(reinterpret_cast<void **>(&numbers), 40) == cudaSuccess, "cast");
  cudaFree(numbers);
  expect(cudaMalloc(nullptr, 8) == cudaErrorInvalidValue, "nullptr");
}

static void the_function_has_cudas_type() {
  cudaError_t (*allocate)(void **, size_t) = cudaMalloc;
  cudaError_t (*copy)(void *, const void *, size_t, cudaMemcpyKind) = cudaMemcpy;
  void *p = nullptr;
  expect(allocate(&p, 8) == cudaSuccess && copy(p, "seven b", 8, cudaMemcpyDefault) == cudaSuccess, "by pointer");
  cudaFree(p);
}

static void dim3_fills_in_ones() {
  dim3 one, line(7), block(2, 3, 4);
  uint3 plain = block;
  dim3 again = plain;
  expect(one.x == 1 && one.y == 1 && one.z == 1, "dim3()");
  expect(line.x == 7 && line.y == 1 && line.z == 1, "dim3(7)");
  expect(again.x == 2 && again.y == 3 && again.z == 4, "dim3 to uint3 and back");
  static_assert(sizeof(dim3) == 12, "dim3 is three words");
}

static void channels_are_said_by_type() {
  cudaChannelFormatDesc one = cudaCreateChannelDesc<float>(), four = cudaCreateChannelDesc<uchar4>();
  cudaChannelFormatDesc none = cudaCreateChannelDesc<double>();
  expect(one.x == 32 && one.y == 0 && one.f == cudaChannelFormatKindFloat, "float");
  expect(four.x == 8 && four.w == 8 && four.f == cudaChannelFormatKindUnsigned, "uchar4");
  expect(none.x == 0 && none.f == cudaChannelFormatKindNone, "double");
}

static void symbols_are_given_by_themselves() {
  static int table[4];
  static volatile float scale;
  size_t size = 0;
  expect(cudaGetSymbolSize(&size, table) == cudaErrorInvalidSymbol, "an array");
  expect(cudaMemcpyToSymbol(scale, table, 4) == cudaErrorInvalidSymbol, "a volatile variable");
  expect(cudaMemcpyFromSymbol(table, scale, 4) == cudaErrorInvalidSymbol, "as a source");
}

static void what_is_left_out_has_a_value() {
  const cudaMemLocation host = { cudaMemLocationTypeHost, 0 };
  float *numbers = nullptr;
  cudaStream_t stream = nullptr;
  expect(cudaMallocManaged(&numbers, 40) == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess, "managed");
  expect(cudaMemPrefetchAsync(numbers, 40, host, 0) == cudaSuccess, "a prefetch without a stream");
  expect(cudaMemPrefetchAsync_v2(numbers, 40, host, 0) == cudaSuccess, "CUDA 12's name");
  expect(cudaStreamAttachMemAsync(stream, numbers) == cudaSuccess, "attached with its size to one stream");
  expect(cudaStreamDestroy(stream) == cudaSuccess && cudaFree(numbers) == cudaSuccess, "the end");
}

static void every_allocation_is_typed() {
  float *numbers = nullptr;
  int *counts = nullptr;
  size_t pitch = 0;
  cudaMemPool_t pool = nullptr;
  void *anything = nullptr;
  expect(cudaMallocPitch(&numbers, &pitch, 40, 3) == cudaSuccess && pitch >= 40, "rows with a pitch");
  expect(cudaFree(numbers) == cudaSuccess, "freed");
  expect(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess, "the pool");
  expect(cudaMallocAsync(&numbers, 40, 0) == cudaSuccess, "in a stream's order");
  expect(cudaMallocAsync(&counts, 40, pool, 0) == cudaSuccess, "from a pool");
  expect(cudaMallocAsync(&anything, 40, pool, 0) == cudaSuccess, "from a pool, of no type");
  expect(cudaFreeAsync(numbers, 0) == cudaSuccess && cudaFreeAsync(counts, 0) == cudaSuccess, "freed");
  expect(cudaMallocFromPoolAsync(&numbers, 40, pool, 0) == cudaSuccess, "by the other name");
  expect(cudaFreeAsync(numbers, 0) == cudaSuccess && cudaFreeAsync(anything, 0) == cudaSuccess, "freed");
  expect(cudaMallocHost(&anything, 40, cudaHostAllocPortable) == cudaSuccess, "pinned, with flags");
  expect(cudaFreeHost(anything) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess, "the end");
}

static void no_kernel(int *p) {
  *p = 1;
}

/* An object that stands for a function, as wrappers of kernels do. */
struct wrapper {
  operator const void *() const { return reinterpret_cast<const void *>(no_kernel); }
};

struct twice {
  size_t operator()(int block) const { return 2 * static_cast<size_t>(block); }
};

static void functions_are_given_by_themselves() {
  const cudaError_t none = cudaErrorInvalidDeviceFunction;
  const char *name = nullptr;
  size_t bytes = 0;
  int count = 0, grid = 0, block = 0;
  cudaFuncAttributes attributes;
  void (*pointer)(int *) = no_kernel;
  expect(cudaFuncGetAttributes(&attributes, no_kernel) == none, "attributes");
  expect(cudaFuncSetAttribute(no_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0) == none, "an attribute");
  expect(cudaFuncSetCacheConfig(no_kernel, cudaFuncCachePreferL1) == none, "a cache");
  expect(cudaFuncSetSharedMemConfig(no_kernel, cudaSharedMemBankSizeDefault) == none, "banks");
  expect(cudaFuncGetName(&name, no_kernel) == none, "a name");
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, no_kernel, 32, 0) == none, "occupancy");
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, pointer, 32, 0) == none, "of a pointer");
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, wrapper(), 32, 0) == none, "of an object");
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, no_kernel, 32, 0, 0) == none, "with flags");
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, wrapper(), 32, 0, 0) == none, "of an object");
  expect(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, no_kernel, 1, 32) == none, "shared memory left");
  expect(cudaOccupancyMaxPotentialBlockSize(&grid, &block, no_kernel) == none, "a block's size");
  expect(cudaOccupancyMaxPotentialBlockSize(&grid, &block, wrapper()) == none, "an object's");
  expect(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, no_kernel, twice()) == none, "with memory");
}

/* The calculator takes what the runtime tells. */
static void occupancy_takes_properties() {
  cudaDeviceProp properties;
  cudaFuncAttributes attributes = cudaFuncAttributes();
  int grid = 0, block = 0;
  expect(cudaGetDeviceProperties(&properties, 0) == cudaSuccess, "properties");
  attributes.maxThreadsPerBlock = 256;
  attributes.maxDynamicSharedSizeBytes = 4096;
  const cudaOccDeviceProp device = properties;
  const cudaOccFuncAttributes function = attributes;
  const cudaOccDeviceState state;
  expect(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function, &state) == CUDA_OCC_SUCCESS, "one");
  expect(grid >= properties.multiProcessorCount && block > 0 && block <= 256, "a block's size");
  expect(cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid, &block, &device, &function, &state, twice()) ==
             CUDA_OCC_SUCCESS && block > 0, "with memory by size");
}

static void kernel_that_is_none() {}

static void libraries_take_typed_pointers_and_functions() {
  int *table = nullptr;
  float *shared = nullptr;
  cudaKernel_t kernel = nullptr;
  cudaFunction_t function = nullptr;
  cudaLibrary_t none = nullptr;
  expect(cudaLibraryGetGlobal(&table, nullptr, none, "table") == cudaErrorInvalidResourceHandle, "a variable");
  expect(cudaLibraryGetManaged(&shared, nullptr, none, "shared") == cudaErrorInvalidResourceHandle, "a managed one");
  expect(cudaGetKernel(&kernel, kernel_that_is_none) == cudaErrorInvalidDeviceFunction, "a kernel");
  expect(cudaGetFuncBySymbol(&function, kernel_that_is_none) == cudaErrorInvalidDeviceFunction, "a function");
  cudaGetLastError();
}

int main() {
  libraries_take_typed_pointers_and_functions();
  occupancy_takes_properties();
  every_allocation_is_typed();
  functions_are_given_by_themselves();
  channels_are_said_by_type();
  symbols_are_given_by_themselves();
  typed_pointers_need_no_cast();
  the_function_has_cudas_type();
  dim3_fills_in_ones();
  what_is_left_out_has_a_value();
  float4 v = make_float4(1, 2, 3, 4);
  expect(v.w == 4, "make_float4");
  return failures != 0;
}
