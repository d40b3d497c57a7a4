/* SPDX-License-Identifier: MIT */
/*
 * memory - device memory that nodes of graphs allocate.
 *
 *     place     a buffer, or a slot of one, with a fixed address, which nodes of one graph allocate in turn
 *
 *     node made ---> retired ---launch: open---> live ---close: node, cudaFree(), cudaFreeAsync()---> retired
 *
 * An address is a buffer's on the devices here, and nothing can be mapped to it later; so memory is set aside when a
 * node is made, which fixes its address. A node that comes behind the one that frees another's memory gets that
 * memory again where it fits: the two cannot overlap in time, since edges of such graphs are never removed. To the
 * heap a place is retired until a launch allocates it (heap/heap.h), so addresses of no live allocation are told as
 * freed.
 *
 * A place is held by the nodes and steps that allocate it. What is live when the last of them goes is an allocation as
 * any other from then on. vptr__graph_lock(), of rank GRAPH, guards all places, and is held by callers unless a
 * function says otherwise. Used by the files of this folder, by replay/memory_node.c and memory_step.c, and by
 * cuda/memory.c, pool.c, capture_work.c, copy.c, copy_rect.c and reset.c.
 */
#ifndef VPTR_GRAPH_MEMORY_H
#define VPTR_GRAPH_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "stream/event.h"
#include "stream/stream.h"

struct vptr__graph;
struct vptr__graph_node;
union vptr__graph_work;

typedef struct vptr__graph_place {
  struct vptr__graph_place *next;
  vptr_mapper *mapper; /* NULL: a reset has ended it */
  void *ptr;
  size_t room;         /* bytes that are set aside */
  unsigned bin;        /* of the heap */
  unsigned holders;    /* nodes and steps; 0: the allocation outlives them */
  uint64_t graph;      /* the id of the one that has it; 0: none yet */
  const struct vptr__graph_node *freed_by; /* in that graph; NULL: its latest node's memory is not freed there */
  bool is_live;
  vptr__event *event; /* behind a free in another stream than a launch's; NULL: none */
} vptr__graph_place;

/* The work of a node that allocates. */
typedef struct vptr__graph_alloc {
  vptr__graph_place *place;
  const struct vptr__graph_node *behind; /* the node whose memory it gets again; NULL: it is the place's first */
  const void *site;                        /* of the call that made the node, for traces */
  struct cudaMemAllocNodeParamsV2 params;
  struct cudaMemAccessDesc access;         /* that params points to, if it has one */
} vptr__graph_alloc;

/* How many places there are. */
extern atomic_uint vptr__graph_places;

static inline bool vptr__graph_memory_any(void) {
  return __builtin_expect(atomic_load_explicit(&vptr__graph_places, memory_order_acquire) > 0, false);
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

/* Sets memory aside. Without the lock; it is held once. Errors: as vptr_malloc(). */
vptr_status vptr__graph_memory_make(vptr_mapper *mapper, size_t size, const void *site, vptr__graph_alloc *alloc);

/* Memory of the graph that a node behind `count` others may have again, which is held once more; false: there is
 * none. */
bool vptr__graph_memory_find(const struct vptr__graph *graph, struct vptr__graph_node *const *from, size_t count,
                             vptr_mapper *mapper, size_t size, vptr__graph_alloc *alloc);

void vptr__graph_memory_hold(vptr__graph_place *place);
void vptr__graph_memory_let_go(vptr__graph_place *place);

/* Whether a node that allocates, or frees an address, can be added to the graph. Errors, which are said:
 * INVALID_ARGUMENT, UNSUPPORTED (a child graph). And what is noted once it has been. */
vptr_status vptr__graph_memory_check(const struct vptr__graph *graph, enum cudaGraphNodeType type,
                                     const union vptr__graph_work *work);
void vptr__graph_memory_added(struct vptr__graph_node *node);

/* Gives memory back that nobody holds; for vptr__graph_unlock(), which calls the latter without the lock. */
vptr__graph_place *vptr__graph_memory_leaving(void);
void vptr__graph_memory_release(vptr__graph_place *leaving);

/* ---- launches ------------------------------------------------------------------------------------------- */

/* The allocation of a launch. Errors, which are said: INVALID_ARGUMENT (it is live, or its device was reset),
 * OUT_OF_HOST_MEMORY. And its end. Errors: as vptr_free(), silent. */
vptr_status vptr__graph_memory_open(const vptr__graph_alloc *alloc, const char *what);
vptr_status vptr__graph_memory_close(vptr__graph_place *place);

/* The live place at an address, or NULL. */
vptr__graph_place *vptr__graph_memory_at(const void *ptr);

/* ---- frees, without the lock ----------------------------------------------------------------------------- */

/* Of cudaFree(), stream NULL, which waits for the device's work, and of cudaFreeAsync(). False: it is no graph's
 * memory, or no graph's any more, and is freed as any other. */
bool vptr__graph_memory_free(void *ptr, vptr__stream *stream, vptr_status *status_out);

/* Whether so many bytes are within a place, live or not. Without the lock. */
bool vptr__graph_memory_has(const void *ptr, size_t bytes);

/* The memory of a mapper is gone. */
void vptr__graph_memory_forget_all(const vptr_mapper *mapper);

/* ---- what can be asked, without the lock ------------------------------------------------------------------ */

/* Bytes set aside for graphs, and for what outlives them; high: the most since it was reset. */
typedef struct vptr__graph_memory_stats {
  uint64_t used, used_high, reserved, reserved_high;
} vptr__graph_memory_stats;

void vptr__graph_memory_get_stats(const vptr_mapper *mapper, vptr__graph_memory_stats *stats_out);
void vptr__graph_memory_reset_used_high(const vptr_mapper *mapper);
void vptr__graph_memory_reset_reserved_high(const vptr_mapper *mapper);

#endif
