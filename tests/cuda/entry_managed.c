/* SPDX-License-Identifier: MIT */
/* entry_managed - rows of the runtime: managed memory, and advice about it. */
#include "entry.h"

/* By these names CUDA 12's programs call what is cudaMemAdvise and cudaMemPrefetchAsync in CUDA 13. */
#undef cudaMemAdvise_v2
#undef cudaMemPrefetchAsync_v2
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync_v2_ptsz
#endif
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                                     struct cudaMemLocation location);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPrefetchAsync_v2(const void *devPtr, size_t count,
                                                            struct cudaMemLocation location, unsigned flags,
                                                            cudaStream_t stream);

static int last_location(const void *managed) {
  int location = -99;
  NEED(cudaMemRangeGetAttribute(&location, sizeof location, cudaMemRangeAttributeLastPrefetchLocation, managed, 1) ==
       cudaSuccess);
  return location;
}

static int is_read_mostly(const void *managed) {
  int read_mostly = 0;
  NEED(cudaMemRangeGetAttribute(&read_mostly, sizeof read_mostly, cudaMemRangeAttributeReadMostly, managed, 1) ==
       cudaSuccess);
  return read_mostly;
}

void entry_runtime_managed(void) {
  enum { PAGE = 4096 };
  char *p = NULL;
  void *refused = NULL;
  int value = -1;
  struct cudaMemLocation host = { .type = cudaMemLocationTypeHost }, device = { .type = cudaMemLocationTypeDevice },
                         nowhere = device;
  enum cudaMemRangeAttribute which = cudaMemRangeAttributeReadMostly;
  void *values[] = { &value };
  size_t sizes[] = { sizeof value };
  nowhere.id = NOT_A_DEVICE;
  ENTRY(cudaMallocManaged, ((void **)&p, PAGE, cudaMemAttachGlobal), cudaSuccess, memset(p, 1, PAGE) == p,
        (&refused, PAGE, 0x40000000), cudaErrorInvalidValue);
  ENTRY(cudaMemAdvise, (p, PAGE, cudaMemAdviseSetReadMostly, device), cudaSuccess, is_read_mostly(p),
        (p, PAGE, (enum cudaMemoryAdvise)99, device), cudaErrorInvalidValue);
  ENTRY(cudaMemRangeGetAttribute, (&value, sizeof value, which, p, PAGE), cudaSuccess, value == 1,
        (&value, 1, which, p, PAGE), cudaErrorInvalidValue);
  ENTRY(cudaMemAdvise_v2, (p, PAGE, cudaMemAdviseUnsetReadMostly, device), cudaSuccess, !is_read_mostly(p),
        (p, PAGE, cudaMemAdviseSetPreferredLocation, nowhere), cudaErrorInvalidValue);
  ENTRY(cudaMemRangeGetAttributes, (values, sizes, &which, 1, p, PAGE), cudaSuccess, value == 0,
        (values, sizes, &which, 0, p, PAGE), cudaErrorInvalidValue);
  ENTRY(cudaMemPrefetchAsync, (p, PAGE, device, 0, NULL), cudaSuccess, last_location(p) == 0,
        (p, PAGE, nowhere, 0, NULL), cudaErrorInvalidDevice);
  ENTRY(cudaMemPrefetchAsync_v2, (p, PAGE, host, 0, NULL), cudaSuccess, last_location(p) == cudaCpuDeviceId,
        (p, PAGE, nowhere, 0, NULL), cudaErrorInvalidDevice);
  ENTRY(cudaStreamAttachMemAsync, (NULL, p, 0, cudaMemAttachGlobal), cudaSuccess,
        cudaDeviceSynchronize() == cudaSuccess && p[0] == 1, (NULL, p, 0, 0x40000000), cudaErrorInvalidValue);
  NEED(cudaFree(p) == cudaSuccess);
}
