/* SPDX-License-Identifier: MIT */
/*
 * leaving - the list of what closed plugins had and work in flight may still use (leaving.h).
 *
 * The static list `waiting` has vptr__leaving records, which are part of what is to be released. The static `lock`, of
 * rank LEAF, guards changes; whether the list is empty is read without it. Records are asked and released without the
 * lock.
 *
 * Called by module.c, variable.c and cudart/cuda/reference.c, which add; and by program.c, variable.c,
 * cudart/cuda/device.c, cudart/cuda/memory.c and cudart/cuda/reset.c, which have the list looked through when something
 * is first used on a device, after a wait for a device, on a full device and at a reset. Adding never waits. Looking
 * may ask the device (is_over()), and waits for it only where the program has named queues of its own there
 * (vptr_use_queue()), whose work nobody else knows of. While one thread looks the list is empty for others, whose look
 * then releases nothing.
 */
#include "module/leaving.h"

#include "base/lock.h"

#include <stdatomic.h>
#include <stddef.h>

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static _Atomic(vptr__leaving *)
    waiting; /* written under the lock, read without it by those who only ask if it is empty */

static void push_leaving(vptr__leaving *it) {
  vptr__lock_take(&lock);
  it->next = atomic_load(&waiting);
  atomic_store(&waiting, it);
  vptr__lock_give(&lock);
}

static vptr__leaving *take_all(void) {
  vptr__lock_take(&lock);
  vptr__leaving *all = atomic_load(&waiting);
  atomic_store(&waiting, NULL);
  vptr__lock_give(&lock);
  return all;
}

void vptr__leaving_add(vptr__leaving *it, vptr__leaving_when when) {
  if (when == VPTR__LEAVING_WHEN_UNUSED && it->is_over(it, false))
    it->release(it);
  else
    push_leaving(it);
}

bool vptr__leaving_look(void) {
  bool has_released = false;
  if (atomic_load_explicit(&waiting, memory_order_relaxed) == NULL)
    return false;
  for (vptr__leaving *it = take_all(), *next; it != NULL; it = next) {
    next = it->next;
    bool is_over = it->is_over(it, true);
    has_released |= is_over;
    if (is_over)
      it->release(it);
    else
      push_leaving(it);
  }
  return has_released;
}
