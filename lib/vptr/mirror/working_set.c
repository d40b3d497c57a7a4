/* SPDX-License-Identifier: MIT */
/*
 * working_set - acquiring all the mirrors that one piece of work uses, in order, and again from the first if need be.
 *
 * The items are the caller's; the file's one static is the lock `one_at_a_time`, of rank WORKING_SET, which is held
 * while a thread acquires anew. A thread that holds it has no mirror acquired when it begins, and takes mirrors'
 * locks, of rank MIRROR, one after the other.
 *
 * Called by cudart/module/managed_pointer.c for each launch, and by transfer/endpoint.c for a copy or a fill. It blocks
 * until all mirrors are on the device; it fails as vptr__mirror_acquire() does, but for NOT_READY, and then nothing is
 * acquired.
 */
#include "mirror/working_set.h"

#include <sched.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/lock.h"

static vptr__lock one_at_a_time = VPTR__LOCK_INIT(VPTR__RANK_WORKING_SET);

/* Then by access, in the order of its numbers: what one of them discards, another may read. */
static int by_address(const void *a, const void *b) {
  const vptr__working_set_item *left = a, *right = b;
  uintptr_t first = (uintptr_t)vptr__mirror_host(left->mirror), second = (uintptr_t)vptr__mirror_host(right->mirror);
  return first != second ? (first > second) - (first < second)
                         : (left->access > right->access) - (left->access < right->access);
}

void vptr__working_set_release(const vptr__working_set_item *items, size_t count, uint64_t stream, cl_event event) {
  for (size_t i = 0; i < count; i++)
    vptr__mirror_release(items[i].mirror, stream, event);
}

static vptr_status try_all(vptr_mapper *mapper, vptr__working_set_item *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    vptr__working_set_item *it = &items[i];
    vptr_status status = vptr__mirror_acquire(it->mirror, mapper, it->offset, it->size, it->access, &it->acquisition);
    if (status != VPTR_SUCCESS) {
      vptr__working_set_release(items, i, 0, NULL);
      return status;
    }
  }
  return VPTR_SUCCESS;
}

/* Ends: those who acquire at their first try soon have sent their work, and who fails at it waits here. */
static vptr_status try_anew(vptr_mapper *mapper, vptr__working_set_item *items, size_t count) {
  vptr_status status;
  vptr__lock_take(&one_at_a_time);
  while ((status = try_all(mapper, items, count)) == VPTR_ERROR_NOT_READY)
    sched_yield();
  vptr__lock_give(&one_at_a_time);
  return status;
}

vptr_status vptr__working_set_acquire(vptr_mapper *mapper, vptr__working_set_item *items, size_t count) {
  qsort(items, count, sizeof *items, by_address);
  vptr__error_try();
  vptr_status status = try_all(mapper, items, count);
  if (status == VPTR_ERROR_NOT_READY)
    status = try_anew(mapper, items, count);
  return vptr__error_tried(status);
}
