/* SPDX-License-Identifier: MIT */
/*
 * outline - what the files share that write a function in which one work-item runs a block (lower/loops.h).
 *
 *     loops.c      the function, and its statements outside of loops over threads
 *     region.c     loops over threads, of which one is open at a time
 *     row.c        those in which only the first of each row do something, or one, or one of each so many
 *     lead.c       those that begin with a loop in which 32 neighbours do the same
 *     gathering.c  calls that all threads of the block make together
 *     exchange.c   those of them by which the threads of a warp tell each other something
 *     parallel.c   those of which no round reads what another one writes
 *     storage.c    names, and what is declared in front of all
 *
 * Text of the open region waits in a writer of its own: what is done once, ahead of it, is written before.
 */
#ifndef VPTR_TRANSLATE_EMIT_OUTLINE_H
#define VPTR_TRANSLATE_EMIT_OUTLINE_H

#include "translate/emit/emitter.h"
#include "translate/lower/loops.h"

typedef struct vptr__outline {
  vptr__emitter *emitter;
  const vptr__loops *loops;
  vptr__writer *out;         /* of what is outside of loops over threads */
  vptr__writer heads;        /* declarations in front of all */
  vptr__writer text;         /* of the open region */
  const vptr__region *region; /* NULL: none is open */
  const vptr__expression *stays; /* who does not leave the open one behind its items; NULL: not asked there */
  const char *lead;          /* what the open one does once for 32 neighbours; NULL: nothing */
  vptr__map led;             /* the variables that it writes to -> anything */
} vptr__outline;

/* region.c. What is written next goes there; a region that is open and another is closed. */
void vptr__outline_enter(vptr__outline *outline, const vptr__region *region);
void vptr__outline_ahead(vptr__outline *outline); /* outside, in front of the open one */
void vptr__outline_close(vptr__outline *outline); /* outside, behind it */
void vptr__outline_item(vptr__outline *outline, const vptr__statement *statement);
void vptr__outline_initialize(vptr__outline *outline, const vptr__declaration *variable);

const char *vptr__outline_mask(vptr__emitter *emitter, const vptr__mask *mask); /* the name of its struct vptr_part */

/* row.c: which threads of each row do anything in a region that is one if. */
typedef struct vptr__row_part {
  const vptr__expression *bound; /* those before it in their row */
  bool is_one;               /* or the one at it */
  uint64_t step;             /* of each so many threads of the row; 0: of the row */
  bool is_all;               /* nothing else is asked of them */
} vptr__row_part;
/* false: all may */
bool vptr__outline_row_part(const vptr__outline *outline, const vptr__region *region, vptr__row_part *part);

/* threadIdx.x, or a variable that is nothing else */
bool vptr__outline_is_place_in_row(const vptr__outline *outline, const vptr__expression *value);
/* The end below which the threads of each row are for which the condition holds; NULL: it is none of that. */
const vptr__expression *vptr__outline_row_end(const vptr__outline *outline, const vptr__expression *condition);

/* lead.c: whether it is what the open region does once for 32 neighbours, its first item; fills `led` */
bool vptr__outline_leads(vptr__outline *outline, const vptr__statement *statement);

/* parallel.c: whether the driver may be told that rounds of the open one have nothing to do with each other */
bool vptr__outline_is_parallel(const vptr__outline *outline);

/* storage.c */
void vptr__outline_declare(vptr__outline *outline, const vptr__instance *instance);
const char *vptr__outline_array(const vptr__outline *outline, const vptr__type *type, const char *name);

/* gathering.c: the calls that come before a part, and the name that what one gives back has. */
void vptr__outline_gather(vptr__outline *outline, const vptr__part *part);
const char *vptr__outline_gathered(vptr__emitter *emitter, const vptr__gathering *gathering);

/* exchange.c: what comes before the part, and what stands in it for the call. */
void vptr__outline_exchange(vptr__outline *outline, const vptr__gathering *gathering);
void vptr__emit_exchanged(vptr__emitter *emitter, const vptr__gathering *gathering);

#endif
