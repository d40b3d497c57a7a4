/* SPDX-License-Identifier: MIT */
/*
 * The tree that the benchmark compares with must be a good one, or the comparison flatters: random operations against
 * a plain array that tells the truth, with the rules of the tree checked on the way.
 */
#include "support/support.h"

#include "../../bench/rbtree.h"

enum { MEMBERS = 600, OPERATIONS = 40000, CHECK_EVERY = 100 };

typedef struct model {
  void *addresses[MEMBERS];
  size_t sizes[MEMBERS];
  size_t count;
} model;

static void add(rbtree *tree, model *truth, uint64_t *random) {
  size_t size = 1 + support_random(random) % 5000;
  void *address = rbtree_allocate(tree, size);
  ck_assert_ptr_nonnull(address);
  truth->addresses[truth->count] = address;
  truth->sizes[truth->count++] = size;
}

static void take_out(rbtree *tree, model *truth, uint64_t *random) {
  size_t victim = support_random(random) % truth->count;
  ck_assert(rbtree_free(tree, truth->addresses[victim]));
  ck_assert(!rbtree_free(tree, truth->addresses[victim]));
  truth->count--;
  truth->addresses[victim] = truth->addresses[truth->count];
  truth->sizes[victim] = truth->sizes[truth->count];
}

static void look_up(rbtree *tree, const model *truth, uint64_t *random) {
  size_t member = support_random(random) % truth->count;
  size_t offset = support_random(random) % truth->sizes[member];
  const char *address = (const char *)truth->addresses[member] + offset;
  vptr_location location;
  ck_assert(rbtree_resolve(tree, address, &location));
  ck_assert_ptr_eq(location.base, truth->addresses[member]);
  ck_assert_uint_eq(location.size, truth->sizes[member]);
  ck_assert_int_eq(rbtree_get_offset(tree, address), (ptrdiff_t)offset);
  const char *end = (const char *)truth->addresses[member] + truth->sizes[member];
  ck_assert(!rbtree_resolve(tree, end, &location));
}

static void step(rbtree *tree, model *truth, uint64_t *random) {
  bool grow = support_random(random) % 2 == 0;
  if (truth->count == 0 || (grow && truth->count < MEMBERS))
    add(tree, truth, random);
  else
    take_out(tree, truth, random);
  if (truth->count > 0)
    look_up(tree, truth, random);
}

START_TEST(random_operations_agree_with_an_array) {
  rbtree tree;
  static model truth;
  uint64_t random = 7;
  rbtree_init(&tree);
  for (int i = 0; i < OPERATIONS; i++) {
    step(&tree, &truth, &random);
    if (i % CHECK_EVERY == 0)
      ck_assert(rbtree_is_valid(&tree));
  }
  ck_assert_uint_eq(tree.count, truth.count);
  rbtree_fini(&tree);
}
END_TEST

START_TEST(a_broken_rule_is_noticed) {
  rbtree tree;
  rbtree_init(&tree);
  for (int i = 0; i < 100; i++)
    ck_assert_ptr_nonnull(rbtree_allocate(&tree, 16));
  ck_assert(rbtree_is_valid(&tree));
  tree.root->left->red = !tree.root->left->red;
  ck_assert(!rbtree_is_valid(&tree));
  tree.root->left->red = !tree.root->left->red;
  rbtree_fini(&tree);
}
END_TEST

static Suite *rbtree_suite(void) {
  Suite *suite = suite_create("rbtree");
  TCase *tests = tcase_create("rbtree");
  tcase_add_test(tests, random_operations_agree_with_an_array);
  tcase_add_test(tests, a_broken_rule_is_noticed);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(rbtree_suite());
}
