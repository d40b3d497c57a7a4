/* SPDX-License-Identifier: MIT */
/*
 * The model is a sorted array, searched from the front or by bsearch: too simple to be wrong. Tree and model get the
 * same random operations and must always agree.
 *
 * Assertions sit outside the inner loops.
 */
#include "support/support.h"

#include "base/memory.h"
#include "tree/node.h"
#include "tree/tree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model ------------------------------------------------------------------------------------------- */

enum { MODEL_CAPACITY = 8192 };

typedef struct models {
  vptr__tree tree;
  uint64_t keys[MODEL_CAPACITY];
  uintptr_t values[MODEL_CAPACITY];
  size_t count;
} models;

static models *models_make(void) {
  models *pair = calloc(1, sizeof *pair);
  ck_assert_ptr_nonnull(pair);
  support_succeed(vptr__tree_init(&pair->tree));
  return pair;
}

static void models_free(models *pair) {
  vptr__tree_fini(&pair->tree);
  free(pair);
}

/* How many of the model's keys are < key. */
static size_t model_rank(const models *pair, uint64_t key) {
  size_t low = 0, high = pair->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (pair->keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool model_has(const models *pair, uint64_t key) {
  size_t at = model_rank(pair, key);
  return at < pair->count && pair->keys[at] == key;
}

static bool same_insert(models *pair, uint64_t key, uintptr_t value) {
  size_t at = model_rank(pair, key);
  bool fresh = !model_has(pair, key);
  if (vptr__tree_reserve(&pair->tree) != VPTR_SUCCESS || vptr__tree_insert(&pair->tree, key, value) != fresh)
    return false;
  if (!fresh)
    return true;
  memmove(&pair->keys[at + 1], &pair->keys[at], (pair->count - at) * sizeof *pair->keys);
  memmove(&pair->values[at + 1], &pair->values[at], (pair->count - at) * sizeof *pair->values);
  pair->keys[at] = key;
  pair->values[at] = value;
  pair->count++;
  return true;
}

static bool same_remove(models *pair, uint64_t key) {
  size_t at = model_rank(pair, key);
  bool there = model_has(pair, key);
  uintptr_t value = 77;
  if (vptr__tree_remove(&pair->tree, key, &value) != there)
    return false;
  if (!there)
    return value == 77;
  if (value != pair->values[at])
    return false;
  pair->count--;
  memmove(&pair->keys[at], &pair->keys[at + 1], (pair->count - at) * sizeof *pair->keys);
  memmove(&pair->values[at], &pair->values[at + 1], (pair->count - at) * sizeof *pair->values);
  return true;
}

/* Compares one answer with position `at` of the model; at == count: there must be no answer, and no output. */
static bool is_entry(const models *pair, bool hit, uint64_t key, uintptr_t value, size_t at) {
  if (at >= pair->count)
    return !hit && key == 1234567 && value == 7654321;
  return hit && key == pair->keys[at] && value == pair->values[at];
}

static bool same_le(const models *pair, uint64_t bound) {
  uint64_t key = 1234567;
  uintptr_t value = 7654321;
  bool hit = vptr__tree_find_le(&pair->tree, bound, &key, &value);
  size_t rank = model_rank(pair, bound) + (model_has(pair, bound) ? 1 : 0);
  return is_entry(pair, hit, key, value, rank > 0 ? rank - 1 : pair->count);
}

static bool same_ge(const models *pair, uint64_t bound) {
  uint64_t key = 1234567;
  uintptr_t value = 7654321;
  bool hit = vptr__tree_find_ge(&pair->tree, bound, &key, &value);
  return is_entry(pair, hit, key, value, model_rank(pair, bound));
}

/* Walks the whole tree upwards, then downwards. */
static bool same_walks(const models *pair) {
  uint64_t key = 0;
  uintptr_t value;
  for (size_t i = 0; i < pair->count; i++, key++)
    if (!vptr__tree_find_ge(&pair->tree, key, &key, &value) || key != pair->keys[i] || value != pair->values[i])
      return false;
  key = UINT64_MAX;
  for (size_t i = pair->count; i-- > 0; key--)
    if (!vptr__tree_find_le(&pair->tree, key, &key, &value) || key != pair->keys[i] || value != pair->values[i])
      return false;
  return true;
}

static void expect_same(const models *pair) {
  ck_assert(vptr__tree_is_valid(&pair->tree));
  ck_assert_uint_eq(vptr__tree_count(&pair->tree), pair->count);
  ck_assert(same_le(pair, 0) && same_le(pair, UINT64_MAX));
  ck_assert(same_ge(pair, 0) && same_ge(pair, UINT64_MAX));
  ck_assert(same_walks(pair));
}

/* ---- one thread ----------------------------------------------------------------------------------------- */

START_TEST(empty_tree_finds_nothing) {
  models *pair = models_make();
  expect_same(pair);
  ck_assert(!vptr__tree_remove(&pair->tree, 0, NULL));
  ck_assert(!vptr__tree_find_le(&pair->tree, 5, NULL, NULL));
  ck_assert(!vptr__tree_find_ge(&pair->tree, 5, NULL, NULL));
  models_free(pair);
}
END_TEST

START_TEST(a_key_is_held_once) {
  models *pair = models_make();
  uintptr_t value = 0;
  ck_assert(same_insert(pair, 40, 1));
  ck_assert(!vptr__tree_insert(&pair->tree, 40, 2));
  ck_assert(vptr__tree_find_le(&pair->tree, 40, NULL, &value));
  ck_assert_uint_eq(value, 1);
  ck_assert_uint_eq(vptr__tree_count(&pair->tree), 1);
  ck_assert(same_remove(pair, 40));
  ck_assert(!vptr__tree_remove(&pair->tree, 40, NULL));
  expect_same(pair);
  models_free(pair);
}
END_TEST

START_TEST(the_ends_of_the_number_line_are_keys_like_others) {
  models *pair = models_make();
  const uint64_t keys[] = { UINT64_MAX, 0, UINT64_MAX - 1, 1, UINT64_C(1) << 63 };
  for (size_t i = 0; i < 5; i++) {
    ck_assert(same_insert(pair, keys[i], i));
    expect_same(pair);
  }
  for (uint64_t i = 0; i < 2000; i++)
    ck_assert(same_insert(pair, i % 2 == 0 ? i : UINT64_MAX - i, i));
  for (uint64_t i = 0; i < 2000; i += 7)
    ck_assert(same_le(pair, i) && same_ge(pair, i) && same_le(pair, UINT64_MAX - i) && same_ge(pair, UINT64_MAX - i));
  expect_same(pair);
  for (size_t i = 0; i < 5; i++) {
    ck_assert(same_remove(pair, keys[i]));
    expect_same(pair);
  }
  models_free(pair);
}
END_TEST

/* The i-th of count keys in one of three orders. */
static uint64_t ordered_key(int order, uint64_t i, uint64_t count) {
  switch (order) {
  case 0:
    return 10 * i;
  case 1:
    return 10 * (count - 1 - i);
  default:
    return 10 * (i * 2654435761u % count); /* count is a power of two: every key once */
  }
}

/* Each order of filling with each order of draining, every step compared. */
START_TEST(fills_and_drains_in_every_order) {
  enum { COUNT = 4096 };
  int fill = _i / 3, drain = _i % 3;
  models *pair = models_make();
  for (uint64_t i = 0; i < COUNT; i++) {
    uint64_t key = ordered_key(fill, i, COUNT);
    if (!same_insert(pair, key, i) || !same_le(pair, key - 1) || !same_ge(pair, key + 1))
      ck_abort_msg("insert %d of %llu", fill, (unsigned long long)i);
    if ((i < 300 || i % 64 == 0) && !vptr__tree_is_valid(&pair->tree))
      ck_abort_msg("not valid after insert %llu", (unsigned long long)i);
  }
  ck_assert_uint_ge(pair->tree.height, 2); /* else splits of inner nodes went untested */
  expect_same(pair);
  for (uint64_t i = 0; i < COUNT; i++) {
    uint64_t key = ordered_key(drain, i, COUNT);
    if (!same_remove(pair, key) || !same_le(pair, key) || !same_ge(pair, key) || !same_le(pair, key + 10))
      ck_abort_msg("remove %d of %llu", drain, (unsigned long long)i);
    if ((pair->count < 300 || i % 64 == 0) && !vptr__tree_is_valid(&pair->tree))
      ck_abort_msg("not valid after remove %llu", (unsigned long long)i);
  }
  ck_assert_uint_eq(pair->tree.height, 0);
  expect_same(pair);
  models_free(pair);
}
END_TEST

/* One random operation; grow out of 8 changes are inserts. */
static bool random_step(models *pair, uint64_t *state, uint64_t range, unsigned grow) {
  uint64_t random = support_random(state);
  uint64_t key = (random >> 8) % range;
  switch (random % 4) {
  case 0:
    return same_le(pair, key);
  case 1:
    return same_ge(pair, key);
  default:
    if ((random >> 2) % 8 < grow && pair->count < MODEL_CAPACITY)
      return same_insert(pair, key, (uintptr_t)random);
    return same_remove(pair, key);
  }
}

/* Phases of growth and of decline, so that the tree passes through each height and through empty many times. */
static void random_life(uint64_t range, long most_steps, size_t phase, size_t steps_a_check) {
  models *pair = models_make();
  size_t steps = (size_t)support_rounds(most_steps);
  uint64_t state = range;
  for (size_t i = 0; i < steps; i++) {
    unsigned grow = i / phase % 2 == 0 ? 7 : 1;
    if (!random_step(pair, &state, range, grow))
      ck_abort_msg("range %llu, step %zu", (unsigned long long)range, i);
    if (i % steps_a_check == 0 && !vptr__tree_is_valid(&pair->tree))
      ck_abort_msg("range %llu, not valid after step %zu", (unsigned long long)range, i);
    if (i % (steps / 16) == 0)
      expect_same(pair);
  }
  expect_same(pair);
  models_free(pair);
}

START_TEST(small_trees_agree_with_the_model_at_every_step) {
  random_life(40, 100000, 500, 1);
  random_life(100, 100000, 1000, 1);
  random_life(1000, 100000, 5000, 1);
}
END_TEST

START_TEST(large_trees_agree_with_the_model) {
  random_life(8192, 500000, 40000, 1000);
  random_life(UINT64_C(1) << 55, 300000, 15000, 1000);
}
END_TEST

START_TEST(nodes_are_used_again) {
  models *pair = models_make();
  long live = 0;
  for (int round = 0; round < 5; round++) {
    for (uint64_t i = 0; i < 3000; i++)
      ck_assert(same_insert(pair, i, i));
    if (round == 0)
      live = vptr__memory_live();
    ck_assert_int_le(vptr__memory_live(), live);
    for (uint64_t i = 0; i < 3000; i++)
      ck_assert(same_remove(pair, i));
  }
  models_free(pair);
}
END_TEST

START_TEST(fini_frees_every_node) {
  long live = vptr__memory_live();
  models *pair = models_make();
  for (uint64_t i = 0; i < 3000; i++)
    ck_assert(same_insert(pair, i, i));
  for (uint64_t i = 0; i < 1000; i++)
    ck_assert(same_remove(pair, i * 2));
  models_free(pair);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

START_TEST(init_without_memory_says_so) {
  vptr__tree tree;
  long live = vptr__memory_live();
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__tree_init(&tree));
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

/* Before every insert, reserve fails at its first allocation, then at its second, until it needs no more (it keeps
 * what it got): the tree stays as it was, and after the reserve that succeeds the insert allocates nothing. */
START_TEST(reserve_that_fails_changes_nothing) {
  models *pair = models_make();
  int failures = 0;
  for (uint64_t i = 0; i < 2000; i++) {
    for (long n = 1;; n++) {
      vptr__memory_fail_nth(n);
      vptr_status status = vptr__tree_reserve(&pair->tree);
      if (status == VPTR_SUCCESS)
        break;
      if (status != VPTR_ERROR_OUT_OF_HOST_MEMORY || vptr__tree_count(&pair->tree) != i ||
          !vptr__tree_is_valid(&pair->tree))
        ck_abort_msg("insert %llu, allocation %ld", (unsigned long long)i, n);
      failures++;
    }
    vptr__memory_fail_nth(1);
    if (!same_insert(pair, i, i))
      ck_abort_msg("insert %llu", (unsigned long long)i);
    vptr__memory_fail_nth(0);
  }
  ck_assert_int_gt(failures, 100);
  expect_same(pair);
  models_free(pair);
}
END_TEST

START_TEST(dump_names_every_key) {
  models *pair = models_make();
  for (uint64_t i = 0; i < 100; i++)
    ck_assert(same_insert(pair, 0xabc000 + i, i));
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(out);
  vptr__tree_dump(&pair->tree, out);
  fclose(out);
  for (unsigned i = 0; i < 100; i++) {
    char entry[32];
    snprintf(entry, sizeof entry, " 0x%x=", 0xabc000 + i);
    ck_assert_msg(strstr(text, entry) != NULL, "%s is missing", entry);
  }
  free(text);
  models_free(pair);
}
END_TEST

/* ---- the predicate must see what it is for -------------------------------------------------------------- */

static vptr__tree_node *first_leaf(const vptr__tree *tree) {
  vptr__tree_node *node = atomic_load(&tree->root);
  while (!node->leaf)
    node = vptr__tree_node_child(node, 0);
  return node;
}

START_TEST(is_valid_sees_each_kind_of_damage) {
  models *pair = models_make();
  vptr__tree *tree = &pair->tree;
  for (uint64_t i = 0; i < 3000; i++)
    ck_assert(same_insert(pair, 10 * i + 10, i));
  vptr__tree_node *leaf = first_leaf(tree), *root = atomic_load(&tree->root);
  ck_assert(vptr__tree_is_valid(tree));

  atomic_store(&leaf->keys[1], 10); /* order inside a node */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_store(&leaf->keys[1], 20);
  atomic_store(&leaf->keys[0], 9); /* the least key as the parent has it */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_store(&leaf->keys[0], 10);
  uint32_t count = atomic_load(&leaf->count);
  uint64_t last = atomic_load(&leaf->keys[count - 1]);
  atomic_store(&leaf->keys[count - 1], 10000000); /* beyond the next leaf's first */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_store(&leaf->keys[count - 1], last);
  atomic_store(&leaf->count, VPTR__TREE_MINIMUM - 1); /* fill */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_store(&leaf->count, count);
  uint64_t separator = atomic_load(&root->keys[1]);
  atomic_store(&root->keys[1], separator + 1); /* an inexact inner key */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_store(&root->keys[1], separator);
  tree->height++; /* depth */
  ck_assert(!vptr__tree_is_valid(tree));
  tree->height--;
  atomic_fetch_add(&tree->count, 1); /* number of keys */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_fetch_sub(&tree->count, 1);
  tree->leaves.count++; /* number of nodes */
  ck_assert(!vptr__tree_is_valid(tree));
  tree->leaves.count--;
  atomic_fetch_add(&tree->sequence, 1); /* a change that never ended */
  ck_assert(!vptr__tree_is_valid(tree));
  atomic_fetch_sub(&tree->sequence, 1);
  expect_same(pair);
  models_free(pair);
}
END_TEST

/* ---- readers beside a writer ---------------------------------------------------------------------------- */

enum { READERS = 8, FIXED = 500, SPACING = 1000, SEARCHES = 1000000 };

/* Keys 1 * SPACING .. FIXED * SPACING stay; the writer adds and removes others between them. A key's value is its
 * complement, so that a value from another key's entry shows. */
struct arena {
  vptr__tree tree;
  atomic_bool stop;
  atomic_int wrong;
  atomic_long searches;
};

static bool sees_fixed(const vptr__tree *tree, uint64_t fixed) {
  uint64_t key = 0;
  uintptr_t value = 0;
  bool exact = vptr__tree_find_le(tree, fixed, &key, &value) && key == fixed && value == ~(uintptr_t)fixed;
  return exact && vptr__tree_find_ge(tree, fixed, &key, &value) && key == fixed && value == ~(uintptr_t)fixed;
}

/* Between two fixed keys any answer from the one to the other is right, and none beyond. */
static bool sees_between(const vptr__tree *tree, uint64_t fixed, uint64_t bound) {
  uint64_t low = 0, high = 0;
  uintptr_t low_value = 0, high_value = 0;
  if (!vptr__tree_find_le(tree, bound, &low, &low_value) || low < fixed || low > bound ||
      low_value != ~(uintptr_t)low)
    return false;
  return vptr__tree_find_ge(tree, bound, &high, &high_value) && high >= bound && high <= fixed + SPACING &&
         high_value == ~(uintptr_t)high;
}

static void *reader_run(void *argument) {
  struct arena *arena = argument;
  uint64_t state = (uintptr_t)&state;
  while (!atomic_load(&arena->stop)) {
    uint64_t random = support_random(&state);
    uint64_t fixed = (1 + random % (FIXED - 1)) * SPACING;
    if (!sees_fixed(&arena->tree, fixed) || !sees_between(&arena->tree, fixed, fixed + (random >> 40) % SPACING))
      atomic_fetch_add(&arena->wrong, 1);
    atomic_fetch_add(&arena->searches, 4);
  }
  return NULL;
}

static bool arena_insert(struct arena *arena, uint64_t key) {
  return vptr__tree_reserve(&arena->tree) == VPTR_SUCCESS && vptr__tree_insert(&arena->tree, key, ~(uintptr_t)key);
}

/* Dense fills and drains of one stretch after the other: splits and merges at every level, until the readers
 * have searched enough beside it. */
static void writer_run(struct arena *arena) {
  uint64_t state = 5;
  for (int round = 0; atomic_load(&arena->searches) < SEARCHES; round++) {
    uint64_t first = (1 + support_random(&state) % (FIXED - 2)) * SPACING;
    for (uint64_t i = 1; i < SPACING; i++)
      if (!arena_insert(arena, first + i))
        atomic_fetch_add(&arena->wrong, 1);
    for (uint64_t i = 1; i < SPACING; i++)
      if (!vptr__tree_remove(&arena->tree, first + (round % 2 == 0 ? i : SPACING - i), NULL))
        atomic_fetch_add(&arena->wrong, 1);
  }
}

START_TEST(readers_beside_a_writer_always_find_what_stays) {
  static struct arena arena;
  pthread_t readers[READERS];
  support_succeed(vptr__tree_init(&arena.tree));
  for (uint64_t i = 1; i <= FIXED; i++)
    ck_assert(arena_insert(&arena, i * SPACING));
  for (int i = 0; i < READERS; i++)
    ck_assert_int_eq(pthread_create(&readers[i], NULL, reader_run, &arena), 0);
  writer_run(&arena);
  atomic_store(&arena.stop, true);
  for (int i = 0; i < READERS; i++)
    pthread_join(readers[i], NULL);
  ck_assert_int_eq(atomic_load(&arena.wrong), 0);
  ck_assert(vptr__tree_is_valid(&arena.tree));
  ck_assert_uint_eq(vptr__tree_count(&arena.tree), FIXED);
  vptr__tree_fini(&arena.tree);
}
END_TEST

static Suite *tree_suite(void) {
  Suite *suite = suite_create("tree");
  TCase *order = tcase_create("order");
  tcase_add_test(order, empty_tree_finds_nothing);
  tcase_add_test(order, a_key_is_held_once);
  tcase_add_test(order, the_ends_of_the_number_line_are_keys_like_others);
  tcase_add_loop_test(order, fills_and_drains_in_every_order, 0, 9);
  tcase_add_test(order, small_trees_agree_with_the_model_at_every_step);
  tcase_add_test(order, large_trees_agree_with_the_model);
  tcase_add_test(order, is_valid_sees_each_kind_of_damage);
  tcase_add_test(order, dump_names_every_key);
  suite_add_tcase(suite, order);
  TCase *memory = tcase_create("memory");
  tcase_add_test(memory, nodes_are_used_again);
  tcase_add_test(memory, fini_frees_every_node);
  tcase_add_test(memory, init_without_memory_says_so);
  tcase_add_test(memory, reserve_that_fails_changes_nothing);
  suite_add_tcase(suite, memory);
  TCase *threads = tcase_create("threads");
  tcase_add_test(threads, readers_beside_a_writer_always_find_what_stays);
  suite_add_tcase(suite, threads);
  return suite;
}

int main(void) {
  return support_run(tree_suite());
}
