/* SPDX-License-Identifier: MIT */
/*
 * inside - what is in a statement, as blocks as loops ask it: barriers, and jumps that leave the statement. Found once
 * for a function's body. Called by loops.c.
 */
#ifndef VPTR_TRANSLATE_LOWER_INSIDE_H
#define VPTR_TRANSLATE_LOWER_INSIDE_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

typedef struct vptr__inside {
  bool gathers;             /* a barrier, or a call that has one */
  bool meets;               /* one of those by all threads of the block, not of a warp */
  bool has_loop;            /* of the program */
  bool has_label;           /* goto, or somewhere to go */
  bool has_case;            /* a label of a switch that is around it */
  bool is_of_thread;        /* of kernel C: it asks what form the kernel has, or makes a number of where a thread has
                               its own variables, which is another place for each (types/builtin_thread.c) */
  bool returns, breaks, continues; /* jumps out of it */
} vptr__inside;

typedef struct vptr__insides {
  vptr__arena *arena;
  const vptr__instance *instance;
  vptr__map found;          /* statement -> vptr__inside */
} vptr__insides;

/* if (__vptr_native()) of kernel C: one arm for devices that have warps, the other runs the block's threads itself. */
bool vptr__inside_is_native_choice(const vptr__statement *statement);
/* That arm of a kernel's, a block; NULL: it has none, or what it has is more than that choice. */
const vptr__statement *vptr__inside_arm(const vptr__instance *kernel);

const vptr__inside *vptr__inside_of(vptr__insides *insides, const vptr__statement *statement);

#endif
