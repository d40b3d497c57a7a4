/* SPDX-License-Identifier: MIT */
/*
 * conform_kernel - kernels for conformance programs of the runtime's interface: a text, compiled when the program runs.
 *
 * They are launched through the driver's interface, which both libraries let programs mix with the runtime's.
 *
 *     cc -I$prefix/include/vptr/cuda conform_x.c -lvptr-cuda -lvptr-nvrtc -lvptr-cudart -pthread      as vptr
 *     cc -I/usr/local/cuda/include conform_x.c -L/usr/local/cuda/lib64 -lcuda -lnvrtc -lcudart -pthread      as CUDA
 */
#ifndef VPTR_TESTS_CONFORM_KERNEL_H
#define VPTR_TESTS_CONFORM_KERNEL_H

#include "conform.h"

#include <cuda.h>
#include <errno.h>
#include <nvrtc.h>
#include <string.h>
#include <unistd.h>

enum { CONFORM_LEFT_OUT = 77, CONFORM_BLOCKS = 32, CONFORM_THREADS = 64 };

static inline void conform_show_log(nvrtcProgram program) {
  size_t size = 0;
  if (nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS)
    return;
  char *log = (char *)calloc(size + 1, 1);
  if (log != NULL && nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS)
    printf("%s", log);
  free(log);
}

/* NULL if it does not compile; why has been printed. */
static inline char *conform_compile(const char *text) {
  nvrtcProgram program = NULL;
  size_t size = 0;
  char *image = NULL;
  if (nvrtcCreateProgram(&program, text, "text.cu", 0, NULL, NULL) != NVRTC_SUCCESS)
    return NULL;
  if (nvrtcCompileProgram(program, 0, NULL) != NVRTC_SUCCESS)
    conform_show_log(program);
  else if (nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS && (image = (char *)calloc(size + 1, 1)) != NULL)
    nvrtcGetPTX(program, image);
  nvrtcDestroyProgram(&program);
  return image;
}

/* The module, current to all threads that use device 0. Ends the program where it cannot be had: with CONFORM_LEFT_OUT
 * on the fake device, which runs no kernels. */
static inline CUmodule conform_load(const char *text) {
  char name[100] = "";
  CUmodule module = NULL;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetName(name, sizeof name, 0) != CUDA_SUCCESS ||
      cudaFree(NULL) != cudaSuccess)
    exit(EXIT_FAILURE);
  if (strstr(name, "fake") != NULL || strstr(name, "Fake") != NULL)
    exit(CONFORM_LEFT_OUT);
  char *image = conform_compile(text);
  if (image == NULL || cuModuleLoadData(&module, image) != CUDA_SUCCESS) {
    printf("the kernels cannot be built\n");
    exit(EXIT_FAILURE);
  }
  free(image);
  return module;
}

static inline CUfunction conform_function(CUmodule module, const char *name) {
  CUfunction function = NULL;
  conform_true(cuModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
  return function;
}

/* CONFORM_BLOCKS blocks of CONFORM_THREADS threads; arguments are the addresses of the kernel's. Says nothing: for
 * threads too. */
static inline int conform_launch(CUfunction function, cudaStream_t stream, void **arguments) {
  return cuLaunchKernel(function, CONFORM_BLOCKS, 1, 1, CONFORM_THREADS, 1, 1, 0, stream, arguments, NULL) ==
         CUDA_SUCCESS;
}

/* Whether write() finds managed memory that the device had last. With vptr it does not where the system gives page
 * faults to no ordinary user, or VPTR_FAULTS=mprotect asks for that: it fails with EFAULT then, which is no failure
 * here. */
static inline int conform_calls_reach_managed(void) {
  char *memory = NULL;
  int ends[2], reached = 0;
  conform_succeed(cudaMallocManaged((void **)&memory, 1, cudaMemAttachGlobal));
  conform_succeed(cudaMemset(memory, 1, 1));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(pipe(ends) == 0);
  reached = write(ends[1], memory, 1) == 1;
  conform_true(reached || errno == EFAULT);
  printf("observed: system calls %s managed memory that the device had last\n", reached ? "find" : "do not find");
  close(ends[0]);
  close(ends[1]);
  conform_succeed(cudaFree(memory));
  return reached;
}

#endif
