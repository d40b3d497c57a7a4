/* SPDX-License-Identifier: MIT */
/* cudart-12 - what a program linked against CUDA 12's library gets: 12's structure by one name, 11's by the other. */
#include "cuda/property_12.h"

#include <stdio.h>
#include <string.h>

enum { CANARY = 0x5a };

static union {
  vptr__cuda_properties_12 prop;
  unsigned char bytes[sizeof(vptr__cuda_properties_12) + 512];
} of_11, of_12;

/* Bytes up to the last that is not the canary's. What follows the structure is; inside it the reserve is zero. */
static size_t written(const unsigned char *bytes, size_t size) {
  while (size > 0 && bytes[size - 1] == CANARY)
    size--;
  return size;
}

static int agree(const vptr__cuda_properties_12 *prop) {
  int value[4] = { -1, -1, -1, -1 };
  return cudaDeviceGetAttribute(&value[0], cudaDevAttrClockRate, 0) == cudaSuccess &&
         cudaDeviceGetAttribute(&value[1], cudaDevAttrMultiProcessorCount, 0) == cudaSuccess &&
         cudaDeviceGetAttribute(&value[2], cudaDevAttrMaxThreadsPerMultiProcessor, 0) == cudaSuccess &&
         cudaDeviceGetAttribute(&value[3], cudaDevAttrMaxBlocksPerMultiprocessor, 0) == cudaSuccess &&
         prop->clockRate == value[0] && prop->multiProcessorCount == value[1] &&
         prop->maxThreadsPerMultiProcessor == value[2] && prop->maxBlocksPerMultiProcessor == value[3];
}

int main(void) {
  memset(&of_11, CANARY, sizeof of_11);
  memset(&of_12, CANARY, sizeof of_12);
  if (cudaGetDeviceProperties_v2(&of_12, 0) != cudaSuccess ||
      cudaGetDeviceProperties((struct cudaDeviceProp *)&of_11, 0) != cudaSuccess)
    return puts("no properties"), 1;
  if (written(of_12.bytes, sizeof of_12) != 1032 || !agree(&of_12.prop))
    return puts("the structure of CUDA 12 is wrong"), 2;
  if (written(of_11.bytes, sizeof of_11) != VPTR__CUDA_PROPERTIES_11_SIZE || !agree(&of_11.prop))
    return puts("the structure of CUDA 11 is wrong"), 3;
  return 0;
}
