/* SPDX-License-Identifier: MIT */
/* cudart - a program that is compiled against NVIDIA's header, or ours, and run on our library; see cudart.sh. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 1000, CANARY = 0x5a };

/* Whatever layout the header has, exactly that much is written. */
static int properties_fit(void) {
  struct {
    struct cudaDeviceProp prop;
    unsigned char canary[512];
  } guarded;
  int units = -1, warp = -1;
  memset(&guarded, CANARY, sizeof guarded);
  if (cudaGetDeviceProperties(&guarded.prop, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0) != cudaSuccess)
    return 0;
  for (size_t i = 0; i < sizeof guarded.canary; i++)
    if (guarded.canary[i] != CANARY)
      return 0;
  return guarded.prop.multiProcessorCount == units && guarded.prop.warpSize == warp &&
         guarded.prop.unifiedAddressing == 1 && guarded.prop.totalGlobalMem > 0;
}

static int memory_works(void) {
  char sent[BYTES], seen[BYTES] = "";
  void *p = NULL;
  struct cudaPointerAttributes attributes;
  memset(sent, 'v', sizeof sent);
  return cudaMalloc(&p, BYTES) == cudaSuccess && cudaMemcpy(p, sent, BYTES, cudaMemcpyHostToDevice) == cudaSuccess &&
         cudaMemcpy(seen, p, BYTES, cudaMemcpyDeviceToHost) == cudaSuccess && memcmp(sent, seen, BYTES) == 0 &&
         cudaPointerGetAttributes(&attributes, p) == cudaSuccess && attributes.type == cudaMemoryTypeDevice &&
         cudaFree(p) == cudaSuccess && cudaFree((char *)&attributes) == cudaErrorInvalidValue;
}

int main(void) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1)
    return puts("no device"), 1;
  if (!properties_fit())
    return puts("properties do not fit"), 2;
  if (!memory_works())
    return puts("memory does not work"), 3;
  return 0;
}
