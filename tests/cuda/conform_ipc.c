/* SPDX-License-Identifier: MIT */
/*
 * conform_ipc - memory of one process opened by another: both see the same bytes. Left out with status 77 where the
 * device has none of it.
 */
#include "conform.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 100000, LEFT_OUT = 77 };

static unsigned char host[BYTES];

static int holds(const void *device, int value) {
  memset(host, ~value, BYTES);
  if (cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 0;
  for (int i = 0; i < BYTES; i++)
    if (host[i] != (unsigned char)value)
      return 0;
  return 1;
}

static void pass(int file, const void *bytes, size_t size) {
  conform_true(write(file, bytes, size) == (ssize_t)size);
}

static int get(int file, void *bytes, size_t size) {
  return read(file, bytes, size) == (ssize_t)size;
}

/* The other process: opens what comes, reads, writes, says so, and closes when it may. */
static void open_memory(int in, int out) {
  cudaIpcMemHandle_t handle;
  void *device = NULL, *same = NULL;
  char word = 'x';
  if (!get(in, &handle, sizeof handle))
    _exit(LEFT_OUT);
  conform_succeed(cudaIpcOpenMemHandle(&device, handle, cudaIpcMemLazyEnablePeerAccess));
  conform_true(holds(device, 5));
  conform_succeed(cudaIpcOpenMemHandle(&same, handle, cudaIpcMemLazyEnablePeerAccess));
  conform_true(same == device);
  conform_succeed(cudaIpcCloseMemHandle(same));
  conform_succeed(cudaMemset(device, 6, BYTES));
  conform_succeed(cudaDeviceSynchronize());
  pass(out, &word, 1);
  conform_true(get(in, &word, 1));
  conform_true(holds(device, 7));
  conform_succeed(cudaIpcCloseMemHandle(device));
#ifdef VPTR_CUDA_RUNTIME_API_H
  conform_expect(cudaErrorInvalidValue, cudaIpcCloseMemHandle(device));
  pass(out, &word, 1); /* the memory is freed now */
  conform_true(get(in, &word, 1));
  conform_expect(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&device, handle, cudaIpcMemLazyEnablePeerAccess));
  handle.reserved[0] ^= 1;
  conform_expect(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&device, handle, cudaIpcMemLazyEnablePeerAccess));
#endif
  exit(conform_done("conform_ipc, the other process"));
}

static void give_memory(int in, int out) {
  cudaIpcMemHandle_t handle;
  void *device = NULL, *mine = NULL;
  char word = 'x';
  int on_stack = 0;
  conform_succeed(cudaMalloc(&device, BYTES));
  cudaError_t error = cudaIpcGetMemHandle(&handle, device);
  if (error == cudaErrorNotSupported) {
    close(out);
    exit(LEFT_OUT);
  }
  conform_succeed(error);
  conform_expect(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, &on_stack));
  conform_succeed(cudaIpcGetMemHandle(&handle, device));
  conform_succeed(cudaMemset(device, 5, BYTES));
  conform_succeed(cudaDeviceSynchronize());
  conform_expect(cudaErrorDeviceUninitialized, cudaIpcOpenMemHandle(&mine, handle, cudaIpcMemLazyEnablePeerAccess));
  pass(out, &handle, sizeof handle);
  conform_true(get(in, &word, 1));
  conform_true(holds(device, 6));
  conform_succeed(cudaMemset(device, 7, BYTES));
  conform_succeed(cudaDeviceSynchronize());
  pass(out, &word, 1);
#ifdef VPTR_CUDA_RUNTIME_API_H
  conform_true(get(in, &word, 1));
  conform_succeed(cudaFree(device));
  pass(out, &word, 1);
#endif
}

int main(void) {
  int there[2], back[2], status = 0;
  setenv("VPTR_IPC", "1", 1);
  if (pipe(there) != 0 || pipe(back) != 0)
    return EXIT_FAILURE;
  const pid_t child = fork();
  if (child == 0) {
    close(there[1]);
    open_memory(there[0], back[1]);
  }
  close(there[0]);
  give_memory(back[0], there[1]);
  conform_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return conform_done("conform_ipc");
}
