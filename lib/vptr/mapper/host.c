/* SPDX-License-Identifier: MIT */
/*
 * host - see host.h: the bounds of the host memory that vptr ever handed out, and the check of a range against them.
 *
 * The bounds are vptr__host_low and vptr__host_high, which are atomic and only move apart; nothing else is here, and no
 * lock but those of rank LEAF that the hook takes (host.h). Called by explain.c, transfer/endpoint.c and line.c,
 * cudart/cuda/copy.c, cudart/module/argument.c and reach.c, cudart/usm/transfer.c, cudart/library/call.c and
 * curand/call.c, which check host memory that a call was given; and by mirror/address_index.c and
 * cudart/pinned/region.c, which move the bounds apart when they hand memory out. Nothing blocks but for those locks.
 */
#include "mapper/host.h"

#include "base/hot.h"
#include "base/subsystem.h"

_Atomic(uintptr_t) vptr__host_low = UINTPTR_MAX, vptr__host_high;

void vptr__host_widen(const void *base, size_t bytes) {
  uintptr_t low = atomic_load(&vptr__host_low), high = atomic_load(&vptr__host_high);
  while ((uintptr_t)base < low && !atomic_compare_exchange_weak(&vptr__host_low, &low, (uintptr_t)base))
    continue;
  while ((uintptr_t)base + bytes > high &&
         !atomic_compare_exchange_weak(&vptr__host_high, &high, (uintptr_t)base + bytes))
    continue;
}

VPTR__HOT vptr_status vptr__host_check(const char *what, const void *ptr, size_t size) {
  if (!vptr__host_may_have((uintptr_t)ptr, (uintptr_t)ptr + (size - 1)))
    return VPTR_SUCCESS;
  const vptr__subsystem *pinned = vptr__subsystem_at(VPTR__SUBSYSTEM_PINNED);
  return pinned != NULL && pinned->check_host != NULL ? pinned->check_host(what, ptr, size) : VPTR_SUCCESS;
}
