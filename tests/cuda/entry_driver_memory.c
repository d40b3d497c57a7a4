/* SPDX-License-Identifier: MIT */
/* entry_driver_memory - rows of the driver's interface: memory of the device and of the host, managed memory, pools. */
#include "entry.h"

enum { PAGE = 4096 };

static char registered[1 << 16];

static void device_memory(void) {
  CUdeviceptr p = 0, base = 0;
  size_t free = 0, total = 0, pitch = 0, size = 0;
  ENTRY(cuMemAlloc, (&p, BYTES), CUDA_SUCCESS, p != 0, (NULL, BYTES), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemGetAddressRange, (&base, &size, p + 5), CUDA_SUCCESS, base == p && size >= BYTES, (&base, &size, 1),
        CUDA_ERROR_NOT_FOUND);
  ENTRY(cuMemFree, (p), CUDA_SUCCESS, 1, (p), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemGetInfo, (&free, &total), CUDA_SUCCESS, free > 0 && free <= total, (NULL, NULL), CUDA_SUCCESS);
  ENTRY(cuMemAllocPitch, (&p, &pitch, 100, 3, 4), CUDA_SUCCESS, pitch >= 100 && cuMemFree(p) == CUDA_SUCCESS,
        (&p, &pitch, 100, 3, 5), CUDA_ERROR_INVALID_VALUE);
}

static void host_memory(void) {
  void *p = NULL, *q = NULL;
  unsigned flags = 0;
  CUdeviceptr mapped = 0;
  ENTRY(cuMemAllocHost, (&p, BYTES), CUDA_SUCCESS, p != NULL && memset(p, 1, BYTES) == p, (NULL, BYTES),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemFreeHost, (p), CUDA_SUCCESS, 1, (p), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemHostAlloc, (&q, BYTES, CU_MEMHOSTALLOC_DEVICEMAP), CUDA_SUCCESS, q != NULL, (&p, BYTES, 0x40000000),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemHostGetFlags, (&flags, q), CUDA_SUCCESS, (flags & CU_MEMHOSTALLOC_DEVICEMAP) != 0, (&flags, registered),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemHostGetDevicePointer, (&mapped, q, 0), CUDA_SUCCESS, mapped != 0, (&mapped, registered, 0),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFreeHost(q) == CUDA_SUCCESS);
  ENTRY(cuMemHostRegister, (registered, sizeof registered, 0), CUDA_SUCCESS,
        cuMemHostGetFlags(&flags, registered) == CUDA_SUCCESS, (registered, sizeof registered, 0),
        CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  ENTRY(cuMemHostUnregister, (registered), CUDA_SUCCESS, 1, (registered), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

static int last_location(CUdeviceptr managed) {
  int location = -99;
  NEED(cuMemRangeGetAttribute(&location, sizeof location, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed,
                              1) == CUDA_SUCCESS);
  return location;
}

static void managed_memory(void) {
  CUdeviceptr p = 0;
  int value = -1, type = 0;
  CUmemLocation device = { .type = CU_MEM_LOCATION_TYPE_DEVICE }, nowhere = device;
  CUmem_range_attribute which = CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  CUpointer_attribute asked = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *values[] = { &value }, *types[] = { &type };
  size_t sizes[] = { sizeof value };
  nowhere.id = NOT_A_DEVICE;
  ENTRY(cuMemAllocManaged, (&p, PAGE, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS,
        memset((void *)(size_t)p, 1, PAGE) == (void *)(size_t)p, (&p, PAGE, 0x40000000), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemAdvise, (p, PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, device), CUDA_SUCCESS, 1,
        (p, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, nowhere), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemRangeGetAttribute, (&value, sizeof value, which, p, PAGE), CUDA_SUCCESS, value == 1,
        (&value, 1, which, p, PAGE), CUDA_ERROR_INVALID_VALUE);
  value = -1;
  ENTRY(cuMemRangeGetAttributes, (values, sizes, &which, 1, p, PAGE), CUDA_SUCCESS, value == 1,
        (values, sizes, &which, 0, p, PAGE), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemPrefetchAsync, (p, PAGE, device, 0, NULL), CUDA_SUCCESS, last_location(p) == 0,
        (p, PAGE, nowhere, 0, NULL), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuStreamAttachMemAsync, (NULL, p, 0, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS,
        cuCtxSynchronize() == CUDA_SUCCESS && *(char *)(size_t)p == 1, (NULL, p, 0, 0x40000000),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuPointerGetAttribute, (&value, CU_POINTER_ATTRIBUTE_IS_MANAGED, p), CUDA_SUCCESS, (value & 1) == 1,
        (NULL, CU_POINTER_ATTRIBUTE_IS_MANAGED, p), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuPointerGetAttributes, (1, &asked, types, p), CUDA_SUCCESS, type != 0, (1, NULL, types, p),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFree(p) == CUDA_SUCCESS);
}

static void places_of_pools(CUmemoryPool pool) {
  CUmemLocation here = { .type = CU_MEM_LOCATION_TYPE_DEVICE }, host = { .type = CU_MEM_LOCATION_TYPE_HOST };
  const CUmemAccessDesc both = { here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE }, none = { here, (CUmemAccess_flags)9 };
  const CUmemAllocationType pinned = CU_MEM_ALLOCATION_TYPE_PINNED;
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CUmemoryPool found = NULL, standard = NULL;
  CUmemPoolPtrExportData data = { { 0 } };
  CUdeviceptr ptr = 0;
  ENTRY(cuMemPoolSetAccess, (pool, &both, 1), CUDA_SUCCESS, 1, (pool, &none, 1), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemPoolGetAccess, (&flags, pool, &here), CUDA_SUCCESS, flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        (NULL, pool, &here), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemGetDefaultMemPool, (&standard, &here, pinned), CUDA_SUCCESS, standard != NULL, (NULL, &here, pinned),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemSetMemPool, (&here, pinned, pool), CUDA_SUCCESS, 1, (&host, pinned, pool), CUDA_ERROR_NOT_SUPPORTED);
  ENTRY(cuMemGetMemPool, (&found, &here, pinned), CUDA_SUCCESS, found == pool, (NULL, &here, pinned),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemSetMemPool(&here, pinned, standard) == CUDA_SUCCESS);
  ENTRY_HOLDS(cuMemPoolExportToShareableHandle,
              cuMemPoolExportToShareableHandle(&found, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ==
                  CUDA_ERROR_NOT_SUPPORTED);
  ENTRY_HOLDS(cuMemPoolImportFromShareableHandle,
              cuMemPoolImportFromShareableHandle(&found, NULL, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ==
                  CUDA_ERROR_NOT_SUPPORTED);
  ENTRY_HOLDS(cuMemPoolExportPointer, cuMemPoolExportPointer(&data, ptr) == CUDA_ERROR_NOT_SUPPORTED);
  ENTRY_HOLDS(cuMemPoolImportPointer, cuMemPoolImportPointer(&ptr, pool, &data) == CUDA_ERROR_NOT_SUPPORTED);
}

static void pools(void) {
  const unsigned on = 1;
  CUmemoryPool pool = NULL;
  CUmemPoolProps properties = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED };
  cuuint64_t threshold = 12345, got = 0;
  CUdeviceptr p = 0;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  ENTRY(cuMemPoolCreate, (&pool, &properties), CUDA_SUCCESS, pool != NULL, (NULL, &properties),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemPoolSetAttribute, (pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold), CUDA_SUCCESS, 1,
        (pool, (CUmemPool_attribute)99, &threshold), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemPoolGetAttribute, (pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &got), CUDA_SUCCESS, got == threshold,
        (pool, (CUmemPool_attribute)99, &got), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemAllocFromPoolAsync, (&p, BYTES, pool, NULL), CUDA_SUCCESS, p != 0, (NULL, BYTES, pool, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemFreeAsync, (p, NULL), CUDA_SUCCESS, cuCtxSynchronize() == CUDA_SUCCESS, ((CUdeviceptr)1, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemAllocAsync, (&p, BYTES, NULL), CUDA_SUCCESS, p != 0 && cuMemFreeAsync(p, NULL) == CUDA_SUCCESS,
        (NULL, BYTES, NULL), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemAlloc(&p, BYTES) == CUDA_SUCCESS);
  ENTRY(cuPointerSetAttribute, (&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p), CUDA_SUCCESS, 1,
        (&on, CU_POINTER_ATTRIBUTE_MAPPED, p), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFree(p) == CUDA_SUCCESS);
  places_of_pools(pool);
  ENTRY(cuMemPoolTrimTo, (pool, 0), CUDA_SUCCESS, 1, (NULL, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemPoolDestroy, (pool), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_VALUE);
}

/* Memory of other processes: refused, with what CUDA has for that, without VPTR_IPC. Events there are. */
static void other_processes(void) {
  CUipcEventHandle event_handle = { { 0 } };
  CUipcMemHandle memory_handle = { { 0 } };
  CUevent event = NULL;
  CUdeviceptr p = 0;
  const CUresult refused = CUDA_ERROR_NOT_SUPPORTED;
  int is_host = 0;
  NEED(cuDeviceGetAttribute(&is_host, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) == CUDA_SUCCESS);
  const CUresult wrong = is_host ? CUDA_ERROR_INVALID_VALUE : refused; /* nothing is of another process's here */
  NEED(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS &&
       cuMemAlloc(&p, BYTES) == CUDA_SUCCESS);
  ENTRY(cuIpcGetEventHandle, (&event_handle, event), CUDA_SUCCESS, 1, (NULL, event), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuIpcOpenEventHandle, (&event, event_handle), CUDA_ERROR_INVALID_CONTEXT, event != NULL, (NULL, event_handle),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuIpcGetMemHandle, (&memory_handle, p), refused, 1, (NULL, p), wrong);
  ENTRY(cuIpcOpenMemHandle, (&p, memory_handle, 0), wrong, p != 0, (NULL, memory_handle, 0),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuIpcCloseMemHandle, (p), wrong, cuMemFree(p) == CUDA_SUCCESS, (0), wrong);
  NEED(cuEventDestroy(event) == CUDA_SUCCESS);
}

void entry_driver_memory(void) {
  device_memory();
  host_memory();
  managed_memory();
  pools();
  other_processes();
}
