/* SPDX-License-Identifier: MIT */
/* pool - memory in the order of streams: when it is used again, what is counted, what is refused, what is given
 * back. */
#include <malloc.h>
#include <pthread.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "pool/pool.h"
#include "support/support.h"

enum { KIB = 1024 };

static vptr_mapper *mapper;
static vptr__pool *pool;
static vptr__stream *a, *b;

static void open_with(size_t quarantine) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  config.quarantine_bytes = quarantine;
  support_succeed(vptr_mapper_create(&config, &mapper));
  support_succeed(vptr__pool_default(mapper, &pool));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &a));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &b));
}

static void setup(void) {
  open_with(0);
}

/* A stream that is busy until its gate is opened. */
typedef struct gate {
  pthread_mutex_t mutex;
  pthread_cond_t opened;
  bool is_open, is_reached;
} gate;

/* Not on a test's stack: who waits at it leaves after the test may have ended. */
static gate the_gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false };

static void open_gate(void) {
  pthread_mutex_lock(&the_gate.mutex);
  the_gate.is_open = true;
  pthread_cond_broadcast(&the_gate.opened);
  pthread_mutex_unlock(&the_gate.mutex);
}

/* A test that failed may have left the gate closed, and a stream waiting there. */
static void teardown(void) {
  open_gate();
  support_succeed(vptr__pool_check(mapper));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static void *allocate(size_t size, vptr__stream *stream) {
  void *ptr = NULL;
  support_succeed(vptr__pool_allocate(pool, size, stream, NULL, &ptr));
  return ptr;
}

static void release(void *ptr, vptr__stream *stream) {
  support_succeed(vptr__pool_free(mapper, ptr, stream, "test"));
}

static vptr__pool_stats stats(void) {
  vptr__pool_stats now;
  vptr__pool_get_stats(pool, &now);
  return now;
}

static void wait_for(vptr__stream *stream) {
  vptr__pool_before_wait(mapper, stream);
  support_succeed(stream != NULL ? vptr__stream_synchronize(stream) : vptr__stream_synchronize_all(mapper));
  vptr__pool_after_wait(mapper);
}

static void wait_at(vptr_status status, void *context) {
  gate *gate = context;
  (void)status;
  pthread_mutex_lock(&gate->mutex);
  gate->is_reached = true;
  pthread_cond_broadcast(&gate->opened);
  while (!gate->is_open)
    pthread_cond_wait(&gate->opened, &gate->mutex);
  pthread_mutex_unlock(&gate->mutex);
}

static void block(vptr__stream *stream) {
  pthread_mutex_lock(&the_gate.mutex);
  the_gate.is_open = the_gate.is_reached = false;
  pthread_mutex_unlock(&the_gate.mutex);
  support_succeed(vptr__stream_host(stream, wait_at, &the_gate));
}

/* Until the stream that was blocked stands at the gate: what its thread asks of the device before is behind it. */
static void wait_until_reached(void) {
  pthread_mutex_lock(&the_gate.mutex);
  while (!the_gate.is_reached)
    pthread_cond_wait(&the_gate.opened, &the_gate.mutex);
  pthread_mutex_unlock(&the_gate.mutex);
}

/* ---- reuse ---------------------------------------------------------------------------------------------- */

START_TEST(the_same_stream_gets_it_again_at_once_without_a_call_of_the_device) {
  const size_t sizes[] = { 1, 1000, 200 * KIB, 5000 * KIB };
  block(a);
  wait_until_reached();
  for (size_t i = 0; i < 4; i++) {
    void *first = allocate(sizes[i], a);
    release(first, a);
    vptr__fake_counts before, after;
    vptr__fake_get_counts(&before);
    for (int round = 0; round < 100; round++) {
      void *again = allocate(sizes[i], a);
      ck_assert_ptr_eq(again, first);
      release(again, a);
    }
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(before.operations, after.operations);
  }
  open_gate();
  wait_for(NULL);
}
END_TEST

START_TEST(another_stream_gets_it_only_when_the_work_is_done) {
  void *first = allocate(1000, a);
  block(a);
  release(first, a);
  void *other = allocate(1000, b);
  ck_assert_ptr_ne(other, first);
  open_gate();
  support_succeed(vptr__stream_synchronize(a));
  ck_assert_ptr_eq(allocate(1000, b), first);
}
END_TEST

START_TEST(nothing_is_taken_from_others_unless_it_is_allowed) {
  vptr__pool_change_flags(pool, VPTR__POOL_ALL_REUSE, 0);
  void *first = allocate(1000, a);
  release(first, a);
  support_succeed(vptr__stream_synchronize(a));
  ck_assert_ptr_ne(allocate(1000, b), first);
  vptr__pool_change_flags(pool, VPTR__POOL_ALL_REUSE, VPTR__POOL_OPPORTUNISTIC);
  if (allocate(1000, b) == first)
    return;
  support_succeed(vptr__stream_synchronize(a)); /* the event that the look put there */
  ck_assert_ptr_eq(allocate(1000, b), first);
}
END_TEST

START_TEST(a_stream_that_waits_for_the_free_gets_it_at_once) {
  vptr__event *event;
  support_succeed(vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &event));
  void *first = allocate(1000, a), *second = allocate(1000, a);
  block(a);
  release(first, a);
  support_succeed(vptr__pool_event_record(event, a));
  release(second, a); /* behind the event */
  support_succeed(vptr__pool_stream_wait(b, event));
  vptr__pool_change_flags(pool, VPTR__POOL_ALL_REUSE, VPTR__POOL_ALL_REUSE & ~VPTR__POOL_FOLLOW);
  void *neither = allocate(1000, b);
  ck_assert(neither != first && neither != second);
  vptr__pool_change_flags(pool, VPTR__POOL_ALL_REUSE, VPTR__POOL_ALL_REUSE);
  ck_assert_ptr_eq(allocate(1000, b), first);
  ck_assert_ptr_ne(allocate(1000, b), second);
  open_gate();
  support_succeed(vptr__pool_event_destroy(event));
}
END_TEST

START_TEST(an_event_that_was_recorded_anew_tells_of_its_new_place_alone) {
  vptr__event *event;
  support_succeed(vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &event));
  void *first = allocate(1000, a);
  block(a);
  release(first, a);
  support_succeed(vptr__pool_event_record(event, a));
  support_succeed(vptr__pool_event_record(event, b));
  support_succeed(vptr__pool_stream_wait(b, event));
  ck_assert_ptr_ne(allocate(1000, b), first);
  open_gate();
  support_succeed(vptr__pool_event_destroy(event));
}
END_TEST

START_TEST(before_it_fails_an_allocation_waits_in_the_stream_or_on_the_host) {
  vptr__pool *small;
  support_succeed(vptr__pool_create(mapper, 1024 * KIB, &small));
  pool = small;
  void *first = allocate(1000 * KIB, a), *refused = NULL;
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr__pool_allocate(pool, 1000 * KIB, b, NULL, &refused));
  ck_assert_ptr_null(refused);
  block(a);
  release(first, a);
  ck_assert_ptr_eq(allocate(1000 * KIB, b), first); /* a is still busy: b waits in its queue */
  ck_assert_int_eq(vptr__stream_query(b), VPTR_ERROR_NOT_READY);
  open_gate();
  release(first, b);
  void *smaller = allocate(500 * KIB, b); /* fits no held block: everything is waited for and given up */
  ck_assert_uint_eq(stats().reserved, 500 * KIB);
  release(smaller, b);
  support_succeed(vptr__pool_destroy(small));
}
END_TEST

START_TEST(a_destroyed_stream_leaves_its_memory_to_others_when_it_is_done) {
  void *first = allocate(1000, a);
  block(a);
  release(first, a);
  support_succeed(vptr__stream_destroy(a));
  ck_assert_ptr_ne(allocate(1000, b), first);
  open_gate();
  wait_for(NULL);
  ck_assert_ptr_eq(allocate(1000, b), first);
}
END_TEST

START_TEST(with_a_quarantine_nothing_is_used_again) {
  support_succeed(vptr_mapper_destroy(mapper));
  open_with((size_t)1 << 20);
  void *first = allocate(1000, a);
  release(first, a);
  ck_assert_ptr_ne(allocate(1000, a), first);
  wait_for(NULL);
  ck_assert_ptr_ne(allocate(1000, a), first);
  ck_assert_uint_eq(stats().used, 2000);
}
END_TEST

/* ---- verdicts ------------------------------------------------------------------------------------------- */

START_TEST(a_free_ends_the_allocation_for_the_host) {
  vptr_location location;
  char *ptr = allocate(1000, a);
  support_succeed(vptr_resolve(mapper, ptr + 999, 1, &location));
  uint64_t serial = location.serial;
  release(ptr, a);
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, ptr, 1, &location));
  support_expect(VPTR_ERROR_FREED, vptr__pool_free(mapper, ptr, a, "twice"));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "twice"));
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, ptr));
  ck_assert_ptr_eq(allocate(900, a), ptr);
  support_succeed(vptr_resolve(mapper, ptr, 900, &location));
  ck_assert(location.serial > serial && location.size == 900);
  support_expect(VPTR_ERROR_PAST_END, vptr_resolve(mapper, ptr + 900, 1, &location));
}
END_TEST

START_TEST(only_the_start_of_live_memory_is_freed) {
  char *small = allocate(1000, a), *large = allocate(3000 * KIB, a), local;
  support_expect(VPTR_ERROR_INTERIOR, vptr__pool_free(mapper, small + 1, a, "test"));
  support_expect(VPTR_ERROR_INTERIOR, vptr__pool_free(mapper, large + 4096, a, "test"));
  support_expect(VPTR_ERROR_PAST_END, vptr__pool_free(mapper, small + 1000, a, "test"));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pool_free(mapper, &local, a, "test"));
  void *host;
  support_succeed(vptr_map(mapper, small, 10, VPTR_ACCESS_READ_WRITE, &host));
  support_expect(VPTR_ERROR_MAPPED, vptr__pool_free(mapper, small, a, "test"));
  support_succeed(vptr_unmap(mapper, host));
  ck_assert_uint_eq(stats().used, 1000 + 3000 * KIB);
  release(small, a);
  release(large, b);
}
END_TEST

START_TEST(any_memory_can_be_freed_either_way) {
  void *plain, *pooled = allocate(1000, a);
  vptr_location location;
  support_succeed(vptr_malloc(mapper, 1000, &plain));
  block(a);
  release(plain, a);
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, plain, 1, &location));
  void *next;
  support_succeed(vptr_malloc(mapper, 1000, &next));
  ck_assert_ptr_ne(next, plain); /* a may still use it */
  open_gate();
  wait_for(a);
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, plain));
  support_succeed(vptr_malloc(mapper, 1000, &next));
  ck_assert_ptr_eq(next, plain);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_free_no_reuse(mapper, pooled));
  support_succeed(vptr_free(mapper, pooled));
  ck_assert_uint_eq(stats().used, 0);
  ck_assert_uint_eq(stats().reserved, 0);
  support_expect(VPTR_ERROR_FREED, vptr__pool_free(mapper, pooled, a, "test"));
}
END_TEST

START_TEST(clear_ends_what_pools_hold_and_pools_go_on) {
  void *first = allocate(1000, a);
  release(allocate(2000, b), b);
  support_succeed(vptr_clear(mapper));
  ck_assert_uint_eq(stats().used, 0);
  ck_assert_uint_eq(stats().reserved, 0);
  support_expect(VPTR_ERROR_FREED, vptr__pool_free(mapper, first, a, "test"));
  release(allocate(1000, a), a);
}
END_TEST

/* ---- accounts ------------------------------------------------------------------------------------------- */

START_TEST(used_and_reserved_bytes_are_exact) {
  vptr__pool_set_threshold(pool, UINT64_MAX);
  void *small = allocate(1000, a), *large = allocate(3000 * KIB + 1, a);
  ck_assert_uint_eq(stats().used, 1000 + 3000 * KIB + 1);
  uint64_t reserved = stats().reserved;
  ck_assert_uint_eq(reserved, 1024 + 3004 * KIB);
  release(small, a);
  ck_assert_uint_eq(stats().used, 3000 * KIB + 1);
  ck_assert_uint_eq(stats().reserved, reserved);
  release(large, a);
  wait_for(a);
  ck_assert_uint_eq(stats().used, 0);
  ck_assert_uint_eq(stats().reserved, reserved);
  ck_assert_uint_eq(stats().used_high, 1000 + 3000 * KIB + 1);
  vptr__pool_reset_used_high(pool);
  ck_assert_uint_eq(stats().used_high, 0);
  vptr__pool_trim(pool, reserved - 1);
  ck_assert_uint_eq(stats().reserved, 3004 * KIB); /* the longest unused went first */
  vptr__pool_trim(pool, 0);
  ck_assert_uint_eq(stats().reserved, 0);
  ck_assert_uint_eq(stats().reserved_high, reserved);
  vptr__pool_reset_reserved_high(pool);
  ck_assert_uint_eq(stats().reserved_high, 0);
}
END_TEST

START_TEST(the_threshold_holds_when_the_program_waits) {
  vptr__pool_set_threshold(pool, 5000 * KIB);
  void *blocks[3];
  for (int i = 0; i < 3; i++)
    blocks[i] = allocate(3000 * KIB, a);
  block(a);
  for (int i = 0; i < 3; i++)
    release(blocks[i], a);
  wait_for(b); /* says nothing about a */
  ck_assert_uint_eq(stats().reserved, 9000 * KIB);
  open_gate();
  wait_for(a);
  ck_assert_uint_eq(stats().reserved, 3000 * KIB);
}
END_TEST

START_TEST(waiting_for_an_event_settles_what_was_freed_before_it) {
  vptr__event *event;
  support_succeed(vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &event));
  release(allocate(3000 * KIB, a), a);
  support_succeed(vptr__pool_event_record(event, a));
  void *later = allocate(4000 * KIB, a);
  block(a);
  release(later, a);
  support_succeed(vptr__event_synchronize(event));
  vptr__pool_after_event(event);
  ck_assert_uint_eq(stats().reserved, 4000 * KIB);
  open_gate();
  support_succeed(vptr__pool_event_destroy(event));
}
END_TEST

START_TEST(a_destroyed_pool_goes_with_its_last_memory) {
  vptr__pool *other, *current, *standard = pool;
  support_succeed(vptr__pool_create(mapper, 0, &other));
  vptr__pool_make_current(other);
  pool = other;
  void *first = allocate(1000, a), *second = allocate(2000, b);
  release(first, a);
  support_succeed(vptr__pool_destroy(other));
  ck_assert(!vptr__pool_is_live(other));
  support_succeed(vptr__pool_current(mapper, &current));
  ck_assert_ptr_eq(current, standard);
  release(second, b);
  wait_for(NULL);
  ck_assert_uint_eq(vptr_count(mapper), 0);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pool_destroy(standard));
  ck_assert(vptr__pool_is_live(standard) && !vptr__pool_is_live(NULL) && !vptr__pool_is_live(&other));
  pool = standard;
}
END_TEST

static const vptr__device_ops *true_ops;
static vptr__device_ops destroying_ops;

/* What another thread may do while an allocation waits for the device: it ends the pool that the allocation found. */
static vptr_status destroy_current_and_create(vptr__device *device, size_t bytes, unsigned char byte,
                                              cl_mem *buffer_out) {
  vptr__pool *current;
  mapper->device->ops = true_ops;
  support_succeed(vptr__pool_current(mapper, &current));
  support_succeed(vptr__pool_destroy(current));
  return true_ops->memory.create_set(device, bytes, byte, buffer_out);
}

START_TEST(the_current_pool_may_be_destroyed_while_an_allocation_looks_in_it) {
  vptr__pool *other, *standard = pool;
  void *ptr;
  mallopt(M_PERTURB, 0xa5); /* memory that was freed has other bytes */
  support_succeed(vptr__pool_create(mapper, 0, &other));
  vptr__pool_make_current(other);
  true_ops = mapper->device->ops;
  destroying_ops = *true_ops;
  destroying_ops.memory.create_set = destroy_current_and_create;
  mapper->device->ops = &destroying_ops;
  support_succeed(vptr__pool_allocate(NULL, 1024 * KIB, a, NULL, &ptr));
  ck_assert(!vptr__pool_is_live(other));
  support_succeed(vptr__pool_check(mapper));
  release(ptr, a);
  wait_for(NULL);
  ck_assert_uint_eq(vptr_count(mapper), 0);
  ck_assert_ptr_eq(pool, standard);
}
END_TEST

START_TEST(a_full_device_gets_back_what_pools_hold) {
  teardown();
  setenv("VPTR_FAKE_BYTES", "64M", 1);
  setup();
  vptr__pool_set_threshold(pool, UINT64_MAX);
  release(allocate(40 << 20, a), a);
  void *ptr;
  support_succeed(vptr_malloc(mapper, 50 << 20, &ptr));
  support_succeed(vptr_free(mapper, ptr));
  release(allocate(40 << 20, a), a);
  release(allocate(50 << 20, b), b);
  unsetenv("VPTR_FAKE_BYTES");
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

/* Everything that may fail, once; a failure is a status, and the pools are in order after it. */
static void scenario(void) {
  vptr__event *event = NULL;
  vptr__pool *other = NULL;
  void *first = NULL, *second = NULL, *plain = NULL;
  vptr__pool_allocate(pool, 1000, a, NULL, &first);
  vptr__pool_allocate(pool, 500 * KIB, b, NULL, &second);
  vptr_malloc(mapper, 1000, &plain);
  if (vptr__event_create(mapper, 0, &event) == VPTR_SUCCESS) {
    if (first != NULL && vptr__pool_free(mapper, first, a, "test") == VPTR_SUCCESS)
      first = NULL;
    vptr__pool_event_record(event, a);
    vptr__pool_stream_wait(b, event);
    vptr__pool_event_destroy(event);
  }
  if (second != NULL && vptr__pool_free(mapper, second, b, "test") != VPTR_SUCCESS)
    vptr_free(mapper, second);
  if (plain != NULL && vptr__pool_free(mapper, plain, b, "test") != VPTR_SUCCESS)
    vptr_free(mapper, plain);
  if (vptr__pool_create(mapper, 0, &other) == VPTR_SUCCESS) {
    void *third = NULL;
    vptr__pool_allocate(other, 1000, b, NULL, &third);
    vptr__pool_destroy(other);
    if (third != NULL && vptr__pool_free(mapper, third, b, "test") != VPTR_SUCCESS)
      vptr_free(mapper, third);
  }
  vptr__pool_before_wait(mapper, NULL);
  vptr__stream_synchronize_all(mapper);
  vptr__pool_after_wait(mapper);
  vptr__pool_trim(pool, 0);
  if (first != NULL)
    vptr_free(mapper, first);
}

START_TEST(every_failure_of_the_device_and_of_memory_is_survived) {
  support_succeed(vptr_mapper_destroy(mapper));
  for (long n = 1; n <= 120; n++) {
    setup();
    if (n % 2 != 0)
      vptr__fake_fail_nth((n + 1) / 2, CL_OUT_OF_RESOURCES);
    else
      vptr__memory_fail_nth(n / 2);
    scenario();
    vptr__fake_fail_nth(0, 0);
    vptr__memory_fail_nth(0);
    vptr__stream_synchronize_all(mapper);
    support_succeed(vptr__pool_check(mapper));
    scenario();
    wait_for(NULL);
    ck_assert_uint_eq(stats().reserved, stats().used);
    teardown();
  }
  setup();
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static void *churn(void *argument) {
  uint64_t random = (uintptr_t)argument;
  vptr__stream *stream;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  for (int i = 0; i < 1500; i++) {
    void *ptr = NULL;
    vptr_status status = vptr__pool_allocate(pool, 1 + support_random(&random) % 3000, stream, NULL, &ptr);
    support_must(status == VPTR_SUCCESS);
    uint64_t kind = support_random(&random) % 64;
    status = kind == 0 ? vptr_free(mapper, ptr) : vptr__pool_free(mapper, ptr, kind < 32 ? stream : a, "test");
    support_must(status == VPTR_SUCCESS);
    if (kind == 1)
      wait_for(stream);
    if (kind == 2)
      vptr__pool_trim(pool, 0);
  }
  support_succeed(vptr__stream_destroy(stream));
  return NULL;
}

START_TEST(threads_share_pools) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  wait_for(NULL);
  ck_assert_uint_eq(stats().used, 0);
  ck_assert_uint_eq(stats().reserved, 0);
}
END_TEST

static Suite *pool_suite(void) {
  Suite *suite = suite_create("pool");
  TCase *cases = tcase_create("pool");
  tcase_add_checked_fixture(cases, setup, teardown);
  tcase_add_test(cases, another_stream_gets_it_only_when_the_work_is_done);
  tcase_add_test(cases, nothing_is_taken_from_others_unless_it_is_allowed);
  tcase_add_test(cases, a_stream_that_waits_for_the_free_gets_it_at_once);
  tcase_add_test(cases, an_event_that_was_recorded_anew_tells_of_its_new_place_alone);
  tcase_add_test(cases, before_it_fails_an_allocation_waits_in_the_stream_or_on_the_host);
  tcase_add_test(cases, a_destroyed_stream_leaves_its_memory_to_others_when_it_is_done);
  tcase_add_test(cases, with_a_quarantine_nothing_is_used_again);
  tcase_add_test(cases, a_free_ends_the_allocation_for_the_host);
  tcase_add_test(cases, only_the_start_of_live_memory_is_freed);
  tcase_add_test(cases, any_memory_can_be_freed_either_way);
  tcase_add_test(cases, clear_ends_what_pools_hold_and_pools_go_on);
  tcase_add_test(cases, used_and_reserved_bytes_are_exact);
  tcase_add_test(cases, the_threshold_holds_when_the_program_waits);
  tcase_add_test(cases, waiting_for_an_event_settles_what_was_freed_before_it);
  tcase_add_test(cases, a_destroyed_pool_goes_with_its_last_memory);
  tcase_add_test(cases, the_current_pool_may_be_destroyed_while_an_allocation_looks_in_it);
  tcase_add_test(cases, threads_share_pools);
  if (!support_has_opencl()) {
    tcase_add_test(cases, the_same_stream_gets_it_again_at_once_without_a_call_of_the_device);
    tcase_add_test(cases, a_full_device_gets_back_what_pools_hold);
    TCase *faults = tcase_create("faults");
    tcase_add_checked_fixture(faults, setup, teardown);
    tcase_add_test(faults, every_failure_of_the_device_and_of_memory_is_survived);
    suite_add_tcase(suite, faults);
  }
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(pool_suite());
}
