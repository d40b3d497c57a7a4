/* SPDX-License-Identifier: MIT */
/* conform_pointer - cudaPointerGetAttributes() of device, host, freed and impossible addresses. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

static struct cudaPointerAttributes attributes_of(const void *ptr) {
  struct cudaPointerAttributes attributes;
  memset(&attributes, 0x5a, sizeof attributes);
  conform_succeed(cudaPointerGetAttributes(&attributes, ptr));
  return attributes;
}

static int is_device(void *ptr) {
  struct cudaPointerAttributes found = attributes_of(ptr);
  return found.type == cudaMemoryTypeDevice && found.device == 0 && found.devicePointer == ptr &&
         found.hostPointer == NULL;
}

static int is_unregistered(void *ptr) {
  struct cudaPointerAttributes found = attributes_of(ptr);
  return found.type == cudaMemoryTypeUnregistered && found.device == -2 && found.devicePointer == NULL &&
         found.hostPointer == ptr;
}

static void host_memory_is_unregistered(void) {
  int on_stack = 0;
  void *on_heap = malloc(100);
  conform_true(is_unregistered(&on_stack));
  conform_true(is_unregistered(on_heap));
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

static void missing_output_is_invalid(void) {
  int on_stack = 0;
  conform_expect(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, &on_stack));
  conform_expect(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, NULL));
}

int main(void) {
  host_memory_is_unregistered(); /* before anything was allocated */
  every_byte_of_an_allocation_is_device(1000);
  every_byte_of_an_allocation_is_device((size_t)64 << 20);
  host_memory_is_unregistered();
  impossible_addresses_are_unregistered();
  missing_output_is_invalid();
  return conform_done("conform_pointer");
}
