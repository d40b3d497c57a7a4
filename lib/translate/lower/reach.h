/* SPDX-License-Identifier: MIT */
/*
 * reach - what functions use that is neither theirs nor given to them: shared variables, the module's variables,
 * barriers, status, printf().
 */
#ifndef VPTR_TRANSLATE_LOWER_REACH_H
#define VPTR_TRANSLATE_LOWER_REACH_H

#include "translate/source/map.h"
#include "translate/lower/plan.h"

typedef struct vptr__member_list {
  vptr__context_member **members; /* count of them */
  uint32_t count, capacity;
  vptr__map seen;
} vptr__member_list;

/* Members are made when a function is first seen to use them: so their order is that of the text, callees first. */
typedef struct vptr__reach {
  vptr__plan *plan;
  vptr__arena *arena;
  vptr__map functions;            /* definition -> vptr__use */
  vptr__map names;
  vptr__context_member *last, *status, *prints;
} vptr__reach;

/* Of one function, whatever the instance. */
typedef struct vptr__use {
  vptr__member_list members;
  bool has_barrier, uses_status, prints;
  bool tells;   /* prints, or says what has failed in the same way */
  bool asserts; /* uses_status in every form of the kernel, not only where it runs its block's threads itself */
} vptr__use;

vptr__use *vptr__reach_function(vptr__reach *reach, const vptr__declaration *function);

/* Sets what lower knows about instances, with what they call. */
void vptr__reach_instances(vptr__reach *reach, vptr__inference *inference);

/* All that a kernel reaches, itself and by calls, in the module's order; NULL behind the last. */
vptr__context_member **vptr__reach_kernel(vptr__reach *reach, const vptr__instance *kernel);

#endif
