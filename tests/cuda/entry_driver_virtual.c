/* SPDX-License-Identifier: MIT */
/* entry_driver_virtual - rows of the driver's interface: addresses that get their memory later. */
#include "entry.h"

#include <stdint.h>
#include <unistd.h>

static const CUresult refused = CUDA_ERROR_INVALID_VALUE;

static void shared(CUmemGenericAllocationHandle handle) {
  CUmemGenericAllocationHandle other = 0;
  int file = -1;
  const CUmemAllocationHandleType type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  ENTRY(cuMemExportToShareableHandle, (&file, handle, type, 0), CUDA_SUCCESS, file >= 0, (NULL, handle, type, 0),
        refused);
  ENTRY(cuMemImportFromShareableHandle, (&other, (void *)(intptr_t)file, type), CUDA_SUCCESS,
        other != 0 && cuMemRelease(other) == CUDA_SUCCESS, (NULL, (void *)(intptr_t)file, type), refused);
  NEED(close(file) == 0);
}

static void imported(CUmemGenericAllocationHandle handle, size_t granule) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc;
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part;
  struct cudaExternalMemoryHandleDesc same;
  struct cudaExternalMemoryBufferDesc same_part;
  CUexternalMemory memory = NULL;
  cudaExternalMemory_t other = NULL;
  CUdeviceptr at = 0;
  void *ptr = NULL;
  const CUuuid uuid = { { 1 } };
  const void *table = NULL;
  const CUmemAllocationHandleType type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  memset(&desc, 0, sizeof desc);
  memset(&part, 0, sizeof part);
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  desc.size = part.size = granule;
  NEED(cuMemExportToShareableHandle(&desc.handle.fd, handle, type, 0) == CUDA_SUCCESS);
  ENTRY(cuImportExternalMemory, (&memory, &desc), CUDA_SUCCESS, memory != NULL, (&memory, NULL), refused);
  ENTRY(cuExternalMemoryGetMappedBuffer, (&at, memory, &part), CUDA_SUCCESS, cuMemFree(at) == CUDA_SUCCESS,
        (NULL, memory, &part), refused);
  ENTRY(cuDestroyExternalMemory, (memory), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuGetExportTable, (&table, &uuid), refused, table == NULL, (NULL, &uuid), refused);
  NEED(cuMemExportToShareableHandle(&desc.handle.fd, handle, type, 0) == CUDA_SUCCESS);
  memcpy(&same, &desc, sizeof same);
  memcpy(&same_part, &part, sizeof same_part);
  ENTRY(cudaImportExternalMemory, (&other, &same), cudaSuccess, other != NULL, (&other, NULL), cudaErrorInvalidValue);
  ENTRY(cudaExternalMemoryGetMappedBuffer, (&ptr, other, &same_part), cudaSuccess, cudaFree(ptr) == cudaSuccess,
        (NULL, other, &same_part), cudaErrorInvalidValue);
  ENTRY(cudaDestroyExternalMemory, (other), cudaSuccess, 1, (NULL), cudaErrorInvalidResourceHandle);
  ENTRY(cudaGetExportTable, (&table, &uuid), cudaErrorInvalidValue, table == NULL, (NULL, &uuid),
        cudaErrorInvalidValue);
}

void entry_driver_virtual(void) {
  CUmemAllocationProp prop, told;
  CUmemAccessDesc access;
  CUmemGenericAllocationHandle handle = 0, same = 0;
  CUdeviceptr base = 0;
  size_t granule = 0;
  vptr_unsigned_long_long flags = 99;
  memset(&prop, 0, sizeof prop);
  memset(&access, 0, sizeof access);
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  prop.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  ENTRY(cuMemGetAllocationGranularity, (&granule, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_SUCCESS, granule > 0,
        (NULL, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM), refused);
  ENTRY(cuMemAddressReserve, (&base, 2 * granule, 0, 0, 0), CUDA_SUCCESS, base != 0, (&base, 1, 0, 0, 0), refused);
  ENTRY(cuMemCreate, (&handle, granule, &prop, 0), CUDA_SUCCESS, handle != 0, (&handle, granule, NULL, 0), refused);
  NEED(base != 0 && handle != 0);
  ENTRY(cuMemMap, (base, granule, 0, handle, 0), CUDA_SUCCESS, 1, (base, granule, 0, handle, 0), refused);
  ENTRY(cuMemSetAccess, (base, granule, &access, 1), CUDA_SUCCESS, cuMemsetD8(base, 1, granule) == CUDA_SUCCESS,
        (base, granule, NULL, 1), refused);
  ENTRY(cuMemGetAccess, (&flags, &access.location, base), CUDA_SUCCESS, flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        (&flags, NULL, base), refused);
  ENTRY(cuMemRetainAllocationHandle, (&same, (void *)(uintptr_t)base), CUDA_SUCCESS, same == handle,
        (&same, (void *)(uintptr_t)(base + granule)), refused);
  ENTRY(cuMemGetAllocationPropertiesFromHandle, (&told, handle), CUDA_SUCCESS, told.type == prop.type, (NULL, handle),
        refused);
  shared(handle);
  imported(handle, granule);
  NEED(cuMemRelease(same) == CUDA_SUCCESS);
  ENTRY(cuMemUnmap, (base, granule), CUDA_SUCCESS, 1, (base, granule), refused);
  ENTRY(cuMemRelease, (handle), CUDA_SUCCESS, 1, (handle), refused);
  ENTRY(cuMemAddressFree, (base, 2 * granule), CUDA_SUCCESS, 1, (base, 2 * granule), refused);
}
