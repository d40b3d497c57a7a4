/* SPDX-License-Identifier: MIT */
/*
 * variable - a space that is asked for: one for each pointer that is written, in each instance; union-find.
 *
 * Variables that must be the same are one class. A class gets a space from the first that knows it, with the place
 * for messages. Two different spaces in one class are a conflict: said once for each class, since all that follows
 * from it would only repeat it.
 *
 * What a class implies comes true once it is known to point into global memory: other variables do too, and records
 * lie there. memory.c says why.
 */
#ifndef VPTR_TRANSLATE_INFER_VARIABLE_H
#define VPTR_TRANSLATE_INFER_VARIABLE_H

#include "translate/infer/infer.h"
#include "translate/source/map.h"

typedef struct vptr__space_variable vptr__space_variable;

/* One of the two. */
typedef struct vptr__space_implied {
  vptr__space_variable *variable;
  vptr__declaration *record;
  struct vptr__space_implied *next;
} vptr__space_implied;

struct vptr__space_variable {
  vptr__space_variable *parent;  /* NULL: the class's representative, which holds the rest */
  unsigned rank;
  bool is_known;
  bool is_refused;               /* in conflict, said */
  bool is_stored;                /* it has its space since such a pointer lies in device memory */
  vptr__space space;
  vptr__position known_at;       /* where it was given its space */
  vptr__space_implied *implied, *last_implied;
};

/* What is told of conflicts. A place that is wrong in many instances is told of once. */
typedef struct vptr__space_log {
  vptr__source *source;
  struct vptr__solver *solver; /* whose it is */
  bool is_muted; /* a trial, which may fail */
  vptr__map said; /* positions */
} vptr__space_log;

/* Whether to speak about a position: true for the first who asks, unless muted. */
bool vptr__space_log_may_report(vptr__space_log *log, vptr__position position);

vptr__space_variable *vptr__space_variable_new(vptr__arena *arena);
vptr__space_variable *vptr__space_variable_class(vptr__space_variable *variable);

/* Private as long as nothing is known. */
vptr__space vptr__space_variable_value(vptr__space_variable *variable);
bool vptr__space_variable_known(vptr__space_variable *variable);

/* position: what in the text says so. */
void vptr__space_variable_fix(vptr__space_log *log, vptr__space_variable *variable, vptr__space space,
                              vptr__position position);
void vptr__space_variable_unify(vptr__space_log *log, vptr__space_variable *left, vptr__space_variable *right,
                                vptr__position position);

/* The same for a pointer that lies in device memory: it points into global memory. */
void vptr__space_variable_store(vptr__space_log *log, vptr__space_variable *variable, vptr__position position);

/* From now on variable implies what it is given, which must be of no list yet. */
void vptr__space_variable_imply(vptr__space_log *log, vptr__space_variable *variable, vptr__space_implied *implied);

const char *vptr__space_text(vptr__space space); /* for messages: "shared" */

#endif
