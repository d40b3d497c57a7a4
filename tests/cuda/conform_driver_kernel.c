/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_kernel - kernels through the driver's interface: compiled at run time, loaded, asked about, launched.
 *
 *     cc -I$prefix/include/vptr/cuda conform_driver_kernel.c -lvptr-cuda -lvptr-nvrtc -lvptr-cudart      as vptr
 *     cc -I/usr/local/cuda/include conform_driver_kernel.c -L/usr/local/cuda/lib64 -lcuda -lnvrtc -lcudart      as CUDA
 *
 * A device that runs no kernels, the fake one, is left out with status 77.
 */
#include "conform_driver.h"

#include <cuda_runtime.h>
#include <nvrtc.h>
#include <string.h>

enum { COUNT = 1000, BLOCK = 64 };

static const char text[] =
    "extern \"C\" __constant__ float factor = 2;\n"
    "extern \"C\" __device__ int calls;\n"
    "extern \"C\" __global__ void scale(const float *x, float *y, char skip, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i == 0) calls = calls + 1;\n"
    "  if (i < n) y[i] = factor * x[i] + skip;\n"
    "}\n"
    "extern \"C\" __global__ void reverse(int *x) {\n"
    "  extern __shared__ int part[];\n"
    "  part[threadIdx.x] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void produce(int *data, volatile int *flag, int turn) {\n"
    "  for (int i = 0; i < 1000; i++) data[i] = i * turn;\n"
    "  __threadfence_system();\n"
    "  *flag = turn;\n"
    "}\n"
    "extern \"C\" __global__ void consume(const int *data, int *sum) {\n"
    "  for (int i = 0; i < 1000; i++) *sum += data[i];\n"
    "}\n"
    "extern \"C\" __global__ void nothing() {}\n"
    "extern \"C\" __global__ void __launch_bounds__(32) narrow(int *x) { x[threadIdx.x] = 1; }\n"
    "namespace a { __global__ void lowered(int *x) { *x = 77; } }\n";

static char *compile(char *name, size_t size) {
  nvrtcProgram program = NULL;
  const char *lowered = NULL;
  size_t bytes = 0;
  driver_true(nvrtcCreateProgram(&program, text, "text.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcAddNameExpression(program, "a::lowered") == NVRTC_SUCCESS);
  nvrtcResult result = nvrtcCompileProgram(program, 0, NULL);
  driver_true(result == NVRTC_SUCCESS);
  nvrtcGetProgramLogSize(program, &bytes);
  char *log = calloc(bytes + 1, 1);
  nvrtcGetProgramLog(program, log);
  printf("%s", log);
  free(log);
  driver_true(nvrtcGetPTXSize(program, &bytes) == NVRTC_SUCCESS);
  char *module = calloc(bytes, 1);
  driver_true(nvrtcGetPTX(program, module) == NVRTC_SUCCESS);
  if (result == NVRTC_SUCCESS && nvrtcGetLoweredName(program, "a::lowered", &lowered) == NVRTC_SUCCESS)
    snprintf(name, size, "%s", lowered);
  driver_true(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return module;
}

static CUmodule module;

static CUfunction function(const char *name) {
  CUfunction found = NULL;
  driver_succeed(cuModuleGetFunction(&found, module, name));
  return found;
}

static void images_are_judged(void) {
  CUmodule none = NULL;
  char log[200] = "x";
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *)sizeof log };
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&none, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(NULL, ".version"));
  CUresult bad = cuModuleLoadDataEx(&none, ".version 1000.0\n!!!\n", 2, options, values);
  driver_true(bad == CUDA_ERROR_INVALID_PTX || bad == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  printf("observed: log of a bad image: %s\n", log);
  driver_expect(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&none, "/no/such/file"));
  driver_true(none == NULL);
}

static void functions_are_found(char *lowered) {
  CUfunction none = NULL;
  int value = -1;
  function("scale");
  function(lowered);
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "nosuch"));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&none, module, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(NULL, module, "scale"));
  driver_succeed(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function("narrow")));
  driver_true(value == 32);
  driver_succeed(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function("reverse")));
  driver_true(value == 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, function("scale")));
  driver_succeed(cuFuncSetCacheConfig(function("scale"), CU_FUNC_CACHE_PREFER_L1));
  driver_succeed(cuFuncSetAttribute(function("reverse"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
#if CUDA_VERSION >= 12040
  size_t offset = 0, size = 0;
  driver_succeed(cuFuncGetParamInfo(function("scale"), 3, &offset, &size));
  driver_true(offset == 20 && size == 4);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(function("scale"), 4, &offset, &size));
#endif
}

static void variables_are_found(void) {
  CUdeviceptr ptr = 0;
  size_t size = 0;
  float was = 0, is = 3;
  driver_succeed(cuModuleGetGlobal(&ptr, &size, module, "factor"));
  driver_true(size == sizeof was);
  driver_succeed(cuMemcpyDtoH(&was, ptr, sizeof was));
  driver_true(was == 2);
  driver_succeed(cuMemcpyHtoD(ptr, &is, sizeof is));
  driver_succeed(cuModuleGetGlobal(NULL, &size, module, "calls"));
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&ptr, &size, module, "nosuch"));
}

static void launch_scale(CUdeviceptr x, CUdeviceptr y, CUstream stream, int packed) {
  char skip = 1;
  int n = COUNT;
  unsigned grid = (COUNT + BLOCK - 1) / BLOCK;
  void *arguments[] = { &x, &y, &skip, &n };
  struct {
    CUdeviceptr x, y;
    char skip;
    int n;
  } block = { x, y, skip, n };
  size_t size = sizeof block;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  driver_succeed(cuLaunchKernel(function("scale"), grid, 1, 1, BLOCK, 1, 1, 0, stream, packed ? NULL : arguments,
                                packed ? extra : NULL));
}

static void kernels_run(void) {
  float x[COUNT], y[COUNT];
  CUdeviceptr a = 0, b = 0, counter = 0;
  CUstream stream = NULL;
  int calls = 0, wrong = 0;
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i;
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemAlloc(&a, sizeof x));
  driver_succeed(cuMemAlloc(&b, sizeof y));
  driver_succeed(cuMemcpyHtoD(a, x, sizeof x));
  for (int packed = 0; packed < 2; packed++) {
    driver_succeed(cuMemsetD8(b, 0, sizeof y));
    driver_succeed(cuCtxSynchronize());
    launch_scale(a, b, packed ? stream : NULL, packed);
    driver_succeed(cuCtxSynchronize());
    driver_succeed(cuMemcpyDtoH(y, b, sizeof y));
    for (int i = 0; i < COUNT; i++)
      wrong += y[i] != 3 * x[i] + 1;
    driver_true(wrong == 0);
  }
  driver_succeed(cuModuleGetGlobal(&counter, NULL, module, "calls"));
  driver_succeed(cuMemcpyDtoH(&calls, counter, sizeof calls));
  driver_true(calls == 2);
  driver_succeed(cuMemFree(a));
  driver_succeed(cuMemFree(b));
  driver_succeed(cuStreamDestroy(stream));
}

/* A kernel behind a word that another stream's kernel writes, with what that made before. */
static void hand_over(CUstream from, CUstream to, CUdeviceptr data, CUdeviceptr flag, int turn) {
  CUdeviceptr sum = data + COUNT * sizeof(int);
  void *produced[] = { &data, &flag, &turn }, *consumed[] = { &data, &sum };
  driver_succeed(cuStreamWaitValue32(to, flag, (unsigned)turn, CU_STREAM_WAIT_VALUE_GEQ));
  driver_succeed(cuLaunchKernel(function("consume"), 1, 1, 1, 1, 1, 1, 0, to, consumed, NULL));
  driver_expect(CUDA_ERROR_NOT_READY, cuStreamQuery(to));
  driver_succeed(cuLaunchKernel(function("produce"), 1, 1, 1, 1, 1, 1, 0, from, produced, NULL));
  driver_succeed(cuStreamSynchronize(to));
  driver_succeed(cuStreamSynchronize(from));
}

/* Both kernels have run before, for the device may have to load them, behind all that waits. */
static void kernels_write_words_that_streams_wait_for(void) {
  CUstream from = NULL, to = NULL;
  CUdeviceptr data = 0, flag = 0, mapped = 0;
  void *pinned = NULL;
  int sum = 0;
  driver_succeed(cuStreamCreate(&from, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuStreamCreate(&to, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemAlloc(&data, (COUNT + 2) * sizeof(int)));
  driver_succeed(cuMemHostAlloc(&pinned, sizeof(int), CU_MEMHOSTALLOC_DEVICEMAP));
  memset(pinned, 0, sizeof(int));
  CUresult has_address = cuMemHostGetDevicePointer(&mapped, pinned, 0);
  flag = data + (COUNT + 1) * sizeof(int);
  driver_succeed(cuMemsetD32(data, 0, COUNT + 2));
  int turn = 1;
  CUdeviceptr total = data + COUNT * sizeof(int);
  void *produced[] = { &data, &flag, &turn }, *consumed[] = { &data, &total };
  driver_succeed(cuLaunchKernel(function("produce"), 1, 1, 1, 1, 1, 1, 0, NULL, produced, NULL));
  driver_succeed(cuLaunchKernel(function("consume"), 1, 1, 1, 1, 1, 1, 0, NULL, consumed, NULL));
  driver_succeed(cuCtxSynchronize());
  hand_over(from, to, data, flag, 2);
  hand_over(from, to, data, has_address == CUDA_SUCCESS ? mapped : flag, 3);
  driver_succeed(cuMemcpyDtoH(&sum, total, sizeof sum));
  driver_true(sum == (1 + 2 + 3) * COUNT * (COUNT - 1) / 2);
  driver_succeed(cuMemFree(data));
  driver_succeed(cuMemFreeHost(pinned));
  driver_succeed(cuStreamDestroy(from));
  driver_succeed(cuStreamDestroy(to));
}

static void shared_memory_is_given(void) {
  int x[BLOCK], wrong = 0;
  void *memory = NULL;
  for (int i = 0; i < BLOCK; i++)
    x[i] = i;
  driver_true(cudaMalloc(&memory, sizeof x) == cudaSuccess);
  driver_true(cudaMemcpy(memory, x, sizeof x, cudaMemcpyHostToDevice) == cudaSuccess);
  void *arguments[] = { &memory };
  driver_succeed(cuLaunchKernel(function("reverse"), 1, 1, 1, BLOCK, 1, 1, sizeof x, NULL, arguments, NULL));
  driver_true(cudaMemcpy(x, memory, sizeof x, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < BLOCK; i++)
    wrong += x[i] != BLOCK - 1 - i;
  driver_true(wrong == 0);
  driver_true(cudaFree(memory) == cudaSuccess);
}

static void a_lowered_name_is_launched(const char *lowered) {
  CUdeviceptr ptr = 0;
  int value = 0;
  driver_succeed(cuMemAlloc(&ptr, sizeof value));
  void *arguments[] = { &ptr };
  driver_succeed(cuLaunchKernel(function(lowered), 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  driver_succeed(cuMemcpyDtoH(&value, ptr, sizeof value));
  driver_true(value == 77);
  driver_succeed(cuMemFree(ptr));
}

static void wrong_launches_are_refused(void) {
  CUfunction nothing = function("nothing");
  CUdeviceptr ptr = 0;
  void *arguments[] = { &ptr };
  driver_succeed(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, 0, 1, 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, 1 << 20, 1, 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 1 << 30, NULL, NULL, NULL));
  driver_observe("more threads than the bounds",
                 cuLaunchKernel(function("narrow"), 1, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
  driver_observe("no function", cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  driver_observe("arguments twice", cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, arguments));
  driver_succeed(cuCtxSynchronize());
}

static int attribute_of(CUdevice_attribute attribute) {
  int value = -1;
  driver_succeed(cuDeviceGetAttribute(&value, attribute, 0));
  return value;
}

/* As many blocks as there is room for may wait for each other; what a launch is refused for is the same. */
static void blocks_are_launched_together(void) {
  float x = 5, y = 0;
  char skip = 1;
  int n = 1, blocks = 0;
  CUdeviceptr a = 0, b = 0;
  CUfunction nothing = function("nothing");
  void *arguments[] = { &a, &b, &skip, &n };
  driver_succeed(cuMemAlloc(&a, sizeof x));
  driver_succeed(cuMemAlloc(&b, sizeof y));
  driver_succeed(cuMemcpyHtoD(a, &x, sizeof x));
  driver_succeed(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("scale"), BLOCK, 0));
  unsigned grid = (unsigned)(blocks * attribute_of(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  driver_true(attribute_of(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 1);
  driver_succeed(cuLaunchCooperativeKernel(function("scale"), grid, 1, 1, BLOCK, 1, 1, 0, NULL, arguments));
  driver_succeed(cuMemcpyDtoH(&y, b, sizeof y));
  driver_true(y == 16); /* the factor is 3 by now */
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernel(nothing, 0, 1, 1, 1, 1, 1, 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernel(nothing, 1, 1, 1, 1 << 20, 1, 1, 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuLaunchCooperativeKernel(function("scale"), 1, 1, 1, BLOCK, 1, 1, 0, NULL, NULL));
  driver_true(sizeof(CUlaunchConfig) == 56 && offsetof(CUlaunchConfig, hStream) == 32);
  driver_true(sizeof(CUlaunchAttribute) == 72 && offsetof(CUlaunchAttribute, value) == 8);
  CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = { .cooperative = 1 } };
  CUlaunchConfig config = { grid, 1, 1, BLOCK, 1, 1, 0, NULL, &attribute, 1 };
  driver_succeed(cuMemsetD8(b, 0, sizeof y));
  driver_succeed(cuLaunchKernelEx(&config, function("scale"), arguments, NULL));
  driver_succeed(cuMemcpyDtoH(&y, b, sizeof y));
  driver_true(y == 16);
  attribute = (CUlaunchAttribute){ .id = CU_LAUNCH_ATTRIBUTE_PRIORITY };
  driver_succeed(cuLaunchKernelEx(&config, function("scale"), arguments, NULL));
  config.blockDimX = 1 << 20;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, nothing, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(NULL, nothing, NULL, NULL));
  driver_observe("a million blocks", cuLaunchCooperativeKernel(nothing, 1000000, 1, 1, 1, 1, 1, 0, NULL, NULL));
  driver_succeed(cuCtxSynchronize());
  driver_succeed(cuMemFree(a));
  driver_succeed(cuMemFree(b));
}

static void occupancy_is_told(void) {
  int blocks = 0, grid = 0, block = 0;
  driver_succeed(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("scale"), BLOCK, 0));
  driver_true(blocks > 0);
  driver_succeed(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("scale"), NULL, 0, 0));
  driver_true(grid > 0 && block > 0);
  driver_succeed(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("scale"), NULL, 0, 100));
  driver_true(grid > 0 && block > 0 && block <= 100);
}

/* The largest block in each direction is launched, and one more thread is refused. */
static void blocks_have_cudas_limits(void) {
  int most = attribute_of(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), of_function = -1;
  unsigned x = (unsigned)attribute_of(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  unsigned y = (unsigned)attribute_of(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  unsigned z = (unsigned)attribute_of(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  CUfunction nothing = function("nothing");
  driver_true(most <= 1024 && x <= 1024 && y <= 1024 && z <= 64);
  driver_succeed(cuFuncGetAttribute(&of_function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, nothing));
  driver_true(of_function > 0 && of_function <= most);
  unsigned its = (unsigned)of_function; /* less than a device's where a compiler leaves it no registers for more */
  driver_succeed(cuLaunchKernel(nothing, 1, 1, 1, x < its ? x : its, 1, 1, 0, NULL, NULL, NULL));
  driver_succeed(cuLaunchKernel(nothing, 1, 1, 1, 1, y < its ? y : its, 1, 0, NULL, NULL, NULL));
  driver_succeed(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, z, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, x + 1, 1, 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, 1, y + 1, 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, 1, 1, z + 1, 0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(nothing, 1, 1, 1, 32, 33, 1, 0, NULL, NULL, NULL));
  driver_succeed(cuCtxSynchronize());
}

/* What the device says a block may have, a launch may ask for; the rest, when the function was told. */
static void shared_memory_has_two_limits(void) {
  int plain = attribute_of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), of_function = -1, blocks = 0;
  int most = attribute_of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CUfunction nothing = function("nothing");
  driver_true(plain > 0 && plain <= 49152 && most >= plain);
  driver_true(attribute_of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) >= most);
  driver_succeed(cuFuncGetAttribute(&of_function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, nothing));
  driver_true(of_function == plain);
  driver_succeed(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, (unsigned)plain, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, (unsigned)plain + 1, NULL, NULL, NULL));
  driver_succeed(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, (size_t)plain));
  driver_true(blocks > 0);
  driver_succeed(cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most));
  driver_succeed(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, (unsigned)most, NULL, NULL, NULL));
  driver_succeed(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, (size_t)most));
  driver_true(blocks > 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most + 1));
  driver_succeed(cuCtxSynchronize());
}

int main(void) {
  CUcontext context = NULL;
  CUdevice device = 0;
  char name[100] = "", lowered[100] = "";
  driver_succeed(cuInit(0));
  driver_succeed(cuDeviceGetName(name, sizeof name, device));
  if (strstr(name, "fake") != NULL || strstr(name, "Fake") != NULL)
    return 77;
  driver_succeed(cuDevicePrimaryCtxRetain(&context, device));
  driver_succeed(cuCtxSetCurrent(context));
  char *image = compile(lowered, sizeof lowered);
  driver_succeed(cuModuleLoadData(&module, image));
  free(image);
  images_are_judged();
  functions_are_found(lowered);
  variables_are_found();
  kernels_run();
  kernels_write_words_that_streams_wait_for();
  shared_memory_is_given();
  a_lowered_name_is_launched(lowered);
  wrong_launches_are_refused();
  blocks_are_launched_together();
  occupancy_is_told();
  blocks_have_cudas_limits();
  shared_memory_has_two_limits();
  driver_succeed(cuModuleUnload(module));
  driver_observe("unloading twice", cuModuleUnload(module));
  driver_succeed(cuDevicePrimaryCtxRelease(device));
  return driver_done("conform_driver_kernel");
}
