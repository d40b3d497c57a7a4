/* SPDX-License-Identifier: MIT */
/*
 * The model is an array of bool, searched from the front: too simple to be wrong. Both get the same random
 * operations and must always agree.
 */
#include "support/support.h"

#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

typedef struct models {
  vptr__bitset set;
  uint64_t *words;
  bool *model;
} models;

static const uint32_t capacities[] = { 1, 2, 63, 64, 65, 4095, 4096, 4097, 262144, 262145, 300000 };
enum { CAPACITIES = sizeof capacities / sizeof *capacities };

static void pair_make(models *pair, uint32_t capacity) {
  pair->words = calloc(vptr__bitset_words(capacity), sizeof *pair->words);
  pair->model = calloc(capacity, sizeof *pair->model);
  ck_assert(pair->words != NULL && pair->model != NULL);
  vptr__bitset_init(&pair->set, pair->words, capacity);
}

static void pair_free(models *pair) {
  free(pair->words);
  free(pair->model);
}

static uint32_t model_next(const models *pair, uint32_t from) {
  for (uint32_t i = from; i < pair->set.capacity; i++)
    if (pair->model[i])
      return i;
  return VPTR__BITSET_NONE;
}

static bool are_same(const models *pair) {
  uint32_t found = vptr__bitset_next(&pair->set, 0);
  for (uint32_t i = 0; i < pair->set.capacity; i++) {
    if (vptr__bitset_has(&pair->set, i) != pair->model[i] || (pair->model[i] && found != i))
      return false;
    if (pair->model[i])
      found = vptr__bitset_next(&pair->set, i + 1);
  }
  return found == VPTR__BITSET_NONE;
}

static void expect_same(const models *pair) {
  ck_assert(vptr__bitset_is_valid(&pair->set));
  ck_assert(are_same(pair));
}

/* Half of the numbers lie close together, so that words become full and empty too. */
static uint32_t random_member(const models *pair, uint64_t *state) {
  uint64_t random = support_random(state);
  uint32_t range = random & 1 && pair->set.capacity > 130 ? 130 : pair->set.capacity;
  return (uint32_t)((random >> 8) % range);
}

/* A full search of the model at every step would take minutes; the neighbourhood of the member does not. */
static bool one_step(models *pair, uint64_t *state, unsigned add_percent) {
  uint32_t member = random_member(pair, state);
  bool add = support_random(state) % 100 < add_percent;
  if (add)
    vptr__bitset_add(&pair->set, member);
  else
    vptr__bitset_remove(&pair->set, member);
  pair->model[member] = add;
  uint32_t next = vptr__bitset_next(&pair->set, member);
  bool next_agrees = add ? next == member : next == VPTR__BITSET_NONE || (next > member && pair->model[next]);
  return next_agrees && vptr__bitset_has(&pair->set, member) == add;
}

START_TEST(random_operations_agree_with_the_model) {
  uint64_t state = 1;
  models pair;
  pair_make(&pair, capacities[_i]);
  for (int round = 0; round < 12; round++) {
    for (int i = 0; i < 2000; i++)
      ck_assert(one_step(&pair, &state, round % 3 == 0 ? 80 : round % 3 == 1 ? 50 : 10));
    for (int i = 0; i < 20; i++) {
      uint32_t from = random_member(&pair, &state);
      ck_assert_uint_eq(vptr__bitset_next(&pair.set, from), model_next(&pair, from));
    }
    expect_same(&pair);
  }
  pair_free(&pair);
}
END_TEST

START_TEST(fill_adds_all_and_only_them) {
  models pair;
  pair_make(&pair, capacities[_i]);
  vptr__bitset_fill(&pair.set);
  memset(pair.model, true, pair.set.capacity);
  expect_same(&pair);
  while (vptr__bitset_next(&pair.set, 0) != VPTR__BITSET_NONE)
    vptr__bitset_remove(&pair.set, vptr__bitset_next(&pair.set, 0));
  memset(pair.model, false, pair.set.capacity);
  expect_same(&pair);
  for (size_t i = 0; i < vptr__bitset_words(pair.set.capacity); i++)
    ck_assert_uint_eq(pair.words[i], 0);
  pair_free(&pair);
}
END_TEST

START_TEST(next_takes_any_number) {
  uint32_t capacity = capacities[_i];
  models pair;
  pair_make(&pair, capacity);
  vptr__bitset_add(&pair.set, capacity - 1);
  const uint32_t beyond[] = { capacity, capacity + 1, capacity + 64, UINT32_MAX - 1, UINT32_MAX };
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
    ck_assert_uint_eq(vptr__bitset_next(&pair.set, beyond[i]), VPTR__BITSET_NONE);
  ck_assert_uint_eq(vptr__bitset_next(&pair.set, 0), capacity - 1);
  ck_assert_uint_eq(vptr__bitset_next(&pair.set, capacity - 1), capacity - 1);
  pair_free(&pair);
}
END_TEST

START_TEST(the_largest_capacity_has_four_levels) {
  const uint32_t capacity = UINT32_C(1) << 24;
  models pair;
  pair_make(&pair, capacity);
  ck_assert_uint_eq(pair.set.levels, VPTR__BITSET_LEVELS);
  ck_assert_uint_eq(vptr__bitset_words(capacity), 262144 + 4096 + 64 + 1);
  const uint32_t members[] = { 0, 63, 4096, 262143, 262144, 9999999, capacity - 1 };
  const size_t count = sizeof members / sizeof *members;
  for (size_t i = 0; i < count; i++)
    vptr__bitset_add(&pair.set, members[i]);
  uint32_t found = vptr__bitset_next(&pair.set, 0);
  for (size_t i = 0; i < count; i++, found = vptr__bitset_next(&pair.set, found + 1))
    ck_assert_uint_eq(found, members[i]);
  ck_assert_uint_eq(found, VPTR__BITSET_NONE);
  ck_assert(vptr__bitset_is_valid(&pair.set));
  pair_free(&pair);
}
END_TEST

START_TEST(words_suffice_and_none_is_wasted) {
  ck_assert_uint_eq(vptr__bitset_words(1), 1);
  ck_assert_uint_eq(vptr__bitset_words(64), 1);
  ck_assert_uint_eq(vptr__bitset_words(65), 2 + 1);
  ck_assert_uint_eq(vptr__bitset_words(4096), 64 + 1);
  ck_assert_uint_eq(vptr__bitset_words(4097), 65 + 2 + 1);
}
END_TEST

START_TEST(init_finds_the_members_that_the_words_hold) {
  models pair;
  pair_make(&pair, 5000);
  vptr__bitset_add(&pair.set, 4321);
  vptr__bitset again;
  vptr__bitset_init(&again, pair.words, 5000);
  ck_assert_uint_eq(vptr__bitset_next(&again, 0), 4321);
  ck_assert(vptr__bitset_is_valid(&again));
  pair_free(&pair);
}
END_TEST

START_TEST(is_valid_sees_each_kind_of_damage) {
  models pair;
  pair_make(&pair, 5000);
  vptr__bitset_add(&pair.set, 4321);
  pair.set.level[0][0] |= 2; /* a member that no summary knows */
  ck_assert(!vptr__bitset_is_valid(&pair.set));
  pair.set.level[0][0] = 0;
  pair.set.level[1][1] = 0; /* a summary that forgot one */
  ck_assert(!vptr__bitset_is_valid(&pair.set));
  vptr__bitset_add(&pair.set, 4322);
  pair.set.level[1][1] = UINT64_C(1) << (4321 / 64 - 64);
  ck_assert(vptr__bitset_is_valid(&pair.set));
  pair.set.level[0][5000 / 64] |= UINT64_C(1) << (5000 % 64); /* a member at the capacity */
  pair.set.level[1][1] |= UINT64_C(1) << (5000 / 64 - 64);
  ck_assert(!vptr__bitset_is_valid(&pair.set));
  pair_free(&pair);
}
END_TEST

static Suite *bitset_suite(void) {
  Suite *suite = suite_create("bitset");
  TCase *tcase = tcase_create("bitset");
  tcase_add_loop_test(tcase, random_operations_agree_with_the_model, 0, CAPACITIES);
  tcase_add_loop_test(tcase, fill_adds_all_and_only_them, 0, CAPACITIES);
  tcase_add_loop_test(tcase, next_takes_any_number, 0, CAPACITIES);
  tcase_add_test(tcase, the_largest_capacity_has_four_levels);
  tcase_add_test(tcase, words_suffice_and_none_is_wasted);
  tcase_add_test(tcase, init_finds_the_members_that_the_words_hold);
  tcase_add_test(tcase, is_valid_sees_each_kind_of_damage);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  return support_run(bitset_suite());
}
