/* SPDX-License-Identifier: MIT */
/*
 * stream - streams, events and host functions, one promise at a time; the order between streams is test_stream_order's.
 *
 * A gate is a host function that waits to be opened: what is behind it in its stream is pending for as long as a test
 * needs it to be.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"

static vptr_mapper *mapper;

static void make_mapper(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  support_succeed(vptr_mapper_create(&config, &mapper));
}

static void destroy_mapper(void) {
  support_succeed(vptr_mapper_destroy(mapper));
}

static vptr__stream *make_stream(unsigned flags) {
  vptr__stream *stream = NULL;
  support_succeed(vptr__stream_create(mapper, flags, 0, &stream));
  return stream;
}

static vptr__stream *legacy(void) {
  vptr__stream *stream = NULL;
  support_succeed(vptr__stream_legacy(mapper, &stream));
  return stream;
}

static vptr__event *make_event(unsigned flags) {
  vptr__event *event = NULL;
  support_succeed(vptr__event_create(mapper, flags, &event));
  return event;
}

/* ---- gates ---------------------------------------------------------------------------------------------- */

static void shut(support_gate *gate, vptr__stream *stream) {
  *gate = (support_gate){ false, false };
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, gate));
}

static void await_reached(support_gate *gate) {
  while (!atomic_load(&gate->reached))
    usleep(50);
}

static void open_gate(support_gate *gate) {
  atomic_store(&gate->opened, true);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

START_TEST(a_stream_tells_what_it_is) {
  vptr__stream *plain, *urgent;
  support_succeed(vptr__stream_create(mapper, 0, 7, &plain));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, -99, &urgent));
  ck_assert_int_eq(vptr__stream_priority(plain), 0);
  ck_assert_int_eq(vptr__stream_priority(urgent), VPTR__STREAM_PRIORITY_HIGH);
  ck_assert_uint_eq(vptr__stream_flags(plain), 0);
  ck_assert_uint_eq(vptr__stream_flags(urgent), VPTR__STREAM_NON_BLOCKING);
  ck_assert_ptr_eq(vptr__stream_mapper(plain), mapper);
  ck_assert(vptr__stream_id(plain) != vptr__stream_id(urgent));
  ck_assert(!vptr__stream_is_legacy(plain) && vptr__stream_is_legacy(legacy()));
  support_succeed(vptr__stream_destroy(plain));
  support_succeed(vptr__stream_destroy(urgent));
}
END_TEST

START_TEST(unknown_flags_are_refused) {
  vptr__stream *stream = (vptr__stream *)1;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__stream_create(mapper, 2, 0, &stream));
  ck_assert_ptr_eq(stream, (vptr__stream *)1);
}
END_TEST

START_TEST(only_live_handles_are_live) {
  vptr__stream *stream = make_stream(0);
  vptr__event *event = make_event(0);
  ck_assert(vptr__stream_is_live(stream) && vptr__stream_is_live(legacy()) && vptr__event_is_live(event));
  ck_assert(!vptr__stream_is_live(event) && !vptr__event_is_live(stream));
  ck_assert(!vptr__stream_is_live(NULL) && !vptr__stream_is_live((void *)3) && !vptr__stream_is_live(&stream));
  ck_assert(!vptr__stream_is_live((char *)stream + 1) && !vptr__stream_is_live((void *)UINTPTR_MAX));
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr__event_destroy(event));
  ck_assert(!vptr__stream_is_live(stream) && !vptr__event_is_live(event));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__stream_destroy(stream));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__event_destroy(event));
}
END_TEST

START_TEST(default_streams_cannot_be_destroyed) {
  vptr__stream *own, *again;
  support_succeed(vptr__stream_per_thread(mapper, &own));
  support_succeed(vptr__stream_per_thread(mapper, &again));
  ck_assert_ptr_eq(own, again);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__stream_destroy(own));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__stream_destroy(legacy()));
  ck_assert(vptr__stream_is_live(own) && vptr__stream_is_live(legacy()));
}
END_TEST

static void *get_own(void *context) {
  vptr__stream *stream = NULL;
  (void)context;
  return vptr__stream_per_thread(mapper, &stream) == VPTR_SUCCESS ? stream : NULL;
}

START_TEST(a_thread_has_its_own_stream_which_ends_with_it) {
  pthread_t thread;
  void *theirs = NULL;
  vptr__stream *mine;
  support_succeed(vptr__stream_per_thread(mapper, &mine));
  ck_assert_int_eq(pthread_create(&thread, NULL, get_own, NULL), 0);
  pthread_join(thread, &theirs);
  ck_assert_ptr_nonnull(theirs);
  ck_assert_ptr_ne(theirs, mine);
  ck_assert(!vptr__stream_is_live(theirs));
}
END_TEST

START_TEST(a_threads_stream_outlives_no_mapper) {
  vptr__stream *before, *after;
  support_succeed(vptr__stream_per_thread(mapper, &before));
  destroy_mapper();
  ck_assert(!vptr__stream_is_live(before));
  make_mapper();
  support_succeed(vptr__stream_per_thread(mapper, &after));
  ck_assert_ptr_eq(vptr__stream_mapper(after), mapper);
  support_succeed(vptr__stream_synchronize(after));
}
END_TEST

START_TEST(a_stream_destroyed_with_work_in_flight_finishes_it) {
  support_gate gate;
  vptr__stream *stream = make_stream(0);
  vptr__event *event = make_event(0);
  shut(&gate, stream);
  support_succeed(vptr__event_record(event, stream));
  await_reached(&gate);
  support_succeed(vptr__stream_destroy(stream));
  ck_assert(!vptr__stream_is_live(stream));
  support_expect(VPTR_ERROR_NOT_READY, vptr__event_query(event));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(legacy()));
  open_gate(&gate);
  support_succeed(vptr__event_synchronize(event));
  support_succeed(vptr__stream_synchronize(legacy()));
  support_succeed(vptr__event_destroy(event));
}
END_TEST

START_TEST(streams_that_were_destroyed_go_when_they_are_done) {
  if (support_has_opencl())
    return;
  vptr__fake_counts before, after;
  support_gate gate;
  support_succeed(vptr__stream_destroy(make_stream(0)));
  vptr__fake_get_counts(&before);
  vptr__stream *stream = make_stream(0);
  shut(&gate, stream);
  support_succeed(vptr__stream_destroy(stream));
  open_gate(&gate);
  support_succeed(vptr__stream_synchronize_all(mapper));
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.queues, before.queues);
}
END_TEST

START_TEST(streams_and_events_end_with_their_mapper) {
  vptr__stream *stream = make_stream(0);
  vptr__event *event = make_event(0);
  vptr__stream *old = legacy();
  support_succeed(vptr__event_record(event, stream));
  destroy_mapper();
  ck_assert(!vptr__stream_is_live(stream) && !vptr__stream_is_live(old) && !vptr__event_is_live(event));
  make_mapper();
}
END_TEST

/* ---- waiting -------------------------------------------------------------------------------------------- */

START_TEST(queries_do_not_wait) {
  support_gate gate;
  vptr__stream *busy = make_stream(0), *free_one = make_stream(VPTR__STREAM_NON_BLOCKING);
  support_succeed(vptr__stream_query(busy));
  shut(&gate, busy);
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(busy));
  support_succeed(vptr__stream_query(free_one));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(legacy()));
  open_gate(&gate);
  support_succeed(vptr__stream_synchronize(busy));
  support_succeed(vptr__stream_query(busy));
  support_succeed(vptr__stream_query(legacy()));
  support_succeed(vptr__stream_destroy(busy));
  support_succeed(vptr__stream_destroy(free_one));
}
END_TEST

START_TEST(polling_comes_to_an_end) {
  vptr__stream *stream = make_stream(0);
  vptr__event *event = make_event(0);
  support_succeed(vptr__event_record(event, stream));
  while (vptr__stream_query(stream) == VPTR_ERROR_NOT_READY)
    ;
  vptr_get_queue(mapper);
  while (vptr__stream_query(legacy()) == VPTR_ERROR_NOT_READY)
    ;
  support_succeed(vptr__event_query(event));
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

START_TEST(a_busy_non_blocking_stream_holds_nobody_up) {
  support_gate gate;
  vptr__stream *stream = make_stream(VPTR__STREAM_NON_BLOCKING), *other = make_stream(0);
  shut(&gate, stream);
  support_succeed(vptr__stream_settle_legacy(mapper));
  support_succeed(vptr__stream_synchronize(legacy()));
  support_succeed(vptr__stream_synchronize(other));
  open_gate(&gate);
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

START_TEST(a_kept_failure_is_told_once_and_the_first_one) {
  vptr__stream *stream = make_stream(0);
  vptr__stream_fail(stream, CL_OUT_OF_RESOURCES);
  vptr__stream_fail(stream, CL_INVALID_VALUE);
  support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize(stream));
  ck_assert_int_eq(vptr_last_cl_error(), CL_OUT_OF_RESOURCES);
  support_succeed(vptr__stream_synchronize(stream));
  vptr__stream_fail(stream, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr__stream_query(stream));
  vptr__stream_fail(stream, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize_all(mapper));
  support_succeed(vptr__stream_synchronize_all(mapper));
}
END_TEST

static void *free_memory(void *memory) {
  return vptr_free(mapper, memory) == VPTR_SUCCESS ? NULL : memory;
}

START_TEST(freeing_memory_waits_for_streams) {
  support_gate gate;
  pthread_t thread;
  void *memory, *wrong = NULL;
  vptr_location location;
  vptr__stream *stream = make_stream(VPTR__STREAM_NON_BLOCKING);
  support_succeed(vptr_malloc(mapper, 100, &memory));
  shut(&gate, stream);
  await_reached(&gate);
  ck_assert_int_eq(pthread_create(&thread, NULL, free_memory, memory), 0);
  usleep(20000);
  support_succeed(vptr_resolve(mapper, memory, 1, &location));
  open_gate(&gate);
  pthread_join(thread, &wrong);
  ck_assert_ptr_null(wrong);
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, memory, 1, &location));
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------------------- */

START_TEST(an_event_that_was_never_recorded_is_reached) {
  vptr__event *event = make_event(0);
  vptr__stream *stream = make_stream(0);
  ck_assert(!vptr__event_is_recorded(event));
  ck_assert_ptr_null(vptr__event_command(event));
  support_succeed(vptr__event_query(event));
  support_succeed(vptr__event_synchronize(event));
  support_succeed(vptr__stream_wait(stream, event));
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

START_TEST(recording_again_moves_an_event) {
  support_gate gate;
  vptr__stream *stream = make_stream(0), *waiter = make_stream(VPTR__STREAM_NON_BLOCKING);
  vptr__event *event = make_event(VPTR__EVENT_NO_TIMING);
  support_succeed(vptr__event_record(event, stream));
  support_succeed(vptr__event_synchronize(event));
  shut(&gate, stream);
  support_succeed(vptr__stream_wait(waiter, event));
  support_succeed(vptr__event_record(event, stream));
  support_expect(VPTR_ERROR_NOT_READY, vptr__event_query(event));
  support_succeed(vptr__stream_synchronize(waiter));
  open_gate(&gate);
  support_succeed(vptr__event_synchronize(event));
}
END_TEST

START_TEST(an_event_destroyed_while_pending_still_holds_up_who_waits) {
  support_gate gate;
  vptr__stream *stream = make_stream(VPTR__STREAM_NON_BLOCKING), *waiter = make_stream(VPTR__STREAM_NON_BLOCKING);
  vptr__event *event = make_event(0);
  shut(&gate, stream);
  support_succeed(vptr__event_record(event, stream));
  support_succeed(vptr__stream_wait(waiter, event));
  support_succeed(vptr__event_destroy(event));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(waiter));
  open_gate(&gate);
  support_succeed(vptr__stream_synchronize(waiter));
  support_succeed(vptr__stream_query(waiter));
}
END_TEST

START_TEST(elapsed_time_is_what_passed_between_two_events) {
  support_gate gate;
  float milliseconds = -1;
  vptr__stream *stream = make_stream(0);
  vptr__event *from = make_event(0), *to = make_event(0), *untimed = make_event(VPTR__EVENT_NO_TIMING);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__event_elapsed(from, to, &milliseconds));
  support_succeed(vptr__event_record(from, stream));
  support_succeed(vptr__event_record(untimed, stream));
  shut(&gate, stream);
  support_succeed(vptr__event_record(to, stream));
  await_reached(&gate);
  support_expect(VPTR_ERROR_NOT_READY, vptr__event_elapsed(from, to, &milliseconds));
  usleep(20000);
  open_gate(&gate);
  support_succeed(vptr__event_synchronize(to));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__event_elapsed(from, untimed, &milliseconds));
  ck_assert(milliseconds == -1);
  support_succeed(vptr__event_elapsed(from, to, &milliseconds));
  ck_assert_msg(milliseconds >= 19 && milliseconds < 5000, "%g ms", (double)milliseconds);
  support_succeed(vptr__event_elapsed(to, from, &milliseconds));
  ck_assert(milliseconds < 0);
}
END_TEST

START_TEST(a_stream_waits_for_an_event_of_another_mapper) {
  support_gate gate;
  vptr_mapper *other;
  vptr__stream *stream = make_stream(0), *waiter;
  vptr__event *event = make_event(0);
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  support_succeed(vptr_mapper_create(&config, &other));
  support_succeed(vptr__stream_create(other, 0, 0, &waiter));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__event_record(event, waiter));
  shut(&gate, stream);
  support_succeed(vptr__event_record(event, stream));
  support_succeed(vptr__stream_wait(waiter, event));
  await_reached(&gate);
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(waiter));
  open_gate(&gate);
  support_succeed(vptr__stream_synchronize(waiter));
  support_succeed(vptr_mapper_destroy(other));
  ck_assert(!vptr__stream_is_live(waiter));
}
END_TEST

/* ---- host functions ------------------------------------------------------------------------------------- */

typedef struct visit {
  pthread_t thread;
  bool inside, signals_blocked;
  vptr_status status;
  int number, *next;
} visit;

static void note_visit(vptr_status status, void *context) {
  visit *visit = context;
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  visit->thread = pthread_self();
  visit->inside = vptr__stream_in_host_function();
  visit->signals_blocked = sigismember(&blocked, SIGINT) == 1 && sigismember(&blocked, SIGSEGV) == 0;
  visit->status = status;
  visit->number = (*visit->next)++;
}

START_TEST(host_functions_run_in_order_on_a_thread_of_the_librarys) {
  enum { VISITS = 50 };
  visit visits[VISITS];
  int next = 0;
  vptr__stream *stream = make_stream(0);
  for (int i = 0; i < VISITS; i++) {
    visits[i] = (visit){ .next = &next };
    support_succeed(vptr__stream_host(stream, note_visit, &visits[i]));
  }
  support_succeed(vptr__stream_synchronize(stream));
  for (int i = 0; i < VISITS; i++) {
    ck_assert_int_eq(visits[i].number, i);
    ck_assert(visits[i].inside && visits[i].signals_blocked && visits[i].status == VPTR_SUCCESS);
    ck_assert(!pthread_equal(visits[i].thread, pthread_self()));
  }
  ck_assert(!vptr__stream_in_host_function());
}
END_TEST

START_TEST(finishing_the_mapper_includes_host_functions) {
  visit visit = { 0 };
  int next = 0;
  visit.next = &next;
  support_succeed(vptr__stream_host(legacy(), note_visit, &visit));
  support_succeed(vptr_finish(mapper));
  ck_assert_int_eq(next, 1);
}
END_TEST

typedef struct errand {
  vptr__stream *shut, *other;
  vptr_status before, shut_state, other_state;
  atomic_bool done;
} errand;

static void run_errand(vptr_status status, void *context) {
  errand *it = context;
  it->before = status;
  it->shut_state = vptr__stream_query(it->shut);
  it->other_state = vptr__stream_synchronize(it->other);
  atomic_store(&it->done, true);
}

/* It may wait for another stream, while its own is shut; and a program's function that waits keeps it from nothing. */
START_TEST(work_aside_of_a_stream_waits_for_no_host_function) {
  support_gate gate;
  vptr__stream *waiting = make_stream(VPTR__STREAM_NON_BLOCKING);
  errand errand = { .shut = make_stream(VPTR__STREAM_NON_BLOCKING), .other = make_stream(VPTR__STREAM_NON_BLOCKING) };
  errand.shut_state = VPTR_SUCCESS;
  errand.before = errand.other_state = VPTR_ERROR_CORRUPT;
  shut(&gate, waiting);
  await_reached(&gate);
  support_succeed(vptr__stream_aside(errand.shut, run_errand, &errand));
  support_succeed(vptr__stream_synchronize(errand.shut));
  ck_assert(atomic_load(&errand.done));
  ck_assert_int_eq(errand.before, VPTR_SUCCESS);
  ck_assert_int_eq(errand.shut_state, VPTR_ERROR_NOT_READY);
  ck_assert_int_eq(errand.other_state, VPTR_SUCCESS);
  ck_assert_int_eq(vptr__stream_query(waiting), VPTR_ERROR_NOT_READY);
  open_gate(&gate);
  support_succeed(vptr__stream_synchronize(waiting));
}
END_TEST

/* What a host function asks of the library. What would wait is refused, and what need not is done. */
typedef struct task {
  void *memory, *mapped, *made;
  unsigned char host[16];
  vptr_status refused[12], done[4];
} task;

static void call_vptr(vptr_status status, void *context) {
  task *it = context;
  void *host = NULL;
  int i = 0;
  (void)status; /* of no work */
  it->refused[i++] = vptr_memcpy(mapper, it->memory, it->host, 16);
  it->refused[i++] = vptr_memcpy(mapper, it->host, it->memory, 16);
  it->refused[i++] = vptr_memcpy(mapper, it->memory, (char *)it->memory + 32, 16);
  it->refused[i++] = vptr_memset(mapper, it->memory, 1, 16);
  it->refused[i++] = vptr_fill(mapper, it->memory, it->host, 3, 5);
  it->refused[i++] = vptr_map(mapper, it->memory, 16, VPTR_ACCESS_READ, &host);
  it->refused[i++] = vptr_unmap(mapper, it->mapped);
  it->refused[i++] = vptr_finish(mapper);
  it->refused[i++] = vptr_clear(mapper);
  it->refused[i++] = vptr_trim(mapper, 0);
  it->refused[i++] = vptr_mapper_destroy(mapper);
  it->refused[i++] = vptr_free(mapper, it->memory);
  it->done[0] = vptr_malloc(mapper, 3 << 20, &it->made);
  it->done[1] = vptr_memcpy(mapper, it->host, it->host + 8, 8);
  it->done[2] = vptr_check(mapper);
  it->done[3] = vptr_get_offset(mapper, (char *)it->memory + 5) == 5 ? VPTR_SUCCESS : VPTR_ERROR_CORRUPT;
}

static void expect_refusals(vptr__stream *stream) {
  task it = { .host = "0123456789abcde" };
  void *other;
  support_succeed(vptr_malloc(mapper, 100, &it.memory));
  support_succeed(vptr_malloc(mapper, 100, &other));
  support_succeed(vptr_map(mapper, other, 10, VPTR_ACCESS_READ, &it.mapped));
  support_succeed(vptr__stream_host(stream, call_vptr, &it));
  support_succeed(vptr__stream_synchronize_all(mapper));
  for (size_t i = 0; i < sizeof it.refused / sizeof *it.refused; i++)
    ck_assert_msg(it.refused[i] == VPTR_ERROR_NOT_READY, "%zu: %d", i, (int)it.refused[i]);
  for (size_t i = 0; i < 4; i++)
    ck_assert_msg(it.done[i] == VPTR_SUCCESS, "%zu: %d", i, (int)it.done[i]);
  support_succeed(vptr_unmap(mapper, it.mapped));
  support_succeed(vptr_clear(mapper));
}

START_TEST(what_would_wait_is_refused_inside_a_host_function) {
  make_stream(0);
  expect_refusals(legacy());
  expect_refusals(make_stream(0));
  expect_refusals(make_stream(VPTR__STREAM_NON_BLOCKING));
}
END_TEST

/* ---- threads and faults --------------------------------------------------------------------------------- */

static void *use_streams(void *context) {
  uintptr_t wrong = 0;
  atomic_int *count = context;
  for (int i = 0; i < 60; i++) {
    vptr__stream *stream, *own, *old;
    vptr__event *event;
    cl_command_queue queue;
    wrong += vptr__stream_create(mapper, i % 2, 0, &stream) != VPTR_SUCCESS;
    wrong += vptr__stream_per_thread(mapper, &own) != VPTR_SUCCESS;
    wrong += vptr__stream_legacy(mapper, &old) != VPTR_SUCCESS;
    wrong += vptr__event_create(mapper, (unsigned)i & 2, &event) != VPTR_SUCCESS;
    wrong += vptr__stream_begin(stream, &queue) != VPTR_SUCCESS;
    vptr__stream_end(stream);
    wrong += vptr__event_record(event, i % 3 ? own : old) != VPTR_SUCCESS;
    wrong += vptr__stream_wait(stream, event) != VPTR_SUCCESS;
    wrong += vptr__stream_settle_legacy(mapper) != VPTR_SUCCESS;
    vptr_status status = vptr__stream_query(stream);
    wrong += status != VPTR_SUCCESS && status != VPTR_ERROR_NOT_READY;
    wrong += i % 4 == 0 && vptr__stream_synchronize(old) != VPTR_SUCCESS;
    wrong += vptr__event_destroy(event) != VPTR_SUCCESS;
    wrong += vptr__stream_destroy(stream) != VPTR_SUCCESS;
  }
  atomic_fetch_add(count, 1);
  return (void *)wrong;
}

START_TEST(threads_use_streams_at_once) {
  enum { THREADS = 6 };
  pthread_t threads[THREADS];
  atomic_int count = 0;
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, use_streams, &count), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong = NULL;
    pthread_join(threads[i], &wrong);
    ck_assert_ptr_null(wrong);
  }
  ck_assert_int_eq(count, THREADS);
}
END_TEST

static void count_call(vptr_status status, void *context) {
  (void)status;
  atomic_fetch_add((atomic_int *)context, 1);
}

/* All that may fail; how many calls did. A host function ran if, and only if, its call succeeded. */
static int run_scenario(void) {
  int failures = 0, expected = 0;
  atomic_int calls = 0;
  cl_command_queue queue;
  vptr__stream *one = NULL, *two = NULL, *old = NULL;
  vptr__event *event = NULL;
  failures += vptr__stream_legacy(mapper, &old) != VPTR_SUCCESS;
  failures += vptr__stream_create(mapper, 0, 0, &one) != VPTR_SUCCESS;
  failures += vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, -1, &two) != VPTR_SUCCESS;
  failures += vptr__event_create(mapper, 0, &event) != VPTR_SUCCESS;
  if (failures == 0) {
    expected += vptr__stream_host(one, count_call, &calls) == VPTR_SUCCESS;
    failures += vptr__event_record(event, one) != VPTR_SUCCESS;
    failures += vptr__stream_wait(two, event) != VPTR_SUCCESS;
    expected += vptr__stream_host(old, count_call, &calls) == VPTR_SUCCESS;
    if (vptr__stream_begin(one, &queue) == VPTR_SUCCESS)
      vptr__stream_end(one);
    else
      failures++;
    failures += vptr__stream_settle_legacy(mapper) != VPTR_SUCCESS;
    failures += vptr__event_synchronize(event) != VPTR_SUCCESS;
    failures += vptr__stream_synchronize(two) != VPTR_SUCCESS;
    failures += 2 - expected;
  }
  if (event != NULL)
    support_succeed(vptr__event_destroy(event));
  if (one != NULL)
    support_succeed(vptr__stream_destroy(one));
  if (two != NULL)
    support_succeed(vptr__stream_destroy(two));
  failures += vptr__stream_synchronize_all(mapper) != VPTR_SUCCESS;
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__memory_fail_nth(0);
  vptr__stream_synchronize_all(mapper);
  ck_assert_int_eq(calls, expected);
  return failures;
}

/* A fault that hits where nobody needs to know (letting a stream go) is no failure, so the end is where none struck. */
static bool strikes(long n) {
  vptr__fake_counts before, after;
  make_mapper();
  vptr__fake_get_counts(&before);
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
  run_scenario();
  vptr__fake_get_counts(&after);
  destroy_mapper();
  return after.operations - before.operations >= (uint64_t)n;
}

START_TEST(any_device_operation_may_fail) {
  if (support_has_opencl())
    return;
  vptr__fake_counts before, after;
  destroy_mapper();
  vptr__fake_get_counts(&before);
  for (long n = 1; strikes(n); n++)
    ;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.events, before.events);
  ck_assert_uint_eq(after.queues, before.queues);
  make_mapper();
}
END_TEST

START_TEST(any_host_allocation_may_fail) {
  destroy_mapper();
  make_mapper();
  int failures = 1;
  for (long n = 1; failures != 0; n++) {
    destroy_mapper();
    make_mapper();
    vptr__memory_fail_nth(n);
    failures = run_scenario();
    ck_assert_int_lt(n, 100);
  }
}
END_TEST

static Suite *stream_suite(void) {
  const TTest *const tests[] = {
    a_stream_tells_what_it_is,
    unknown_flags_are_refused,
    only_live_handles_are_live,
    default_streams_cannot_be_destroyed,
    a_thread_has_its_own_stream_which_ends_with_it,
    a_threads_stream_outlives_no_mapper,
    a_stream_destroyed_with_work_in_flight_finishes_it,
    streams_that_were_destroyed_go_when_they_are_done,
    streams_and_events_end_with_their_mapper,
    queries_do_not_wait,
    polling_comes_to_an_end,
    a_busy_non_blocking_stream_holds_nobody_up,
    a_kept_failure_is_told_once_and_the_first_one,
    freeing_memory_waits_for_streams,
    an_event_that_was_never_recorded_is_reached,
    recording_again_moves_an_event,
    an_event_destroyed_while_pending_still_holds_up_who_waits,
    elapsed_time_is_what_passed_between_two_events,
    a_stream_waits_for_an_event_of_another_mapper,
    host_functions_run_in_order_on_a_thread_of_the_librarys,
    finishing_the_mapper_includes_host_functions,
    work_aside_of_a_stream_waits_for_no_host_function,
    what_would_wait_is_refused_inside_a_host_function,
    threads_use_streams_at_once,
    any_device_operation_may_fail,
    any_host_allocation_may_fail,
  };
  Suite *suite = suite_create("stream");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, make_mapper, destroy_mapper);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    tcase_add_test(all, tests[i]);
  suite_add_tcase(suite, all);
  return suite;
}

int main(void) {
  return support_run(stream_suite());
}
