/* SPDX-License-Identifier: MIT */
/*
 * conform_nvrtc_span - kernels that are compiled at run time, over an allocation of several buffers that lie apart: by
 * NVRTC's option, by the environment, in C and in C++, and text in CUDA C that a module is loaded from. Without the
 * form a launch is refused, and the words say what to do. Kernels run where the device runs any. Left out with status
 * 77 on several devices as one, whose large allocations lie on all of them, and need no form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/nvrtc.h>
#include <vptr/vptr.h>

#define MIB ((size_t)1 << 20)

static int failures;

#define EXPECT(condition)                                                                                            \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s (%s)\n", __FILE__, __LINE__, #condition, vptr_last_error());         \
      failures++;                                                                                                    \
    }                                                                                                                \
  } while (0)

enum { ROOM = 4096, WORDS = 3000 };

static const char in_c[] = "extern \"C\" __global__ void k(int *p, int n) {\n"
                           "  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = 3 * p[i] + i;\n"
                           "}\n";
static const char in_cxx[] = "template <class T> __device__ T thrice(T x) { return x + 2 * x; }\n"
                             "extern \"C\" __global__ void k(int *p, int n) {\n"
                             "  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = thrice(p[i]) + i;\n"
                             "}\n";

static CUdeviceptr span;

static int runs_kernels(void) {
  const char *platform = getenv("VPTR_PLATFORM");
  return platform == NULL || strcmp(platform, "fake") != 0;
}

/* Around the seam between the first two buffers. */
static CUresult launch(CUmodule module) {
  CUfunction function;
  CUdeviceptr at = span + MIB - WORDS * 2;
  int count = WORDS;
  void *arguments[] = { &at, &count };
  EXPECT(cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
  CUresult result = cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL);
  return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

static void expect_run(const char *text, int finds) {
  CUmodule module;
  int begin[WORDS], seen[WORDS], wrong = 0;
  for (int i = 0; i < WORDS; i++)
    begin[i] = i * 7 + 1;
  EXPECT(cuMemcpyHtoD(span + MIB - WORDS * 2, begin, sizeof begin) == CUDA_SUCCESS);
  EXPECT(cuModuleLoadData(&module, text) == CUDA_SUCCESS);
  if (runs_kernels()) {
    const CUresult result = launch(module);
    EXPECT(result == (finds ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED));
    EXPECT(finds || strstr(vptr_last_error(), "VPTR_FINDS_BUFFERS=1") != NULL);
    EXPECT(cuMemcpyDtoH(seen, span + MIB - WORDS * 2, sizeof seen) == CUDA_SUCCESS);
    for (int i = 0; i < WORDS; i++)
      wrong += seen[i] != (finds ? 3 * begin[i] + i : begin[i]);
    EXPECT(wrong == 0);
  }
  EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
}

/* The form is in the text, or is not. */
static void check_program(const char *source, const char *option, int finds) {
  nvrtcProgram program = NULL;
  size_t size = 0;
  EXPECT(nvrtcCreateProgram(&program, source, "k.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
  EXPECT(nvrtcCompileProgram(program, option != NULL, &option) == NVRTC_SUCCESS);
  EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  char *text = calloc(1, size + 1);
  EXPECT(nvrtcGetPTX(program, text) == NVRTC_SUCCESS);
  EXPECT((strstr(text, "VPTR_APART") != NULL) == finds);
  expect_run(text, finds);
  free(text);
  EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
}

/* As in the folder of the build, where nothing is installed. */
static int has_clang(void) {
  char here[ROOM], path[ROOM + 64];
  if (getcwd(here, sizeof here) == NULL)
    exit(1);
  snprintf(path, sizeof path, "%s/tests/kernels/vptrcc", here);
  setenv("VPTRCC", path, 1);
  snprintf(path, sizeof path, "%s/tools/kernelc/vptr-kernelc", here);
  setenv("VPTRCC_TEST_KERNELC", path, 1);
  static const char trial[] = "to=$(mktemp) || exit 1; tests/kernels/vptrcc --front-end=clang -ptx -x cu -o \"$to\" "
                              "/dev/null 2>/dev/null; status=$?; rm -f \"$to\"; exit $status";
  return access(path, X_OK) == 0 && system(trial) == 0;
}

int main(int count, char **arguments) {
  (void)count;
  CUdevice device = 0;
  CUcontext context = NULL;
  if (getenv("VPTR_STRIPE") != NULL) {
    puts("left out: several devices as one have no allocations of several buffers of one device");
    return 77;
  }
  const int by_variable = getenv("VPTR_FINDS_BUFFERS") != NULL;
  setenv("VPTR_BUFFER_BYTES", "1M", 1);
  setenv("VPTR_BUFFER_ROWS", "0", 1);
  setenv("VPTR_RESERVE", "256M", 1); /* parts are windows of addresses, 1 MiB then */
  const int by_clang = has_clang();
  EXPECT(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  EXPECT(cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS);
  EXPECT(cuMemAlloc(&span, 3 * MIB) == CUDA_SUCCESS);
  check_program(in_c, NULL, by_variable);
  expect_run(in_c, by_variable);
  if (by_clang)
    check_program(in_cxx, by_variable ? NULL : "--finds-buffers", 1);
  if (by_variable || failures > 0)
    return failures > 0;
  check_program(in_c, "--finds-buffers", 1);
  if (failures > 0)
    return 1;
  setenv("VPTR_FINDS_BUFFERS", "1", 1);
  execv("/proc/self/exe", arguments);
  perror("conform_nvrtc_span: running itself anew");
  return 1;
}
