/* SPDX-License-Identifier: MIT */
/*
 * plan - what the OpenCL module will consist of, decided before a line is written.
 *
 * Lowering turns what OpenCL C 1.2 has not into what it has, as decisions about the tree, not as another tree:
 *   - __shared__ variables, wherever they are declared, become variables of each kernel that reaches them; functions
 *     get them through the context, a private struct of pointers that compilers take apart again;
 *   - variables of the module become hidden arguments of the kernels that reach them;
 *   - records come in the order in which they need each other, and a record with pointers that a kernel takes by value
 *     also as the host passes it (numbers in place of pointers);
 *   - barriers must be reached by all threads of a block: a barrier under a condition that cannot be shown to be the
 *     same for all, or behind a return under one, is refused (uniform.c argues what can be shown).
 */
#ifndef VPTR_TRANSLATE_LOWER_PLAN_H
#define VPTR_TRANSLATE_LOWER_PLAN_H

#include "translate/infer/infer.h"
#include "translate/lower/mod_ref.h"

/* Of shared variables that have as many bytes, at least. */
enum { VPTR__SHARED_ALIGNMENT = 16 };

/* A member of the context: something that functions reach without having it as a parameter. */
typedef struct vptr__context_member {
  enum {
    VPTR__MEMBER_SHARED, VPTR__MEMBER_DYNAMIC_SHARED, VPTR__MEMBER_VARIABLE, VPTR__MEMBER_STATUS,
    VPTR__MEMBER_PRINTS } kind;
  /* of SHARED, VARIABLE; of DYNAMIC_SHARED: each extern __shared__ variable maps to the one member */
  vptr__declaration *variable;
  const char *name;             /* unique in the module */
  uint32_t index;               /* in the module's order */
  struct vptr__context_member *next;
} vptr__context_member;

typedef struct vptr__kernel_plan {
  vptr__instance *instance;
  vptr__context_member **members; /* that it reaches, in the module's order; NULL behind the last */
  uint64_t shared_bytes;          /* of its static shared variables, with alignment */
  bool uses_dynamic_shared, uses_status /* assert */;
  uint64_t parameter_bytes;       /* as CUDA lays them out */
  struct vptr__kernel_plan *next;
} vptr__kernel_plan;

typedef struct vptr__record_plan {
  vptr__declaration *record;
  const char *name;               /* unique in the module */
  bool as_passed;                 /* also needed with numbers in place of pointers: named name + "__passed" */
  struct vptr__record_plan *next; /* needed ones first */
} vptr__record_plan;

typedef struct vptr__plan {
  vptr__unit *unit;
  vptr__inference *inference;
  vptr__record_plan *records;
  vptr__context_member *members;
  vptr__map members_by_variable;  /* by definitions, but of the dynamic one */
  vptr__context_member *dynamic;  /* NULL: none */
  vptr__kernel_plan *kernels;
  bool has_asserts;               /* some kernel has */
  vptr__mod_ref mod_ref;
} vptr__plan;

/* NULL if there were errors. */
vptr__plan *vptr__plan_make(vptr__unit *unit, vptr__inference *inference);

#endif
