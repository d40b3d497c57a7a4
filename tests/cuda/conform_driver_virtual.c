/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_virtual - the driver's interface: addresses that get their memory later, growing in place, memory
 * under several addresses, by a descriptor, and what is refused. Left out with status 77 where the device has none of
 * it.
 */
#include "conform_driver.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 8 };

static CUdevice device;
static size_t granule;
static unsigned char *host;

static CUmemAllocationProp prop_of(unsigned handles) {
  CUmemAllocationProp prop;
  memset(&prop, 0, sizeof prop);
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = (CUmemAllocationHandleType)handles;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = device;
  return prop;
}

static CUmemGenericAllocationHandle create(size_t size) {
  const CUmemAllocationProp prop = prop_of(CU_MEM_HANDLE_TYPE_NONE);
  CUmemGenericAllocationHandle handle = 0;
  driver_succeed(cuMemCreate(&handle, size, &prop, 0));
  return handle;
}

static CUdeviceptr reserve(size_t size) {
  CUdeviceptr base = 0;
  driver_succeed(cuMemAddressReserve(&base, size, 0, 0, 0));
  driver_true(base != 0 && base % granule == 0);
  return base;
}

static void allow(CUdeviceptr at, size_t size) {
  CUmemAccessDesc access;
  memset(&access, 0, sizeof access);
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  driver_succeed(cuMemSetAccess(at, size, &access, 1));
}

/* A handle that is released at once lives as long as its mapping. */
static void grow(CUdeviceptr at, size_t size) {
  CUmemGenericAllocationHandle handle = create(size);
  driver_succeed(cuMemMap(at, size, 0, handle, 0));
  driver_succeed(cuMemRelease(handle));
  allow(at, size);
}

static int holds(CUdeviceptr at, int value, size_t size) {
  memset(host, ~value, size);
  if (cuMemcpyDtoH(host, at, size) != CUDA_SUCCESS)
    return 0;
  for (size_t i = 0; i < size; i++)
    if (host[i] != (unsigned char)value)
      return 0;
  return 1;
}

/* What an allocator does whose blocks grow in place: nothing that was there moves. */
static void a_range_grows_in_place(void) {
  const CUdeviceptr base = reserve(MANY * granule);
  CUdeviceptr begin = 0;
  size_t size = 0;
  for (unsigned i = 0; i < MANY / 2; i++) {
    grow(base + i * granule, granule);
    driver_succeed(cuMemsetD8(base + i * granule, (unsigned char)(i + 1), granule));
  }
  for (unsigned i = 0; i < MANY / 2; i++)
    driver_true(holds(base + i * granule, (int)i + 1, granule));
  driver_succeed(cuMemGetAddressRange(&begin, &size, base + 5));
  driver_true(begin == base && size >= granule);
  driver_succeed(cuMemUnmap(base, MANY / 2 * granule));
  driver_succeed(cuMemAddressFree(base, MANY * granule));
}

/* Copies and sets go over seams. */
static void seams_are_none(void) {
  const CUdeviceptr base = reserve(MANY * granule), other = reserve(2 * granule);
  for (unsigned i = 0; i < MANY; i++)
    grow(base + i * granule, granule);
  grow(other, 2 * granule);
  driver_succeed(cuMemsetD8(base, 5, MANY * granule));
  driver_true(holds(base, 5, MANY * granule));
  memset(host, 6, 2 * granule);
  driver_succeed(cuMemcpyHtoD(base + granule / 2, host, 2 * granule));
  driver_true(holds(base + granule / 2, 6, 2 * granule) && holds(base, 5, granule / 2));
  driver_succeed(cuMemcpyDtoD(other, base + granule + granule / 2, granule + granule / 2));
  driver_true(holds(other, 6, granule) && holds(other + granule, 5, granule / 2));
  driver_succeed(cuMemsetD2D8(base + granule - 64, granule, 7, 128, 3));
  driver_true(holds(base + granule - 64, 7, 128) && holds(base + 3 * granule - 64, 7, 128));
  driver_succeed(cuMemUnmap(other, 2 * granule));
  driver_succeed(cuMemUnmap(base, MANY * granule));
  driver_succeed(cuMemAddressFree(other, 2 * granule));
  driver_succeed(cuMemAddressFree(base, MANY * granule));
}

/* The bytes are the handle's, not the address's. */
static void memory_moves_between_addresses(void) {
  const CUdeviceptr base = reserve(4 * granule);
  CUmemGenericAllocationHandle handle = create(granule), same = 0;
  CUmemAllocationProp prop;
  driver_succeed(cuMemMap(base, granule, 0, handle, 0));
  allow(base, granule);
  driver_succeed(cuMemsetD8(base, 9, granule));
  driver_succeed(cuMemMap(base + 2 * granule, granule, 0, handle, 0));
  allow(base + 2 * granule, granule);
  driver_true(holds(base + 2 * granule, 9, granule));
  driver_succeed(cuMemsetD8(base + 2 * granule, 4, granule));
  driver_succeed(cuCtxSynchronize());
  driver_true(holds(base, 4, granule));
  driver_succeed(cuMemUnmap(base, granule));
  driver_succeed(cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)(base + 2 * granule)));
  driver_true(same == handle);
  driver_succeed(cuMemRelease(same));
  driver_succeed(cuMemUnmap(base + 2 * granule, granule));
  driver_succeed(cuMemMap(base + granule, granule, 0, handle, 0));
  allow(base + granule, granule);
  driver_true(holds(base + granule, 4, granule));
  driver_succeed(cuMemGetAllocationPropertiesFromHandle(&prop, handle));
  driver_true(prop.type == CU_MEM_ALLOCATION_TYPE_PINNED && prop.location.id == device);
  driver_true(prop.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
  driver_succeed(cuMemUnmap(base + granule, granule));
  driver_succeed(cuMemRelease(handle));
  driver_succeed(cuMemAddressFree(base, 4 * granule));
}

static void new_memory_has_no_access(void) {
  const CUdeviceptr base = reserve(granule);
  CUmemLocation here;
  CUmemGenericAllocationHandle handle = create(granule);
  unsigned long long flags = 99;
  memset(&here, 0, sizeof here);
  here.type = CU_MEM_LOCATION_TYPE_DEVICE;
  here.id = device;
  driver_succeed(cuMemMap(base, granule, 0, handle, 0));
  driver_succeed(cuMemGetAccess(&flags, &here, base));
  driver_true(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  allow(base, granule);
  driver_succeed(cuMemGetAccess(&flags, &here, base));
  driver_true(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  driver_succeed(cuMemUnmap(base, granule));
  driver_succeed(cuMemRelease(handle));
  driver_succeed(cuMemAddressFree(base, granule));
}

/* As another process would get it. */
static void descriptors_are_of_the_same_memory(void) {
  const CUmemAllocationProp prop = prop_of(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const CUdeviceptr base = reserve(2 * granule);
  CUmemGenericAllocationHandle handle = 0, other = 0;
  int file = -1, is_there = 0;
  driver_succeed(
      cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, device));
  if (is_there) {
    driver_succeed(cuMemCreate(&handle, granule, &prop, 0));
    driver_succeed(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    driver_true(file >= 0);
    driver_succeed(
        cuMemImportFromShareableHandle(&other, (void *)(uintptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    driver_succeed(cuMemMap(base, granule, 0, handle, 0));
    driver_succeed(cuMemMap(base + granule, granule, 0, other, 0));
    allow(base, 2 * granule);
    driver_succeed(cuMemsetD8(base, 3, granule));
    driver_succeed(cuCtxSynchronize());
    driver_true(holds(base + granule, 3, granule));
    driver_succeed(cuMemUnmap(base, 2 * granule));
    driver_succeed(cuMemRelease(handle));
    driver_succeed(cuMemRelease(other));
  }
  driver_succeed(cuMemAddressFree(base, 2 * granule));
}

static void wrong_ranges_are_refused(void) {
  const CUdeviceptr base = reserve(4 * granule);
  const CUmemGenericAllocationHandle handle = create(2 * granule);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, granule, 0, handle, 1));
  driver_succeed(cuMemMap(base + granule, 2 * granule, 0, handle, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, 4 * granule));
#ifdef VPTR_CUDA_RUNTIME_API_H /* what CUDA leaves open; NVIDIA's says "not supported" to the first three */
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + 1, granule, 0, handle, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, granule + 1, 0, handle, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, 3 * granule, 0, handle, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base, granule)); /* it unmaps what is not mapped */
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, 2 * granule, 0, handle, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + 3 * granule, 2 * granule, 0, handle, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base + granule, granule));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle + 1000));
#endif
  driver_succeed(cuMemUnmap(base + granule, 2 * granule));
  driver_succeed(cuMemRelease(handle));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, 2 * granule));
  driver_succeed(cuMemAddressFree(base, 4 * granule));
}

static void wrong_arguments_are_refused(void) {
  CUmemAllocationProp prop = prop_of(CU_MEM_HANDLE_TYPE_NONE);
  CUmemGenericAllocationHandle handle = 77;
  CUdeviceptr ptr = 77;
  size_t size = 77;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule + 1, &prop, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, &prop, 1));
  driver_expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, (size_t)1 << 50, &prop, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&ptr, 0, 0, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&ptr, granule + 1, 0, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(NULL, granule, 0, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuMemGetAllocationGranularity(NULL, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  prop.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, &prop, 0));
#ifndef ON_NVIDIA /* whose granularity is that of any type */
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
#endif
  prop = prop_of(CU_MEM_HANDLE_TYPE_NONE);
  prop.location.id = 99;
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, granule, &prop, 0));
  driver_true(handle == 77 && ptr == 77 && size == 77);
}

#ifndef ON_NVIDIA
/* A program's free does not end what was reserved; and what is reserved takes no memory before it is mapped. */
static long resident_kib(void) {
  long size = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  if (file != NULL)
    fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void reservations_cost_nothing(void) {
  const size_t size = (size_t)256 << 20;
  const long before = resident_kib();
  const CUdeviceptr base = reserve(size);
  const long taken = resident_kib() - before;
  printf("observed: %zu MiB reserved: %ld KiB more are resident\n", size >> 20, taken);
  driver_true(taken < 8 << 10);
  driver_true(cuMemFree(base) != CUDA_SUCCESS);
  grow(base + size - granule, granule);
  driver_succeed(cuMemsetD8(base + size - granule, 1, granule));
  driver_true(holds(base + size - granule, 1, granule));
  driver_succeed(cuMemUnmap(base + size - granule, granule));
  driver_succeed(cuMemAddressFree(base, size));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, size));
}
#endif

int main(void) {
  CUcontext context = NULL;
  int is_there = 0;
  const CUmemAllocationProp prop = prop_of(CU_MEM_HANDLE_TYPE_NONE);
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, device));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CUresult result = cuMemGetAllocationGranularity(&granule, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  driver_expect(is_there ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED, result);
  if (!is_there)
    return driver_failures == 0 ? 77 : EXIT_FAILURE;
  host = malloc(MANY * granule);
  a_range_grows_in_place();
  seams_are_none();
  memory_moves_between_addresses();
  new_memory_has_no_access();
  descriptors_are_of_the_same_memory();
  wrong_ranges_are_refused();
  wrong_arguments_are_refused();
#ifndef ON_NVIDIA
  reservations_cost_nothing();
#endif
  free(host);
  driver_succeed(cuDevicePrimaryCtxRelease(device));
  return driver_done("conform_driver_virtual");
}
