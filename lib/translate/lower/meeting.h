/* SPDX-License-Identifier: MIT */
/*
 * meeting - places where all threads of a block have to be shown to be together again, for drivers that lose sight of
 * it.
 *
 * PoCL makes loops over work-items of what lies between barriers. Whatever follows a barrier and can also be reached
 * around it (the end of an if, a loop's next round, what is behind a switch) it copies once for each jump that leads
 * there from behind the barrier. If these jumps are the two ways of a condition that differs between threads, each copy
 * is run by all threads if the first thread takes it: silently wrong (PoCL 3.1, with any condition that is the same for
 * all around the barrier). With one more barrier in front of the jump there is one jump, and one copy.
 *
 * LLVM undoes that where two ways end in the same barrier: it makes one of them, behind where the ways meet. A line of
 * assembler, which it does not join, keeps them apart; it stands between two barriers, where it is in the way of no
 * loop over work-items.
 *
 * So a construct that has a barrier gets one at the end of each of its ways, before jumps out of it, before labels in
 * it, and at the end of device functions; not where nothing could part the threads since the last barrier. They are
 * VPTR_MEET in the text, which is nothing where VPTR_MEETS is not set. Where some threads leave such a construct by
 * themselves no barrier can stand: the text then has an #error for devices that set VPTR_MEETS.
 * The end of a kernel that all may leave early is such a place: who returns alone goes there by a jump (ends_together).
 *
 * PoCL also adds barriers of its own (ImplicitConditionalBarriers): from each barrier that not all of the kernel's ways
 * lead to it goes up, block by block, and puts one where the condition is, or behind the first block that has nothing
 * but a barrier. If that block ends in a condition that differs between threads, and LLVM has taken all that the
 * condition needs to an earlier place, the new barrier stands under the condition. So what may part the threads gets a
 * mark in front, which keeps that block from having nothing but a barrier: VPTR_PART, which makes no code and is in no
 * vectoriser's way. LLVM makes one of two marks if both ways of a condition begin with them; VPTR_PART_IN_WAY is unlike
 * all others, an empty line of assembler.
 */
#ifndef VPTR_TRANSLATE_LOWER_MEETING_H
#define VPTR_TRANSLATE_LOWER_MEETING_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

typedef enum vptr__meeting_place { /* of a statement */
  VPTR__MEETING_BEFORE,
  VPTR__MEETING_AT_END,          /* of its body */
  VPTR__MEETING_AT_OTHERWISE,    /* the end of IF's else */
  VPTR__MEETING_PARTS,           /* in front of it a mark, no meeting: threads may part in it */
  VPTR__MEETING_PARTS_IN_WAY,    /* in front of it: a mark unlike all others */
  VPTR__MEETING_PARTS_IN_ROUND   /* of a loop with a barrier: in what is worked out in each round */
} vptr__meeting_place;

/* What is known of an instance that has a barrier. */
typedef struct vptr__meetings {
  /* statement and place -> anything: only some threads come there; name of a label -> anything: some come there by
   * goto, while others come from above (uniform.c fills it) */
  vptr__map apart;
  vptr__map places;              /* statement and place -> anything: they meet there */
  bool ends_together;            /* a kernel's threads that return by themselves meet the others at its end */
  vptr__position torn;           /* where some leave by themselves what others go on in; 0: nowhere */
} vptr__meetings;

static inline uintptr_t vptr__meeting_key(const vptr__statement *statement, vptr__meeting_place place) {
  return (uintptr_t)statement + (uintptr_t)place;
}

/* instance->meetings->apart must be filled. */
void vptr__meeting_plan(vptr__arena *arena, const vptr__inference *inference);

/* Whether a return by some threads alone is a jump to the end, where all meet. */
bool vptr__meeting_is_at_end(const vptr__instance *instance, const vptr__statement *jump);

bool vptr__meeting_is_at(const vptr__instance *instance, const vptr__statement *statement, vptr__meeting_place place);

#endif
