/* SPDX-License-Identifier: MIT */
/*
 * reclaim - repeats an attempt that needs device memory, while others give some up (reclaim.h).
 *
 * A vptr__reclaim is a variable of its caller's; the file has no data and no lock of its own. vptr__reclaim_try() takes
 * vptr__heap.lock, of rank HEAP; vptr__reclaim_insist() also locks of the ranks POOL and MIRROR (reclaim.h). What each
 * attempt does to the heap is the attempt's: an allocation finds in it what pools gave back, and a buffer of another
 * kind needs that released.
 *
 * Called by memory.c, for allocations; by mapper.c, for allocations that come back to the device; by mirror/backing.c,
 * for managed memory; and by cudart/image/image.c, for arrays and staging buffers; vptr__reclaim_try(), which asks the
 * heap alone, by transfer/shift.c and mirror/backing.c. Both wait for the device's work where they released something.
 */
#include "mapper/reclaim.h"

#include "base/error.h"
#include "base/waiting.h"

static bool is_shortage(vptr_status status) {
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY || status == VPTR_ERROR_OUT_OF_ADDRESSES;
}

static vptr_status attempt_twice(vptr_mapper *mapper, vptr__reclaim_attempt *attempt, void *context) {
  vptr_status status = attempt(context);
  return is_shortage(status) && vptr__heap_give_idle(mapper->heap) ? attempt(context) : status;
}

vptr_status vptr__reclaim_try(vptr_mapper *mapper, vptr__reclaim_attempt *attempt, void *context) {
  vptr__error_try();
  return vptr__error_tried(attempt_twice(mapper, attempt, context));
}

/* A host function may not wait for the work behind it, nor for who does. False: there was nothing to give. */
static bool give_unused(vptr_mapper *mapper) {
  if (vptr__waiting_is_barred())
    return false;
  bool has_given = vptr__subsystems_trim(mapper, true);
  if (vptr__mapper_state(mapper, VPTR__SUBSYSTEM_POOL) != NULL)
    has_given |= vptr__subsystem_at(VPTR__SUBSYSTEM_POOL)->reclaim_idle(mapper);
  return has_given;
}

vptr_status vptr__reclaim_insist(vptr__reclaim *reclaim, vptr__reclaim_attempt *attempt, void *context) {
  vptr_mapper *mapper = reclaim->mapper;
  vptr__error_try();
  vptr_status status = attempt_twice(mapper, attempt, context);
  if (is_shortage(status) && give_unused(mapper))
    status = attempt_twice(mapper, attempt, context);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_evict(mapper->heap, &reclaim->patience))
    status = attempt_twice(mapper, attempt, context);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__subsystems_reclaim(reclaim))
    status = attempt_twice(mapper, attempt, context);
  return vptr__error_tried(status);
}
