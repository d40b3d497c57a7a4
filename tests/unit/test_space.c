/* SPDX-License-Identifier: MIT */
/*
 * The model is an array with one cell a window, searched from end to end for every request: too simple to be wrong.
 * Space and model get the same random requests, and must choose the same windows.
 */
#include "support/support.h"

#include "space/run.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

static const size_t MIB = (size_t)1 << 20, GIB = (size_t)1 << 30, TIB = (size_t)1 << 40;

/* ---- the model ------------------------------------------------------------------------------------------- */

enum { MODEL_WINDOWS = 512 };

enum cell { CELL_FREE, CELL_TAKEN, CELL_WAITING };

typedef struct models {
  vptr__space space;
  enum cell cell[MODEL_WINDOWS];
  uint64_t freed_at[MODEL_WINDOWS];                           /* of the whole free run around the window */
  uint32_t taken[MODEL_WINDOWS], taken_length[MODEL_WINDOWS]; /* in no order */
  uint32_t taken_count;
  uint32_t waiting[MODEL_WINDOWS], waiting_length[MODEL_WINDOWS]; /* longest waiting first */
  uint32_t waiting_count, waiting_windows, waiting_limit;
  uint64_t clock;
} models;

static models *models_make(size_t size, bool reuse_at_once) {
  models *pair = calloc(1, sizeof *pair);
  ck_assert_ptr_nonnull(pair);
  support_succeed(vptr__space_init(&pair->space, 0, size, reuse_at_once));
  ck_assert_uint_le(pair->space.window_count, MODEL_WINDOWS);
  pair->waiting_limit = reuse_at_once ? 0 : pair->space.window_count / 4;
  return pair;
}

static void models_free(models *pair) {
  vptr__space_fini(&pair->space);
  free(pair);
}

static uint32_t model_free_length(const models *pair, uint32_t first) {
  uint32_t end = first;
  while (end < pair->space.window_count && pair->cell[end] == CELL_FREE)
    end++;
  return end - first;
}

/* The free run of the least sufficient length, of those the one that became free first; UINT32_MAX if none. */
static uint32_t model_best(const models *pair, uint32_t count) {
  uint32_t best = UINT32_MAX, best_length = UINT32_MAX;
  for (uint32_t first = 0; first < pair->space.window_count; first++) {
    uint32_t length = model_free_length(pair, first);
    if (length == 0)
      continue;
    bool earlier = best != UINT32_MAX && length == best_length && pair->freed_at[first] < pair->freed_at[best];
    if (length >= count && (length < best_length || earlier)) {
      best = first;
      best_length = length;
    }
    first += length;
  }
  return best;
}

static void model_stamp(models *pair, uint32_t first) {
  while (first > 0 && pair->cell[first - 1] == CELL_FREE)
    first--;
  uint32_t length = model_free_length(pair, first);
  pair->clock++;
  for (uint32_t i = 0; i < length; i++)
    pair->freed_at[first + i] = pair->clock;
}

static void model_paint(models *pair, uint32_t first, uint32_t length, enum cell cell) {
  for (uint32_t i = 0; i < length; i++)
    pair->cell[first + i] = cell;
}

static void model_free_oldest(models *pair) {
  uint32_t first = pair->waiting[0], length = pair->waiting_length[0];
  pair->waiting_count--;
  pair->waiting_windows -= length;
  memmove(pair->waiting, pair->waiting + 1, pair->waiting_count * sizeof *pair->waiting);
  memmove(pair->waiting_length, pair->waiting_length + 1, pair->waiting_count * sizeof *pair->waiting_length);
  model_paint(pair, first, length, CELL_FREE);
  model_stamp(pair, first);
}

static uint32_t model_free_windows(const models *pair) {
  uint32_t windows = 0;
  for (uint32_t i = 0; i < pair->space.window_count; i++)
    windows += pair->cell[i] != CELL_TAKEN;
  return windows;
}

static uint32_t model_take(models *pair, uint32_t count) {
  if (count > model_free_windows(pair))
    return UINT32_MAX;
  uint32_t first;
  while ((first = model_best(pair, count)) == UINT32_MAX && pair->waiting_count > 0)
    model_free_oldest(pair);
  if (first == UINT32_MAX)
    return first;
  model_paint(pair, first, count, CELL_TAKEN);
  if (first + count < pair->space.window_count && pair->cell[first + count] == CELL_FREE)
    model_stamp(pair, first + count);
  pair->taken[pair->taken_count] = first;
  pair->taken_length[pair->taken_count++] = count;
  return first;
}

static void model_give(models *pair, uint32_t i) {
  uint32_t first = pair->taken[i], length = pair->taken_length[i];
  pair->taken_count--;
  pair->taken[i] = pair->taken[pair->taken_count];
  pair->taken_length[i] = pair->taken_length[pair->taken_count];
  model_paint(pair, first, length, CELL_WAITING);
  pair->waiting[pair->waiting_count] = first;
  pair->waiting_length[pair->waiting_count++] = length;
  pair->waiting_windows += length;
  while (pair->waiting_windows > pair->waiting_limit)
    model_free_oldest(pair);
}

/* One request to both. False if they differ. */
static bool same_take(models *pair, uint32_t count) {
  uint32_t first = UINT32_MAX;
  vptr_status status = vptr__space_take(&pair->space, count, &first);
  if (status != (first == UINT32_MAX ? VPTR_ERROR_OUT_OF_ADDRESSES : VPTR_SUCCESS))
    return false;
  return first == model_take(pair, count);
}

static void both_give(models *pair, uint32_t i) {
  vptr__space_give(&pair->space, pair->taken[i]);
  model_give(pair, i);
}

static uint32_t random_count(const models *pair, uint64_t random) {
  return random % 16 == 0 ? 1 + (uint32_t)(random >> 8) % (pair->space.window_count / 2)
                          : 1 + (uint32_t)(random >> 8) % 8;
}

/* ---- choice of runs ------------------------------------------------------------------------------------- */

START_TEST(random_requests_get_the_windows_that_the_model_says) {
  bool reuse_at_once = _i % 2 == 0;
  models *pair = models_make(_i < 2 ? 64 * MIB : 512 * MIB, reuse_at_once);
  uint64_t state = (uint64_t)_i;
  for (int step = 0; step < 60000; step++) {
    uint64_t random = support_random(&state);
    bool growing = step / 300 % 2 == 0;
    bool take = pair->taken_count == 0 || random % 8 < (growing ? 6 : 2);
    if (!take)
      both_give(pair, (uint32_t)(random >> 32) % pair->taken_count);
    else if (!same_take(pair, random_count(pair, random >> 3)))
      ck_abort_msg("step %d", step);
    if (vptr__space_free_windows(&pair->space) != model_free_windows(pair) || !vptr__space_is_valid(&pair->space))
      ck_abort_msg("step %d: not valid", step);
  }
  while (pair->taken_count > 0)
    both_give(pair, 0);
  ck_assert(same_take(pair, pair->space.window_count)); /* all has come back, in one piece */
  models_free(pair);
}
END_TEST

/* A space of 64 windows of 1 MiB. */
static vptr__space small_space(bool reuse_at_once) {
  vptr__space space;
  support_succeed(vptr__space_init(&space, 0, 64 * MIB, reuse_at_once));
  ck_assert_uint_eq(space.window_count, 64);
  return space;
}

static uint32_t take(vptr__space *space, uint32_t count) {
  uint32_t first = UINT32_MAX;
  support_succeed(vptr__space_take(space, count, &first));
  ck_assert(vptr__space_is_valid(space));
  return first;
}

static void give(vptr__space *space, uint32_t first) {
  vptr__space_give(space, first);
  ck_assert(vptr__space_is_valid(space));
}

START_TEST(the_smallest_hole_that_fits_is_taken) {
  vptr__space space = small_space(true);
  uint32_t hole[3];
  const uint32_t lengths[] = { 5, 3, 4 };
  for (int i = 0; i < 3; i++) {
    hole[i] = take(&space, lengths[i]);
    take(&space, 1); /* a wall */
  }
  for (int i = 0; i < 3; i++)
    give(&space, hole[i]);
  ck_assert_uint_eq(take(&space, 4), hole[2]);
  ck_assert_uint_eq(take(&space, 2), hole[1]);
  ck_assert_uint_eq(take(&space, 5), hole[0]);
  ck_assert_uint_eq(take(&space, 1), hole[1] + 2); /* what was left of it */
  vptr__space_fini(&space);
}
END_TEST

START_TEST(equal_holes_are_used_again_at_once_first_freed_first) {
  vptr__space space = small_space(true);
  uint32_t hole[4];
  for (int i = 0; i < 4; i++) {
    hole[i] = take(&space, 3);
    take(&space, 1);
  }
  const int order[] = { 2, 0, 3, 1 };
  for (int i = 0; i < 4; i++)
    give(&space, hole[order[i]]);
  for (int i = 0; i < 4; i++)
    ck_assert_uint_eq(take(&space, 3), hole[order[i]]);
  vptr__space_fini(&space);
}
END_TEST

/* 64 windows: 16 may wait. A run of 4 comes back when 16 more windows were given after it, not before. */
START_TEST(a_run_given_back_waits_for_a_quarter_of_the_windows) {
  vptr__space space = small_space(false);
  uint32_t first = take(&space, 4), others[4];
  for (int i = 0; i < 4; i++) {
    take(&space, 1);
    others[i] = take(&space, 4);
  }
  take(&space, 1);
  give(&space, first);
  for (int i = 0; i < 3; i++) {
    give(&space, others[i]);
    uint32_t got = take(&space, 4);
    ck_assert_uint_ne(got, first);
    ck_assert_uint_gt(got, others[3]);
  }
  give(&space, others[3]);
  ck_assert_uint_eq(take(&space, 4), first);
  ck_assert_uint_gt(take(&space, 4), others[3]); /* the others still wait */
  vptr__space_fini(&space);
}
END_TEST

START_TEST(waiting_runs_are_freed_oldest_first_when_nothing_else_fits) {
  vptr__space space = small_space(false);
  uint32_t run[16];
  for (int i = 0; i < 16; i++)
    run[i] = take(&space, 4);
  give(&space, run[7]);
  give(&space, run[3]);
  give(&space, run[11]);
  ck_assert_uint_eq(vptr__space_free_windows(&space), 12);
  ck_assert_uint_eq(take(&space, 2), run[7]);
  ck_assert_uint_eq(space.wait_windows, 8); /* no more than needed */
  ck_assert_uint_eq(take(&space, 4), run[3]);
  ck_assert_uint_eq(take(&space, 4), run[11]);
  vptr__space_fini(&space);
}
END_TEST

START_TEST(neighbours_given_back_in_any_order_merge) {
  enum { RUNS = 4 };
  int orders = 0;
  for (int code = 0; code < RUNS * RUNS * RUNS * RUNS; code++) {
    int order[RUNS] = { code % 4, code / 4 % 4, code / 16 % 4, code / 64 };
    if ((1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) != 15)
      continue; /* no permutation */
    vptr__space space = small_space(code % 2 == 0);
    uint32_t run[RUNS];
    for (int i = 0; i < RUNS; i++)
      run[i] = take(&space, 16);
    for (int i = 0; i < RUNS; i++)
      give(&space, run[order[i]]);
    ck_assert_uint_eq(take(&space, 64), 0);
    vptr__space_fini(&space);
    orders++;
  }
  ck_assert_int_eq(orders, 24);
}
END_TEST

START_TEST(a_full_space_says_so_and_recovers) {
  vptr__space space = small_space(true);
  uint32_t run[64], first = 99;
  for (int i = 0; i < 64; i++)
    run[i] = take(&space, 1);
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr__space_take(&space, 1, &first));
  ck_assert_uint_eq(first, 99);
  ck_assert(vptr__space_is_valid(&space));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "0 of 64 MiB are free"));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_RESERVE"));
  for (int i = 0; i < 64; i += 2)
    give(&space, run[i]);
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr__space_take(&space, 2, &first)); /* 32 free, no two together */
  give(&space, run[31]);
  ck_assert_uint_eq(take(&space, 3), 30);
  vptr__space_fini(&space);
}
END_TEST

START_TEST(a_hopeless_request_leaves_the_queue_alone) {
  vptr__space space = small_space(false);
  uint32_t first = take(&space, 4);
  take(&space, 8);
  give(&space, first);
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr__space_take(&space, 65, &first));
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr__space_take(&space, UINT32_MAX, &first));
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr__space_take(&space, 57, &first));
  ck_assert_uint_eq(space.wait_windows, 4);
  vptr__space_fini(&space);
}
END_TEST

/* Where addresses are scarce (valgrind) fewer fit; what is taken must come back all the same. */
START_TEST(a_gibibyte_is_taken_and_given_129_times) {
  vptr__space space;
  uint32_t run[129], first, taken = 0;
  support_succeed(vptr__space_init(&space, 0, 16 * TIB, false));
  uint32_t windows = vptr__space_windows_for(&space, GIB);
  ck_assert_msg(windows > 0, "needs more than 1 GiB of addresses: see ulimit -v");
  while (taken < 129 && vptr__space_take(&space, windows, &first) == VPTR_SUCCESS)
    run[taken++] = first;
  ck_assert_uint_eq(taken, space.window_count / windows < 129 ? space.window_count / windows : 129);
  for (uint32_t i = 1; i < taken; i++)
    ck_assert_uint_ge(vptr__space_address(&space, run[i]) - vptr__space_address(&space, run[i - 1]), GIB + 1);
  for (uint32_t i = 0; i < taken; i++)
    give(&space, run[i]);
  ck_assert_uint_eq(vptr__space_free_windows(&space), space.window_count);
  ck_assert_uint_eq(take(&space, space.window_count), 0);
  vptr__space_fini(&space);
}
END_TEST

START_TEST(a_run_holds_the_bytes_and_one_more) {
  vptr__space space = small_space(true);
  ck_assert_uint_eq(vptr__space_windows_for(&space, 0), 1);
  ck_assert_uint_eq(vptr__space_windows_for(&space, 1), 1);
  ck_assert_uint_eq(vptr__space_windows_for(&space, MIB - 1), 1);
  ck_assert_uint_eq(vptr__space_windows_for(&space, MIB), 2);
  ck_assert_uint_eq(vptr__space_windows_for(&space, 64 * MIB - 1), 64);
  ck_assert_uint_eq(vptr__space_windows_for(&space, 64 * MIB), 0);
  ck_assert_uint_eq(vptr__space_windows_for(&space, SIZE_MAX), 0);
  vptr__space_fini(&space);
}
END_TEST

START_TEST(is_valid_sees_each_kind_of_damage) {
  vptr__space space = small_space(false);
  uint32_t a = take(&space, 4), b = take(&space, 4), c = take(&space, 4);
  give(&space, b);
  vptr__space_run *runs = space.runs;
  runs[a].length = 3; /* tiling */
  ck_assert(!vptr__space_is_valid(&space));
  runs[a].length = 4;
  runs[a + 3].state = VPTR__RUN_WAITING; /* the tags of one run */
  ck_assert(!vptr__space_is_valid(&space));
  runs[a + 3].state = VPTR__RUN_TAKEN;
  runs[c].state = runs[c + 3].state = VPTR__RUN_FREE; /* a free run on no list, beside another */
  ck_assert(!vptr__space_is_valid(&space));
  runs[c].state = runs[c + 3].state = VPTR__RUN_TAKEN;
  runs[c + 4].previous = a; /* links */
  ck_assert(!vptr__space_is_valid(&space));
  runs[c + 4].previous = c + 4;
  vptr__bitset_add(&space.lengths, 7); /* a list of nothing */
  ck_assert(!vptr__space_is_valid(&space));
  vptr__bitset_remove(&space.lengths, 7);
  space.wait_first = a; /* queue */
  ck_assert(!vptr__space_is_valid(&space));
  space.wait_first = b;
  space.taken_windows++; /* numbers */
  ck_assert(!vptr__space_is_valid(&space));
  space.taken_windows--;
  ck_assert(vptr__space_is_valid(&space));
  vptr__space_fini(&space);
}
END_TEST

static Suite *space_suite(void) {
  Suite *suite = suite_create("space");
  TCase *runs = tcase_create("runs");
  tcase_add_loop_test(runs, random_requests_get_the_windows_that_the_model_says, 0, 4);
  tcase_add_test(runs, the_smallest_hole_that_fits_is_taken);
  tcase_add_test(runs, equal_holes_are_used_again_at_once_first_freed_first);
  tcase_add_test(runs, a_run_given_back_waits_for_a_quarter_of_the_windows);
  tcase_add_test(runs, waiting_runs_are_freed_oldest_first_when_nothing_else_fits);
  tcase_add_test(runs, neighbours_given_back_in_any_order_merge);
  tcase_add_test(runs, a_full_space_says_so_and_recovers);
  tcase_add_test(runs, a_hopeless_request_leaves_the_queue_alone);
  tcase_add_test(runs, a_gibibyte_is_taken_and_given_129_times);
  tcase_add_test(runs, a_run_holds_the_bytes_and_one_more);
  tcase_add_test(runs, is_valid_sees_each_kind_of_damage);
  suite_add_tcase(suite, runs);
  return suite;
}

int main(void) {
  return support_run(space_suite());
}
