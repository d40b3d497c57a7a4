/* SPDX-License-Identifier: MIT */
/* conform_pointer - cudaPointerGetAttributes() of every kind of memory, freed and impossible addresses. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

static struct cudaPointerAttributes attributes_of(const void *ptr) {
  struct cudaPointerAttributes attributes;
  memset(&attributes, 0x5a, sizeof attributes);
  conform_succeed(cudaPointerGetAttributes(&attributes, ptr));
  return attributes;
}

static int current; /* the device that is */

/* Of a device, whose kernels alone have an address of it. */
static int is_of(int device, void *ptr) {
  struct cudaPointerAttributes found = attributes_of(ptr);
  int now = -1;
  conform_succeed(cudaGetDevice(&now));
  return found.type == cudaMemoryTypeDevice && found.device == device &&
         found.devicePointer == (device == now ? ptr : NULL) && found.hostPointer == NULL;
}

static int is_device(void *ptr) {
  return is_of(current, ptr);
}

/* Where kernels take any memory, the device's address of it is its own, once the device was used. */
static int takes_any;

static int is_unregistered(void *ptr) {
  struct cudaPointerAttributes found = attributes_of(ptr);
  return found.type == cudaMemoryTypeUnregistered && found.device == -2 && found.hostPointer == ptr &&
         (found.devicePointer == NULL || (takes_any && found.devicePointer == ptr));
}

/* Whether the host may use it, as what type says. */
static int is_shared(enum cudaMemoryType type, void *ptr) {
  struct cudaPointerAttributes found = attributes_of(ptr);
  return found.type == type && found.device == current && found.hostPointer == ptr;
}

static void host_memory_is_unregistered(void) {
  int on_stack = 0;
  void *on_heap = malloc(100);
  conform_true(is_unregistered(&on_stack));
  conform_true(is_unregistered(on_heap));
  conform_true(!takes_any || attributes_of(on_heap).devicePointer == on_heap);
  free(on_heap);
}

static void impossible_addresses_are_unregistered(void) {
  conform_true(is_unregistered(NULL));
  conform_true(is_unregistered((void *)1));
  conform_true(is_unregistered((void *)0x1234567890));
  conform_true(is_unregistered((void *)UINTPTR_MAX));
  conform_true(is_unregistered((void *)0x8000000000001234));
}

static void every_byte_of_an_allocation_is_device(size_t size) {
  char *p = NULL;
  conform_succeed(cudaMalloc((void **)&p, size));
  conform_true(is_device(p));
  conform_true(is_device(p + size / 2));
  conform_true(is_device(p + size - 1));
  conform_true(is_unregistered(p + size));
  conform_succeed(cudaFree(p));
  conform_true(is_unregistered(p));
}

static void allocations_know_their_device(void) {
  char *p = NULL;
  int count = 0;
  conform_succeed(cudaGetDeviceCount(&count));
  conform_succeed(cudaMalloc((void **)&p, 1000));
  conform_succeed(cudaSetDevice(count - 1));
  conform_true(is_device(p + 5));
  conform_succeed(cudaFree(p));
  current = count - 1;
  every_byte_of_an_allocation_is_device(1000);
  conform_succeed(cudaMallocHost((void **)&p, 1000));
  conform_true(is_shared(cudaMemoryTypeHost, p + 5));
  conform_succeed(cudaFreeHost(p));
  conform_succeed(cudaMallocManaged((void **)&p, 1000, cudaMemAttachGlobal));
  conform_true(is_shared(cudaMemoryTypeManaged, p + 5));
  conform_succeed(cudaFree(p));
  current = 0;
  conform_succeed(cudaSetDevice(0));
}

/* What the device calls pinned memory is told at once, before cudaHostGetDevicePointer() is asked, and is what that
 * gives: with CUDA the host's own address. A device that does not work on host memory in place has none. */
static void device_address_is_told_at_once(char *ptr, size_t offset) {
  void *told = attributes_of(ptr + offset).devicePointer, *given = NULL;
  cudaError_t error = cudaHostGetDevicePointer(&given, ptr + offset, 0);
  cudaGetLastError();
  conform_true(error == cudaSuccess || error == cudaErrorNotSupported);
  conform_true(told == given);
  conform_true(attributes_of(ptr + offset).devicePointer == told);
  printf("observed: pinned memory has %s device address\n", told == NULL           ? "no"
                                                            : told == ptr + offset ? "its own as"
                                                                                   : "another");
}

static void pinned_memory_of_every_kind_tells_its_device_address(void) {
  static const unsigned flags[] = { cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped,
                                    cudaHostAllocMapped | cudaHostAllocWriteCombined };
  char *p = NULL;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    conform_succeed(cudaHostAlloc((void **)&p, 5000, flags[i]));
    device_address_is_told_at_once(p, 4999);
    device_address_is_told_at_once(p, 0);
    conform_succeed(cudaFreeHost(p));
  }
  conform_succeed(cudaMallocHost((void **)&p, (size_t)3 << 20));
  device_address_is_told_at_once(p, (size_t)2 << 20);
  conform_succeed(cudaFreeHost(p));
  conform_true(is_unregistered(p));
}

static void every_byte_of_pinned_memory_is_host(size_t size) {
  char *p = NULL;
  conform_succeed(cudaHostAlloc((void **)&p, size, cudaHostAllocDefault));
  conform_true(is_shared(cudaMemoryTypeHost, p));
  conform_true(is_shared(cudaMemoryTypeHost, p + size / 2));
  conform_true(is_shared(cudaMemoryTypeHost, p + size - 1));
  conform_true(is_unregistered(p + size));
  device_address_is_told_at_once(p, 7);
  conform_succeed(cudaFreeHost(p));
  conform_true(is_unregistered(p));
  conform_true(is_unregistered(p + size - 1));
}

static void registered_memory_is_host_until_it_is_unregistered(void) {
  static char pages[4 * 4096];
  char *p = pages + (4096 - (uintptr_t)pages % 4096);
  conform_true(is_unregistered(p));
  conform_succeed(cudaHostRegister(p, 4096, cudaHostRegisterDefault));
  conform_true(is_shared(cudaMemoryTypeHost, p));
  conform_true(is_shared(cudaMemoryTypeHost, p + 4095));
  conform_true(is_unregistered(p - 1));
  conform_true(is_unregistered(p + 4096));
  device_address_is_told_at_once(p, 100);
  conform_succeed(cudaHostUnregister(p));
  conform_true(is_unregistered(p));
  conform_succeed(cudaHostRegister(p, 8192, cudaHostRegisterMapped));
  device_address_is_told_at_once(p, 8191);
  conform_succeed(cudaHostUnregister(p));
  conform_true(is_unregistered(p));
  conform_succeed(cudaHostRegister(p + 10, 1000, cudaHostRegisterPortable)); /* at an odd address */
  device_address_is_told_at_once(p + 10, 999);
  conform_succeed(cudaHostUnregister(p + 10));
}

/* Large managed allocations lie side by side with CUDA, and one past the end is the next one's; small ones do not. */
static void every_byte_of_managed_memory_is_managed(size_t size, int has_gap) {
  char *p = NULL;
  conform_succeed(cudaMallocManaged((void **)&p, size, cudaMemAttachGlobal));
  for (size_t at = 0; at < size; at += size / 3) {
    conform_true(is_shared(cudaMemoryTypeManaged, p + at));
    conform_true(attributes_of(p + at).devicePointer == p + at);
  }
  conform_true(is_shared(cudaMemoryTypeManaged, p + size - 1));
  conform_true(!has_gap || is_unregistered(p + size));
  conform_succeed(cudaFree(p));
  conform_true(is_unregistered(p));
  conform_true(is_unregistered(p + size - 1));
}

static void missing_output_is_invalid(void) {
  int on_stack = 0;
  conform_expect(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, &on_stack));
  conform_expect(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, NULL));
}

int main(void) {
  host_memory_is_unregistered(); /* before anything was allocated */
  conform_succeed(cudaDeviceGetAttribute(&takes_any, cudaDevAttrPageableMemoryAccess, 0));
  printf("observed: pageable memory access %d\n", takes_any);
  every_byte_of_an_allocation_is_device(1000);
  every_byte_of_an_allocation_is_device((size_t)64 << 20);
  every_byte_of_pinned_memory_is_host(1000);
  every_byte_of_pinned_memory_is_host((size_t)2 << 20);
  pinned_memory_of_every_kind_tells_its_device_address();
  registered_memory_is_host_until_it_is_unregistered();
  every_byte_of_managed_memory_is_managed(1000, 1);
  every_byte_of_managed_memory_is_managed((size_t)2 << 20, 0);
  allocations_know_their_device();
  host_memory_is_unregistered();
  impossible_addresses_are_unregistered();
  missing_output_is_invalid();
  return conform_done("conform_pointer");
}
