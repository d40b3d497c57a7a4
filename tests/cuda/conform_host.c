/* SPDX-License-Identifier: MIT */
/* conform_host - pinned host memory: allocated, registered, asked about, copied through, and refused. */
#include "conform.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static char *allocate(size_t size, unsigned flags) {
  void *host = NULL;
  conform_succeed(cudaHostAlloc(&host, size, flags));
  conform_true(host != NULL);
  if (host == NULL)
    exit(conform_done("conform_host")); /* nothing to go on with */
  return host;
}

static char *map_pages(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static struct cudaPointerAttributes attributes_of(const void *ptr) {
  struct cudaPointerAttributes attributes;
  memset(&attributes, 0x5a, sizeof attributes);
  conform_succeed(cudaPointerGetAttributes(&attributes, ptr));
  return attributes;
}

static int is_pinned(void *ptr) {
  struct cudaPointerAttributes found = attributes_of(ptr);
  return found.type == cudaMemoryTypeHost && found.device == 0 && found.hostPointer == ptr;
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

static void memory_is_the_hosts(size_t size) {
  char *host = NULL;
  conform_succeed(cudaMallocHost((void **)&host, size));
  if (host == NULL)
    exit(conform_done("conform_host"));
  conform_true((uintptr_t)host % 256 == 0);
  memset(host, 0x21, size);
  conform_true(is_pinned(host));
  conform_true(is_pinned(host + size - 1));
  conform_succeed(cudaFreeHost(host));
  conform_true(attributes_of(host).type == cudaMemoryTypeUnregistered);
}

static void every_flag_is_taken(void) {
  for (unsigned flags = 0; flags < 8; flags++) {
    char *host = allocate(1000, flags);
    unsigned found = 99;
    conform_succeed(cudaHostGetFlags(&found, host));
    conform_true(found == (flags | cudaHostAllocMapped));
    host[999] = 1;
    conform_succeed(cudaHostGetFlags(&found, host + 999));
    conform_succeed(cudaFreeHost(host));
    conform_expect(cudaErrorInvalidValue, cudaHostGetFlags(&found, host));
  }
}

static void memory_without_flags_is_mapped_too(void) {
  void *host = NULL;
  unsigned found = 99;
  conform_succeed(cudaMallocHost(&host, 1000));
  conform_succeed(cudaHostGetFlags(&found, host));
  conform_true(found == cudaHostAllocMapped);
  conform_succeed(cudaFreeHost(host));
}

static void unknown_flags_are_invalid(void) {
  const unsigned wrong[] = { 0x40, 0x80000000u, 0x100 };
  void *host = (void *)16;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    conform_expect(cudaErrorInvalidValue, cudaHostAlloc(&host, 100, wrong[i]));
  cudaError_t eight = cudaHostAlloc(&host, 100, 8);
  printf("observed: flag 8 gives %s\n", cudaGetErrorName(eight));
  cudaGetLastError();
  if (eight == cudaSuccess)
    conform_succeed(cudaFreeHost(host));
}

static void missing_output_is_invalid(void) {
  conform_expect(cudaErrorInvalidValue, cudaMallocHost(NULL, 16));
  conform_expect(cudaErrorInvalidValue, cudaHostAlloc(NULL, 16, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostGetFlags(NULL, NULL));
}

static void zero_bytes_are_null(void) {
  void *host = (void *)16;
  conform_succeed(cudaMallocHost(&host, 0));
  conform_true(host == NULL);
  host = (void *)16;
  conform_succeed(cudaHostAlloc(&host, 0, cudaHostAllocMapped));
  conform_true(host == NULL);
  host = (void *)16;
  conform_succeed(cudaHostAlloc(&host, 0, 99)); /* flags of nothing are not looked at */
  conform_true(host == NULL);
}

static void too_much_is_out_of_memory(void) {
  void *host = (void *)16;
  conform_expect(cudaErrorMemoryAllocation, cudaMallocHost(&host, (size_t)1 << 46));
  conform_true(host == NULL);
  host = (void *)16;
  cudaError_t error = cudaMallocHost(&host, SIZE_MAX);
  conform_true(error == cudaErrorMemoryAllocation || error == cudaErrorInvalidValue);
  printf("observed: SIZE_MAX gives %s\n", cudaGetErrorName(error));
  cudaGetLastError();
}

static void only_the_start_is_freed_and_once(size_t size) {
  int on_stack = 0;
  char *host = allocate(size, 0), *on_heap = malloc(100);
  void *device = NULL;
  conform_succeed(cudaMalloc(&device, 100));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(host + 1));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(host + 256));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(&on_stack));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(on_heap));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(device));
  conform_expect(cudaErrorInvalidValue, cudaFree(host));
  host[size - 1] = 1; /* still there */
  conform_succeed(cudaFreeHost(host));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(host));
  conform_succeed(cudaFreeHost(NULL));
  conform_succeed(cudaFree(device));
  free(on_heap);
}

static void copies_go_through_it(void) {
  enum { SIZE = 3000000 };
  char *there = allocate(SIZE, 0), *back = allocate(SIZE, cudaHostAllocPortable);
  void *device = NULL;
  for (int i = 0; i < SIZE; i++)
    there[i] = (char)(i * 31);
  conform_succeed(cudaMalloc(&device, SIZE));
  conform_succeed(cudaMemcpy(device, there, SIZE, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(back, device, SIZE, cudaMemcpyDefault));
  conform_true(memcmp(there, back, SIZE) == 0);
  conform_succeed(cudaMemset(device, 0x3c, SIZE));
  conform_succeed(cudaMemcpy(back, device, SIZE, cudaMemcpyDeviceToHost));
  conform_true(back[0] == 0x3c && back[SIZE - 1] == 0x3c);
  conform_succeed(cudaFree(device));
  conform_succeed(cudaFreeHost(there));
  conform_succeed(cudaFreeHost(back));
}

/* ---- device addresses ----------------------------------------------------------------------------------- */

/* A device that does not work on host memory in place says so; CUDA's all do. */
static void *device_address_of(void *host) {
  void *device = NULL;
  cudaError_t error = cudaHostGetDevicePointer(&device, host, 0);
  conform_true(error == cudaSuccess || error == cudaErrorNotSupported);
  if (error != cudaSuccess)
    printf("observed: no device address for host memory\n");
  cudaGetLastError();
  return device;
}

static void both_addresses_are_one_memory(char *host, size_t size) {
  char *device = device_address_of(host), byte = 0;
  if (device == NULL)
    return;
  conform_true(device_address_of(host + 500) == device + 500);
  conform_succeed(cudaMemset(device, 0x3c, size));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(host[0] == 0x3c && host[size - 1] == 0x3c);
  host[10] = 0x11;
  conform_succeed(cudaMemcpy(&byte, device + 10, 1, cudaMemcpyDefault));
  conform_true(byte == 0x11);
  struct cudaPointerAttributes found = attributes_of(device + 10);
  conform_true(found.type == cudaMemoryTypeHost && found.hostPointer == host + 10);
  conform_true(found.devicePointer == device + 10);
  conform_true(attributes_of(host + 10).devicePointer == device + 10);
  conform_expect(cudaErrorInvalidValue, cudaFree(device));
}

static void mapped_memory_has_a_device_address(void) {
  char *host = allocate(10000, cudaHostAllocMapped);
  both_addresses_are_one_memory(host, 10000);
  conform_succeed(cudaFreeHost(host));
  char *pages = map_pages(8192);
  conform_succeed(cudaHostRegister(pages, 8192, cudaHostRegisterMapped));
  both_addresses_are_one_memory(pages, 8192);
  conform_succeed(cudaHostUnregister(pages));
  munmap(pages, 8192);
}

static void wrong_questions_are_invalid(void) {
  int on_stack = 0;
  void *device = (void *)16;
  char *host = allocate(100, cudaHostAllocMapped);
  conform_expect(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, &on_stack, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostGetDevicePointer(NULL, host, 0));
  device = (void *)16;
  conform_expect(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, host, 1));
  conform_true(device == NULL);
  device = (void *)16;
  conform_expect(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, &on_stack, 0));
  conform_true(device == NULL);
  unsigned flags = 0;
  conform_expect(cudaErrorInvalidValue, cudaHostGetFlags(&flags, &on_stack));
  conform_succeed(cudaFreeHost(host));
}

/* ---- registration --------------------------------------------------------------------------------------- */

static void registered_memory_is_pinned(void) {
  char *pages = map_pages(16384);
  memset(pages, 0x44, 16384);
  conform_succeed(cudaHostRegister(pages, 16384, cudaHostRegisterPortable));
  conform_true(is_pinned(pages) && is_pinned(pages + 16383));
  conform_true(pages[0] == 0x44 && pages[16383] == 0x44);
  unsigned flags = 0;
  cudaError_t error = cudaHostGetFlags(&flags, pages);
  printf("observed: flags of registered memory: %s, %u\n", cudaGetErrorName(error), flags);
  cudaGetLastError();
  conform_expect(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pages, 16384, 0));
  conform_expect(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pages, 4096, 0));
  conform_expect(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pages + 4096, 4096, 0));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(pages));
  conform_expect(cudaErrorInvalidValue, cudaHostUnregister(pages + 4096));
  conform_succeed(cudaHostUnregister(pages));
  conform_expect(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pages));
  conform_true(attributes_of(pages).type == cudaMemoryTypeUnregistered);
  munmap(pages, 16384);
}

static void what_cannot_be_registered_is_refused(void) {
  char *pages = map_pages(4096), *ours = allocate(1000, 0);
  conform_expect(cudaErrorInvalidValue, cudaHostRegister(NULL, 4096, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostRegister(pages, 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostRegister(pages, 4096, 0x100));
  conform_expect(cudaErrorInvalidValue, cudaHostUnregister(NULL));
  conform_expect(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pages));
  conform_expect(cudaErrorInvalidValue, cudaHostRegister(ours, 1000, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostUnregister(ours));
  void *device = NULL, *managed = NULL;
  conform_succeed(cudaMalloc(&device, 4096));
  conform_succeed(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal));
  conform_expect(cudaErrorInvalidValue, cudaHostRegister(device, 4096, 0));
  conform_expect(cudaErrorInvalidValue, cudaHostUnregister(device));
  conform_expect(cudaErrorInvalidValue, cudaHostRegister(managed, 4096, 0));
  void *address = (void *)16;
  conform_expect(cudaErrorInvalidValue, cudaHostGetDevicePointer(&address, managed, 0));
  conform_true(address == NULL);
  conform_succeed(cudaFree(device));
  conform_succeed(cudaFree(managed));
  cudaError_t error = cudaHostRegister(pages, 4096, cudaHostRegisterIoMemory);
  conform_true(error != cudaSuccess);
  printf("observed: ordinary memory as I/O memory gives %s\n", cudaGetErrorName(error));
  error = cudaHostRegister(pages, 4096, cudaHostRegisterReadOnly);
  printf("observed: read-only gives %s\n", cudaGetErrorName(error));
  cudaGetLastError();
  if (error == cudaSuccess)
    conform_succeed(cudaHostUnregister(pages));
  munmap(pages, 4096);
  error = cudaHostRegister(pages, 4096, 0);
  conform_true(error != cudaSuccess);
  printf("observed: memory that is not mapped gives %s\n", cudaGetErrorName(error));
  cudaGetLastError();
  conform_succeed(cudaFreeHost(ours));
}

int main(void) {
  missing_output_is_invalid();
  memory_is_the_hosts(1);
  memory_is_the_hosts(5000);
  memory_is_the_hosts((size_t)5 << 20);
  every_flag_is_taken();
  memory_without_flags_is_mapped_too();
  unknown_flags_are_invalid();
  zero_bytes_are_null();
  too_much_is_out_of_memory();
  only_the_start_is_freed_and_once(1000);
  only_the_start_is_freed_and_once(3000000);
  copies_go_through_it();
  mapped_memory_has_a_device_address();
  wrong_questions_are_invalid();
  registered_memory_is_pinned();
  what_cannot_be_registered_is_refused();
  return conform_done("conform_host");
}
