/* SPDX-License-Identifier: MIT */
/*
 * mapper - what a vptr_mapper is: a device, a heap on it, and what each subsystem keeps for it.
 *
 * The files of lib/vptr/mapper find out which mapper a public call means, check its arguments, say in words what was
 * wrong, and pass the rest on. Public functions are in mapper.c (life, queues), memory.c (allocate, free, clear),
 * lookup.c (resolve and its kin), kernel_argument.c, fast.c (look-ups inline), migrate.c and report.c; copies, fills
 * and host accessors in lib/vptr/transfer, vptr_get_queue() in stream/timing.c. The functions below are in explain.c
 * (words about an address), registry.c (all mappers of the process, the default one), lookup.c, memory.c, mapper.c,
 * fast.c, leaks.c and trap.c. The files that stand above use them: in lib/vptr, in lib/cudart, and in the libraries on
 * that.
 *
 * Which lock guards a member stands beside it; the rest is set once, is atomic, or has a lock of its own. mapper.c
 * makes a mapper and frees it.
 */
#ifndef VPTR_MAPPER_MAPPER_H
#define VPTR_MAPPER_MAPPER_H

#include <stdatomic.h>

#include <vptr/vptr.h>
#include <vptr/vptr_fast.h>

#include "base/lock.h"
#include "base/subsystem.h"
#include "device/device.h"
#include "heap/heap.h"
#include "mapper/standby.h"
#include "mapper/texel_table.h"
#include "mapper/translation_table.h"


struct vptr_mapper {
  _Atomic(vptr__device *) device;    /* another one after vptr_migrate(); see device/proxy.h */
  vptr__heap *heap;
  vptr_fast view;                    /* (set once) of the heap's directory, for look-ups inline */
  vptr__heap_config heap_config;     /* what the heap was asked for, for reports */
  vptr__lock mapping_lock;           /* rank MAPPING: guards what SUBSYSTEM_ACCESS has */
  vptr__lock stream_lock;            /* rank STREAM: guards the account of work, and streams */
  _Atomic(uint64_t) work_last;       /* stream/state.h: number given to work; written under the lock, as is the next */
  /* when that was the last number, nothing was under way: if it is still, so it is now */
  _Atomic(uint64_t) work_drained;
  _Atomic(void *) states[VPTR__SUBSYSTEMS]; /* what each subsystem keeps for this mapper; NULL: nothing yet */
  vptr__translation_table translation_table; /* of where the device has everything, once a kernel needs it */
  vptr__texel_table texel_table;     /* of what textures and surfaces are, likewise */
  vptr__standby standby;             /* devices that are open for it to go to */
  atomic_bool queue_shown;           /* the program knows the device's queue, and may send to it */
};

/* What a subsystem keeps for the mapper; it knows of which type. */
static inline void *vptr__mapper_state(const vptr_mapper *mapper, vptr__subsystem_id id) {
  return atomic_load_explicit(&mapper->states[id], memory_order_acquire);
}

/* Of threads that both made one, whose is kept: that is returned. */
static inline void *vptr__mapper_keep_state(vptr_mapper *mapper, vptr__subsystem_id id, void *made) {
  void *there = NULL;
  return atomic_compare_exchange_strong(&mapper->states[id], &there, made) ? made : there;
}

/* Takes it away, for the subsystem to end. */
static inline void *vptr__mapper_take_state(vptr_mapper *mapper, vptr__subsystem_id id) {
  return atomic_exchange(&mapper->states[id], NULL);
}

/* Whether it is known that no work of streams is under way. */
static inline bool vptr__mapper_is_quiet(const vptr_mapper *mapper) {
  return atomic_load_explicit(&mapper->work_last, memory_order_acquire) ==
         atomic_load_explicit(&mapper->work_drained, memory_order_acquire);
}

/* Work of the program's own queues, and what it sends to the mapper's, has no numbers. */
static inline bool vptr__mapper_has_strangers(const vptr_mapper *mapper) {
  return mapper->device->has_program_queues || atomic_load_explicit(&mapper->queue_shown, memory_order_relaxed);
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

/* The same for bytes that may lie in several buffers (heap/span.h): the buffer is that of the first. */
VPTR_API vptr_status vptr__mapper_locate_all(vptr_mapper *mapper, const void *ptr, size_t need,
                                             vptr_location *location_out);

/* Says what is wrong with an address (base/error.h): names the verdict and the nearest allocation. Returns
 * status. `what` is the public call's name. */
VPTR_API vptr_status vptr__mapper_explain(vptr_mapper *mapper, vptr_status status, const char *what, const void *ptr,
                                 size_t need);

/* The same words into text, for the trap report; no status. */
void vptr__mapper_describe(vptr_mapper *mapper, vptr_status status, const void *ptr, size_t need, char *text,
                           size_t text_size);

/* Says that the mapper cannot go to another device; `what` is the public call's name. */
vptr_status vptr__mapper_refuse_move(const vptr_mapper *mapper, const char *what);

/* Names a queue whose commands use the mapper's memory: the program's (vptr_use_queue()), or a stream's. */
vptr_status vptr__mapper_use_queue(vptr_mapper *mapper, cl_command_queue queue, bool of_program);

/* The mapper whose reservation holds ptr, or NULL. Lock-free. The answer is good while that mapper lives. */
VPTR_API vptr_mapper *vptr__mapper_owning(const void *ptr);

/* Calls visit for each mapper of the process, the default one first; the registry is locked meanwhile. */
void vptr__mapper_each(void (*visit)(vptr_mapper *mapper, void *context), void *context);

/* The same without the lock, for a process that is dying: exact if no mapper comes or goes meanwhile. */
void vptr__mapper_each_unlocked(void (*visit)(vptr_mapper *mapper, void *context), void *context);

/* As vptr__heap_allocate(), and again when the device is full and others had something to give (mapper/reclaim.h). */
VPTR_API vptr_status vptr__mapper_allocate(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out);

/* The same for the program, or for a call of its that holds no lock of rank LEASE or behind it: where memory may leave
 * a full device it waits until what other threads use there is not in use, and they let it pass. */
VPTR_API vptr_status vptr__mapper_allocate_for_program(vptr_mapper *mapper, size_t size, const void *site,
                                                       void **ptr_out);

/* Frees an allocation that nothing has to be waited for, and that a magazine of this thread's takes; else false,
 * nothing done, and it is vptr_free()'s. Whoever calls it knows that this is no forked process. */
VPTR_API bool vptr__mapper_free_at_once(vptr_mapper *mapper, void *ptr);

/* mapper/fast.c: a view of a mapper's directory. */
vptr_fast vptr__mapper_view(vptr_mapper *mapper);

/* mapper/leaks.c and mapper/trap.c: called for each mapper that is made; the first call counts. */
void vptr__leaks_watch(void);
void vptr__trap_install(void);

#endif
