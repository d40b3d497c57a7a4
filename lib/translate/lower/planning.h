/* SPDX-License-Identifier: MIT */
/*
 * planning - one function while it is planned as loops over threads: what the files share that do it (loops.h has
 * the list). A round begins with no regions and no parts; what earlier rounds found not to work is in `demoted` and
 * `unmoved`.
 */
#ifndef VPTR_TRANSLATE_LOWER_PLANNING_H
#define VPTR_TRANSLATE_LOWER_PLANNING_H

#include "translate/lower/apart.h"
#include "translate/lower/effect.h"
#include "translate/lower/inside.h"
#include "translate/lower/region.h"
#include "translate/lower/write.h"

typedef struct vptr__planning {
  vptr__arena *arena;
  vptr__instance *instance;
  vptr__effects *effects;
  vptr__insides insides;
  vptr__writes writes;
  vptr__map demoted;               /* declaration -> anything: not plain */
  vptr__map unmoved;               /* loop -> anything: in the loop over threads, and no barrier in it */
  /* of a round */
  vptr__loops *loops;
  vptr__usages usages;
  vptr__map plain, wanted;         /* declaration -> anything; statement -> whether it is around loops over threads */
  vptr__region *region;            /* that is open */
  const vptr__statement *loop;     /* of those outside */
  const vptr__statement *unneeded; /* the outermost of them that has no barrier, but those in front of it may */
  const vptr__mask *mask;          /* whose loops over threads these are; NULL: all threads' */
  unsigned gatherings, choices;
  unsigned left;                   /* some threads have gone to these ends: all that follows is in the region */
  bool is_refused;
  bool has_outer, has_inner;       /* loops of the program, around loops over threads and in them */
} vptr__planning;

/* What ends where a list of statements ends, so that threads may go there by themselves. */
enum { VPTR__END_OF_FUNCTION = 1, VPTR__END_OF_ROUND = 2 };

/* ---- outer.c: what may be outside of loops over threads ---- */
bool vptr__outer_is_loop(const vptr__statement *statement);
bool vptr__outer_is_apart(const vptr__planning *planning, const void *place);
/* the same for all threads, and as far as is known only written outside */
bool vptr__outer_is_plain(const vptr__planning *planning, const vptr__declaration *variable);
/* whether all that it writes to as a whole is plain; counts: these are writes outside */
bool vptr__outer_writes_plain(vptr__planning *planning, const vptr__expression *expression, bool counts);
/* it writes to plain variables, if to any, and does nothing else */
bool vptr__outer_can_be_once(vptr__planning *planning, const vptr__expression *expression);
bool vptr__outer_gathers(const vptr__planning *planning, const vptr__expression *expression);
bool vptr__outer_takes_loop(vptr__planning *planning, const vptr__statement *loop);
bool vptr__outer_takes_choice(vptr__planning *planning, const vptr__statement *choice);
/* whether where a thread stands in its row says whether it leaves there (leave.h) */
bool vptr__outer_is_in_order(vptr__planning *planning, const vptr__statement *choice, vptr__leave leave);
/* it should be: for a barrier, a loop that all threads go round together, or a jump */
bool vptr__outer_is_wanted(vptr__planning *planning, const vptr__statement *statement);

/* ---- planning.c: parts of the plan ---- */
vptr__part *vptr__planning_add(vptr__planning *planning, const void *of, vptr__part_kind kind); /* or what there is */
/* it does not work outside: the next round has the loop inside that made it be tried, if there is one */
void vptr__planning_refuse(vptr__planning *planning);
void vptr__planning_close(vptr__planning *planning); /* the open region */
vptr__region *vptr__planning_open(vptr__planning *planning);
void vptr__planning_use(vptr__planning *planning, const vptr__expression *expression); /* outside */
/* a statement, or a variable's initialiser, in a loop over threads */
void vptr__planning_threads(vptr__planning *planning, const vptr__statement *statement, vptr__declaration *variable);
void vptr__planning_once(vptr__planning *planning, const void *of, const vptr__expression *expression);
/* the calls by all threads together that are in the expression come before */
void vptr__planning_gather(vptr__planning *planning, const void *of, const vptr__expression *expression);

#endif
