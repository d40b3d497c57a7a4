/* SPDX-License-Identifier: MIT */
/* entry_binary - rows of the runtime: what clang and nvcc write into programs. */
#include "entry.h"

#include <vptr_binary.h>

static char add, lacking; /* stubs */
static char table[16];
static void *managed;
static char name_of_add[] = "add", name_of_table[] = "table", name_of_managed[] = "managed";
static void **handle;

static int is_kernel(const void *stub) {
  const char *name = NULL;
  int is_one = cudaFuncGetName(&name, stub) == cudaSuccess && strcmp(name, name_of_add) == 0;
  cudaGetLastError();
  return is_one;
}

static int is_symbol(const void *shadow, size_t size) {
  size_t seen = 0;
  int is_one = cudaGetSymbolSize(&seen, shadow) == cudaSuccess && seen == size;
  cudaGetLastError();
  return is_one;
}

/* What is registered is looked at once all of it is; managed stays what it was, as the module has no such variable. */
static void registered(void) {
  static struct {
    unsigned magic;
    int version;
    const void *content;
    void *linked;
  } record;
  size_t size;
  record.magic = 0x466243b1;
  record.version = 1;
  record.content = entry_image(&size);
  handle = __cudaRegisterFatBinary(&record);
  ENTRY_HOLDS(__cudaRegisterFatBinary, handle != NULL);
  __cudaRegisterFunction(handle, &add, name_of_add, name_of_add, -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(handle, table, name_of_table, name_of_table, 0, sizeof table, 0, 0);
  __cudaRegisterManagedVar(handle, &managed, name_of_managed, name_of_managed, 0, 4, 0, 0);
  __cudaRegisterTexture(handle, NULL, NULL, "texture", 2, 0, 0);
  __cudaRegisterSurface(handle, NULL, NULL, "surface", 2, 0);
  __cudaRegisterFatBinaryEnd(handle);
  ENTRY_HOLDS(__cudaRegisterFatBinaryEnd, cudaGetLastError() == cudaSuccess);
  ENTRY_HOLDS(__cudaRegisterFunction, is_kernel(&add) && !is_kernel(&lacking));
  ENTRY_HOLDS(__cudaRegisterVar, is_symbol(table, sizeof table));
  ENTRY_HOLDS(__cudaRegisterManagedVar, managed == NULL);
  ENTRY_HOLDS(__cudaRegisterTexture, is_kernel(&add));
  ENTRY_HOLDS(__cudaRegisterSurface, is_kernel(&add));
  ENTRY_HOLDS(__cudaInitModule, __cudaInitModule(handle) == 1 && __cudaInitModule(NULL) == 0);
}

static void launched(void) {
  const dim3 one = { 1, 1, 1 }, block = { 4, 1, 1 };
  const int launched = entry_runs_kernels() ? (int)cudaSuccess : (int)cudaErrorInvalidKernelImage;
  struct CUkern_st *kernel = NULL, *none = NULL;
  int *numbers = NULL, by = 3, seen[4] = { 0 };
  void *arguments[] = { &numbers, &by };
  dim3 grid, threads;
  size_t shared = 0;
  cudaStream_t stream = NULL;
  NEED(cudaMalloc((void **)&numbers, sizeof seen) == cudaSuccess);
  NEED(cudaMemset(numbers, 0, sizeof seen) == cudaSuccess);
  ENTRY(__cudaGetKernel, (&kernel, &add), cudaSuccess, kernel != NULL, (NULL, &add), cudaErrorInvalidValue);
  ENTRY_HOLDS(__cudaPushCallConfiguration, __cudaPushCallConfiguration(one, block, 7, NULL) == 0);
  ENTRY(__cudaPopCallConfiguration, (&grid, &threads, &shared, &stream), cudaSuccess, shared == 7 && threads.x == 4,
        (&grid, &threads, &shared, &stream), cudaErrorMissingConfiguration);
  ENTRY(__cudaLaunchKernel, (kernel, one, block, arguments, 0, NULL), launched, 1,
        (none, one, block, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
  ENTRY(__cudaLaunchKernel_ptsz, (kernel, one, block, arguments, 0, NULL), launched, 1,
        (none, one, block, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
  NEED(cudaDeviceSynchronize() == cudaSuccess);
  NEED(cudaMemcpy(seen, numbers, sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess);
  NEED(seen[3] == (entry_runs_kernels() ? 6 : 0));
  NEED(cudaFree(numbers) == cudaSuccess);
}

void entry_runtime_binary(void) {
  registered();
  launched();
  __cudaUnregisterFatBinary(handle);
  ENTRY_HOLDS(__cudaUnregisterFatBinary, !is_kernel(&add) && !is_symbol(table, sizeof table));
}
