/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_external - memory of a descriptor, imported and mapped: parts of it, several times, freed in any
 * order. Left out with status 77 where the device has no descriptors of memory. NVIDIA's driver takes descriptors of
 * graphics alone, and there all is only observed.
 */
#include "conform_driver.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static CUmemGenericAllocationHandle handle;
static size_t granule;
static CUdeviceptr own; /* where the same memory is mapped by cuMemMap() */

static int describe(CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc) {
  memset(desc, 0, sizeof *desc);
  desc->type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  desc->size = granule;
  driver_succeed(cuMemExportToShareableHandle(&desc->handle.fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  return desc->handle.fd;
}

static void make_memory(void) {
  CUmemAllocationProp prop;
  CUmemAccessDesc access;
  memset(&prop, 0, sizeof prop);
  memset(&access, 0, sizeof access);
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  prop.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  driver_succeed(cuMemGetAllocationGranularity(&granule, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  driver_succeed(cuMemCreate(&handle, granule, &prop, 0));
  driver_succeed(cuMemAddressReserve(&own, granule, 0, 0, 0));
  driver_succeed(cuMemMap(own, granule, 0, handle, 0));
  driver_succeed(cuMemSetAccess(own, granule, &access, 1));
  driver_succeed(cuMemsetD8(own, 1, granule));
}

#ifndef ON_NVIDIA
static int byte_at(CUdeviceptr at) {
  unsigned char byte = 0;
  driver_succeed(cuMemcpyDtoH(&byte, at, 1));
  return byte;
}

static CUdeviceptr map_part(CUexternalMemory memory, size_t offset, size_t size) {
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part;
  CUdeviceptr at = 0;
  memset(&part, 0, sizeof part);
  part.offset = offset;
  part.size = size;
  driver_succeed(cuExternalMemoryGetMappedBuffer(&at, memory, &part));
  return at;
}

static void parts_are_the_same_memory(void) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc;
  CUexternalMemory memory = NULL;
  const int file = describe(&desc);
  unsigned rights = 0;
  driver_succeed(cuImportExternalMemory(&memory, &desc));
  driver_true(fcntl(file, F_GETFD) < 0); /* it is the library's, which has closed it */
  const CUdeviceptr all = map_part(memory, 0, granule), part = map_part(memory, 1000, 24);
  driver_true(all != 0 && part != 0 && all != own);
  driver_true(byte_at(all + 5) == 1 && byte_at(part) == 1);
  driver_succeed(cuMemsetD8(part, 7, 24));
  driver_succeed(cuCtxSynchronize());
  driver_true(byte_at(own + 999) == 1 && byte_at(own + 1000) == 7 && byte_at(own + 1023) == 7 &&
              byte_at(own + 1024) == 1);
  driver_true(byte_at(all + 1010) == 7);
  driver_succeed(cuPointerGetAttribute(&rights, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, part));
  driver_true(rights == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  driver_succeed(cuMemFree(all));
  driver_true(byte_at(part) == 7);
  driver_succeed(cuDestroyExternalMemory(memory));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuDestroyExternalMemory(memory));
  driver_true(byte_at(part) == 7); /* what is mapped stays */
  driver_succeed(cuMemFree(part));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(part));
}

static void wrong_arguments_are_refused(void) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc;
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part;
  CUexternalMemory memory = NULL;
  CUdeviceptr at = 0;
  const void *table = NULL;
  const CUuuid uuid = { { 1, 2, 3 } };
  int pair[2];
  const int file = describe(&desc);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(NULL, &desc));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(&memory, NULL));
  desc.size = granule + 1;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(&memory, &desc));
  desc.size = granule;
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF;
  driver_expect(CUDA_ERROR_NOT_SUPPORTED, cuImportExternalMemory(&memory, &desc));
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  driver_true(pipe(pair) == 0);
  desc.handle.fd = pair[0];
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(&memory, &desc));
  close(pair[0]);
  close(pair[1]);
  desc.handle.fd = file;
  driver_true(memory == NULL && fcntl(file, F_GETFD) >= 0); /* a refused one is still the program's */
  desc.size = 100;
  driver_succeed(cuImportExternalMemory(&memory, &desc));
  memset(&part, 0, sizeof part);
  part.offset = 90;
  part.size = 11;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&at, memory, &part));
  part.size = 10;
  part.flags = 1;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&at, memory, &part));
  part.flags = 0;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuExternalMemoryGetMappedBuffer(NULL, memory, &part));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuExternalMemoryGetMappedBuffer(&at, NULL, &part));
  driver_succeed(cuExternalMemoryGetMappedBuffer(&at, memory, &part));
  driver_succeed(cuMemFree(at));
  driver_succeed(cuDestroyExternalMemory(memory));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGetExportTable(&table, &uuid));
  driver_true(table == NULL);
}
#endif

int main(void) {
  CUcontext context = NULL;
  int is_there = 0;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
  if (!is_there)
    return 77;
  make_memory();
#ifdef ON_NVIDIA
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc;
  CUexternalMemory memory = NULL;
  describe(&desc);
  driver_observe("memory of cuMemCreate(), imported", cuImportExternalMemory(&memory, &desc));
#else
  parts_are_the_same_memory();
  wrong_arguments_are_refused();
#endif
  driver_succeed(cuMemUnmap(own, granule));
  driver_succeed(cuMemAddressFree(own, granule));
  driver_succeed(cuMemRelease(handle));
  return driver_done("conform_driver_external");
}
