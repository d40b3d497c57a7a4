/* SPDX-License-Identifier: MIT */
/*
 * waiting - whether this thread may wait for a device's work (waiting.h).
 *
 * The flag is the thread-local `is_barred_here`, so there is no lock. Called by stream/host.c, which sets it around a
 * function; and by those who are about to wait, or to release what has to be waited for: device/budget.c, fake_queue.c
 * and opencl_queue.c, heap/heap.c, residence.c and residence_move.c, mapper/mapper.c, mapper/memory.c, mapper/reclaim.c
 * and mapper/request.c, mirror/move.c, transfer/access.c and endpoint.c, device/proxy_move.c, and
 * checkpoint/checkpoint.c; and by device/proxy.c, which lets a function that a stream waits for pass its gate. Nothing
 * here waits.
 */
#include "base/waiting.h"

#include "base/error.h"
#include "base/hot.h"

static _Thread_local bool is_barred_here;

void vptr__waiting_bar(bool is_barred) {
  is_barred_here = is_barred;
}

VPTR__HOT bool vptr__waiting_is_barred(void) {
  return is_barred_here;
}

vptr_status vptr__waiting_check(void) {
  if (!is_barred_here)
    return VPTR_SUCCESS;
  return vptr__error(
      VPTR_ERROR_NOT_READY,
      "a function that a stream calls on the host would wait here for its own stream, without end: hand the "
      "work to another thread");
}
