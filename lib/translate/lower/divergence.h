/* SPDX-License-Identifier: MIT */
/*
 * divergence - what the files of the check of barriers share.
 *
 *     uniform.c     rounds until nothing changes, statements, what is said
 *     divergence.c  expressions: whether they differ, and what they write
 *     aim.c         where pointers point: the nodes of lvalues, once, before the rounds
 *     track.c       variables that are followed from place to place
 */
#ifndef VPTR_TRANSLATE_LOWER_DIVERGENCE_H
#define VPTR_TRANSLATE_LOWER_DIVERGENCE_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"
#include "translate/lower/node.h"
#include "translate/lower/track.h"

/* Why only some threads are at a place. */
typedef struct vptr__reason {
  enum {
    VPTR__REASON_CONDITION,
    VPTR__REASON_RETURN,
    VPTR__REASON_BREAK,
    VPTR__REASON_CONTINUE,
    VPTR__REASON_GOTO
  } kind;
  vptr__position position;
} vptr__reason;

/* One instance in the check. */
typedef struct vptr__flow {
  vptr__instance *instance;
  vptr__map nodes;               /* declaration -> vptr__node */
  vptr__node *result;
  const vptr__reason *entry;     /* only some threads call it */
  const vptr__reason *jump;      /* some threads go where they are not followed by goto: anything may be */
  vptr__map labels;              /* name, and name + 1: the round in which some threads, or all, went there by goto */
  vptr__track track;             /* what its variables hold where it is walked */
  vptr__map reasons;             /* by what makes them: condition, jump, loop */
  struct vptr__flow *next;       /* callers first */
} vptr__flow;

typedef struct vptr__divergence {
  vptr__unit *unit;
  vptr__arena *arena;
  vptr__map flows;               /* instance -> vptr__flow */
  vptr__flow *first;
  vptr__flow *flow;              /* the one that is walked */
  const vptr__reason *control;   /* of the place that is walked; NULL: all threads are here */
  void *round;                   /* unlike those of other rounds */
  unsigned barriers;             /* that were walked */
  bool has_changed;
  bool is_reporting;             /* the last round */
} vptr__divergence;

/* aim.c */
vptr__flow *vptr__divergence_flow(vptr__divergence *divergence, const vptr__instance *instance);
void vptr__divergence_aim(vptr__divergence *divergence, vptr__flow *flow);
vptr__node *vptr__flow_node(vptr__divergence *divergence, vptr__flow *flow, const vptr__declaration *variable);
vptr__node *vptr__flow_content(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *lvalue);
vptr__node *vptr__flow_aim(vptr__divergence *divergence, vptr__flow *flow, const vptr__expression *value);

/* divergence.c: of a value whether it differs, of an lvalue whether its address does; and what it writes is marked. */
bool vptr__divergence_walk(vptr__divergence *divergence, const vptr__expression *expression);
void vptr__divergence_mark(vptr__divergence *divergence, vptr__node *node);
void vptr__divergence_initialize(vptr__divergence *divergence, const vptr__declaration *variable);

/* Only some threads come to a statement, a condition differs, or a variable does: noted in the last round. */
void vptr__divergence_note(vptr__divergence *divergence, const void *place);
void vptr__divergence_note_variable(vptr__divergence *divergence, const vptr__declaration *variable, bool differs);

/* uniform.c */
const vptr__reason *vptr__flow_reason(vptr__divergence *divergence, const void *maker, int kind,
                                      vptr__position position);
void vptr__divergence_barrier(vptr__divergence *divergence, const vptr__expression *call, const char *name,
                              bool is_call);

#endif
