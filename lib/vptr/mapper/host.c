/* SPDX-License-Identifier: MIT */
/* host - see host.h. */
#include "mapper/host.h"

#include "base/hot.h"

_Atomic(uintptr_t) vptr__host_low = UINTPTR_MAX, vptr__host_high;
static _Atomic(vptr__host_classify *) classify_host;

void vptr__host_widen(const void *base, size_t bytes) {
  uintptr_t low = atomic_load(&vptr__host_low), high = atomic_load(&vptr__host_high);
  while ((uintptr_t)base < low && !atomic_compare_exchange_weak(&vptr__host_low, &low, (uintptr_t)base))
    continue;
  while ((uintptr_t)base + bytes > high &&
         !atomic_compare_exchange_weak(&vptr__host_high, &high, (uintptr_t)base + bytes))
    continue;
}

void vptr__host_classify_by(vptr__host_classify *judge) {
  atomic_store(&classify_host, judge);
}

VPTR__HOT vptr_status vptr__host_check(const char *what, const void *ptr, size_t size) {
  if (!vptr__host_may_have((uintptr_t)ptr, (uintptr_t)ptr + (size - 1)))
    return VPTR_SUCCESS;
  vptr__host_classify *judge = atomic_load_explicit(&classify_host, memory_order_acquire);
  return judge != NULL ? judge(what, ptr, size) : VPTR_SUCCESS;
}
