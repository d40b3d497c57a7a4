/* SPDX-License-Identifier: MIT */
/*
 * vptr_batch - several copies, prefetches or discards by one call; part of cuda_runtime_api.h.
 *
 * Signatures and layouts are CUDA 13's. All arrays are checked before the first operation is sent; so are addresses, as
 * far as they are a device's or managed memory. Errors of all: cudaErrorInvalidValue (NULL, no operations, the default
 * stream by NULL or cudaStreamLegacy, which CUDA takes in none of these; indices that do not begin with 0 and rise
 * below count), and those of the operations by one.
 */
#ifndef VPTR_CUDA_VPTR_BATCH_H
#define VPTR_CUDA_VPTR_BATCH_H

#include "driver_types.h"

/* When a source is read: as its stream comes to it, before the call returns (which waits for the copies), or at any
 * time, which is as the stream comes to it here. */
enum cudaMemcpySrcAccessOrder {
  cudaMemcpySrcAccessOrderInvalid = 0x0,
  cudaMemcpySrcAccessOrderStream = 0x1,
  cudaMemcpySrcAccessOrderDuringApiCall = 0x2,
  cudaMemcpySrcAccessOrderAny = 0x3,
  cudaMemcpySrcAccessOrderMax = 0x7FFFFFFF
};

enum cudaMemcpyFlags {
  cudaMemcpyFlagDefault = 0x0,
  cudaMemcpyFlagPreferOverlapWithCompute = 0x1 /* a wish that changes nothing */
};

/* Where operands are is a hint, and not looked at. */
struct cudaMemcpyAttributes {
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  struct cudaMemLocation srcLocHint, dstLocHint;
  unsigned int flags;
};

enum cudaMemcpy3DOperandType {
  cudaMemcpyOperandTypePointer = 0x1,
  cudaMemcpyOperandTypeArray = 0x2,
  cudaMemcpyOperandTypeMax = 0x7FFFFFFF
};

struct cudaOffset3D {
  size_t x, y, z; /* elements, of an array's */
};

struct cudaMemcpy3DOperand {
  enum cudaMemcpy3DOperandType type;
  union {
    struct {
      void *ptr;
      size_t rowLength, layerHeight; /* elements, rows; 0: as the copy's extent has them */
      struct cudaMemLocation locHint;
    } ptr;
    struct {
      cudaArray_t array;
      struct cudaOffset3D offset;
    } array;
  } op;
};

/* An element is the array's, between two pointers a byte. */
struct cudaMemcpy3DBatchOp {
  struct cudaMemcpy3DOperand src, dst;
  struct cudaExtent extent; /* elements; none is 0 */
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
};

#ifdef __cplusplus
extern "C" {
#endif

/* attrs[k] is that of the copies from attrsIdxs[k] up to before attrsIdxs[k + 1]. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs,
                                                         const size_t *sizes, size_t count,
                                                         struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
                                                         size_t numAttrs, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyBatchAsync_ptsz(void *const *dsts, const void *const *srcs,
                                                              const size_t *sizes, size_t count,
                                                              struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
                                                              size_t numAttrs, cudaStream_t stream);

/* flags is 0. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList,
                                                           vptr_unsigned_long_long flags, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DBatchAsync_ptsz(size_t numOps, struct cudaMemcpy3DBatchOp *opList,
                                                                vptr_unsigned_long_long flags, cudaStream_t stream);

/* As cudaMemPrefetchAsync() for each; locations have indices as attributes have. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                              struct cudaMemLocation *prefetchLocs,
                                                              size_t *prefetchLocIdxs, size_t numPrefetchLocs,
                                                              vptr_unsigned_long_long flags, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPrefetchBatchAsync_ptsz(void **dptrs, size_t *sizes, size_t count,
                                                                   struct cudaMemLocation *prefetchLocs,
                                                                   size_t *prefetchLocIdxs, size_t numPrefetchLocs,
                                                                   vptr_unsigned_long_long flags,
                                                                   cudaStream_t stream);

/* That what managed memory holds is of no use. It may stay all the same, and does. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                             vptr_unsigned_long_long flags, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemDiscardBatchAsync_ptsz(void **dptrs, size_t *sizes, size_t count,
                                                                  vptr_unsigned_long_long flags,
                                                                  cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                                        struct cudaMemLocation *prefetchLocs,
                                                                        size_t *prefetchLocIdxs,
                                                                        size_t numPrefetchLocs,
                                                                        vptr_unsigned_long_long flags,
                                                                        cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI
cudaMemDiscardAndPrefetchBatchAsync_ptsz(void **dptrs, size_t *sizes, size_t count,
                                         struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                         size_t numPrefetchLocs, vptr_unsigned_long_long flags, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaMemcpyBatchAsync cudaMemcpyBatchAsync_ptsz
#define cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_ptsz
#define cudaMemPrefetchBatchAsync cudaMemPrefetchBatchAsync_ptsz
#define cudaMemDiscardBatchAsync cudaMemDiscardBatchAsync_ptsz
#define cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardAndPrefetchBatchAsync_ptsz
#endif

#endif
