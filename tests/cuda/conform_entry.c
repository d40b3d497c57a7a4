/* SPDX-License-Identifier: MIT */
/* conform_entry - every function that the four libraries export is called, rightly and wrongly: see entry.h. */
#include "entry.h"

#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static int calls, failures;

void entry_judge(const char *name, const char *file, int line, int expected, int got, int holds) {
  calls++;
  printf("entry: %s\n", name);
  if (expected == got && holds)
    return;
  failures++;
  printf("%s:%d: FAILED: %s returns %d, expected %d%s\n", file, line, name, got, expected,
         holds ? "" : "; what it should have done is not so");
}

static int messages;

static void CUDART_CB count_message(void *data, cudaLogLevel level, char *message, size_t length) {
  (void)data, (void)level, (void)message, (void)length;
  messages++;
}

int entry_messages(void) {
  int since = messages;
  messages = 0;
  return since;
}

void entry_judge_messages(const char *name, const char *file, int line, int told, int most) {
  if (told <= most)
    return;
  failures++;
  printf("%s:%d: FAILED: %s leaves %d messages, and %d is the most\n", file, line, name, told, most);
}

void entry_need(int fine, const char *file, int line, const char *what) {
  if (fine)
    return;
  printf("%s:%d: FAILED: %s\n", file, line, what);
  exit(EXIT_FAILURE);
}

int entry_runs_kernels(void) {
  static int known = -1;
  char name[256] = "";
  if (known < 0) {
    NEED(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS);
    known = strstr(name, "fake") == NULL && strstr(name, "Fake") == NULL;
  }
  return known;
}

cl_kernel entry_kernel_of(vptr_mapper *mapper, const char *text) {
  cl_kernel kernel = NULL;
  if (!entry_runs_kernels())
    return NULL;
  cl_program program = clCreateProgramWithSource(vptr_get_context(mapper), 1, &text, NULL, NULL);
  NEED(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
  NEED((kernel = clCreateKernel(program, "k", NULL)) != NULL);
  NEED(clReleaseProgram(program) == CL_SUCCESS);
  return kernel;
}

const char *entry_image(size_t *size_out) {
  static const char text[] = "extern \"C\" __device__ int table[4] = { 5, 6, 7, 8 };\n"
                             "extern \"C\" __global__ void add(int *x, int y) { x[threadIdx.x] += y; }\n";
  static char *image;
  static size_t size;
  nvrtcProgram program = NULL;
  if (image == NULL) {
    NEED(nvrtcCreateProgram(&program, text, "text.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
    NEED(nvrtcCompileProgram(program, 0, NULL) == NVRTC_SUCCESS);
    NEED(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
    NEED((image = calloc(size, 1)) != NULL);
    NEED(nvrtcGetPTX(program, image) == NVRTC_SUCCESS);
    NEED(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  }
  *size_out = size;
  return image;
}

int entry_host_holds(const void *host, int value, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (((const unsigned char *)host)[i] != (unsigned char)value)
      return 0;
  return 1;
}

int entry_device_holds(const void *device, int value, size_t size) {
  unsigned char bytes[4096];
  return size <= sizeof bytes && cudaDeviceSynchronize() == cudaSuccess &&
         cudaMemcpy(bytes, device, size, cudaMemcpyDeviceToHost) == cudaSuccess &&
         entry_host_holds(bytes, value, size);
}

int main(void) {
  cudaLogsCallbackHandle handle;
  setvbuf(stdout, NULL, _IOLBF, 0); /* what is printed stays, if a call ends the program */
  NEED(cuInit(0) == CUDA_SUCCESS);
  NEED(cudaFree(NULL) == cudaSuccess);
  NEED(cudaLogsRegisterCallback(count_message, NULL, &handle) == cudaSuccess);
  entry_runtime_device();
  entry_runtime_memory();
  entry_runtime_managed();
  entry_runtime_copy();
  entry_runtime_array();
  entry_runtime_references();
  entry_runtime_stream();
  entry_runtime_graph();
  entry_runtime_kernel();
  entry_runtime_binary();
  entry_driver_device();
  entry_driver_memory();
  entry_driver_copy();
  entry_driver_stream();
  entry_driver_graph();
  entry_driver_graph_older();
  entry_driver_virtual();
  entry_driver_module();
  entry_driver_references();
  entry_libraries();
  entry_batches();
  entry_logs();
  entry_lacking();
  entry_driver_batches();
  entry_driver_older();
  entry_nvrtc();
  entry_vptr();
  entry_usm();
  entry_reset();
  printf("conform_entry: %d calls, %d failed\n", calls, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
