/* SPDX-License-Identifier: MIT */
/*
 * lock - a mutex with a rank.
 *
 * A thread takes locks in rising rank only; debug builds (--enable-debug) abort on any other order, so a
 * deadlock shows in the first test that could have had one. Release builds pay for a plain mutex.
 *
 * A lock is a variable or a member of who uses it, and what it guards is said there. Used by every folder of lib that
 * shares data between threads.
 */
#ifndef VPTR_BASE_LOCK_H
#define VPTR_BASE_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#include <vptr/vptr.h>

/* Every lock of the library has one of these ranks, outermost first. Several locks may have one; a thread has at most
 * one of each rank. (doc/architecture/locks.md) */
typedef enum vptr__rank {
  VPTR__RANK_CHECKPOINT, /* checkpoint/kept: who takes or restores a checkpoint, and the host memory that goes along */
  VPTR__RANK_EXEC,     /* replay/exec: an executable graph, while it is sent or changed */
  VPTR__RANK_GRAPH,    /* graph/graph: graphs, and what is captured */
  /* cuda/unit: units that are to be registered still; library/kernel: reading the module of a library's kernels;
   * cufft/plan: engines of a plan, while one is made or sends; virtual/shared_memory: opening others' memory */
  VPTR__RANK_UNIT,
  VPTR__RANK_REFERENCE, /* cuda/reference: what is bound to texture and surface references */
  VPTR__RANK_LEASE,    /* heap/residence: who leases several allocations anew, or allocates, on a full device */
  VPTR__RANK_BIRTH,    /* mapper/registry: making of the default mappers, drivers' start included */
  VPTR__RANK_REGISTRY, /* mapper/registry: list of mappers */
  /* cuda/array: which image each array has; module: builds, launches with managed variables, reading what kernels
   * printed, the kernel for words at addresses; device/proxy_copy: what is kept between two moves */
  VPTR__RANK_ARRAY,
  VPTR__RANK_WORKING_SET, /* mirror/working_set: who acquires mirrors anew */
  VPTR__RANK_MIRROR,   /* mirror/mirror: where the bytes of a mirror are */
  VPTR__RANK_POOL,     /* pool/pool_allocator: memory that the streams of a mapper pass on */
  VPTR__RANK_STREAM,   /* stream: order between the streams of a mapper */
  /* transfer/access: host accessors of a mapper; transfer/bulk: sending pieces; mapper/translation_table,
   * mapper/texel_table: which table there is; module/program: a kernel's arguments; pinned/depot and alias: chunks,
   * and addresses of host memory */
  VPTR__RANK_MAPPING,
  VPTR__RANK_MAGAZINE, /* heap/magazine: list of heaps */
  /* heap: everything that allocation and free change; pinned/region: regions; mirror/copy_queue: the list of queues;
   * mirror/fault: how faults are heard of */
  VPTR__RANK_HEAP,
  VPTR__RANK_TURN,     /* device/proxy_apart: commands with host memory that a device keeps apart */
  VPTR__RANK_DEVICE,   /* device: lazy probes, discovery */
  VPTR__RANK_LEAF      /* taken last, by code that takes no other; many files have one */
} vptr__rank;

typedef struct vptr__lock {
  pthread_mutex_t mutex;
  vptr__rank rank;
} vptr__lock;

#define VPTR__LOCK_INIT(rank)                                                                                        \
  { PTHREAD_MUTEX_INITIALIZER, (rank) }

VPTR_API void vptr__lock_init(vptr__lock *lock, vptr__rank rank);
VPTR_API void vptr__lock_fini(vptr__lock *lock);
VPTR_API void vptr__lock_take(vptr__lock *lock);
VPTR_API void vptr__lock_give(vptr__lock *lock);

/* As vptr__lock_take(), if nobody has it; else false. */
bool vptr__lock_try(vptr__lock *lock);

/* As vptr__lock_take(), for a lock that is held no longer than it takes to wake a thread, some 50 us: yields the
 * processor for about that time before it lets the thread sleep. */
void vptr__lock_take_yielding(vptr__lock *lock);

/* Whether the calling thread has any lock, or a duty: then others may be unable to go on until it does. Known of locks
 * that are taken after vptr__lock_count_all() was called, which costs every lock a nanosecond from then on. */
void vptr__lock_count_all(void);
bool vptr__lock_is_awaited(void);

/* From one to the other the thread has a duty: others wait for it on a condition, as they would for a lock. May be
 * nested. */
void vptr__lock_begin_duty(void);
void vptr__lock_end_duty(void);

#endif
