/* SPDX-License-Identifier: MIT */
/*
 * loops - a function that has barriers as one work-item runs it for all threads of a block: its text is cut at
 * barriers, and each piece is a loop over the threads.
 *
 * Loops over threads stand as far inside as control lets them. A condition or a loop of the program that is the
 * same for all threads of the block (apart.h) stays outside, around them, so that the loop over threads is the
 * innermost one and the driver's compiler can make vectors of it; that also holds where there is no barrier in it.
 * What is the same for all is worked out once:
 *
 *     float sum = 0;                                     each thread { sum[thread] = 0; }
 *     for (int k = 0; k < n; k++) {                      for (int k = 0; k < n; k++) {
 *       s[t] = a[k * 64 + t];                              each thread { t = threadIdx.x; s[t] = a[k * 64 + t]; }
 *       __syncthreads();
 *       sum += s[63 - t];                                  each thread { t = threadIdx.x; sum[thread] += s[63 - t]; }
 *       __syncthreads();
 *     }                                                  }
 *
 * Where variables are is storage.h's. Anything that is not understood leaves the function without this form, and
 * with it whoever calls it: barriers in expressions that not all come to, goto, jumps by which some threads leave
 * what others go on in, unless to the kernel's end.
 *
 *     loops.c     statements, in rounds            planning.c  parts of the plan
 *     outer.c     what may be outside              stride.c    whether that is better, where it need not be
 *     region.c    loops over threads, and what     storage.c   where variables are
 *                 they use
 *     effect.c    what an expression does          inside.c    what is in a statement: barriers, jumps
 *     write.c     who writes to variables         leave.c     where threads leave before a kernel's loops
 *     busy.c      whether any loop is gone round
 */
#ifndef VPTR_TRANSLATE_LOWER_LOOPS_H
#define VPTR_TRANSLATE_LOWER_LOOPS_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

/* Threads that come to an arm of a choice of warps (warp.h): the loops over threads in it are theirs. */
typedef struct vptr__mask {
  unsigned number;                     /* of the choice in the function */
  bool is_otherwise;
  const struct vptr__mask *outer;      /* of the choice around it; NULL: none, all threads come */
} vptr__mask;

/* A loop over threads. */
typedef struct vptr__region {
  const vptr__mask *mask;              /* whose it is; NULL: all threads' */
  const vptr__statement *loop;         /* of the program, the innermost around it that is outside; NULL: none */
  struct vptr__region_name *names;     /* the variables it uses, each once */
  struct vptr__region_item *items, **items_end;
  bool is_busy;                        /* it writes or calls */
  bool has_result;                     /* what the function gives back is worked out in it, behind the items */
  bool is_left;                        /* by a return or continue of some threads: they go to its end */
  bool narrows;                        /* what follows is for those that have not left it (leave.h) */
} vptr__region;

typedef struct vptr__region_name {
  vptr__declaration *variable;
  struct vptr__region_name *next;
} vptr__region_name;

/* One of them. */
typedef struct vptr__region_item {
  const vptr__statement *statement;
  const vptr__declaration *variable;   /* with an initialiser */
  struct vptr__region_item *next;
} vptr__region_item;

/* A call that the threads of a block make together. What it gives back is known before the expression that it is in. */
typedef struct vptr__gathering {
  const vptr__expression *call;
  vptr__region *region;                /* in which its arguments are worked out */
  unsigned number;                     /* in the function */
  struct vptr__gathering *next;
} vptr__gathering;

typedef enum vptr__part_kind {
  VPTR__PART_NOTHING,                  /* nothing to do there: a declaration without a value, a variable made again */
  VPTR__PART_THREADS,                  /* in a loop over threads */
  VPTR__PART_ONCE,                     /* behind the loops over threads before it */
  VPTR__PART_AHEAD,                    /* in front of the one that is open */
  VPTR__PART_AROUND,                   /* a construct around such loops */
  VPTR__PART_CHOICE,                   /* an if around them, each of whose arms is for some warps */
  VPTR__PART_BARRIER,                  /* the end of one */
  VPTR__PART_LEAVE                     /* in a loop over threads, which ends there: some leave (leave.h) */
} vptr__part_kind;

/* Of a statement outside of loops over threads, or of a variable that one declares. */
typedef struct vptr__part {
  vptr__part_kind kind;
  vptr__region *region;                /* of THREADS, LEAVE; of ONCE: a return's value; of CHOICE: its condition */
  const vptr__mask *masks[2];          /* of CHOICE: its body's, and that of what is otherwise */
  vptr__gathering *gatherings;         /* that come before it, in their order */
} vptr__part;

typedef enum vptr__storage {
  VPTR__STORAGE_PLAIN,                 /* the same for all: a variable */
  VPTR__STORAGE_AGAIN,                 /* worked out anew in each loop over threads that uses it */
  VPTR__STORAGE_INSIDE,                /* a variable of its loop */
  VPTR__STORAGE_KEPT                   /* an array with an element for each thread */
} vptr__storage;

typedef struct vptr__place_of {
  vptr__declaration *variable;
  vptr__storage storage;
  const vptr__expression *value;       /* of AGAIN */
  bool is_spread;                      /* of KEPT arrays: each element lies beside that of the next thread */
  struct vptr__place_of *next;
} vptr__place_of;

typedef struct vptr__loops {
  vptr__map parts;                     /* statement, or variable -> vptr__part */
  vptr__map places;                    /* declaration -> vptr__place_of: parameters, and what is declared outside */
  vptr__place_of *all;
  vptr__map gatherings;                /* call -> vptr__gathering */
  uint64_t threads;                    /* of a block, at most: the length of the arrays */
  uint64_t bytes;                      /* of all arrays, with those of functions that it calls so */
  bool has_choices;                    /* of warps: only for blocks that have no warp in two rows */
  bool narrows;                        /* some region does */
  const vptr__expression *busy;        /* of a kernel without barriers: that a block goes round a loop (busy.h); NULL:
                                          always, or it cannot be told */
} vptr__loops;

enum { VPTR__LOOPS_THREADS = 1024, VPTR__LOOPS_BYTES = 1 << 20, VPTR__LOOPS_WARP = 32 };

/* Fills instance->loops, of kernels with barriers and the functions with barriers that they call, and of kernels that
 * have a loop which all threads go round together. */
void vptr__loops_plan(vptr__unit *unit, const vptr__inference *inference);

/* NULL: inside a loop over threads, where text is what it was. */
const vptr__part *vptr__loops_part(const vptr__loops *loops, const void *statement_or_variable);
const vptr__place_of *vptr__loops_place(const vptr__loops *loops, const vptr__declaration *variable);
const vptr__gathering *vptr__loops_gathering(const vptr__loops *loops, const vptr__expression *call);

/* Whether a parameter of such a function comes as an array, an element for each thread. */
bool vptr__loops_takes_array(const vptr__instance *instance, const vptr__declaration *parameter);

#endif
