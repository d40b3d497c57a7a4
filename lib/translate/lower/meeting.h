/* SPDX-License-Identifier: MIT */
/*
 * meeting - places where all threads of a block have to be shown to be together again, for drivers that lose sight of it.
 *
 * PoCL makes loops over work-items of what lies between barriers. Whatever follows a barrier and can also be reached around
 * it (the end of an if, a loop's next round, what is behind a switch) it copies once for each jump that leads there from
 * behind the barrier. If these jumps are the two ways of a condition that differs between threads, each copy is run by all
 * threads if the first thread takes it: silently wrong (PoCL 3.1, with any condition that is the same for all around the
 * barrier). With one more barrier in front of the jump there is one jump, and one copy.
 *
 * LLVM undoes that where two ways end in the same barrier: it makes one of them, behind where the ways meet. A line of
 * assembler, which it does not join, keeps them apart; it stands between two barriers, where it is in the way of no loop
 * over work-items.
 *
 * So a construct that has a barrier gets one at the end of each of its ways, before jumps out of it, before labels in it, and
 * at the end of device functions; not where nothing could part the threads since the last barrier. They are VPTR_MEET in the
 * text, which is nothing where VPTR_MEETS is not set. Where some threads leave such a construct by themselves no barrier can
 * stand: the text then has an #error for devices that set VPTR_MEETS.
 */
#ifndef VPTR_TRANSLATE_LOWER_MEETING_H
#define VPTR_TRANSLATE_LOWER_MEETING_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

typedef enum vptr__meeting_place { /* of a statement */
  VPTR__MEETING_BEFORE,
  VPTR__MEETING_AT_END,          /* of its body */
  VPTR__MEETING_AT_OTHERWISE     /* the end of IF's else */
} vptr__meeting_place;

/* What is known of an instance that has a barrier. */
typedef struct vptr__meetings {
  vptr__map apart;               /* statement and place -> anything: only some threads come there (uniform.c fills it) */
  vptr__map places;              /* statement and place -> anything: they meet there */
  vptr__position torn;           /* where some leave by themselves what others go on in; 0: nowhere */
} vptr__meetings;

static inline uintptr_t vptr__meeting_key(const vptr__statement *statement, vptr__meeting_place place) {
  return (uintptr_t)statement + (uintptr_t)place;
}

/* instance->meetings->apart must be filled. */
void vptr__meeting_plan(vptr__arena *arena, const vptr__inference *inference);

bool vptr__meeting_is_at(const vptr__instance *instance, const vptr__statement *statement, vptr__meeting_place place);

#endif
