/* SPDX-License-Identifier: MIT */
/*
 * conform_nodevice - a machine without a device: every call says so and touches nothing.
 *
 * Run as CUDA with CUDA_VISIBLE_DEVICES set and empty, as vptr with a VPTR_PLATFORM that does not exist.
 */
#include "conform.h"

#include <stdint.h>
#include <string.h>

int main(void) {
  int n = -7;
  size_t bytes = 7;
  void *p = (void *)16;
  struct cudaPointerAttributes attributes;
  memset(&attributes, 0x5a, sizeof attributes);

  conform_true(cudaPeekAtLastError() == cudaErrorNoDevice);
  conform_true(cudaGetLastError() == cudaErrorNoDevice);
  conform_true(cudaGetLastError() == cudaErrorNoDevice); /* taking it does not help */

  conform_expect(cudaErrorNoDevice, cudaGetDeviceCount(&n));
  conform_expect(cudaErrorNoDevice, cudaGetDeviceCount(NULL));
  conform_expect(cudaErrorNoDevice, cudaGetDevice(&n));
  conform_expect(cudaErrorNoDevice, cudaSetDevice(0));
  conform_expect(cudaErrorNoDevice, cudaSetDevice(-1));
  conform_expect(cudaErrorNoDevice, cudaDeviceSynchronize());
  conform_expect(cudaErrorNoDevice, cudaMalloc(&p, 16));
  conform_expect(cudaErrorNoDevice, cudaMalloc(&p, 0));
  conform_expect(cudaErrorNoDevice, cudaMalloc(NULL, 16));
  conform_expect(cudaErrorNoDevice, cudaFree(NULL));
  conform_expect(cudaErrorNoDevice, cudaFree(&n));
  conform_expect(cudaErrorNoDevice, cudaMemGetInfo(&bytes, NULL));
  conform_expect(cudaErrorNoDevice, cudaMemcpy(&n, &p, 4, cudaMemcpyHostToHost));
  conform_expect(cudaErrorNoDevice, cudaMemcpy(&n, &p, 0, cudaMemcpyHostToHost));
  conform_expect(cudaErrorNoDevice, cudaMemset(&n, 0, 4));
  conform_expect(cudaErrorNoDevice, cudaMemset(&n, 0, 0));
  conform_expect(cudaErrorNoDevice, cudaPointerGetAttributes(&attributes, &n));
  conform_true(n == -7 && bytes == 7 && p == (void *)16 && attributes.device == 0x5a5a5a5a);

  int version = 0;
  conform_true(cudaRuntimeGetVersion(&version) == cudaSuccess && version >= 11000);
  conform_true(cudaDriverGetVersion(&version) == cudaSuccess);
  conform_true(strcmp(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice") == 0);
  return conform_done("conform_nodevice");
}
