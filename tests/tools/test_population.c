/* SPDX-License-Identifier: MIT */
/*
 * What a benchmark says of an order is worth as much as the order is what it is called: which members the picks of each
 * hit, and how often; that worker pools count what they do; and that a churn leaves the number of live allocations as
 * it was.
 */
#include "support/support.h"

#include "../../bench/churn.h"
#include "../../bench/worker_pool.h"
#include "../../bench/population.h"

#include <math.h>

enum { MEMBERS = 1000, REPETITIONS = 2 };

typedef struct hits {
  size_t of[MEMBERS];
  size_t members, most;
} hits;

/* By the serial numbers, which members have in the order in which they were made. */
static hits count_hits(population *all, population_order order) {
  hits found = { 0 };
  vptr_location first, location;
  ck_assert(population_pick(all, order));
  ck_assert_int_eq(vptr_resolve(NULL, all->members[SIDE_VPTR][0], 1, &first), VPTR_SUCCESS);
  for (size_t i = 0; i < all->pick_count; i++) {
    ck_assert_int_eq(vptr_resolve(NULL, all->picks[SIDE_VPTR][i], 1, &location), VPTR_SUCCESS);
    found.of[location.serial - first.serial]++;
  }
  for (size_t i = 0; i < MEMBERS; i++) {
    found.members += found.of[i] > 0;
    found.most = found.of[i] > found.most ? found.of[i] : found.most;
  }
  return found;
}

static void make(population *all) {
  ck_assert(population_init(all, MEMBERS));
  ck_assert(population_grow(all, MEMBERS));
}

START_TEST(random_picks_hit_nearly_all_and_none_often) {
  population all;
  make(&all);
  hits found = count_hits(&all, ORDER_RANDOM);
  ck_assert_uint_gt(found.members, MEMBERS * 9 / 10);
  ck_assert_uint_lt(found.most, all.pick_count / 100);
  population_fini(&all);
}
END_TEST

START_TEST(hot_picks_hit_a_few_equally_often) {
  population all;
  make(&all);
  hits found = count_hits(&all, ORDER_HOT);
  ck_assert_uint_eq(found.members, POPULATION_HOT);
  ck_assert_uint_eq(found.most, all.pick_count / POPULATION_HOT);
  population_fini(&all);
}
END_TEST

/* The first in favour has log 2 / log 1001 of all picks, which is 0.1003; the second half of the ranks has as much. */
START_TEST(zipf_picks_favour_one_in_ten_times) {
  population all;
  make(&all);
  hits found = count_hits(&all, ORDER_ZIPF);
  ck_assert_uint_gt(found.most, all.pick_count * 8 / 100);
  ck_assert_uint_lt(found.most, all.pick_count * 12 / 100);
  ck_assert_uint_gt(found.members, MEMBERS / 3);
  ck_assert_uint_lt(found.members, MEMBERS * 9 / 10);
  population_fini(&all);
}
END_TEST

START_TEST(crews_work_on_both_sides_and_give_all_back) {
  population all;
  make(&all);
  ck_assert(population_pick(&all, ORDER_RANDOM));
  for (size_t percent = 0; percent <= 100; percent += 50)
    for (population_side side = SIDE_VPTR; side <= SIDE_TREE; side++) {
      worker_pool_result result = { 0 };
      ck_assert(worker_pool_work(&all, side, 2, percent, &result));
      ck_assert_double_gt(result.cpu_ns, 0);
      ck_assert_double_gt(result.mega_per_s, 0);
    }
  ck_assert_uint_eq(vptr_count(NULL), MEMBERS);
  ck_assert_uint_eq(all.tree.count, MEMBERS);
  population_fini(&all);
  ck_assert_uint_eq(vptr_count(NULL), 0);
}
END_TEST

START_TEST(a_churn_fills_all_samples_and_gives_all_back) {
  double room[CHURN_HALVES][CHURN_SIDES][REPETITIONS] = { 0 };
  churn_samples samples;
  progress shown;
  for (size_t half = 0; half < CHURN_HALVES; half++)
    for (size_t side = 0; side < CHURN_SIDES; side++)
      samples.of[half][side] = room[half][side];
  progress_begin(&shown, REPETITIONS);
  ck_assert(churn_measure(MEMBERS, REPETITIONS, &shown, &samples));
  for (size_t half = 0; half < CHURN_HALVES; half++)
    for (size_t side = 0; side < CHURN_SIDES; side++)
      for (size_t i = 0; i < REPETITIONS; i++)
        ck_assert_double_gt(room[half][side][i], 0);
  ck_assert_uint_eq(vptr_count(NULL), 0);
}
END_TEST

static Suite *population_suite(void) {
  Suite *suite = suite_create("population");
  TCase *tests = tcase_create("population");
  tcase_add_test(tests, random_picks_hit_nearly_all_and_none_often);
  tcase_add_test(tests, hot_picks_hit_a_few_equally_often);
  tcase_add_test(tests, zipf_picks_favour_one_in_ten_times);
  tcase_add_test(tests, crews_work_on_both_sides_and_give_all_back);
  tcase_add_test(tests, a_churn_fills_all_samples_and_gives_all_back);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(population_suite());
}
