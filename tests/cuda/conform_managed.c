/* SPDX-License-Identifier: MIT */
/* conform_managed - memory of cudaMallocManaged() as the host sees it; kernels with it are in tests/kernels. */
#include "conform.h"

#include <string.h>

enum { COUNT = 100000, BYTES = COUNT * sizeof(int) };

static void refuses_what_is_none(void) {
  void *p = (void *)7;
  conform_expect(cudaErrorInvalidValue, cudaMallocManaged(&p, 64, 0));
  conform_expect(cudaErrorInvalidValue, cudaMallocManaged(&p, 64, 0x40));
  conform_expect(cudaErrorInvalidValue, cudaMallocManaged(NULL, 64, cudaMemAttachGlobal));
  conform_true(p == NULL);
  p = (void *)7;
  conform_expect(cudaErrorMemoryAllocation, cudaMallocManaged(&p, (size_t)1 << 60, cudaMemAttachGlobal));
  conform_true(p == NULL);
  p = (void *)7;
  conform_succeed(cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
  conform_true(p == NULL);
  conform_succeed(cudaMallocManaged(&p, 0, 9)); /* flags of nothing are not looked at */
}

static void is_ordinary_memory_to_the_host(void) {
  int *p = NULL;
  conform_succeed(cudaMallocManaged((void **)&p, BYTES, cudaMemAttachGlobal));
  for (int i = 0; i < COUNT; i++)
    p[i] = i * 3;
  long long sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += p[i];
  conform_true(sum == 3ll * COUNT * (COUNT - 1) / 2);
  conform_succeed(cudaFree(p));
}

static void says_what_it_is(void) {
  struct cudaPointerAttributes what;
  char *p = NULL;
  conform_succeed(cudaMallocManaged((void **)&p, 1000, cudaMemAttachHost));
  conform_succeed(cudaPointerGetAttributes(&what, p + 10));
  conform_true(what.type == cudaMemoryTypeManaged);
  conform_true(what.device == 0);
  conform_true(what.hostPointer == p + 10 && what.devicePointer == p + 10);
  conform_succeed(cudaFree(p));
  conform_succeed(cudaPointerGetAttributes(&what, p + 10));
  conform_true(what.type == cudaMemoryTypeUnregistered);
}

/* Whatever the kind says: it is memory of both. */
static void copies_take_it_for_either_side(void) {
  int *managed = NULL, *device = NULL, first[64], seen[64];
  conform_succeed(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal));
  conform_succeed(cudaMalloc((void **)&device, BYTES));
  for (int i = 0; i < 64; i++)
    first[i] = 5 * i + 1;
  conform_succeed(cudaMemcpy(managed, first, sizeof first, cudaMemcpyHostToDevice));
  conform_true(memcmp(managed, first, sizeof first) == 0);
  conform_succeed(cudaMemcpy(device, managed, sizeof first, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemset(managed, 0, sizeof first));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(managed[0] == 0 && managed[63] == 0);
  conform_succeed(cudaMemcpy(managed + 64, device, sizeof first, cudaMemcpyDefault));
  conform_true(memcmp(managed + 64, first, sizeof first) == 0);
  conform_succeed(cudaMemcpy(seen, managed + 64, sizeof seen, cudaMemcpyDeviceToHost));
  conform_true(memcmp(seen, first, sizeof first) == 0);
  conform_succeed(cudaMemcpyAsync(managed, managed + 64, sizeof first, cudaMemcpyDeviceToDevice, 0));
  conform_succeed(cudaStreamSynchronize(0));
  conform_true(memcmp(managed, first, sizeof first) == 0);
  conform_succeed(cudaFree(device));
  conform_succeed(cudaFree(managed));
}

static void is_freed_once_and_from_its_start(void) {
  char *p = NULL;
  conform_succeed(cudaMallocManaged((void **)&p, 1000, cudaMemAttachGlobal));
  conform_expect(cudaErrorInvalidValue, cudaFree(p + 8));
  conform_expect(cudaErrorInvalidValue, cudaFreeHost(p));
  conform_succeed(cudaFree(p));
  conform_expect(cudaErrorInvalidValue, cudaFree(p));
}

static void ends_with_a_reset(void) {
  struct cudaPointerAttributes what;
  char *p = NULL;
  conform_succeed(cudaMallocManaged((void **)&p, 1000, cudaMemAttachGlobal));
  conform_succeed(cudaDeviceReset());
  conform_succeed(cudaPointerGetAttributes(&what, p));
  conform_true(what.type == cudaMemoryTypeUnregistered);
}

int main(void) {
  refuses_what_is_none();
  is_ordinary_memory_to_the_host();
  says_what_it_is();
  copies_take_it_for_either_side();
  is_freed_once_and_from_its_start();
  ends_with_a_reset();
  return conform_done("conform_managed");
}
