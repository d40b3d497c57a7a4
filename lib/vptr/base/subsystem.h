/* SPDX-License-Identifier: MIT */
/*
 * subsystem - tables of functions, by which lower modules call higher ones.
 *
 * A mapper that goes away ends its streams and pools, a free waits for streams, a full device takes memory back from
 * managed memory; and the files that do all that include and know nobody above them (doc/layers.txt). So each module
 * above enters a table of functions here, at its first use or when its library is loaded, and keeps what it has for a
 * mapper in that mapper's states (mapper/mapper.h), at its own place:
 *
 *     heap, mapper  --->  subsystem: | ACCESS | MIRROR | POOL | STREAM | BULK | PACK | USM | PINNED | ... |
 *                                        ^         ^       ^       ^    enter, once a process
 *                                     transfer   mirror   pool   stream  ...
 *
 * A place is compiled in, so a state is found by one load. A module that was never used has no table, and what nobody
 * has a function for is not done. Everything that goes over all tables goes in the order of the places.
 *
 * Functions are called by the thread that made the public call, without a lock of the library's, where nothing else is
 * said below; none of a mapper that is going away is used by another thread meanwhile.
 *
 * Thread-safe, no locks: a table is a static of its module's, is entered by an atomic store into the array
 * vptr__subsystems, and stays. Used by lib/vptr/mapper, stream and checkpoint, which call what was entered, and by
 * those who enter a table: lib/vptr/transfer, mirror, pool, stream and checkpoint, lib/cudart/pinned, usm, module and
 * cuda.
 */
#ifndef VPTR_BASE_SUBSYSTEM_H
#define VPTR_BASE_SUBSYSTEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

struct vptr__host_range;
struct vptr__reclaim;
struct vptr__saved;
struct vptr__saved_list;
struct vptr__stream;

/* In the order in which a mapper that goes away ends them: accessors write back by queues, pools know streams, streams
 * may have a copy in pieces under way. */
typedef enum vptr__subsystem_id {
  VPTR__SUBSYSTEM_ACCESS,
  VPTR__SUBSYSTEM_MIRROR,
  VPTR__SUBSYSTEM_POOL,
  VPTR__SUBSYSTEM_STREAM,
  VPTR__SUBSYSTEM_BULK,
  VPTR__SUBSYSTEM_PACK,
  VPTR__SUBSYSTEM_USM,
  VPTR__SUBSYSTEM_PINNED,
  VPTR__SUBSYSTEM_MODULE,
  VPTR__SUBSYSTEM_ARRAY,
  VPTR__SUBSYSTEM_CHECKPOINT,
  VPTR__SUBSYSTEMS
} vptr__subsystem_id;

/* What a module hears. NULL: it is not interested. A mapper may be one for which the module has no state. */
typedef struct vptr__subsystem {
  /* A mapper goes away, in three turns of all subsystems. stop: ends what its work could wait for without an end; then
   * the mapper waits for its work. depart: takes from the device what others still need; the first error is
   * vptr_mapper_destroy()'s. close: ends what there is. */
  void (*stop)(vptr_mapper *mapper);
  vptr_status (*depart)(const vptr_mapper *mapper);
  void (*close)(vptr_mapper *mapper);

  /* vptr_trim(), and a full device: gives spare memory back; whether it had any. is_full: the device is, and memory
   * that is the host's alone is no help. */
  bool (*trim)(vptr_mapper *mapper, bool is_full);

  /* vptr_clear(), in two turns. check_clear: whether it may be; errors are said. clear: all work is over, and whatever
   * is live is about to be freed. */
  vptr_status (*check_clear)(vptr_mapper *mapper);
  void (*clear)(vptr_mapper *mapper);

  /* A checkpoint of the mapper is to be taken, and all work is over: whether the module's memory can be in it; errors
   * are said. */
  vptr_status (*check_checkpoint)(vptr_mapper *mapper);

  /* What of the module's goes into a checkpoint beside the heap's memory (base/saved.h). save: adds it to the list,
   * when all work is over. restore: makes all of its kinds again, as a list says that came from a file, when the heap's
   * memory is there, with undefined bytes, and nothing else is live. Then one of the two: undo_restore: what restore
   * made, also if it failed, goes; settle_restore: all of it is there, and it holds. saved_kinds: a bit for each kind
   * that it knows. */
  unsigned saved_kinds;
  vptr_status (*save)(vptr_mapper *mapper, struct vptr__saved_list *list);
  vptr_status (*restore)(vptr_mapper *mapper, const struct vptr__saved_list *list);
  void (*undo_restore)(vptr_mapper *mapper);
  void (*settle_restore)(vptr_mapper *mapper);

  /* Whether an item that has bytes of its own, at its address, has them still; false: it was freed meanwhile. */
  bool (*has_saved)(const struct vptr__saved *item);

  /* Copies bytes of an item that lies nowhere (VPTR__SAVED_NOWHERE), from an offset on, from it or to it, until
   * they are there. NULL: all of the module's lie at their addresses. Errors: FREED, in silence, those of transfers. */
  vptr_status (*copy_saved)(vptr_mapper *mapper, const struct vptr__saved *item, size_t offset, void *host, size_t size,
                            bool to_host);

  /* A signal asked for a checkpoint (mapper/request.h), and work of the mapper was waited for: takes one, under no
   * lock. */
  void (*serve_request)(vptr_mapper *mapper);

  /* The device is full (mapper/reclaim.h). reclaim_idle gives back to the mapper's heap what was freed and is kept;
   * false if that was nothing. reclaim gives up what is in use, and can be elsewhere: it takes locks of rank MIRROR,
   * and is called under none above. */
  bool (*reclaim_idle)(vptr_mapper *mapper);
  bool (*reclaim)(struct vptr__reclaim *reclaim);

  /* What leaves a full device, or comes back, whose other work is over: see vptr__heap_move. The bulk's alone. */
  bool (*move_bytes)(vptr_mapper *mapper, cl_mem buffer, bool to_device, void *host, size_t size,
                     vptr_status *status_out);

  /* Frees. is_drained: whether it is known, in a few nanoseconds, that no work of the mapper's is under way. drain:
   * waits for all of it. owns: whether ptr begins a live allocation of the module's, and take_back: frees such a one;
   * UNKNOWN_ADDRESS if it is none any more, others as vptr__heap_free(), silent. */
  bool (*is_drained)(vptr_mapper *mapper);
  vptr_status (*drain)(vptr_mapper *mapper);
  bool (*owns)(vptr_mapper *mapper, const void *ptr);
  vptr_status (*take_back)(vptr_mapper *mapper, void *ptr);

  /* A stream is about to end; it is still alive, but its handle is none any more. */
  void (*stream_ends)(struct vptr__stream *stream);

  /* Host memory, from any thread. locate_host: what an address means, and to which mapper it belongs; in silence;
   * FREED, UNKNOWN_ADDRESS. check_host: see vptr__host_check(). find_host: the address among the mapper's of host
   * memory that its device works on in place, or the memory's own where the device takes that; UNKNOWN_ADDRESS, in
   * silence, for plain memory that it does not take, other errors in words that begin with `what`. */
  vptr_status (*locate_host)(const void *ptr, vptr_location *location_out, vptr_mapper **owner_out);
  vptr_status (*check_host)(const char *what, const void *ptr, size_t size);
  vptr_status (*find_host)(vptr_mapper *mapper, const char *what, const void *host, void **device_out);

  /* Host memory with an address of the device's (mapper/translation_table.h). list_hosts: writes as many as there is
   * room for, in any order, none in another, and returns how many there are. host_serial: rises whenever that may have
   * changed, before anybody may hold such an address. Under no lock of rank MAPPING or above. */
  size_t (*list_hosts)(const vptr_mapper *mapper, struct vptr__host_range *ranges, size_t room);
  uint64_t (*host_serial)(void);
} vptr__subsystem;

/* The tables; read by vptr__subsystem_at(). */
extern _Atomic(const vptr__subsystem *) vptr__subsystems[VPTR__SUBSYSTEMS];

/* From now on the subsystem is called. Again: nothing. */
VPTR_API void vptr__subsystem_enter(vptr__subsystem_id id, const vptr__subsystem *subsystem);

/* The table at a place; NULL: its module was not used yet. */
static inline const vptr__subsystem *vptr__subsystem_at(vptr__subsystem_id id) {
  return atomic_load_explicit(&vptr__subsystems[id], memory_order_acquire);
}

/* The turns, of all that are interested. depart: the first error, after all; check_clear and those for
 * checkpoints: the first, at once. */
void vptr__subsystems_stop(vptr_mapper *mapper);
vptr_status vptr__subsystems_depart(const vptr_mapper *mapper);
void vptr__subsystems_close(vptr_mapper *mapper);
bool vptr__subsystems_trim(vptr_mapper *mapper, bool is_full);
vptr_status vptr__subsystems_check_clear(vptr_mapper *mapper);
void vptr__subsystems_clear(vptr_mapper *mapper);
vptr_status vptr__subsystems_check_checkpoint(vptr_mapper *mapper);
vptr_status vptr__subsystems_save(vptr_mapper *mapper, struct vptr__saved_list *list);
vptr_status vptr__subsystems_restore(vptr_mapper *mapper, const struct vptr__saved_list *list);
void vptr__subsystems_undo_restore(vptr_mapper *mapper);
void vptr__subsystems_settle_restore(vptr_mapper *mapper);
void vptr__subsystems_end_stream(struct vptr__stream *stream);

/* Whether one of them gave something, and whoever asks shall try again. */
bool vptr__subsystems_reclaim(struct vptr__reclaim *reclaim);

/* The table of who knows a kind; NULL: nobody. And the kinds that anybody knows, a bit for each. */
const vptr__subsystem *vptr__subsystem_for_saved(unsigned kind);
unsigned vptr__subsystems_saved_kinds(void);

/* The sum of their serials, which rises when one does. */
uint64_t vptr__subsystems_host_serial(void);

#endif
