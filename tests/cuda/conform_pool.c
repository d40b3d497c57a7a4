/* SPDX-License-Identifier: MIT */
/* conform_pool - cudaMallocAsync(), cudaFreeAsync() and memory pools: order, accounts, attributes, refusals. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

enum { SIZE = 1 << 20 };

static uint64_t number(cudaMemPool_t pool, enum cudaMemPoolAttr attr) {
  uint64_t value = 0;
  conform_succeed(cudaMemPoolGetAttribute(pool, attr, &value));
  return value;
}

static cudaMemPool_t make_pool(void) {
  struct cudaMemPoolProps props;
  cudaMemPool_t pool = NULL;
  memset(&props, 0, sizeof props);
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  conform_succeed(cudaMemPoolCreate(&pool, &props));
  return pool;
}

static void set_threshold(cudaMemPool_t pool, uint64_t bytes) {
  conform_succeed(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
}

static void memory_is_good_for_work_of_its_stream(cudaStream_t stream) {
  static unsigned char seen[SIZE];
  void *p = NULL;
  for (int round = 1; round <= 3; round++) {
    conform_succeed(cudaMallocAsync(&p, SIZE, stream));
    conform_succeed(cudaMemsetAsync(p, round, SIZE, stream));
    conform_succeed(cudaMemcpyAsync(seen, p, SIZE, cudaMemcpyDeviceToHost, stream));
    conform_succeed(cudaFreeAsync(p, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    conform_true(seen[0] == round && seen[SIZE - 1] == round && memcmp(seen, seen + 1, SIZE - 1) == 0);
  }
}

static void zero_bytes_and_missing_outputs(cudaStream_t stream) {
  void *p = (void *)16;
  conform_succeed(cudaMallocAsync(&p, 0, stream));
  printf("observed: 0 bytes are at %p\n", p);
  conform_expect(cudaErrorInvalidValue, cudaMallocAsync(NULL, 16, stream));
  p = (void *)16;
  conform_expect(cudaErrorMemoryAllocation, cudaMallocAsync(&p, SIZE_MAX / 2, stream));
  printf("observed: where there is no room, the output is %p\n", p);
  conform_succeed(cudaFreeAsync(NULL, stream));
  conform_succeed(cudaFreeAsync(NULL, NULL));
}

static void only_live_memory_is_freed(cudaStream_t stream) {
  char *p = NULL;
  int on_stack = 0;
  conform_succeed(cudaMallocAsync((void **)&p, SIZE, stream));
  conform_expect(cudaErrorInvalidValue, cudaFreeAsync(&on_stack, stream));
  conform_expect(cudaErrorInvalidValue, cudaFreeAsync((void *)0x1234567890, stream));
  conform_expect(cudaErrorInvalidValue, cudaFreeAsync(p + 256, stream));
  conform_succeed(cudaFreeAsync(p, stream));
  conform_expect(cudaErrorInvalidValue, cudaFreeAsync(p, stream));
  conform_succeed(cudaStreamSynchronize(stream));
}

static void either_kind_of_free_takes_either_kind_of_memory(cudaStream_t stream) {
  void *plain = NULL, *pooled = NULL;
  conform_succeed(cudaMalloc(&plain, SIZE));
  conform_succeed(cudaMallocAsync(&pooled, SIZE, stream));
  conform_succeed(cudaMemsetAsync(plain, 1, SIZE, stream));
  conform_succeed(cudaFreeAsync(plain, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaFree(pooled));
  conform_expect(cudaErrorInvalidValue, cudaFree(pooled));
}

static void accounts_follow(cudaStream_t stream) {
  cudaMemPool_t pool = make_pool();
  void *p = NULL;
  uint64_t zero = 0, one = 1;
  conform_true(number(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  conform_true(number(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  conform_true(number(pool, cudaMemPoolAttrReleaseThreshold) == 0);
  set_threshold(pool, UINT64_MAX);
  conform_true(number(pool, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX);
  conform_succeed(cudaMallocFromPoolAsync(&p, SIZE, pool, stream));
  uint64_t used = number(pool, cudaMemPoolAttrUsedMemCurrent);
  uint64_t reserved = number(pool, cudaMemPoolAttrReservedMemCurrent);
  conform_true(used >= SIZE && reserved >= used);
  printf("observed: %d bytes use %llu and reserve %llu\n", (int)SIZE, (unsigned long long)used,
         (unsigned long long)reserved);
  conform_succeed(cudaFreeAsync(p, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(number(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  conform_true(number(pool, cudaMemPoolAttrReservedMemCurrent) == reserved);
  conform_true(number(pool, cudaMemPoolAttrUsedMemHigh) == used);
  conform_true(number(pool, cudaMemPoolAttrReservedMemHigh) == reserved);
  conform_expect(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one));
  conform_succeed(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  conform_true(number(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  conform_succeed(cudaMemPoolTrimTo(pool, 0));
  conform_true(number(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  conform_succeed(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
  conform_true(number(pool, cudaMemPoolAttrReservedMemHigh) == 0);
  conform_expect(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
  conform_expect(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &zero));
  conform_succeed(cudaMemPoolDestroy(pool));
}

static void a_pool_without_threshold_keeps_nothing(cudaStream_t stream) {
  cudaMemPool_t pool = make_pool();
  void *p = NULL;
  conform_succeed(cudaMallocFromPoolAsync(&p, SIZE, pool, stream));
  conform_succeed(cudaFreeAsync(p, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(number(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  conform_succeed(cudaMallocFromPoolAsync(&p, SIZE, pool, stream));
  conform_succeed(cudaMemPoolDestroy(pool)); /* goes with its memory */
  conform_succeed(cudaMemsetAsync(p, 1, SIZE, stream));
  conform_succeed(cudaFreeAsync(p, stream));
  conform_succeed(cudaStreamSynchronize(stream));
}

static void reuse_is_allowed_at_first(void) {
  cudaMemPool_t pool = make_pool();
  for (int attr = cudaMemPoolReuseFollowEventDependencies; attr <= cudaMemPoolReuseAllowInternalDependencies;
       attr++) {
    int on = 7, off = 0;
    conform_succeed(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, &on));
    conform_true(on == 1);
    conform_succeed(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, &off));
    conform_succeed(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, &on));
    conform_true(on == 0);
  }
  conform_expect(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &pool));
  conform_succeed(cudaMemPoolDestroy(pool));
}

static void a_device_has_a_default_and_a_current_pool(cudaStream_t stream) {
  cudaMemPool_t standard = NULL, current = NULL, pool = make_pool();
  void *p = NULL;
  conform_succeed(cudaDeviceGetDefaultMemPool(&standard, 0));
  conform_succeed(cudaDeviceGetMemPool(&current, 0));
  conform_true(standard != NULL && current == standard);
  conform_succeed(cudaDeviceSetMemPool(0, pool));
  conform_succeed(cudaDeviceGetMemPool(&current, 0));
  conform_true(current == pool);
  conform_succeed(cudaMallocAsync(&p, SIZE, stream));
  conform_true(number(pool, cudaMemPoolAttrUsedMemCurrent) >= SIZE);
  conform_succeed(cudaFreeAsync(p, stream));
  conform_succeed(cudaMemPoolDestroy(pool));
  conform_succeed(cudaDeviceGetMemPool(&current, 0));
  conform_true(current == standard);
  conform_expect(cudaErrorInvalidValue, cudaMemPoolDestroy(standard));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetDefaultMemPool(NULL, 0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&standard, 9999));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetMemPool(&standard, -1));
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetMemPool(-1, standard));
}

static void access_is_the_devices_own(void) {
  cudaMemPool_t pool = make_pool();
  enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  struct cudaMemLocation here;
  struct cudaMemAccessDesc access;
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  access.location = here;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  conform_succeed(cudaMemPoolGetAccess(&flags, pool, &here));
  conform_true(flags == cudaMemAccessFlagsProtReadWrite);
  here.id = 9999;
  conform_expect(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, &here));
  conform_true(flags == cudaMemAccessFlagsProtReadWrite);
  conform_succeed(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = (enum cudaMemAccessFlags)0xffff;
  conform_expect(cudaErrorInvalidValue, cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  conform_expect(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtReadWrite;
  access.location.id = -1;
  conform_expect(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &access, 1));
  access.location.type = cudaMemLocationTypeInvalid;
  access.location.id = here.id = 0;
  conform_expect(cudaErrorNotSupported, cudaMemPoolSetAccess(pool, &access, 1));
  here.type = cudaMemLocationTypeInvalid;
  conform_expect(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, &here));
  here.type = cudaMemLocationTypeHost;
  conform_succeed(cudaMemPoolGetAccess(&flags, pool, &here));
  conform_true(flags == cudaMemAccessFlagsProtNone);
  access.location = here;
  conform_expect(cudaErrorNotSupported, cudaMemPoolSetAccess(pool, &access, 1));
  conform_succeed(cudaMemPoolDestroy(pool));
}

/* The order is the stream's, and the memory the pool's device's. */
static void a_pool_serves_streams_of_other_devices(void) {
  static unsigned char seen[SIZE];
  cudaMemPool_t pool = make_pool();
  cudaStream_t far = NULL;
  void *p = NULL;
  int count = 0;
  conform_succeed(cudaGetDeviceCount(&count));
  if (count > 1) {
    conform_succeed(cudaSetDevice(1));
    conform_succeed(cudaStreamCreate(&far));
    conform_succeed(cudaMallocFromPoolAsync(&p, SIZE, pool, far));
    conform_succeed(cudaStreamSynchronize(far));
    conform_succeed(cudaSetDevice(0));
    conform_succeed(cudaMemset(p, 5, SIZE));
    conform_succeed(cudaMemcpy(seen, p, SIZE, cudaMemcpyDeviceToHost));
    conform_true(seen[0] == 5 && seen[SIZE - 1] == 5);
    conform_succeed(cudaFreeAsync(p, far));
    conform_succeed(cudaStreamDestroy(far));
  }
  conform_succeed(cudaMemPoolDestroy(pool));
}

static void what_is_no_pool_is_refused(cudaStream_t stream) {
  struct cudaMemPoolProps props;
  cudaMemPool_t pool = NULL;
  void *p = NULL;
  memset(&props, 0, sizeof props);
  conform_expect(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, NULL));
  conform_expect(cudaErrorInvalidValue, cudaMemPoolCreate(NULL, &props));
  conform_expect(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &props));
  conform_expect(cudaErrorInvalidValue, cudaMemPoolDestroy(NULL));
  conform_expect(cudaErrorInvalidValue, cudaMemPoolTrimTo(NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&p, SIZE, NULL, stream));
}

int main(void) {
  cudaStream_t stream = NULL;
  conform_succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  memory_is_good_for_work_of_its_stream(stream);
  memory_is_good_for_work_of_its_stream(NULL);
  zero_bytes_and_missing_outputs(stream);
  only_live_memory_is_freed(stream);
  either_kind_of_free_takes_either_kind_of_memory(stream);
  accounts_follow(stream);
  a_pool_without_threshold_keeps_nothing(stream);
  reuse_is_allowed_at_first();
  a_device_has_a_default_and_a_current_pool(stream);
  access_is_the_devices_own();
  a_pool_serves_streams_of_other_devices();
  what_is_no_pool_is_refused(stream);
  conform_succeed(cudaStreamDestroy(stream));
  return conform_done("conform_pool");
}
