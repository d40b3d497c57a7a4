/* SPDX-License-Identifier: MIT */
/*
 * generator - what a curandGenerator_t is: a type, its settings, and how far its sequence has been handed out.
 *
 * Any value that a program hands in is told apart from a live generator (library/handle.h). Its lanes (lane.h) lie
 * where its output lies, and are made when the first numbers are wanted: whatever begins the sequence anew only says
 * so.
 *
 * No locks: one generator is used by one thread at a time.
 */
#ifndef VPTR_CURAND_GENERATOR_H
#define VPTR_CURAND_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/cuda/curand.h>

#include "library/handle.h"
#include "mapper/mapper.h"
#include "stream/stream.h"

/* How its numbers come about. */
typedef enum vptr__rand_family {
  VPTR__RAND_LANES,  /* lanes.h */
  VPTR__RAND_QUASI,  /* quasi.h */
  VPTR__RAND_TWISTER /* twister.h */
} vptr__rand_family;

/* What all generators of a type have in common. */
typedef struct vptr__rand_type {
  curandRngType_t type;
  vptr__rand_family family;
  const char *name;              /* its kernels' names begin so */
  bool is_wide, is_scrambled;    /* Sobol's */
  unsigned int lanes, lanes_legacy;
  unsigned int each;             /* numbers of a unit; 4: of normal ones, too, else those come in pairs */
  size_t lane_bytes;
} vptr__rand_type;

struct curandGenerator_st {
  vptr__library_place place;
  const vptr__rand_type *type;
  bool is_host, has_begun;
  vptr_mapper *mapper;
  cudaStream_t stream;
  unsigned long long seed, offset; /* the offset goes along with the sequence */
  unsigned int dimensions;         /* Sobol's */
  curandOrdering_t ordering;
  void *states;                  /* NULL: none yet */
  size_t state_bytes;
  unsigned long long at, taken;  /* the next unit's lane, and how many of its numbers have been handed out */
  unsigned int *table;             /* a twister's states on the host, until all have begun; else NULL */
  unsigned int begun;              /* lanes of a twister */
  unsigned long long number;       /* no other generator's, before or after */
  vptr__stream *used;              /* whose work is the last that changes the states; NULL: none's */
};

/* One that lives; else NOT_INITIALIZED, which is said in the words of `call`. */
curandStatus_t vptr__rand_check(const char *call, const struct curandGenerator_st *generator);

/* Whether a generator lives that has this number, for who has kept both. */
bool vptr__rand_is(const struct curandGenerator_st *generator, unsigned long long number);

/* The states are changed by another stream's work next: waits for what an earlier one's still does. */
vptr_status vptr__rand_use(struct curandGenerator_st *generator, vptr__stream *stream);

/* The generator's stream; of the default ones that of its device, not of the current one. Says what is wrong. */
vptr_status vptr__rand_stream(const char *call, const struct curandGenerator_st *generator, vptr__stream **stream_out);

static inline unsigned int vptr__rand_lanes(const struct curandGenerator_st *generator) {
  return generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY ? generator->type->lanes_legacy : generator->type->lanes;
}

#endif
