/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_begun - calls of the runtime that begin the driver's interface too, so that nobody needs cuInit().
 *
 * A process begins once, so each call has a process of its own; this one calls nothing but for them.
 */
#include "conform_driver.h"

#include <cuda_runtime.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OTHER_FAILURE = 250 };

static int number;
static void *ptr;
static struct cudaDeviceProp properties;
static cudaStream_t stream;

static cudaError_t nothing(void) {
  return cudaSuccess;
}

static cudaError_t version(void) {
  return cudaRuntimeGetVersion(&number);
}

static cudaError_t count(void) {
  return cudaGetDeviceCount(&number);
}

static cudaError_t get(void) {
  return cudaGetDevice(&number);
}

static cudaError_t set(void) {
  return cudaSetDevice(0);
}

static cudaError_t attribute(void) {
  return cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0);
}

static cudaError_t property(void) {
  return cudaGetDeviceProperties(&properties, 0);
}

static cudaError_t allocate(void) {
  return cudaMalloc(&ptr, 16);
}

static cudaError_t release(void) {
  return cudaFree(NULL);
}

static cudaError_t create(void) {
  return cudaStreamCreate(&stream);
}

static void *run(void *context) {
  cudaError_t (*const *call)(void) = context;
  return (*call)() == cudaSuccess ? NULL : context;
}

static int ask_after(cudaError_t (*call)(void), int by_another_thread) {
  pthread_t thread;
  CUdevice device = -1;
  void *failed = &call;
  if (!by_another_thread)
    failed = run(&call);
  else if (pthread_create(&thread, NULL, run, &call) == 0)
    pthread_join(thread, &failed);
  return failed != NULL ? OTHER_FAILURE : (int)cuDeviceGet(&device, 0);
}

/* What cuDeviceGet() says in a process where only that was called before. */
static int after(cudaError_t (*call)(void), int by_another_thread) {
  int status = -1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit(ask_after(call, by_another_thread));
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : OTHER_FAILURE;
}

int main(void) {
  driver_true(after(nothing, 0) == CUDA_ERROR_NOT_INITIALIZED);
  printf("observed: after cudaRuntimeGetVersion(): %d\n", after(version, 0));
  driver_true(after(count, 0) == CUDA_SUCCESS);
  driver_true(after(get, 0) == CUDA_SUCCESS);
  driver_true(after(set, 0) == CUDA_SUCCESS);
  driver_true(after(attribute, 0) == CUDA_SUCCESS);
  driver_true(after(property, 0) == CUDA_SUCCESS);
  driver_true(after(allocate, 0) == CUDA_SUCCESS);
  driver_true(after(release, 0) == CUDA_SUCCESS);
  driver_true(after(create, 0) == CUDA_SUCCESS);
  driver_true(after(count, 1) == CUDA_SUCCESS);
  driver_true(after(allocate, 1) == CUDA_SUCCESS);
  return driver_done("conform_driver_begun");
}
