/* SPDX-License-Identifier: MIT */
/*
 * infer - which address space every pointer points into, and so which instances of a function there are.
 *
 * OpenCL C 1.2 has no pointer that may point anywhere, and no driver that was measured offers one that works. So
 * each pointer that is written is a variable, and what the code does relates variables: assignment, initialiser,
 * return, ?:, comparison, casts unify them; `&x`, arrays, a kernel's parameters and strings fix them. A call waits
 * until the spaces of its arguments are known, and then names an instance of its function: made once for each
 * combination. What stays open is private (no use can tell).
 *
 * A pointer that would have to point into two spaces is refused, with both places. Pointers in global memory
 * (elements or members of it) point into global memory; their values are the host's addresses, and emit/ has them
 * translated. Pointers in members of a kernel's by-value parameter point to global memory too.
 *
 * A pointer field of a record, and a pointer variable in shared memory, has one space in the whole translation.
 */
#ifndef VPTR_TRANSLATE_INFER_INFER_H
#define VPTR_TRANSLATE_INFER_INFER_H

#include "translate/syntax/tree.h"

typedef enum vptr__space {
  VPTR__SPACE_PRIVATE,
  VPTR__SPACE_GLOBAL,
  VPTR__SPACE_SHARED,
  VPTR__SPACE_CONSTANT /* strings, constants at namespace level without __device__ */
} vptr__space;

typedef struct vptr__instance vptr__instance;

/* A CALL in an instance, and what it calls. */
typedef struct vptr__call_target {
  const vptr__expression *call;
  vptr__instance *instance;
  struct vptr__call_target *next;
} vptr__call_target;

struct vptr__instance {
  vptr__declaration *function;   /* the definition */
  const char *name;              /* of the OpenCL function; unique */
  bool is_kernel;
  vptr__instance *next;          /* callees before callers */
  vptr__call_target *calls;      /* which instance each CALL means; NULL: none */
  void *spaces;                  /* infer's own */
  /* lower's: */
  bool needs_context;            /* gets the module's context as a first parameter, or builds it (kernels) */
  bool has_barrier;              /* itself or by a call */
  bool asserts;                  /* or traps, in every form that the kernel has */
  bool prints;
  uint64_t private_bytes;        /* of its arrays and of those of what it calls: lower/frame.h */
  struct vptr__meetings *meetings; /* lower/meeting.h; NULL: it has no barrier, or no kernel that has one reaches it */
  struct vptr__apart *apart;     /* lower/apart.h; NULL: nobody looked */
  bool needs_place;              /* it asks for block or thread, or has atomic operations on shared memory */
  bool runs_block;               /* kernel C: it runs the threads of its block itself, in one of its forms */
  bool in_turn;                  /* a kernel without `loops` that asserts: one work-item has a block's threads go
                                    through it one after another, and ends with the one that fails */
  const vptr__statement *arm;    /* kernel C: of its two forms the one for devices with warps, if that is planned as
                                    loops; NULL: all of its body is */
  const struct vptr__warps *warps; /* of `arm`: lower/warp.h */
  struct vptr__loops *loops;     /* lower/loops.h; NULL: it has no form in which one work-item runs a block */
  /* emit's: */
  unsigned reach;                /* of a function that is written: what it needs of the context */
};

/* Whether a kernel has a form for devices on which VPTR_LOOPS is set. */
static inline bool vptr__infer_has_loops(const vptr__instance *kernel) {
  return kernel->loops != NULL || kernel->in_turn;
}

/* What is run by loops over threads, if there are some. */
static inline const vptr__statement *vptr__infer_looped(const vptr__instance *instance) {
  return instance->arm != NULL ? instance->arm : instance->function->body;
}

typedef struct vptr__inference {
  vptr__instance *instances;     /* callees first */
  int count;
} vptr__inference;

/* NULL if there were errors. */
vptr__inference *vptr__infer_run(vptr__unit *unit);

/* Where pointers of this occurrence (a POINTER or REFERENCE type) point to, inside an instance (NULL: at namespace
 * level, fields). */
vptr__space vptr__infer_space(const vptr__instance *instance, const vptr__type *pointer);

/* The place in the text that says so; 0: nothing does, and the space is private. */
vptr__position vptr__infer_origin(const vptr__instance *instance, const vptr__type *pointer);

/* Where an lvalue lies. */
vptr__space vptr__infer_lvalue(const vptr__instance *instance, const vptr__expression *lvalue);

/* Where a value that is a pointer points into: asked of what it was before implicit conversions, which types may have
 * given types of the table of CUDA's functions, that are nobody's. */
vptr__space vptr__infer_pointee(const vptr__instance *instance, const vptr__expression *pointer);

/* Whether values of this type are, or hold, pointers. */
bool vptr__infer_has_pointers(const vptr__type *type);

/* The instance that a CALL inside `instance` means. */
vptr__instance *vptr__infer_callee(const vptr__instance *instance, const vptr__expression *call);

#endif
