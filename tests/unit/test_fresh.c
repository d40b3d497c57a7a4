/* SPDX-License-Identifier: MIT */
/*
 * test_fresh - what device memory holds that the process has for the first time: zeros, or what VPTR_POISON makes of
 * it.
 *
 * What a mapper had is full of other bytes when it goes, so that a driver that gives its memory to the next one as it
 * is would be seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "support/child.h"
#include "support/support.h"

enum { SIZES = 9, ROUNDS = 4 };

static const size_t sizes[SIZES] = { 1, 100, 5000, 250 << 10, 300 << 10, 1 << 20, 3000000, (5 << 20) + 3, 40 << 20 };

static void *memory_of(vptr_mapper *mapper, size_t size) {
  void *p = NULL;
  child_require(vptr_malloc(mapper, size, &p) == VPTR_SUCCESS, vptr_last_error());
  return p;
}

static void expect_bytes(vptr_mapper *mapper, const void *p, size_t size, unsigned char value) {
  unsigned char *seen = malloc(size);
  child_require(seen != NULL, "memory for what is seen");
  child_require(vptr_memcpy(mapper, seen, p, size) == VPTR_SUCCESS, vptr_last_error());
  size_t same = 0;
  while (same < size && seen[same] == value)
    same++;
  if (same < size)
    fprintf(stderr, "byte %zu of %zu is %d, not %d\n", same, size, seen[same], value);
  child_require(same == size, "every byte is as it should be");
  free(seen);
}

static void use_all(unsigned char fresh) {
  vptr_mapper *mapper;
  child_require(vptr_mapper_create(NULL, &mapper) == VPTR_SUCCESS, vptr_last_error());
  for (int i = 0; i < SIZES; i++) {
    void *p = memory_of(mapper, sizes[i]);
    expect_bytes(mapper, p, sizes[i], fresh);
    child_require(vptr_memset(mapper, p, 0xee, sizes[i]) == VPTR_SUCCESS, vptr_last_error());
  }
  child_require(vptr_mapper_destroy(mapper) == VPTR_SUCCESS, vptr_last_error());
}

/* Memory of the process's own that was used may become the device's, where that is the host's. */
static void leave_dirt(void) {
  void *dirt[64];
  for (int i = 0; i < 64; i++)
    if ((dirt[i] = malloc((size_t)1000 << i % 12)) != NULL)
      memset(dirt[i], 0xdd, (size_t)1000 << i % 12);
  for (int i = 0; i < 64; i++)
    free(dirt[i]);
}

static void use_poison(void) {
  child_set("VPTR_POISON", "1");
  leave_dirt();
  for (long i = support_rounds(ROUNDS); i > 0; i--)
    use_all(0xff);
}

/* First, while the process has not used the library. */
START_TEST(with_poison_it_is_full_of_it) {
  child poisoned;
  child_run(use_poison, &poisoned);
  ck_assert_msg(poisoned.exited && poisoned.exit_code == 0, "%s", poisoned.text);
}
END_TEST

START_TEST(it_is_zero) {
  leave_dirt();
  for (long i = support_rounds(ROUNDS); i > 0; i--)
    use_all(0);
}
END_TEST

static Suite *fresh_suite(void) {
  Suite *suite = suite_create("fresh");
  TCase *fresh = tcase_create("fresh");
  tcase_add_test(fresh, with_poison_it_is_full_of_it);
  tcase_add_test(fresh, it_is_zero);
  suite_add_tcase(suite, fresh);
  return suite;
}

int main(void) {
  return support_run(fresh_suite());
}
