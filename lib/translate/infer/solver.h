/* SPDX-License-Identifier: MIT */
/*
 * solver - what the files of this room share while they work: the translation's side, and one instance's.
 *
 *     infer.c       the way through: kernels first; what others may ask
 *     instance.c    instances by function and spaces, and solving one: walk the body, then its calls
 *     call.c        a call's levels, when it is ready, what it brings back
 *     walk.c        what expressions, statements and initialisers relate
 *     lvalue.c      where an lvalue lies
 *     relate.c      variables of types; two types side by side
 *     shared.c      pointers of fields and at namespace level, which all instances have in common
 *     memory.c      what it means for pointers and records to lie in device memory
 *     variable.c    union-find
 *     name.c        names of instances
 *     pun.c         the bytes of pointers, which may not be looked at
 */
#ifndef VPTR_TRANSLATE_INFER_SOLVER_H
#define VPTR_TRANSLATE_INFER_SOLVER_H

#include "translate/infer/variable.h"

/* Behind the spaces, in keys of trials: not known yet. */
enum { VPTR__SPACE_OPEN = 4 };

/* A place that is checked when all spaces are known. */
typedef struct vptr__located {
  vptr__space_variable *variable, *other;
  vptr__position position;
  struct vptr__located *next;
} vptr__located;

/* A call that waits. Levels: the pointers and references of the parameters, outermost first, parameter by
 * parameter. */
typedef struct vptr__waiting_call {
  vptr__expression *call;
  vptr__declaration *callee;     /* the definition */
  vptr__space_variable **levels; /* of the arguments, in the caller */
  int level_count;
  struct vptr__waiting_call *next;
} vptr__waiting_call;

/* A cast of memory with pointers to void *, until a function of CUDA's is seen to take it. */
typedef struct vptr__punned {
  const vptr__expression *cast;
  struct vptr__punned *next;
} vptr__punned;

typedef struct vptr__solver {
  vptr__unit *unit;
  vptr__arena *arena;
  vptr__space_log log;
  vptr__map shared;              /* id -> variable, of fields and at namespace level */
  vptr__map records;             /* whose fields are in there */
  vptr__map functions;           /* definition -> its vptr__spaces, linked */
  vptr__map names;               /* vptr__name -> taken */
  vptr__located *moved;          /* pointers that are copied as bytes, from other to variable; of real instances */
  vptr__located *seen;           /* memory with pointers that is seen as bytes, or the other way; of real instances */
  vptr__instance *first, *last;
  int count;
} vptr__solver;

/* What an instance knows about its pointers. */
typedef struct vptr__spaces {
  vptr__solver *solver;
  vptr__instance *instance;
  vptr__declaration *function;
  vptr__map variables;           /* id -> variable */
  vptr__map lvalues;             /* expression -> variable, of lvalues that are no variable's and no pointer's */
  vptr__map callees;             /* CALL -> vptr__instance */
  vptr__waiting_call *waiting, *last_waiting;
  vptr__punned *punned;
  unsigned char *key;            /* level_count spaces */
  vptr__space_variable **levels;
  int level_count;
  bool is_trial;                 /* made to see what the body wants of open levels; not for the module */
  bool is_solving;
  struct vptr__spaces *next;     /* of the same function */
} vptr__spaces;

/* Where something lies: a variable, or, without, a space that is plain. */
typedef struct vptr__location {
  vptr__space_variable *variable;
  vptr__space space;
} vptr__location;

/* shared.c */
void vptr__shared_learn_unit(vptr__solver *solver);
void vptr__shared_learn_record(vptr__solver *solver, vptr__declaration *record);
void vptr__shared_learn_function(vptr__solver *solver, vptr__declaration *function);
void vptr__shared_fix_fields(vptr__solver *solver, const vptr__type *type, vptr__space space, vptr__position position);

/* memory.c */
void vptr__memory_imply(vptr__solver *solver, vptr__space_variable *variable, const vptr__type *pointee,
                        vptr__space_variable *inner); /* inner: of pointee, if that is a pointer */
void vptr__memory_variable(vptr__solver *solver, const vptr__declaration *variable); /* of the module */
void vptr__memory_enter(vptr__space_log *log, vptr__declaration *record, vptr__position position);

/* relate.c */
vptr__space_variable *vptr__spaces_variable(vptr__spaces *spaces, const vptr__type *pointer);
void vptr__spaces_relate(vptr__spaces *spaces, const vptr__type *left, const vptr__type *right,
                         vptr__position position);
const vptr__type *vptr__type_without_arrays(const vptr__type *type);
const vptr__type *vptr__type_referred(const vptr__type *type); /* without REFERENCE */

/* lvalue.c */
vptr__location vptr__spaces_locate(vptr__spaces *spaces, const vptr__expression *lvalue);
void vptr__spaces_bind(vptr__spaces *spaces, vptr__space_variable *variable, vptr__location location,
                       vptr__position position);
vptr__space_variable *vptr__spaces_lvalue(vptr__spaces *spaces, const vptr__expression *lvalue);

/* walk.c */
void vptr__spaces_walk(vptr__spaces *spaces);

/* pun.c */
void vptr__pun_cast(vptr__spaces *spaces, const vptr__expression *cast);
/* of a function of CUDA's, behind its arguments */
void vptr__pun_call(vptr__spaces *spaces, const vptr__expression *call);
void vptr__pun_classify(vptr__spaces *spaces);                            /* at the end of a walk */
void vptr__pun_classify_all(vptr__solver *solver);                        /* when all spaces are known */

/* call.c */
void vptr__spaces_add_call(vptr__spaces *spaces, vptr__expression *call);
int vptr__levels_of(const vptr__declaration *function);
void vptr__levels_of_parameters(vptr__spaces *spaces);
void vptr__spaces_settle_calls(vptr__spaces *spaces);

/* instance.c: NULL: refused (recursion) */
vptr__spaces *vptr__solver_instance(vptr__solver *solver, vptr__declaration *function, const unsigned char *key,
                                    int count, vptr__position position);

/* name.c */
const char *vptr__instance_name(vptr__solver *solver, const vptr__declaration *function, bool is_kernel);

#endif
