/* SPDX-License-Identifier: MIT */
/*
 * conform_library - libraries of kernels: loading them from memory and from files, what is in them, launches by their
 * handles, and what becomes of handles; functions of the driver's interface by their names.
 *
 * A device that runs no kernels, the fake one, loads and launches nothing.
 */
#include "conform_kernel.h"

static const char text[] =
    "extern \"C\" __device__ int table[4] = { 5, 6, 7, 8 };\n"
    "__managed__ int shared_count = 3;\n"
    "extern \"C\" __global__ void add(int *x, int y) { x[threadIdx.x] += y + table[threadIdx.x]; }\n"
    "extern \"C\" __global__ void count(int by) { if (threadIdx.x == 0) shared_count += by; }\n"
    "extern \"C\" __global__ void reversed(int *x) {\n"
    "  extern __shared__ int words[];\n"
    "  words[threadIdx.x] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];\n"
    "}\n";

static char *image;
static int runs_kernels;

static void prepare(void) {
  struct cudaDeviceProp properties;
  conform_succeed(cudaGetDeviceProperties(&properties, 0));
  runs_kernels = strstr(properties.name, "fake") == NULL && strstr(properties.name, "Fake") == NULL;
  image = conform_compile(text);
  conform_true(image != NULL);
}

static cudaLibrary_t load(void) {
  cudaLibrary_t library = NULL;
  conform_succeed(cudaLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
  conform_true(library != NULL);
  return library;
}

static cudaKernel_t kernel_of(cudaLibrary_t library, const char *name) {
  cudaKernel_t kernel = NULL;
  conform_succeed(cudaLibraryGetKernel(&kernel, library, name));
  return kernel;
}

/* Four threads, by the kernel's handle. */
static void launch(cudaKernel_t kernel, void **arguments, size_t shared) {
  const dim3 grid = { 1, 1, 1 }, block = { 4, 1, 1 };
  conform_succeed(cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, NULL));
}

static void kernels_are_launched_by_their_handles(void) {
  cudaLibrary_t library = load();
  int seen[4], by = 100, *numbers = NULL;
  void *arguments[] = { &numbers, &by };
  conform_succeed(cudaMalloc((void **)&numbers, sizeof seen));
  conform_succeed(cudaMemset(numbers, 0, sizeof seen));
  cudaKernel_t add = kernel_of(library, "add"), reversed = kernel_of(library, "reversed");
  if (runs_kernels) {
    launch(add, arguments, 0);
    launch(reversed, arguments, sizeof seen);
    conform_succeed(cudaMemcpy(seen, numbers, sizeof seen, cudaMemcpyDeviceToHost));
    conform_true(seen[0] == 108 && seen[1] == 107 && seen[2] == 106 && seen[3] == 105);
  }
  conform_succeed(cudaFree(numbers));
  conform_succeed(cudaLibraryUnload(library));
}

static void launches_with_attributes_take_handles_too(void) {
  cudaLibrary_t library = load();
  int seen[4] = { 0 }, by = 1, *numbers = NULL;
  void *arguments[] = { &numbers, &by };
  cudaLaunchConfig_t config = { 0 };
  config.gridDim.x = config.gridDim.y = config.gridDim.z = 1;
  config.blockDim.x = 4;
  config.blockDim.y = config.blockDim.z = 1;
  conform_succeed(cudaMalloc((void **)&numbers, sizeof seen));
  conform_succeed(cudaMemset(numbers, 0, sizeof seen));
  if (runs_kernels) {
    conform_succeed(cudaLaunchKernelExC(&config, (const void *)kernel_of(library, "add"), arguments));
    conform_succeed(cudaMemcpy(seen, numbers, sizeof seen, cudaMemcpyDeviceToHost));
    conform_true(seen[0] == 6 && seen[3] == 9);
  }
  conform_succeed(cudaFree(numbers));
  conform_succeed(cudaLibraryUnload(library));
}

/* What a launch cannot be told, and events that are none. */
static void attributes_of_others_are_refused(void) {
  static const int of_others[] = { -1, cudaLaunchAttributeSynchronizationPolicy, 15, 17, 20 };
  cudaLibrary_t library = load();
  const void *kernel = (const void *)kernel_of(library, "add");
  int by = 1, *numbers = NULL;
  void *arguments[] = { &numbers, &by };
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config = { 0 };
  config.gridDim.x = config.gridDim.y = config.gridDim.z = 1;
  config.blockDim = config.gridDim;
  config.attrs = &attribute;
  config.numAttrs = 1;
  for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++) {
    memset(&attribute, 0, sizeof attribute);
    attribute.id = (cudaLaunchAttributeID)of_others[i];
    conform_expect(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, kernel, arguments));
  }
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  conform_expect(cudaErrorInvalidResourceHandle, cudaLaunchKernelExC(&config, kernel, arguments));
  attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
  conform_expect(cudaErrorInvalidResourceHandle, cudaLaunchKernelExC(&config, kernel, arguments));
  conform_succeed(cudaLibraryUnload(library));
}

static void kernels_are_counted_and_listed(void) {
  cudaLibrary_t library = load();
  cudaKernel_t kernels[4] = { NULL, NULL, NULL, NULL };
  unsigned count = 0;
  conform_succeed(cudaLibraryGetKernelCount(&count, library));
  conform_true(count == 3);
  conform_succeed(cudaLibraryEnumerateKernels(kernels, 4, library));
  conform_true(kernels[0] != NULL && kernels[2] != NULL && kernels[3] == NULL);
  conform_true(kernels[0] != kernels[1] && kernels[1] != kernels[2] && kernels[0] != kernels[2]);
  cudaKernel_t add = kernel_of(library, "add");
  conform_true(kernels[0] == add || kernels[1] == add || kernels[2] == add);
  conform_expect(cudaErrorInvalidValue, cudaLibraryGetKernelCount(NULL, library));
  conform_expect(cudaErrorInvalidValue, cudaLibraryEnumerateKernels(NULL, 1, library));
  conform_succeed(cudaLibraryUnload(library));
}

static void variables_are_the_librarys_own(void) {
  cudaLibrary_t first = load(), second = load();
  void *one = NULL, *other = NULL;
  size_t bytes = 0;
  int seen[4] = { 0 }, changed[4] = { 1, 2, 3, 4 };
  conform_succeed(cudaLibraryGetGlobal(&one, &bytes, first, "table"));
  conform_succeed(cudaLibraryGetGlobal(&other, NULL, second, "table"));
  conform_true(one != NULL && other != NULL && one != other && bytes == sizeof seen);
  conform_succeed(cudaMemcpy(one, changed, sizeof changed, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(seen, other, sizeof seen, cudaMemcpyDeviceToHost));
  conform_true(seen[0] == 5 && seen[3] == 8);
  bytes = 0;
  conform_succeed(cudaLibraryGetGlobal(NULL, &bytes, first, "table"));
  conform_true(bytes == sizeof seen);
  conform_expect(cudaErrorSymbolNotFound, cudaLibraryGetGlobal(&one, &bytes, first, "no_such"));
  conform_expect(cudaErrorSymbolNotFound, cudaLibraryGetManaged(&one, &bytes, first, "table"));
  conform_succeed(cudaLibraryUnload(second));
  conform_succeed(cudaMemcpy(seen, one, sizeof seen, cudaMemcpyDeviceToHost));
  conform_true(seen[0] == 1 && seen[3] == 4);
  conform_succeed(cudaLibraryUnload(first));
}

static void managed_variables_are_the_hosts_too(void) {
  cudaLibrary_t library = load();
  void *count = NULL;
  size_t bytes = 0;
  int by = 4;
  void *arguments[] = { &by };
  conform_succeed(cudaLibraryGetManaged(&count, &bytes, library, "shared_count"));
  conform_true(count != NULL && bytes == sizeof(int));
  conform_true(*(int *)count == 3);
  *(int *)count = 10;
  if (runs_kernels) {
    launch(kernel_of(library, "count"), arguments, 0);
    conform_succeed(cudaDeviceSynchronize());
    conform_true(*(int *)count == 14);
  }
  conform_succeed(cudaLibraryUnload(library));
}

static void kernels_have_attributes(void) {
  cudaLibrary_t library = load();
  cudaKernel_t kernel = kernel_of(library, "reversed");
  struct cudaFuncAttributes attributes;
  const char *name = NULL;
  size_t offset = 9, size = 0;
  conform_succeed(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
  conform_expect(cudaErrorInvalidValue,
                 cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1, 0));
  conform_expect(cudaErrorInvalidDevice,
                 cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 1000));
  if (runs_kernels) {
    conform_succeed(cudaFuncGetAttributes(&attributes, (const void *)kernel));
    conform_true(attributes.maxDynamicSharedSizeBytes == 1024 && attributes.maxThreadsPerBlock > 0);
  }
  conform_expect(cudaErrorInvalidValue, cudaFuncGetAttributes(NULL, NULL));
  conform_expect(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, NULL));
  conform_expect(cudaErrorInvalidValue, cudaFuncSetAttribute(NULL, (enum cudaFuncAttribute)99, 0));
  conform_expect(cudaErrorInvalidDeviceFunction,
                 cudaFuncSetAttribute(NULL, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  conform_succeed(cudaFuncGetName(&name, (const void *)kernel));
  conform_true(name != NULL && strcmp(name, "reversed") == 0);
  conform_succeed(cudaFuncGetParamInfo((const void *)kernel_of(library, "add"), 1, &offset, &size));
  conform_true(offset == 8 && size == sizeof(int));
  conform_succeed(cudaLibraryUnload(library));
}

static void files_are_loaded(void) {
  static const char path[] = "conform_library.image";
  enum cudaLibraryOption preserved = cudaLibraryBinaryIsPreserved;
  void *value = (void *)1;
  cudaLibrary_t library = NULL;
  FILE *file = fopen(path, "w");
  conform_true(file != NULL && fputs(image, file) >= 0 && fclose(file) == 0);
  conform_succeed(cudaLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
  conform_expect(cudaErrorInvalidValue,
                 cudaLibraryLoadFromFile(&library, path, NULL, NULL, 0, &preserved, &value, 1));
  remove(path);
  conform_true(kernel_of(library, "add") != NULL);
  conform_succeed(cudaLibraryUnload(library));
  conform_expect(cudaErrorFileNotFound,
                 cudaLibraryLoadFromFile(&library, "/no/such/file", NULL, NULL, 0, NULL, NULL, 0));
}

static void options_are_taken(void) {
  char log[500] = "x";
  enum cudaJitOption options[] = { cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes };
  void *values[] = { log, (void *)sizeof log };
  enum cudaLibraryOption preserved = cudaLibraryBinaryIsPreserved;
  void *value = (void *)1;
  cudaLibrary_t library = NULL;
  conform_succeed(cudaLibraryLoadData(&library, image, options, values, 2, &preserved, &value, 1));
  conform_succeed(cudaLibraryUnload(library));
  values[1] = (void *)sizeof log; /* the log's length was told there */
  cudaError_t error = cudaLibraryLoadData(&library, ".version 1000.0\n!!!\n", options, values, 2, NULL, NULL, 0);
#ifndef ON_NVIDIA /* whose runtime writes the log, and answers cudaSuccess */
  conform_true(error == cudaErrorInvalidPtx || error == cudaErrorUnsupportedPtxVersion);
#endif
  (void)error;
  cudaGetLastError();
  conform_true(log[0] != 'x' && log[0] != 0);
  conform_expect(cudaErrorInvalidValue, cudaLibraryLoadData(NULL, image, NULL, NULL, 0, NULL, NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
}

static void wrong_names_and_outputs_are_refused(void) {
  cudaLibrary_t library = load();
  cudaKernel_t kernel = NULL;
  void *pointer = NULL;
  conform_expect(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&kernel, library, "table"));
  conform_expect(cudaErrorInvalidValue, cudaLibraryGetKernel(NULL, library, "add"));
  conform_expect(cudaErrorInvalidValue, cudaLibraryGetKernel(&kernel, library, NULL));
  conform_expect(cudaErrorInvalidValue, cudaLibraryGetGlobal(NULL, NULL, library, "table"));
  /* Without functions of that kind NVIDIA's may tell that the value is wrong, or that there is no such symbol. */
  cudaError_t error = cudaLibraryGetUnifiedFunction(&pointer, library, "add");
  conform_true(error == cudaErrorSymbolNotFound || error == cudaErrorInvalidValue);
  cudaGetLastError();
  conform_true(kernel == NULL && pointer == NULL);
  conform_succeed(cudaLibraryUnload(library));
}

typedef CUresult(CUDAAPI *get_version)(int *version);

static void functions_of_the_driver_are_found_by_name(void) {
  void *found = NULL;
  int version = 0;
  enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  conform_succeed(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &found, 12000, cudaEnableDefault, &status));
  conform_true(found != NULL && status == cudaDriverEntryPointSuccess);
  get_version call;
  memcpy(&call, &found, sizeof call);
  conform_true(call(&version) == CUDA_SUCCESS && version >= 12000);
  conform_succeed(cudaGetDriverEntryPointByVersion("cuNoSuchCall", &found, 12000, cudaEnableDefault, &status));
  conform_true(found == NULL && status == cudaDriverEntryPointSymbolNotFound);
  found = &version;
  conform_succeed(cudaGetDriverEntryPointByVersion("cuNoSuchCall", &found, 12000, cudaEnableDefault, NULL));
  conform_true(found == NULL);
  found = &version;
  conform_expect(cudaErrorInvalidValue,
                 cudaGetDriverEntryPointByVersion("cuInit", &found, 99000, cudaEnableDefault, &status));
  conform_true(found == &version && status == cudaDriverEntryPointSymbolNotFound);
  conform_succeed(cudaGetDriverEntryPointByVersion("cuGetProcAddress", &found, 2000, cudaEnableDefault, &status));
  conform_true(found == NULL && status == cudaDriverEntryPointVersionNotSufficent);
#ifndef ON_NVIDIA /* where NULL for the name crashes, and the document says of neither pointer that it is looked at */
  conform_expect(cudaErrorInvalidValue,
                 cudaGetDriverEntryPointByVersion(NULL, &found, 12000, cudaEnableDefault, &status));
  conform_expect(cudaErrorInvalidValue,
                 cudaGetDriverEntryPointByVersion("cuInit", NULL, 12000, cudaEnableDefault, &status));
#endif
}

static void default_streams_choose_variants(void) {
  void *usual = NULL, *legacy = NULL, *own = NULL;
  conform_succeed(cudaGetDriverEntryPointByVersion("cuMemcpy", &usual, 12000, cudaEnableDefault, NULL));
  conform_succeed(cudaGetDriverEntryPointByVersion("cuMemcpy", &legacy, 12000, cudaEnableLegacyStream, NULL));
  conform_succeed(cudaGetDriverEntryPointByVersion("cuMemcpy", &own, 12000, cudaEnablePerThreadDefaultStream, NULL));
  conform_true(usual == legacy && own != legacy && own != NULL);
}

int main(void) {
  prepare();
  kernels_are_launched_by_their_handles();
  launches_with_attributes_take_handles_too();
  attributes_of_others_are_refused();
  kernels_are_counted_and_listed();
  variables_are_the_librarys_own();
  managed_variables_are_the_hosts_too();
  kernels_have_attributes();
  files_are_loaded();
  options_are_taken();
  wrong_names_and_outputs_are_refused();
  functions_of_the_driver_are_found_by_name();
  default_streams_choose_variants();
  free(image);
  return conform_done("conform_library");
}
