/* SPDX-License-Identifier: MIT */
/*
 * chain - several launches, one behind the other, as one kernel.
 *
 * A launch costs a driver the same however little it does, and what waits for it waits for that as well. Of launches
 * that have a single block each nothing ran at once in any case, so one block can run them in turn: a kernel is written
 * that calls theirs, with a barrier between two, and built once.
 *
 *     chain    vptr_chain(struct { struct vptr_k_a__packed l0; struct vptr_k_b__packed l1; ... } p)
 *     link     vptr_k_a(p.l0); barrier(...);         its arguments: a part of one struct
 *
 * A launch can be a link if it is one work-group on its device, as large as that of the others, of a kernel of the same
 * module that has parameters alone: no variables of the module's, no dynamic shared memory, nothing that it prints,
 * asserts, launches or looks up, but for buffers that lie apart: no argument of a chain's may lie so. Where a work-item
 * runs several blocks (together in module.h), it may have several, as long as they are few threads. Everything else is
 * refused, and stays a launch of its own.
 *
 * A chain looks at its arguments when it is sent, as every launch does. A plan is a variable of its caller's. A chain
 * belongs to an executable graph, whose lock, of rank EXEC, guards it (replay/runs.h). Used by replay/runs.c.
 */
#ifndef VPTR_MODULE_CHAIN_H
#define VPTR_MODULE_CHAIN_H

#include "module/module.h"

/* As many as a launch has room for without asking for memory. */
enum { VPTR__CHAIN_LINKS = 64, VPTR__CHAIN_BYTES = 512 };

typedef struct vptr__chain vptr__chain;

typedef struct vptr__chain_link {
  const vptr__function *function;
  uint32_t offset, bytes;     /* of its arguments in those of the chain */
  uint64_t block, blocks;     /* what its hidden parameters of these kinds are, */
  bool has_block, has_blocks; /* if it has them */
  bool has_windows;           /* it has a form that finds buffers (image.h), which is not the one in a chain */
} vptr__chain_link;

typedef struct vptr__chain_plan {
  vptr_mapper *mapper;
  uint64_t generation;        /* of its device (device/device.h): what fits this one need not fit another */
  vptr__chain_link links[VPTR__CHAIN_LINKS];
  uint32_t count;
  uint32_t bytes;             /* of arguments */
  uint32_t local[3];          /* of each link's work-group */
  uint64_t text;              /* bytes of the kernels, as often as they are called */
  uint64_t shared, own;       /* memory of the block, and of each thread */
} vptr__chain_plan;

/* One more link: whether the launch can be one behind those that there are. A plan begins with its mapper, the
 * generation of that one's device, and zeros. */
bool vptr__chain_plan_add(vptr__chain_plan *plan, const vptr__function *function, const vptr__launch *launch);

/* Writes the kernel and has the driver build it; with another chain, which has the same launches but for arguments, it
 * is that one's kernel, and the other one outlives this. Errors: OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__chain_make(const vptr__chain_plan *plan, const vptr__chain *other, vptr__chain **chain_out);
bool vptr__chain_is_like(const vptr__chain *chain, const vptr__chain_plan *plan);

/* A link's arguments, which are packed, for launches to come; false: the launch is another one than the link's. And the
 * launch, named `what`: as vptr__function_launch(). Nothing was sent if it fails, as it
 * does with NOT_READY on another device than it was planned for. */
bool vptr__chain_set(vptr__chain *chain, uint32_t link, const vptr__function *function, const vptr__launch *launch);
vptr_status vptr__chain_send(vptr__chain *chain, vptr__stream *stream, const char *what);

/* Waits for nothing: what is in flight keeps what it needs. NULL: nothing. */
void vptr__chain_free(vptr__chain *chain);

/* chain_text.c: the module of a plan, vptr__memory_free()'s. Errors: OUT_OF_HOST_MEMORY. */
#define VPTR__CHAIN_ENTRY "vptr_chain"
vptr_status vptr__chain_text(const vptr__chain_plan *plan, char **text_out, size_t *length_out);

#endif
