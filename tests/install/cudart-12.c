/* SPDX-License-Identifier: MIT */
/* cudart-12 - what a program linked against CUDA 12's library gets: 12's structure by one name, 11's by the other, and
 * functions that take an ordinal for a location. */
#include "cuda/advice_12.h"
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

/* By the names that they have in CUDA 12's library, whatever the headers of today say of them. */
extern cudaError_t advise(const void *ptr, size_t count, enum cudaMemoryAdvise advice,
                          int device) __asm__("cudaMemAdvise");
extern cudaError_t prefetch(const void *ptr, size_t count, int device,
                            cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
extern cudaError_t prefetch_ptsz(const void *ptr, size_t count, int device,
                                 cudaStream_t stream) __asm__("cudaMemPrefetchAsync_ptsz");

static int told(enum cudaMemRangeAttribute attribute, const void *ptr, size_t size) {
  int answer = -7;
  return cudaMemRangeGetAttribute(&answer, sizeof answer, attribute, ptr, size) == cudaSuccess ? answer : -8;
}

static int ordinals_are_locations(void) {
  enum { SIZE = 4096 };
  const struct cudaMemLocation host = { cudaMemLocationTypeHost, 0 };
  void *p = NULL;
  if (cudaMallocManaged(&p, SIZE, cudaMemAttachGlobal) != cudaSuccess)
    return 0;
  int fine = prefetch(p, SIZE, 0, NULL) == cudaSuccess &&
             told(cudaMemRangeAttributeLastPrefetchLocation, p, SIZE) == 0 &&
             prefetch_ptsz(p, SIZE, cudaCpuDeviceId, NULL) == cudaSuccess &&
             told(cudaMemRangeAttributeLastPrefetchLocation, p, SIZE) == cudaCpuDeviceId &&
             prefetch(p, SIZE, 99, NULL) == cudaErrorInvalidDevice &&
             prefetch(p, SIZE, cudaInvalidDeviceId, NULL) == cudaErrorInvalidDevice &&
             advise(p, SIZE, cudaMemAdviseSetPreferredLocation, 0) == cudaSuccess &&
             told(cudaMemRangeAttributePreferredLocation, p, SIZE) == 0 &&
             advise(p, SIZE, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId) == cudaSuccess &&
             told(cudaMemRangeAttributeAccessedBy, p, SIZE) == cudaCpuDeviceId &&
             advise(p, SIZE, cudaMemAdviseSetAccessedBy, 99) == cudaErrorInvalidDevice &&
             advise(p, SIZE, cudaMemAdviseSetReadMostly, 99) == cudaSuccess &&
             cudaMemAdvise_v2(p, SIZE, cudaMemAdviseSetPreferredLocation, host) == cudaSuccess &&
             told(cudaMemRangeAttributePreferredLocation, p, SIZE) == cudaCpuDeviceId &&
             cudaMemPrefetchAsync_v2(p, SIZE, host, 0, NULL) == cudaSuccess;
  return cudaFree(p) == cudaSuccess && fine;
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
  if (!ordinals_are_locations())
    return puts("an ordinal is no location"), 4;
  return 0;
}
