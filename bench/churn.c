/* SPDX-License-Identifier: MIT */
/*
 * churn - see churn.h.
 *
 * A sample frees a batch of random members and allocates as many of the same sizes anew, again and again, with the
 * two halves timed apart, so that the number of live allocations stays within a batch of what the row says. Whose
 * turn it is to die is a lot drawn anew each time, so lifetimes are as different as they can be without knowing
 * anything. A sample is the mean of its batches: now and then one makes or releases a buffer, and that belongs to the
 * price.
 *
 * malloc()'s blocks are written to, first byte, as they are by whoever allocates; and so that the compiler leaves the
 * pair alone. vptr's and the tree's are not: that memory is the device's.
 */
#include "churn.h"

#include "clock.h"
#include "population.h"
#include "random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_BATCH = 2048, FREES = 4096 /* of a sample */ };

typedef struct churn {
  population population;
  void **in_malloc; /* [place]: in an order of its own */
  uint64_t ns[CHURN_HALVES][CHURN_SIDES];
  bool good;
} churn;

/* ---- the measured loops ---------------------------------------------------------------------------------- */

static bool free_vptr(churn *state, size_t first) {
  bool good = true;
  for (size_t i = first; i < state->population.count; i++)
    good &= vptr_free(NULL, state->population.members[SIDE_VPTR][i]) == VPTR_SUCCESS;
  return good;
}

static bool allocate_vptr(churn *state, size_t first) {
  population *all = &state->population;
  bool good = true;
  for (size_t i = first; i < all->count; i++)
    good &= vptr_malloc(NULL, all->sizes[i], &all->members[SIDE_VPTR][i]) == VPTR_SUCCESS;
  return good;
}

static bool free_tree(churn *state, size_t first) {
  population *all = &state->population;
  bool good = true;
  for (size_t i = first; i < all->count; i++)
    good &= rbtree_free(&all->tree, all->members[SIDE_TREE][i]);
  return good;
}

static bool allocate_tree(churn *state, size_t first) {
  population *all = &state->population;
  bool good = true;
  for (size_t i = first; i < all->count; i++)
    good &= (all->members[SIDE_TREE][i] = rbtree_allocate(&all->tree, all->sizes[i])) != NULL;
  return good;
}

static bool free_malloc(churn *state, size_t first) {
  for (size_t i = first; i < state->population.count; i++)
    free(state->in_malloc[i]);
  return true;
}

static bool allocate_malloc(churn *state, size_t first) {
  bool good = true;
  for (size_t i = first; i < state->population.count; i++) {
    state->in_malloc[i] = malloc(state->population.sizes[i]);
    if (state->in_malloc[i] != NULL)
      *(volatile char *)state->in_malloc[i] = 1;
    else
      good = false;
  }
  return good;
}

typedef bool (*churn_loop)(churn *state, size_t first);

static const churn_loop loops[CHURN_HALVES][CHURN_SIDES] = {
  [CHURN_ALLOCATE] = { allocate_vptr, allocate_tree, allocate_malloc },
  [CHURN_FREE] = { free_vptr, free_tree, free_malloc },
};

/* ---- samples --------------------------------------------------------------------------------------------- */

static void time_half(churn *state, churn_half half, churn_side side, size_t first) {
  uint64_t begin = clock_ns();
  state->good &= loops[half][side](state, first);
  state->ns[half][side] += clock_since(begin);
}

/* malloc()'s blocks have an order of their own: the ones to die are exchanged in it as well. */
static void choose_last(churn *state, size_t batch) {
  population *all = &state->population;
  population_choose_last(all, batch);
  for (size_t chosen = 0; chosen < batch; chosen++) {
    size_t left = all->count - chosen, other = random_below(&all->random, left);
    void *kept = state->in_malloc[left - 1];
    state->in_malloc[left - 1] = state->in_malloc[other];
    state->in_malloc[other] = kept;
  }
}

static bool sample(churn *state, size_t repetition, churn_samples *samples_out) {
  size_t live = state->population.count, batch = live / 2 < MAX_BATCH ? live / 2 : MAX_BATCH;
  size_t batches = FREES / batch;
  for (churn_half half = 0; half < CHURN_HALVES; half++)
    for (churn_side side = 0; side < CHURN_SIDES; side++)
      state->ns[half][side] = 0;
  for (size_t i = 0; i < batches && state->good; i++) {
    choose_last(state, batch);
    for (churn_side side = 0; side < CHURN_SIDES; side++) {
      time_half(state, CHURN_FREE, side, live - batch);
      time_half(state, CHURN_ALLOCATE, side, live - batch);
    }
  }
  for (churn_half half = 0; half < CHURN_HALVES; half++)
    for (churn_side side = 0; side < CHURN_SIDES; side++)
      samples_out->of[half][side][repetition] = (double)state->ns[half][side] / (double)(batch * batches);
  if (!state->good)
    fprintf(stderr, "vptr-bench: an allocation or a free failed: %s\n", vptr_last_error());
  return state->good;
}

static bool prepare(churn *state, size_t live) {
  state->in_malloc = calloc(live, sizeof *state->in_malloc);
  if (state->in_malloc == NULL) {
    fputs("vptr-bench: the host has no memory for that many allocations; try a smaller --live\n", stderr);
    return false;
  }
  return population_grow(&state->population, live) && allocate_malloc(state, 0);
}

static void give_back(churn *state, size_t live) {
  for (size_t i = 0; state->in_malloc != NULL && i < live; i++)
    free(state->in_malloc[i]);
  free(state->in_malloc);
  population_fini(&state->population);
}

bool churn_measure(size_t live, size_t repetitions, progress *shown, churn_samples *samples_out) {
  churn state = { .good = true };
  char what[64];
  if (!population_init(&state.population, live))
    return false;
  snprintf(what, sizeof what, "churn of %zu", live);
  bool good = prepare(&state, live);
  for (size_t i = 0; i < repetitions && good; i++) {
    progress_step(shown, what);
    good = sample(&state, i, samples_out);
  }
  give_back(&state, live);
  return good;
}
