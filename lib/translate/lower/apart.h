/* SPDX-License-Identifier: MIT */
/*
 * apart - what the threads of a block do not do together, as the check of barriers found it in its last round.
 *
 * The check asks only whether barriers hold; blocks as loops (loops.h) ask it of every statement. What is not in these
 * maps all threads of the block come to together, or none does, and with the same value.
 */
#ifndef VPTR_TRANSLATE_LOWER_APART_H
#define VPTR_TRANSLATE_LOWER_APART_H

#include "translate/source/map.h"

typedef struct vptr__apart {
  vptr__map places;    /* a statement that only some threads come to, or a condition that differs -> anything */
  vptr__map variables; /* declaration of a variable that is followed (track.h) and differs somewhere -> anything */
  vptr__map followed;  /* declaration of a variable that is followed -> anything */
  vptr__map leaves;    /* of a kernel without barriers: an if -> vptr__leave */
} vptr__apart;

/* How threads leave at it, that those which stay need not be called some (leave.h). */
typedef enum vptr__leave {
  VPTR__LEAVE_NONE,
  VPTR__LEAVE_RETURNS, /* in it */
  VPTR__LEAVE_REST     /* there is nothing but what is under its condition */
} vptr__leave;

static inline vptr__leave vptr__apart_leave(const vptr__apart *apart, const void *statement) {
  void **slot = apart != NULL ? vptr__map_find(&apart->leaves, (uintptr_t)statement) : NULL;
  return slot != NULL ? (vptr__leave)(uintptr_t)*slot : VPTR__LEAVE_NONE;
}

#endif
