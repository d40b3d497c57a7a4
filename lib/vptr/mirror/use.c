/* SPDX-License-Identifier: MIT */
/*
 * use - noting and awaiting the work in flight that uses a mirror (use.h).
 *
 * A vptr__uses is a part of its mirror (state.h): a list of one OpenCL event for each stream, retained until it is
 * over. vptr__mirror.lock, of rank MIRROR, guards it; vptr__uses_wait() is called without that lock, by the one thread
 * that has the mirror parked, or ends it. Called by acquire.c, which notes; by bring.c and visit.c, which ask whether
 * all are over; by visit.c, which waits; and by mirror.c at the end. vptr__uses_wait() blocks; only
 * vptr__uses_reserve() fails, without host memory.
 */
#include "mirror/use.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/completion.h"

enum { FIRST_ROOM = 4 };

static void drop_use(vptr__uses *uses, size_t index) {
  uses->device->ops->event.release(uses->device, uses->uses[index].last);
  uses->uses[index] = uses->uses[--uses->count];
}

/* An event that cannot be asked stays. */
static void prune_uses(vptr__uses *uses) {
  cl_int state;
  for (size_t i = uses->count; i > 0; i--)
    if (vptr__completion_is_told(uses->device, uses->uses[i - 1].last, &state))
      drop_use(uses, i - 1);
}

static vptr_status grow_use_list(vptr__uses *uses, size_t least) {
  size_t room = uses->room > 0 ? uses->room : FIRST_ROOM;
  while (room < least)
    room *= 2;
  vptr__use *grown = vptr__memory_calloc(room, sizeof *grown);
  if (grown == NULL)
    return vptr__error_host_memory(room * sizeof *grown);
  for (size_t i = 0; i < uses->count; i++)
    grown[i] = uses->uses[i];
  vptr__memory_free(uses->uses);
  uses->uses = grown;
  uses->room = room;
  return VPTR_SUCCESS;
}

vptr_status vptr__uses_reserve(vptr__uses *uses, size_t more) {
  if (uses->count + more > uses->room)
    prune_uses(uses);
  return uses->count + more > uses->room ? grow_use_list(uses, uses->count + more) : VPTR_SUCCESS;
}

void vptr__uses_note(vptr__uses *uses, uint64_t stream, cl_event last) {
  for (size_t i = uses->count; i > 0; i--)
    if (stream != 0 && uses->uses[i - 1].stream == stream)
      drop_use(uses, i - 1);
  uses->device->ops->event.retain(uses->device, last);
  uses->uses[uses->count++] = (vptr__use){ stream, last };
}

bool vptr__uses_are_over(vptr__uses *uses) {
  prune_uses(uses);
  return uses->count == 0;
}

/* A stream has one at most. */
uint64_t vptr__uses_sole_stream(vptr__uses *uses) {
  prune_uses(uses);
  return uses->count == 1 ? uses->uses[0].stream : 0;
}

void vptr__uses_wait(vptr__uses *uses) {
  vptr_status status;
  vptr__error_try();
  while (uses->count > 0) {
    vptr__completion_reach(uses->device, uses->uses[uses->count - 1].last, &status);
    drop_use(uses, uses->count - 1);
  }
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__uses_fini(vptr__uses *uses) {
  vptr__uses_wait(uses);
  vptr__memory_free(uses->uses);
}
