/* SPDX-License-Identifier: MIT */
/*
 * variant - symbols that no header of CUDA's declares under their own names: variants of functions for the thread's own
 * default stream (_ptds without a stream, _ptsz with one), which cuda.h maps names to, and versions that older
 * headers mapped names to.
 */
#ifndef VPTR_DRIVER_VARIANT_H
#define VPTR_DRIVER_VARIANT_H

#include <vptr/cuda/cuda.h>

#include "cuda/stream.h"

/* ---- variants ---------------------------------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                                 CUcontext srcContext, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoH_v2_ptds(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *pCopy);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *pCopy);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *pCopy);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                                  CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyPeerAsync_ptsz(CUdeviceptr dstDevice, CUcontext dstContext,
                                                      CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
                                                      CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                                                         CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoHAsync_v2_ptsz(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                                         CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                                         size_t ByteCount, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D *pCopy, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D *pCopy, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoA_v2_ptds(CUarray dstArray, size_t dstOffset, const void *srcHost,
                                                    size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                                                    size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoH_v2_ptds(void *dstHost, CUarray srcArray, size_t srcOffset,
                                                    size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoD_v2_ptds(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                                                    size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUarray srcArray,
                                                    size_t srcOffset, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoAAsync_v2_ptsz(CUarray dstArray, size_t dstOffset, const void *srcHost,
                                                         size_t ByteCount, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoHAsync_v2_ptsz(void *dstHost, CUarray srcArray, size_t srcOffset,
                                                         size_t ByteCount, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                                    size_t Width, size_t Height);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                                     size_t Width, size_t Height);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                                     size_t Width, size_t Height);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD8Async_ptsz(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                                    CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD16Async_ptsz(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                                     CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD32Async_ptsz(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                                     CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D8Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                                      size_t Width, size_t Height, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D16Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                                       size_t Width, size_t Height, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D32Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                                       size_t Width, size_t Height, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocAsync_ptsz(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
                                                            CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchAsync_v2_ptsz(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                                                          unsigned int flags, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchAsync_ptsz(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                                       CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamAttachMemAsync_ptsz(CUstream hStream, CUdeviceptr dptr, size_t length,
                                                           unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetPriority_ptsz(CUstream hStream, int *priority);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetDevice_ptsz(CUstream hStream, CUdevice *device);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetFlags_ptsz(CUstream hStream, unsigned int *flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetId_ptsz(CUstream hStream, unsigned long long *streamId);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCtx_ptsz(CUstream hStream, CUcontext *pctx);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitEvent_ptsz(CUstream hStream, CUevent hEvent, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamAddCallback_ptsz(CUstream hStream, CUstreamCallback callback, void *userData,
                                                        unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamQuery_ptsz(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamSynchronize_ptsz(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamIsCapturing_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus);
VPTR_CUDA_API CUresult CUDAAPI cuLaunchHostFunc_ptsz(CUstream hStream, CUhostFn fn, void *userData);
VPTR_CUDA_API CUresult CUDAAPI cuEventRecord_ptsz(CUevent hEvent, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuEventRecordWithFlags_ptsz(CUevent hEvent, CUstream hStream, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuLaunchKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                                   unsigned int gridDimZ, unsigned int blockDimX,
                                                   unsigned int blockDimY, unsigned int blockDimZ,
                                                   unsigned int sharedMemBytes, CUstream hStream, void **kernelParams,
                                                   void **extra);
VPTR_CUDA_API CUresult CUDAAPI cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
                                                     void **extra);
VPTR_CUDA_API CUresult CUDAAPI cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned int gridDimX,
                                                              unsigned int gridDimY, unsigned int gridDimZ,
                                                              unsigned int blockDimX, unsigned int blockDimY,
                                                              unsigned int blockDimZ, unsigned int sharedMemBytes,
                                                              CUstream hStream, void **kernelParams);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                           unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                           unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                            unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                            unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned int count,
                                                          CUstreamBatchMemOpParams *paramArray, unsigned int flags);

VPTR_CUDA_API CUresult CUDAAPI cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr,
                                                         CUstreamAttrValue *value_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamSetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr,
                                                         const CUstreamAttrValue *value);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes,
                                                          size_t count, CUmemcpyAttributes *attrs, size_t *attrsIdxs,
                                                          size_t numAttrs, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList,
                                                            unsigned long long flags, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchBatchAsync_ptsz(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                                            CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                            size_t numPrefetchLocs, unsigned long long flags,
                                                            CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemDiscardBatchAsync_ptsz(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                                           unsigned long long flags, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemDiscardAndPrefetchBatchAsync_ptsz(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                                                      CUmemLocation *prefetchLocs,
                                                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs,
                                                                      unsigned long long flags, CUstream hStream);

/* ---- older versions -------------------------------------------------------------------------------------- */

#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxSetFlags
#undef cuDevicePrimaryCtxReset
#undef cuStreamDestroy
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuMemHostRegister
#undef cuMemAdvise
#undef cuMemPrefetchAsync
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuStreamDestroy(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuEventDestroy(CUevent hEvent);
VPTR_CUDA_API CUresult CUDAAPI cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);
VPTR_CUDA_API CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags);
VPTR_CUDA_API CUresult CUDAAPI cuCtxDestroy(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxPopCurrent(CUcontext *pctx);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                                  CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                   unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                   unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                    unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                    unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                                  CUstreamBatchMemOpParams *paramArray, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                        unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                        unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                         unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                         unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBatchMemOp_ptsz(CUstream stream, unsigned int count,
                                                       CUstreamBatchMemOpParams *paramArray, unsigned int flags);

/* NULL means the thread's own stream. */
static inline CUstream vptr__driver_own_default(CUstream stream) {
  return vptr__cuda_own_default(stream);
}

#endif
