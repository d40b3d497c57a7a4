/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_link - an image of NVRTC's through the driver's linker: what comes out is loaded and launched.
 *
 * A device that runs no kernels, the fake one, loads it and launches nothing.
 */
#include "conform_driver.h"

#include <nvrtc.h>
#include <string.h>

static const char text[] = "extern \"C\" __global__ void count(int *x) { x[threadIdx.x] = threadIdx.x + 7; }\n";

static char *image;
static size_t image_size;

static void compile(void) {
  nvrtcProgram program = NULL;
  driver_true(nvrtcCreateProgram(&program, text, "text.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcCompileProgram(program, 0, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcGetPTXSize(program, &image_size) == NVRTC_SUCCESS);
  image = calloc(image_size, 1);
  driver_true(nvrtcGetPTX(program, image) == NVRTC_SUCCESS);
  driver_true(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
}

static CUlinkState linker(void) {
  CUlinkState state = NULL;
  driver_succeed(cuLinkCreate(0, NULL, NULL, &state));
  driver_true(state != NULL);
  return state;
}

static int runs_kernels(void) {
  char name[100] = "";
  driver_succeed(cuDeviceGetName(name, sizeof name, 0));
  return strstr(name, "fake") == NULL && strstr(name, "Fake") == NULL;
}

static void launch(CUfunction count) {
  CUdeviceptr ptr = 0;
  int got[4] = { 0 };
  void *arguments[] = { &ptr };
  driver_succeed(cuMemAlloc(&ptr, sizeof got));
  driver_succeed(cuLaunchKernel(count, 1, 1, 1, 4, 1, 1, 0, NULL, arguments, NULL));
  driver_succeed(cuMemcpyDtoH(got, ptr, sizeof got));
  driver_true(got[0] == 7 && got[3] == 10);
  driver_succeed(cuMemFree(ptr));
}

/* Completes, loads, launches; the module outlives the state. */
static void finish(CUlinkState state) {
  void *linked = NULL;
  size_t size = 0;
  CUmodule module = NULL;
  CUfunction count = NULL;
  driver_succeed(cuLinkComplete(state, &linked, &size));
  driver_true(linked != NULL && size > 0);
  driver_succeed(cuModuleLoadData(&module, linked));
  driver_succeed(cuLinkDestroy(state));
  driver_succeed(cuModuleGetFunction(&count, module, "count"));
  if (runs_kernels())
    launch(count);
  driver_succeed(cuModuleUnload(module));
}

static void data_passes_through(void) {
  CUlinkState state = linker();
  driver_succeed(cuLinkAddData(state, CU_JIT_INPUT_PTX, image, image_size, "image", 0, NULL, NULL));
  finish(state);
}

static void a_file_passes_through(void) {
  const char path[] = "conform_driver_link.ptx";
  CUlinkState state = linker();
  FILE *file = fopen(path, "w");
  driver_true(file != NULL && fwrite(image, 1, image_size - 1, file) == image_size - 1 && fclose(file) == 0);
  driver_expect(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no/such/file", 0, NULL, NULL));
  driver_succeed(cuLinkAddFile(state, CU_JIT_INPUT_PTX, path, 0, NULL, NULL));
  remove(path);
  finish(state);
}

static void options_are_taken(void) {
  char log[500] = "x", info[500] = "x";
  CUjit_option options[] = { CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                             CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { info, (void *)sizeof info, log, (void *)sizeof log };
  CUlinkState state = NULL;
  driver_succeed(cuLinkCreate(4, options, values, &state));
  CUresult bad = cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)".version 1000.0\n!!!\n", 21, "bad", 0, NULL, NULL);
  driver_true(bad == CUDA_ERROR_INVALID_PTX || bad == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  driver_true(log[0] != 'x' && log[0] != 0);
  printf("observed: log of a bad image: %s\n", log);
  driver_succeed(cuLinkDestroy(state));
}

static void wrong_arguments_are_refused(void) {
  CUlinkState state = linker();
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(0, NULL, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, image_size, "image", 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_PTX, image, 0, "image", 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuLinkAddData(state, (CUjitInputType)77, image, image_size, "image", 0, NULL, NULL));
  driver_succeed(cuLinkDestroy(state));
}

/* CUDA joins images; a name that both define is its error then. */
static void a_second_image_is_refused(void) {
  static char log[500];
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *)sizeof log };
  CUlinkState state = NULL;
  driver_succeed(cuLinkCreate(2, options, values, &state));
  driver_succeed(cuLinkAddData(state, CU_JIT_INPUT_PTX, image, image_size, "first", 0, NULL, NULL));
  CUresult second = cuLinkAddData(state, CU_JIT_INPUT_PTX, image, image_size, "second", 0, NULL, NULL);
  driver_observe("a second image", second);
#ifdef VPTR_CUDA_CUDA_H
  void *linked = NULL;
  driver_true(second == CUDA_ERROR_NOT_SUPPORTED);
  driver_true(strstr(log, "nvrtcCompileProgram") != NULL);
  finish(state);
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete(state, &linked, &image_size));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));
  state = linker();
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(state, &linked, &image_size));
  driver_expect(CUDA_ERROR_NO_BINARY_FOR_GPU,
                cuLinkAddData(state, CU_JIT_INPUT_CUBIN, (void *)"\177ELF", 4, "elf", 0, NULL, NULL));
  driver_expect(CUDA_ERROR_INVALID_IMAGE,
                cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, (void *)"!<arch>\n", 8, "library", 0, NULL, NULL));
#endif
  driver_succeed(cuLinkDestroy(state));
}

int main(void) {
  CUcontext context = NULL;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  compile();
  data_passes_through();
  a_file_passes_through();
  options_are_taken();
  wrong_arguments_are_refused();
  a_second_image_is_refused();
  free(image);
  return driver_done("conform_driver_link");
}
