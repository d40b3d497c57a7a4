/* SPDX-License-Identifier: MIT */
/*
 * legacy - a program in CUDA's style, valid as C and as C++, built as a stranger would.
 *
 * It also asks libvptr, which it links beside libvptr-cudart, how many allocations are live: an answer of 0 would
 * mean that each library carries mappers of its own.
 */
#include <cuda_runtime.h>
#include <vptr/vptr.h>

#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)                                                                                              \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "legacy.c:%d: %s does not hold: %s\n", __LINE__, #condition, vptr_last_error());               \
      exit(EXIT_FAILURE);                                                                                            \
    }                                                                                                                \
  } while (0)

enum { COUNT = 1000 };

int main(void) {
  float out[COUNT], in[COUNT];
  for (int i = 0; i < COUNT; i++)
    out[i] = (float)i;

  float *device;
  MUST(cudaMalloc((void **)&device, sizeof out) == cudaSuccess);
  MUST(vptr_count(NULL) == 1);
  MUST(cudaMemcpy(device, out, sizeof out, cudaMemcpyHostToDevice) == cudaSuccess);
  MUST(cudaMemset(device + COUNT / 2, 0, sizeof out / 2) == cudaSuccess);
  MUST(cudaDeviceSynchronize() == cudaSuccess);
  MUST(cudaMemcpy(in, device, sizeof in, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < COUNT; i++)
    MUST(in[i] == (i < COUNT / 2 ? (float)i : 0.0f));

  MUST(cudaFree(device + 1) == cudaErrorInvalidValue);
  MUST(cudaFree(device) == cudaSuccess);
  MUST(vptr_count(NULL) == 0);
  return EXIT_SUCCESS;
}
