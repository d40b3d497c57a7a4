/* SPDX-License-Identifier: MIT */
/* entry_kernel - rows of the runtime: modules, symbols, launches, and what a kernel can be asked. */
#include "entry.h"

#include <vptr_kernel.h>
#include <vptr_symbol.h>

enum { THREADS = 4 };

static char add, unknown; /* stubs */
static int table[4] = { 1, 2, 3, 4 }, lone[4] = { 5, 6, 7, 8 }, *numbers;

static const vptr_cuda_kernel kernels[] = { { &add, "add" } };
static const vptr_cuda_variable variables[] = { { table, "table", sizeof table, VPTR_CUDA_VARIABLE_ZERO } };
static vptr_cuda_module module;

/* What a call comes to that builds the kernel: the fake device has none of that name. */
static int code_of(cudaError_t of_fake) {
  return entry_runs_kernels() ? (int)cudaSuccess : (int)of_fake;
}

/* Each of THREADS numbers has grown by one since. */
static int has_added(int times) {
  int seen[THREADS];
  return !entry_runs_kernels() || (cudaDeviceSynchronize() == cudaSuccess &&
                                   cudaMemcpy(seen, numbers, sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess &&
                                   seen[0] == times && seen[THREADS - 1] == times);
}

static void registered(void) {
  size_t length;
  void *handle = NULL;
  const char *text = entry_image(&length);
  module = (vptr_cuda_module){ sizeof module, text, length, kernels, 1, variables, 1 };
  static vptr_cuda_unit unit, none;
  unit = (vptr_cuda_unit){ .struct_size = sizeof unit, .module = module, .file = "unit.cu" };
  vptr_cuda_register_unit(&unit);
  ENTRY_HOLDS(vptr_cuda_register_unit, unit.handle != NULL && unit.error == cudaSuccess);
  vptr_cuda_unregister_unit(&unit);
  vptr_cuda_unregister_unit(&none);
  ENTRY_HOLDS(vptr_cuda_unregister_unit, cudaFuncGetName(&(const char *){ NULL }, &add) != cudaSuccess);
  cudaGetLastError();
  ENTRY(vptr_cuda_register_module, (&module, &handle), cudaSuccess, handle != NULL, (NULL, &handle),
        cudaErrorInvalidValue);
  ENTRY(vptr_cuda_unregister_module, (handle), cudaSuccess, cudaGetSymbolSize(&length, table) != cudaSuccess, (NULL),
        cudaSuccess);
  NEED(vptr_cuda_register_module(&module, &handle) == cudaSuccess);
  ENTRY(vptr_cuda_register_symbol, (lone, "lone", sizeof lone, lone, 0), cudaSuccess, 1,
        (NULL, "lone", sizeof lone, lone, 0), cudaErrorInvalidValue);
}

static void symbols(void) {
  void *address = NULL;
  size_t size = 0;
  int seen[4] = { 0 }, others[4] = { 9, 9, 9, 9 };
  const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  ENTRY(cudaGetSymbolAddress, (&address, lone), cudaSuccess, address != NULL, (&address, &unknown),
        cudaErrorInvalidSymbol);
  ENTRY(cudaGetSymbolSize, (&size, lone), cudaSuccess, size == sizeof lone, (&size, &unknown),
        cudaErrorInvalidSymbol);
  ENTRY(cudaMemcpyFromSymbol, (seen, lone, sizeof seen, 0, out), cudaSuccess, seen[0] == 5 && seen[3] == 8,
        (seen, &unknown, sizeof seen, 0, out), cudaErrorInvalidSymbol);
  ENTRY(cudaMemcpyToSymbol, (lone, others, sizeof others, 0, in), cudaSuccess,
        cudaMemcpyFromSymbol(seen, lone, sizeof seen, 0, out) == cudaSuccess && seen[3] == 9,
        (lone, others, sizeof others, 1, in), cudaErrorInvalidValue);
  others[1] = 10;
  ENTRY(cudaMemcpyToSymbolAsync, (lone, others, sizeof others, 0, in, NULL), cudaSuccess,
        cudaMemcpyFromSymbol(seen, lone, sizeof seen, 0, out) == cudaSuccess && seen[1] == 10,
        (lone, others, sizeof others, 1, in, NULL), cudaErrorInvalidValue);
  seen[1] = 0;
  ENTRY(cudaMemcpyFromSymbolAsync, (seen, lone, sizeof seen, 0, out, NULL), cudaSuccess,
        cudaDeviceSynchronize() == cudaSuccess && seen[1] == 10, (seen, lone, sizeof seen, 1, out, NULL),
        cudaErrorInvalidValue);
  ENTRY(vptr_cuda_unregister_symbol, (lone), cudaSuccess, cudaGetSymbolSize(&size, lone) == cudaErrorInvalidSymbol,
        (lone), cudaErrorInvalidSymbol);
}

static void launches(void) {
  const dim3 one = { 1, 1, 1 }, block = { THREADS, 1, 1 }, none = { 0, 1, 1 };
  int by = 1, accesses[] = { VPTR_CUDA_ACCESS_READ | VPTR_CUDA_ACCESS_WRITE, 0 };
  const vptr_cuda_range ranges[] = { { THREADS * sizeof *numbers, 0, VPTR_CUDA_ACCESS_READ_WRITE }, { 0, 0, 0 } };
  void *arguments[] = { &numbers, &by };
  cudaLaunchConfig_t config = { .gridDim = one, .blockDim = block };
  dim3 grid = none, threads = none;
  size_t shared = 0;
  cudaStream_t stream = NULL;
  NEED(cudaMalloc((void **)&numbers, THREADS * sizeof *numbers) == cudaSuccess);
  NEED(cudaMemset(numbers, 0, THREADS * sizeof *numbers) == cudaSuccess);
  ENTRY(cudaLaunchKernel, (&add, one, block, arguments, 0, NULL), code_of(cudaErrorInvalidKernelImage), has_added(1),
        (&unknown, one, block, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
  ENTRY(cudaLaunchKernelExC, (&config, &add, arguments), code_of(cudaErrorInvalidKernelImage), has_added(2),
        (&config, &unknown, arguments), cudaErrorInvalidDeviceFunction);
  ENTRY(cudaLaunchCooperativeKernel, (&add, one, block, arguments, 0, NULL), code_of(cudaErrorInvalidKernelImage),
        has_added(3), (&unknown, one, block, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
  ENTRY(vptr_cuda_launch_declared, (&add, one, block, arguments, accesses, 2, 0, NULL),
        code_of(cudaErrorInvalidKernelImage), has_added(4), (&unknown, one, block, arguments, NULL, 0, 0, NULL),
        cudaErrorInvalidDeviceFunction);
  ENTRY(vptr_cuda_launch_ranges, (&add, one, block, arguments, ranges, 2, 0, NULL),
        code_of(cudaErrorInvalidKernelImage), has_added(5), (&unknown, one, block, arguments, NULL, 0, 0, NULL),
        cudaErrorInvalidDeviceFunction);
  ENTRY_HOLDS(vptr_cuda_push_configuration, vptr_cuda_push_configuration(one, block, 7, NULL) == cudaSuccess);
  ENTRY(vptr_cuda_pop_configuration, (&grid, &threads, &shared, &stream), cudaSuccess,
        shared == 7 && grid.x == 1 && threads.x == THREADS, (&grid, &threads, &shared, &stream),
        cudaErrorMissingConfiguration);
  NEED(cudaFree(numbers) == cudaSuccess);
}

static void asked(void) {
  struct cudaFuncAttributes attributes = { .maxThreadsPerBlock = -1 };
  const char *name = NULL;
  size_t offset = 99, size = 0;
  int blocks = -1;
  const int built = code_of(cudaErrorUnknown), runs = entry_runs_kernels();
  ENTRY(cudaFuncGetAttributes, (&attributes, &add), built, !runs || attributes.maxThreadsPerBlock > 0, (NULL, &add),
        cudaErrorInvalidValue);
  ENTRY(cudaFuncSetAttribute, (&add, cudaFuncAttributeMaxDynamicSharedMemorySize, 64), cudaSuccess, 1,
        (&unknown, cudaFuncAttributeMaxDynamicSharedMemorySize, 64), cudaErrorInvalidDeviceFunction);
  ENTRY(cudaFuncSetCacheConfig, (&add, cudaFuncCachePreferL1), cudaSuccess, 1, (&unknown, cudaFuncCachePreferL1),
        cudaErrorInvalidDeviceFunction);
  ENTRY(cudaFuncSetSharedMemConfig, (&add, cudaSharedMemBankSizeDefault), cudaSuccess, 1,
        (&unknown, cudaSharedMemBankSizeDefault), cudaErrorInvalidDeviceFunction);
  ENTRY(cudaFuncGetName, (&name, &add), cudaSuccess, strcmp(name, "add") == 0, (NULL, &add), cudaErrorInvalidValue);
  ENTRY(cudaFuncGetParamInfo, (&add, 1, &offset, &size), cudaSuccess, offset == 8 && size == sizeof(int),
        (&add, 2, &offset, &size), cudaErrorInvalidValue);
  ENTRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (&blocks, &add, 32, 0), built, !runs || blocks > 0,
        (NULL, &add, 32, 0), cudaErrorInvalidValue);
  blocks = -1;
  ENTRY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (&blocks, &add, 32, 0, cudaOccupancyDefault), built,
        !runs || blocks > 0, (&blocks, &add, 32, 0, 99), cudaErrorInvalidValue);
  size = 0;
  ENTRY(cudaOccupancyAvailableDynamicSMemPerBlock, (&size, &add, 1, 32), cudaSuccess, !runs || size > 0,
        (NULL, &add, 1, 32), cudaErrorInvalidValue);
}

void entry_runtime_kernel(void) {
  registered();
  symbols();
  launches();
  asked();
}
