/* SPDX-License-Identifier: MIT */
/*
 * vptr_driver_virtual - the driver's names for addresses that get their memory later; part of cuda.h.
 *
 * Where device memory is the host's, as CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED tells. A range that is
 * reserved is one OpenCL buffer, so kernels and copies go over the seams between what is mapped, and no range is
 * larger than a buffer can be. It belongs to the device that is current when it is reserved.
 */
#ifndef VPTR_CUDA_VPTR_DRIVER_VIRTUAL_H
#define VPTR_CUDA_VPTR_DRIVER_VIRTUAL_H

#include "vptr_driver_types.h"

typedef vptr_unsigned_long_long CUmemGenericAllocationHandle_v1;
typedef CUmemGenericAllocationHandle_v1 CUmemGenericAllocationHandle;

typedef enum CUmemAllocationGranularity_flags_enum {
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0x0,
  CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 0x1
} CUmemAllocationGranularity_flags;

typedef enum CUmemAllocationCompType_enum {
  CU_MEM_ALLOCATION_COMP_NONE = 0x0,
  CU_MEM_ALLOCATION_COMP_GENERIC = 0x1
} CUmemAllocationCompType;

typedef struct CUmemAllocationProp_st {
  CUmemAllocationType type;                       /* CU_MEM_ALLOCATION_TYPE_PINNED */
  CUmemAllocationHandleType requestedHandleTypes; /* none, or a descriptor of a file */
  CUmemLocation location;                         /* a device */
  void *win32HandleMetaData;                      /* NULL */
  struct {
    unsigned char compressionType; /* CU_MEM_ALLOCATION_COMP_NONE is what there is */
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} CUmemAllocationProp_v1;
typedef CUmemAllocationProp_v1 CUmemAllocationProp;

#ifdef __cplusplus
extern "C" {
#endif

/* INVALID_VALUE for what is no multiple of the granularity, and for ranges that are not what was reserved or mapped.
 * NOT_SUPPORTED where there is nothing of this. OUT_OF_MEMORY: more than one buffer, or the device, has. */
VPTR_CUDA_API CUresult CUDAAPI cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                                             CUmemAllocationGranularity_flags option);
VPTR_CUDA_API CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                                                   vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemAddressFree(CUdeviceptr ptr, size_t size);
VPTR_CUDA_API CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                                           const CUmemAllocationProp *prop, vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle);
VPTR_CUDA_API CUresult CUDAAPI cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                                        CUmemGenericAllocationHandle handle, vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemUnmap(CUdeviceptr ptr, size_t size);

/* Kept and told, with no effect on kernels: memory is reached by its own device. */
VPTR_CUDA_API CUresult CUDAAPI cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc,
                                              size_t count);
VPTR_CUDA_API CUresult CUDAAPI cuMemGetAccess(vptr_unsigned_long_long *flags, const CUmemLocation *location,
                                              CUdeviceptr ptr);

/* By a descriptor of a file, which goes to another process as descriptors do, through a socket. */
VPTR_CUDA_API CUresult CUDAAPI cuMemExportToShareableHandle(void *shareableHandle,
                                                            CUmemGenericAllocationHandle handle,
                                                            CUmemAllocationHandleType handleType,
                                                            vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                                              CUmemAllocationHandleType shHandleType);
VPTR_CUDA_API CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                                      CUmemGenericAllocationHandle handle);
VPTR_CUDA_API CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr);

#ifdef __cplusplus
}
#endif

#endif
