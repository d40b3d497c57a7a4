/* SPDX-License-Identifier: MIT */
/*
 * mapper - what a vptr_mapper is: a device, a heap on it, and the host accessors that are open.
 *
 * The mapper is the guard at the door: it finds out which mapper a call means, checks what comes in, says in
 * words what was wrong, and passes the rest on. Public functions live beside their noun: mapper.c (life),
 * memory.c (allocate, free), lookup.c (resolve and its kin), explain.c (words about an address), registry.c
 * (all mappers of the process, the default one).
 */
#ifndef VPTR_MAPPER_MAPPER_H
#define VPTR_MAPPER_MAPPER_H

#include <stdatomic.h>

#include <vptr/vptr.h>
#include <vptr/vptr_fast.h>

#include "base/lock.h"
#include "device/device.h"
#include "heap/heap.h"
#include "mapper/translation_table.h"

struct vptr__mapping;
struct vptr__stream_set;
struct vptr__pool_allocator;
struct vptr__bulk;
struct vptr__pack;

struct vptr_mapper {
  vptr__device *device;
  vptr__heap *heap;
  vptr_fast view;                    /* (set once) of the heap's directory, for look-ups inline */
  vptr__heap_config heap_config;     /* what the heap was asked for, for reports */
  vptr__lock mapping_lock;           /* rank MAPPING: guards mappings */
  struct vptr__mapping *mappings;    /* transfer/access.c: open host accessors */
  vptr__lock stream_lock;            /* rank STREAM: guards what follows */
  _Atomic(struct vptr__stream_set *) streams; /* lib/vptr/stream: NULL before the first stream */
  _Atomic(uint64_t) work_last;       /* stream/state.h: number given to work; written under the lock, as is the next */
  /* when that was the last number, nothing was under way: if it is still, so it is now */
  _Atomic(uint64_t) work_drained;
  _Atomic(struct vptr__pool_allocator *) pool_allocator; /* pool/pool_allocator.h: pools; NULL before the first */
  _Atomic(struct vptr__bulk *) bulk; /* transfer/bulk.h: what large copies go through; NULL before the first */
  _Atomic(struct vptr__pack *) pack; /* transfer/pack.h: what rows are packed in; NULL before the first */
  vptr__translation_table translation_table; /* of where the device has everything, once a kernel needs it */
  atomic_bool queue_shown;           /* the program knows the device's queue, and may send to it */
};

/* Whether it is known that no work of streams is under way. */
static inline bool vptr__mapper_is_quiet(const vptr_mapper *mapper) {
  return atomic_load_explicit(&mapper->work_last, memory_order_acquire) ==
         atomic_load_explicit(&mapper->work_drained, memory_order_acquire);
}

/* stream/stream.c: whether CUDA's frees have to wait for the mapper's streams, where that is not quiet: work may be
 * under way, and VPTR_FREE_WAITS does not say that they return at once. */
VPTR_API bool vptr__streams_hold_frees(vptr_mapper *mapper);

/* Whether a free as CUDA has it begins with vptr__streams_drain(). */
static inline bool vptr__mapper_holds_frees(vptr_mapper *mapper) {
  return !vptr__mapper_is_quiet(mapper) && vptr__streams_hold_frees(mapper);
}

/* The mapper that a public call means: itself, or for NULL the default one, made now if need be. NULL on error,
 * which has been said and is in *status_out. */
vptr_mapper *vptr__mapper_find(vptr_mapper *mapper, vptr_status *status_out);

/* What most programs have and most calls mean: the default mapper; NULL before it is made, and in a forked process. */
VPTR_API extern _Atomic(vptr_mapper *) vptr__mapper_usual;

static inline vptr_mapper *vptr__mapper_of(vptr_mapper *mapper, vptr_status *status_out) {
  vptr_mapper *usual = atomic_load_explicit(&vptr__mapper_usual, memory_order_acquire);
  if (mapper != NULL || usual == NULL)
    return vptr__mapper_find(mapper, status_out);
  *status_out = VPTR_SUCCESS;
  return usual;
}

/* A mapper on the ordinal-th device (adapters use this; vptr_mapper_create() is the public way). */
vptr_status vptr__mapper_open(const vptr_config *config, int ordinal, vptr_mapper **mapper_out);

/* The process's mapper on the ordinal-th chosen device, made on first use; ordinal 0 is the default mapper. */
VPTR_API vptr_status vptr__mapper_for_device(int ordinal, vptr_mapper **mapper_out);

/* The same if it was made before; else NULL. Lock-free. */
VPTR_API vptr_mapper *vptr__mapper_made(int ordinal);

/* Resolves for any reason, exact, OTHER_MAPPER included, without words: the silent half of vptr_resolve(). */
VPTR_API vptr_status vptr__mapper_locate(vptr_mapper *mapper, const void *ptr, size_t need,
                                         vptr_location *location_out);

/* Says what is wrong with an address (base/error.h): names the verdict and the nearest allocation. Returns
 * status. `what` is the public call's name. */
VPTR_API vptr_status vptr__mapper_explain(vptr_mapper *mapper, vptr_status status, const char *what, const void *ptr,
                                 size_t need);

/* The same words into text, for the trap report; no status. */
void vptr__mapper_describe(vptr_mapper *mapper, vptr_status status, const void *ptr, size_t need, char *text,
                           size_t text_size);

/* Names a queue whose commands use the mapper's memory: the program's (vptr_use_queue()), or a stream's. */
vptr_status vptr__mapper_use_queue(vptr_mapper *mapper, cl_command_queue queue, bool of_program);

/* The mapper whose reservation holds ptr, or NULL. Lock-free. The answer is good while that mapper lives. */
VPTR_API vptr_mapper *vptr__mapper_owning(const void *ptr);

/* Calls visit for each mapper of the process, the default one first; the registry is locked meanwhile. */
void vptr__mapper_each(void (*visit)(vptr_mapper *mapper, void *context), void *context);

/* The same without the lock, for a process that is dying: exact if no mapper comes or goes meanwhile. */
void vptr__mapper_each_unlocked(void (*visit)(vptr_mapper *mapper, void *context), void *context);

/* transfer/access.c: closes every host accessor of a mapper that is going away. */
void vptr__access_close_all(vptr_mapper *mapper);

/* transfer/bulk.c: gives the pinned memory of large copies back; ends it with a mapper that is going away. */
void vptr__bulk_trim(vptr_mapper *mapper);
void vptr__bulk_close(vptr_mapper *mapper);

/* transfer/pack.c: the same of what rows are packed in. */
void vptr__pack_trim(vptr_mapper *mapper);
void vptr__pack_close(vptr_mapper *mapper);

/* stream/timing.c: the mapper's own queue keeps times from now on, if that can be had, and stays the one it is then, if
 * it can be shown at all: queue_shown says so. */
vptr_status vptr__stream_show_legacy(vptr_mapper *mapper);

/* stream/word.c: what the mapper's streams, and any that wait for words of its memory, wait for is not waited for any
 * more; they go on, with a failure. Before a mapper that is going away or begins anew waits for its work, which may be
 * behind a word that never comes. Returns when no call uses the mapper. */
VPTR_API void vptr__streams_end_waits(vptr_mapper *mapper);

/* stream/stream.c: ends every stream and event of a mapper that is going away, whose work has been waited for. */
VPTR_API void vptr__streams_close_all(vptr_mapper *mapper);

/* stream/stream.c: waits for all work of the mapper's streams and of queues that were named; what it failed with stays
 * for who asks for its stream. Whether it is known that there is none, in a few nanoseconds. */
VPTR_API vptr_status vptr__streams_drain(vptr_mapper *mapper);
bool vptr__streams_are_drained(vptr_mapper *mapper);

/* pool/pool_allocator.c. Whether ptr is the start of a live allocation of a pool's. */
bool vptr__pool_allocator_owns(vptr_mapper *mapper, const void *ptr);

/* Takes such an allocation back: waits for all work in flight. Errors: UNKNOWN_ADDRESS if it is none (any more),
 * others as vptr__heap_free(); silent. */
vptr_status vptr__pool_allocator_take_back(vptr_mapper *mapper, void *ptr);

/* Gives everything that was freed in streams back to the heap, after waiting for all work; false if that was
 * nothing. */
bool vptr__pool_allocator_reclaim(vptr_mapper *mapper);

/* The same, and forgets what is live, for it is about to be freed; the pools remain. All work has been waited for. */
void vptr__pool_allocator_clear(vptr_mapper *mapper);

/* Ends the pools of a mapper that is going away, before its streams. All work has been waited for. */
void vptr__pool_allocator_close(vptr_mapper *mapper);

/* As vptr__heap_allocate(), and once more when the device is full and pools had something to give. */
VPTR_API vptr_status vptr__mapper_allocate(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out);

/* Frees an allocation that nothing has to be waited for, and that a magazine of this thread's takes; else false,
 * nothing done, and it is vptr_free()'s. Whoever calls it knows that this is no forked process. */
VPTR_API bool vptr__mapper_free_at_once(vptr_mapper *mapper, void *ptr);

/* mapper/fast.c: a view of a mapper's directory. */
vptr_fast vptr__mapper_view(vptr_mapper *mapper);

/* mapper/leaks.c and mapper/trap.c: called once, when the first mapper is made. */
void vptr__leaks_watch(void);
void vptr__trap_install(void);

#endif
