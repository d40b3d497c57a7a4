/* SPDX-License-Identifier: MIT */
/*
 * standby - devices that vptr_keep_device() keeps open while the mapper is on another one: moves there and from there
 * open and close none, failing calls lose none, and what is kept no longer is closed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/proxy.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum { BYTES = 100001, THREADS = 3, MOST = 3000 };

static vptr_mapper *mapper;
static unsigned char *block, host[BYTES];

static void make_mapper(unsigned flags) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  config.flags = flags;
  support_succeed(vptr_mapper_create(&config, &mapper));
}

static unsigned char byte_of(size_t at) {
  return (unsigned char)(at * 31 + at / 4096 + 1);
}

static void set_up(void) {
  void *ptr;
  make_mapper(VPTR_CONFIG_MIGRATE);
  support_succeed(vptr_malloc(mapper, BYTES, &ptr));
  block = ptr;
  for (size_t at = 0; at < BYTES; at++)
    host[at] = byte_of(at);
  support_succeed(vptr_memcpy(mapper, block, host, BYTES));
}

static void tear_down(void) {
  faults_pull();
  vptr__memory_fail_nth(0);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static void expect_bytes(void) {
  support_succeed(vptr_memset(mapper, block, byte_of(0), 1)); /* it can be written, too */
  support_succeed(vptr_memcpy(mapper, host, block, BYTES));
  for (size_t at = 0; at < BYTES; at++)
    support_must(host[at] == byte_of(at));
}

static const vptr__device *inner(void) {
  return mapper->device->proxy->inner->device;
}

/* Released queues go when their work has. */
static void expect_objects(size_t expected) {
  for (int i = 0; i < 2000 && faults_objects() != expected; i++)
    usleep(1000);
  ck_assert_uint_eq(faults_objects(), expected);
}

/* ---- keeping -------------------------------------------------------------------------------------------- */

START_TEST(moves_are_between_the_same_two) {
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  const vptr__device *first = inner();
  support_succeed(vptr_migrate(mapper, NULL)); /* the device is the mapper's own, in a second context */
  const vptr__device *second = inner();
  ck_assert_ptr_ne(first, second);
  for (int round = 0; round < 4; round++) {
    support_succeed(vptr_migrate(mapper, NULL));
    ck_assert_ptr_eq(inner(), round % 2 == 0 ? first : second);
    expect_bytes();
  }
}
END_TEST

START_TEST(what_is_kept_no_longer_is_closed) {
  const size_t alone = faults_objects();
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  expect_objects(alone); /* the mapper is on it */
  support_succeed(vptr_migrate(mapper, NULL));
  ck_assert(!faults_can() || faults_objects() > alone);
  const size_t both = faults_objects();
  support_succeed(vptr_migrate(mapper, NULL));
  expect_objects(both);
  support_succeed(vptr_keep_device(mapper, NULL, 0));
  expect_objects(alone);
  support_succeed(vptr_keep_device(mapper, NULL, 0));
  support_succeed(vptr_migrate(mapper, NULL));
  expect_objects(alone);
  expect_bytes();
}
END_TEST

/* With the devices goes what copies from one to the other: there and back, until a larger buffer wants more of it. */
START_TEST(what_copies_is_kept_with_them) {
  void *larger;
  support_succeed(vptr_migrate(mapper, NULL));
  ck_assert_ptr_null(mapper->standby.ring.copy);
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  support_succeed(vptr_migrate(mapper, NULL));
  const void *ring = mapper->standby.ring.copy;
  ck_assert_ptr_nonnull(ring);
  const size_t both = faults_objects();
  for (int round = 0; round < 4; round++) {
    support_succeed(vptr_migrate(mapper, NULL));
    ck_assert_ptr_eq(mapper->standby.ring.copy, ring);
    expect_bytes();
    expect_objects(both);
  }
  support_succeed(vptr_malloc(mapper, (size_t)16 << 20, &larger));
  support_succeed(vptr_memset(mapper, larger, 7, (size_t)16 << 20));
  support_succeed(vptr_migrate(mapper, NULL));
  ck_assert_ptr_nonnull(mapper->standby.ring.copy);
  expect_bytes();
  support_succeed(vptr_keep_device(mapper, NULL, 0));
  ck_assert_ptr_null(mapper->standby.ring.copy);
  support_succeed(vptr_migrate(mapper, NULL));
  ck_assert_ptr_null(mapper->standby.ring.copy);
  expect_bytes();
}
END_TEST

START_TEST(a_lost_device_is_kept_no_longer) {
  const size_t alone = faults_objects();
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  support_succeed(vptr_migrate(mapper, NULL));
  support_succeed(vptr_migrate_lost(mapper, NULL, NULL, NULL));
  ck_assert_ptr_null(mapper->standby.ring.copy);
  support_succeed(vptr_keep_device(mapper, NULL, 0));
  expect_objects(alone);
  support_succeed(vptr_migrate(mapper, NULL));
  expect_objects(alone);
}
END_TEST

START_TEST(a_mapper_that_stays_keeps_none) {
  support_succeed(vptr_mapper_destroy(mapper));
  make_mapper(0);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_keep_device(mapper, NULL, 1));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_keep_device: the mapper on "));
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_keep_device(mapper, NULL, 0));
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

START_TEST(every_call_of_a_move_may_fail) {
  bool may_fail = true;
  long n = 0;
  if (!faults_can())
    return;
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  support_succeed(vptr_migrate(mapper, NULL));
  const size_t both = faults_objects();
  while (may_fail && n < MOST) {
    const vptr__device *before = inner();
    faults_plant(++n, CL_OUT_OF_RESOURCES);
    vptr_status status = vptr_migrate(mapper, NULL);
    may_fail = faults_pull();
    ck_assert_int_eq(status == VPTR_SUCCESS, inner() != before);
    expect_objects(both);
    expect_bytes();
  }
  ck_assert_int_lt(n, MOST);
}
END_TEST

START_TEST(every_allocation_of_keeping_may_fail) {
  bool may_fail = true;
  support_succeed(vptr_keep_device(mapper, NULL, 1));
  support_succeed(vptr_migrate(mapper, NULL));
  support_succeed(vptr_keep_device(mapper, NULL, 0));
  for (long n = 1; may_fail; n++) {
    ck_assert_int_lt(n, MOST);
    vptr__memory_fail_nth(n);
    may_fail = vptr_keep_device(mapper, NULL, 1) != VPTR_SUCCESS;
    vptr__memory_fail_nth(0);
    support_succeed(vptr_keep_device(mapper, NULL, 0));
  }
  expect_bytes();
}
END_TEST

/* The second of those that are chosen, or NULL: there is one. */
static cl_device_id another_device(void) {
  const vptr__device_entry *entries;
  int count = 0, seen = 0;
  support_succeed(vptr__device_list(&entries, &count));
  for (int i = 0; i < count; i++)
    if (entries[i].chosen && seen++ == 1)
      return entries[i].cl_device;
  return NULL;
}

START_TEST(another_device_is_opened_at_once_or_not_kept) {
  const cl_device_id other = another_device();
  bool may_fail = faults_can();
  if (other == NULL)
    return;
  const size_t alone = faults_objects();
  for (long n = 1; may_fail; n++) {
    ck_assert_int_lt(n, MOST);
    faults_plant(n, CL_OUT_OF_RESOURCES);
    vptr_status status = vptr_keep_device(mapper, other, 1);
    may_fail = faults_pull();
    if (status != VPTR_SUCCESS)
      expect_objects(alone);
    support_succeed(vptr_keep_device(mapper, other, 0));
    expect_objects(alone);
  }
  support_succeed(vptr_keep_device(mapper, other, 1));
  ck_assert(!faults_can() || faults_objects() > alone);
  support_succeed(vptr_migrate(mapper, other));
  ck_assert_ptr_eq(inner()->cl_device, other);
  expect_bytes();
  support_succeed(vptr_migrate(mapper, NULL));
  expect_bytes();
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static atomic_bool is_over;

static void *keep_and_not(void *context) {
  for (int i = 0; !atomic_load(&is_over); i++)
    support_must(vptr_keep_device(mapper, NULL, i % 3 != 0) == VPTR_SUCCESS);
  return context;
}

START_TEST(others_keep_and_do_not_while_it_moves) {
  const size_t alone = faults_objects();
  const int rounds = (int)support_rounds(60);
  pthread_t threads[THREADS];
  atomic_store(&is_over, false);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, keep_and_not, NULL), 0);
  for (int round = 0; round < rounds; round++)
    support_succeed(vptr_migrate(mapper, NULL));
  atomic_store(&is_over, true);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  expect_bytes();
  support_succeed(vptr_keep_device(mapper, NULL, 0));
  expect_objects(alone);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("standby");
  faults_begin();
  TCase *tests = tcase_create("standby");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, moves_are_between_the_same_two);
  tcase_add_test(tests, what_is_kept_no_longer_is_closed);
  tcase_add_test(tests, what_copies_is_kept_with_them);
  tcase_add_test(tests, a_lost_device_is_kept_no_longer);
  tcase_add_test(tests, a_mapper_that_stays_keeps_none);
  tcase_add_test(tests, every_call_of_a_move_may_fail);
  tcase_add_test(tests, every_allocation_of_keeping_may_fail);
  tcase_add_test(tests, another_device_is_opened_at_once_or_not_kept);
  tcase_add_test(tests, others_keep_and_do_not_while_it_moves);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
