/* SPDX-License-Identifier: MIT */
/* The model is two plain arrays that are never reused: what was pushed, and how much of it was popped. */
#include "support/support.h"

#include "base/memory.h"
#include "space/quarantine.h"

#include <stdlib.h>

START_TEST(a_limit_of_zero_holds_nothing) {
  vptr__quarantine quarantine;
  uintptr_t address = 7;
  vptr__quarantine_init(&quarantine, 0);
  ck_assert(!vptr__quarantine_push(&quarantine, 0x1000, 0));
  ck_assert(!vptr__quarantine_push(&quarantine, 0x1000, 1));
  ck_assert(!vptr__quarantine_pop(&quarantine, &address));
  ck_assert(!vptr__quarantine_pop_excess(&quarantine, &address));
  ck_assert_uint_eq(address, 7);
  ck_assert_ptr_null(quarantine.ring); /* off means free of cost */
  vptr__quarantine_fini(&quarantine);
}
END_TEST

START_TEST(addresses_leave_in_the_order_in_which_they_came) {
  enum { COUNT = 1000 };
  vptr__quarantine quarantine;
  uintptr_t address = 0;
  vptr__quarantine_init(&quarantine, SIZE_MAX);
  for (uintptr_t i = 0; i < COUNT; i++)
    ck_assert(vptr__quarantine_push(&quarantine, 0x1000 + i, 8));
  ck_assert_uint_eq(quarantine.count, COUNT);
  ck_assert_uint_eq(quarantine.bytes, 8 * COUNT);
  for (uintptr_t i = 0; i < COUNT; i++) {
    ck_assert(vptr__quarantine_pop(&quarantine, &address));
    ck_assert_uint_eq(address, 0x1000 + i);
  }
  ck_assert(!vptr__quarantine_pop(&quarantine, &address));
  ck_assert_uint_eq(quarantine.bytes, 0);
  vptr__quarantine_fini(&quarantine);
}
END_TEST

START_TEST(only_what_exceeds_the_limit_leaves) {
  vptr__quarantine quarantine;
  uintptr_t address = 7;
  vptr__quarantine_init(&quarantine, 100);
  ck_assert(vptr__quarantine_push(&quarantine, 1, 40));
  ck_assert(vptr__quarantine_push(&quarantine, 2, 60)); /* exactly full */
  ck_assert(!vptr__quarantine_pop_excess(&quarantine, &address));
  ck_assert_uint_eq(address, 7);
  ck_assert(vptr__quarantine_push(&quarantine, 3, 41)); /* needs both older ones out */
  ck_assert(vptr__quarantine_pop_excess(&quarantine, &address));
  ck_assert_uint_eq(address, 1);
  ck_assert(vptr__quarantine_pop_excess(&quarantine, &address));
  ck_assert_uint_eq(address, 2);
  ck_assert(!vptr__quarantine_pop_excess(&quarantine, &address));
  ck_assert_uint_eq(quarantine.bytes, 41);
  vptr__quarantine_fini(&quarantine);
}
END_TEST

START_TEST(what_exceeds_the_limit_alone_is_not_held) {
  vptr__quarantine quarantine;
  uintptr_t address = 0;
  vptr__quarantine_init(&quarantine, 100);
  ck_assert(vptr__quarantine_push(&quarantine, 1, 10));
  ck_assert(!vptr__quarantine_push(&quarantine, 2, 101));
  ck_assert(!vptr__quarantine_push(&quarantine, 2, SIZE_MAX));
  ck_assert(vptr__quarantine_push(&quarantine, 3, 100));
  ck_assert(vptr__quarantine_pop_excess(&quarantine, &address));
  ck_assert_uint_eq(address, 1);
  ck_assert(!vptr__quarantine_pop_excess(&quarantine, &address));
  vptr__quarantine_fini(&quarantine);
}
END_TEST

START_TEST(the_sum_of_bytes_does_not_wrap) {
  vptr__quarantine quarantine;
  vptr__quarantine_init(&quarantine, SIZE_MAX);
  ck_assert(vptr__quarantine_push(&quarantine, 1, SIZE_MAX - 5));
  ck_assert(!vptr__quarantine_push(&quarantine, 2, 6));
  ck_assert(vptr__quarantine_push(&quarantine, 3, 5));
  ck_assert_uint_eq(quarantine.bytes, SIZE_MAX);
  vptr__quarantine_fini(&quarantine);
}
END_TEST

/* The first entry needs memory, and each that finds the ring full; a failure keeps what was held, in its order. */
START_TEST(without_host_memory_an_address_is_not_held) {
  enum { COUNT = 300 };
  vptr__quarantine quarantine;
  uintptr_t address = 0;
  int failures = 0;
  vptr__quarantine_init(&quarantine, SIZE_MAX);
  for (uintptr_t i = 0; i < COUNT; i++) {
    vptr__memory_fail_nth(1);
    bool held = vptr__quarantine_push(&quarantine, i, 1);
    vptr__memory_fail_nth(0);
    if (!held) {
      failures++;
      ck_assert_uint_eq(quarantine.count, i);
      ck_assert_uint_eq(quarantine.bytes, i);
      ck_assert(vptr__quarantine_push(&quarantine, i, 1));
    }
  }
  ck_assert_int_gt(failures, 1);
  for (uintptr_t i = 0; i < COUNT; i++) {
    ck_assert(vptr__quarantine_pop(&quarantine, &address));
    ck_assert_uint_eq(address, i);
  }
  vptr__quarantine_fini(&quarantine);
}
END_TEST

START_TEST(fini_frees_the_entries) {
  long live = vptr__memory_live();
  vptr__quarantine quarantine;
  vptr__quarantine_init(&quarantine, SIZE_MAX);
  for (uintptr_t i = 0; i < 1000; i++)
    ck_assert(vptr__quarantine_push(&quarantine, i, 1));
  vptr__quarantine_fini(&quarantine);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

START_TEST(random_pushes_and_pops_agree_with_the_model) {
  enum { STEPS = 100000, LIMIT = 20000 };
  uintptr_t *pushed = calloc(STEPS, sizeof *pushed);
  size_t *bytes = calloc(STEPS, sizeof *bytes);
  size_t first = 0, end = 0, held = 0;
  uint64_t state = 3;
  vptr__quarantine quarantine;
  vptr__quarantine_init(&quarantine, LIMIT);
  for (int step = 0; step < STEPS; step++) {
    uint64_t random = support_random(&state);
    uintptr_t address = 0;
    size_t size = (random >> 8) % (random % 64 == 0 ? 2 * LIMIT : 100);
    bool expected;
    if (random % 16 != 1) {
      expected = size <= LIMIT;
      if (vptr__quarantine_push(&quarantine, (uintptr_t)random, size) != expected)
        ck_abort_msg("push at step %d", step);
      if (expected) {
        pushed[end] = (uintptr_t)random;
        bytes[end++] = size;
        held += size;
      }
    } else if (vptr__quarantine_pop(&quarantine, &address)) {
      held -= bytes[first];
      ck_assert_uint_eq(address, pushed[first++]);
    }
    while (vptr__quarantine_pop_excess(&quarantine, &address)) {
      if (held <= LIMIT || address != pushed[first])
        ck_abort_msg("excess at step %d", step);
      held -= bytes[first++];
    }
    if (held > LIMIT || quarantine.bytes != held || quarantine.count != end - first)
      ck_abort_msg("numbers at step %d", step);
  }
  vptr__quarantine_fini(&quarantine);
  free(pushed);
  free(bytes);
}
END_TEST

static Suite *quarantine_suite(void) {
  Suite *suite = suite_create("quarantine");
  TCase *queue = tcase_create("queue");
  tcase_add_test(queue, a_limit_of_zero_holds_nothing);
  tcase_add_test(queue, addresses_leave_in_the_order_in_which_they_came);
  tcase_add_test(queue, only_what_exceeds_the_limit_leaves);
  tcase_add_test(queue, what_exceeds_the_limit_alone_is_not_held);
  tcase_add_test(queue, the_sum_of_bytes_does_not_wrap);
  tcase_add_test(queue, without_host_memory_an_address_is_not_held);
  tcase_add_test(queue, fini_frees_the_entries);
  tcase_add_test(queue, random_pushes_and_pops_agree_with_the_model);
  suite_add_tcase(suite, queue);
  return suite;
}

int main(void) {
  return support_run(quarantine_suite());
}
