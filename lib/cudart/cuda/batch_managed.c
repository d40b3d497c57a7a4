/* SPDX-License-Identifier: MIT */
/*
 * batch_managed - several prefetches or discards of managed memory by one call.
 *
 * All ranges and locations are checked before the first prefetch is made. A discard keeps the bytes: it allows them to
 * be lost, and at its place in the stream's order nobody knows what of them is still on its way. No data, no locks
 * here: advice_call.c, which does each prefetch, says whose it takes. Called by programs, and by driver/batch.c. A
 * prefetch to a device blocks until the bytes are there (advice_call.c).
 */
#include "cuda/advice.h"
#include "cuda/batch.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/capture.h"

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct range_batch {
  const char *call;
  void *const *ptrs;
  const size_t *sizes;
  size_t count;
  bool prefetches;
  const struct cudaMemLocation *locations;
  const size_t *indices;
  size_t location_count;
} range_batch;

static cudaError_t check_locations(const range_batch *it) {
  cudaError_t error = vptr__cuda_batch_check_indices(it->call, it->indices, it->location_count, it->count);
  for (size_t i = 0; i < it->location_count && error == cudaSuccess; i++)
    error = vptr__cuda_location_check(it->call, &it->locations[i]);
  return error;
}

static cudaError_t do_batch(const range_batch *it, unsigned long long flags, cudaStream_t handle) {
  vptr__stream *stream;
  bool has_lists =
      it->ptrs != NULL && it->sizes != NULL && (!it->prefetches || (it->locations != NULL && it->indices != NULL));
  cudaError_t error = vptr__cuda_batch_enter(it->call, it->count, has_lists, flags, handle, &stream);
  if (error == cudaSuccess && it->prefetches)
    error = check_locations(it);
  if (error == cudaSuccess && !it->prefetches && vptr__captures_any())
    error = vptr__capture_refuse(it->call, stream);
  for (size_t i = 0; error == cudaSuccess && i < it->count; i++)
    error = vptr__cuda_managed_check(it->call, it->ptrs[i], it->sizes[i], stream);
  for (size_t i = 0, entry = 0; error == cudaSuccess && it->prefetches && i < it->count; i++) {
    entry = vptr__cuda_batch_entry(it->indices, it->location_count, i, entry);
    error = vptr__cuda_prefetch(it->call, it->ptrs[i], it->sizes[i], &it->locations[entry], stream);
  }
  return error;
}

cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      cudaStream_t stream) {
  const range_batch it = {
    "cudaMemPrefetchBatchAsync", dptrs, sizes, count, true, prefetchLocs, prefetchLocIdxs, numPrefetchLocs
  };
  return vptr__cuda_record(do_batch(&it, flags, stream));
}

cudaError_t cudaMemPrefetchBatchAsync_ptsz(void **dptrs, size_t *sizes, size_t count,
                                           struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                           size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                   vptr__cuda_own_default(stream));
}

cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
  const range_batch it = { "cudaMemDiscardBatchAsync", dptrs, sizes, count, false, NULL, NULL, 0 };
  return vptr__cuda_record(do_batch(&it, flags, stream));
}

cudaError_t cudaMemDiscardBatchAsync_ptsz(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                          cudaStream_t stream) {
  return cudaMemDiscardBatchAsync(dptrs, sizes, count, flags, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                size_t numPrefetchLocs, unsigned long long flags,
                                                cudaStream_t stream) {
  const range_batch it = {
    "cudaMemDiscardAndPrefetchBatchAsync", dptrs, sizes, count, true, prefetchLocs, prefetchLocIdxs, numPrefetchLocs
  };
  return vptr__cuda_record(do_batch(&it, flags, stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync_ptsz(void **dptrs, size_t *sizes, size_t count,
                                                     struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                     size_t numPrefetchLocs, unsigned long long flags,
                                                     cudaStream_t stream) {
  return cudaMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs,
                                             flags, vptr__cuda_own_default(stream));
}
