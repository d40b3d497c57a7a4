/* SPDX-License-Identifier: MIT */
/*
 * subsystem - the array of tables by which lower modules call higher ones (subsystem.h), and calls of all its tables.
 *
 * The one datum is that array, vptr__subsystems, whose elements are atomic; there is no lock, and what is called takes
 * its own. Called by those who enter a table: transfer/access.c, bulk.c and pack.c, mirror/mirror.c,
 * pool/pool_allocator.c, stream/stream.c, cudart/pinned/pinned.c, cudart/usm/place.c, cudart/module/restored.c,
 * cudart/cuda/array.c and checkpoint/checkpoint.c; and by those who call what has been entered: mapper/host.c,
 * kernel_argument.c, lookup.c, mapper.c, mapper/memory.c, reclaim.c, request.c and translation_table.c,
 * stream/stream.c, and checkpoint/checkpoint.c, restore.c and taker.c.
 */
#include "base/subsystem.h"

_Atomic(const vptr__subsystem *) vptr__subsystems[VPTR__SUBSYSTEMS];

void vptr__subsystem_enter(vptr__subsystem_id id, const vptr__subsystem *subsystem) {
  atomic_store_explicit(&vptr__subsystems[id], subsystem, memory_order_release);
}

/* For each subsystem that is there and has the function. */
#define FOR_EACH(subsystem, function)                                                                                \
  for (int id = 0; id < VPTR__SUBSYSTEMS; id++)                                                                      \
    for (const vptr__subsystem *subsystem = vptr__subsystem_at((vptr__subsystem_id)id);                              \
         subsystem != NULL && subsystem->function; subsystem = NULL)

void vptr__subsystems_stop(vptr_mapper *mapper) {
  FOR_EACH(subsystem, stop)
  subsystem->stop(mapper);
}

vptr_status vptr__subsystems_depart(const vptr_mapper *mapper) {
  vptr_status first = VPTR_SUCCESS;
  FOR_EACH(subsystem, depart) {
    vptr_status status = subsystem->depart(mapper);
    first = first == VPTR_SUCCESS ? status : first;
  }
  return first;
}

void vptr__subsystems_close(vptr_mapper *mapper) {
  FOR_EACH(subsystem, close)
  subsystem->close(mapper);
}

bool vptr__subsystems_trim(vptr_mapper *mapper, bool is_full) {
  bool has_given = false;
  FOR_EACH(subsystem, trim)
  has_given |= subsystem->trim(mapper, is_full);
  return has_given;
}

vptr_status vptr__subsystems_check_clear(vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  FOR_EACH(subsystem, check_clear)
  if (status == VPTR_SUCCESS)
    status = subsystem->check_clear(mapper);
  return status;
}

vptr_status vptr__subsystems_check_checkpoint(vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  FOR_EACH(subsystem, check_checkpoint)
  if (status == VPTR_SUCCESS)
    status = subsystem->check_checkpoint(mapper);
  return status;
}

vptr_status vptr__subsystems_save(vptr_mapper *mapper, struct vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  FOR_EACH(subsystem, save)
  if (status == VPTR_SUCCESS)
    status = subsystem->save(mapper, list);
  return status;
}

vptr_status vptr__subsystems_restore(vptr_mapper *mapper, const struct vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  FOR_EACH(subsystem, restore)
  if (status == VPTR_SUCCESS)
    status = subsystem->restore(mapper, list);
  return status;
}

void vptr__subsystems_undo_restore(vptr_mapper *mapper) {
  FOR_EACH(subsystem, undo_restore)
  subsystem->undo_restore(mapper);
}

void vptr__subsystems_settle_restore(vptr_mapper *mapper) {
  FOR_EACH(subsystem, settle_restore)
  subsystem->settle_restore(mapper);
}

const vptr__subsystem *vptr__subsystem_for_saved(unsigned kind) {
  FOR_EACH(subsystem, saved_kinds)
  if ((subsystem->saved_kinds >> kind & 1) != 0)
    return subsystem;
  return NULL;
}

unsigned vptr__subsystems_saved_kinds(void) {
  unsigned kinds = 0;
  FOR_EACH(subsystem, saved_kinds)
  kinds |= subsystem->saved_kinds;
  return kinds;
}

void vptr__subsystems_clear(vptr_mapper *mapper) {
  FOR_EACH(subsystem, clear)
  subsystem->clear(mapper);
}

void vptr__subsystems_end_stream(struct vptr__stream *stream) {
  FOR_EACH(subsystem, stream_ends)
  subsystem->stream_ends(stream);
}

bool vptr__subsystems_reclaim(struct vptr__reclaim *reclaim) {
  bool gave = false;
  FOR_EACH(subsystem, reclaim)
  gave = gave || subsystem->reclaim(reclaim);
  return gave;
}

uint64_t vptr__subsystems_host_serial(void) {
  uint64_t sum = 0;
  FOR_EACH(subsystem, host_serial)
  sum += subsystem->host_serial();
  return sum;
}
