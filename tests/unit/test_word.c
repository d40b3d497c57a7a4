/* SPDX-License-Identifier: MIT */
/*
 * word - words that streams wait for: what becomes of a wait whose word never comes, cannot be read, or is freed; and
 * every call of the device's that fails. What CUDA promises of them, tests/cuda/conform_driver_word.c asks.
 *
 * The device's table of operations is replaced by one that refuses to read as often as a test wants.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/copy_queue.h"
#include "stream/word.h"
#include "support/child.h"
#include "support/support.h"

enum { LATE_US = 20000, THREADS = 4, ROUNDS = 40, NEVER = 99 };

static vptr_mapper *mapper;
static vptr__stream *stream;
static const vptr__device_ops *real;
static vptr__device_ops refusing;
static atomic_int refusals; /* that are still to come */
static atomic_uint flag;    /* a word of the host's */

static vptr_status read_or_refuse(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                  void *to, size_t size, cl_event *event_out) {
  if (atomic_load(&refusals) > 0 && atomic_fetch_sub(&refusals, 1) > 0)
    return VPTR_ERROR_OPENCL;
  return real->transfer.enqueue_read(device, queue, buffer, offset, to, size, event_out);
}

/* Before anybody waits for a word. */
static void refuse_reads(int times) {
  refusing = *real;
  refusing.transfer.enqueue_read = read_or_refuse;
  atomic_store(&refusals, times);
  mapper->device->ops = &refusing;
}

static vptr_status refuse_to_wait(vptr__device *device, cl_event event) {
  if (atomic_load(&refusals) > 0 && atomic_fetch_sub(&refusals, 1) > 0)
    return VPTR_ERROR_OPENCL;
  return real->event.wait(device, event);
}

static void set_up(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  real = mapper->device->ops;
  atomic_store(&flag, 0);
}

static void tear_down(void) {
  if (mapper->device->ops != real) {
    vptr__streams_end_waits(mapper); /* nobody looks at the table any more */
    mapper->device->ops = real;
  }
  support_succeed(vptr_mapper_destroy(mapper));
}

static vptr__word_step on_host(vptr__word_verb verb, const atomic_uint *word, unsigned value) {
  return (vptr__word_step){ verb, 4, value, (uintptr_t)word, NULL };
}

static vptr__word_step on_device(vptr__word_verb verb, vptr_mapper *owner, const unsigned *word, unsigned value) {
  return (vptr__word_step){ verb, 4, value, (uintptr_t)word, owner };
}

static unsigned *allocate(vptr_mapper *of) {
  void *ptr;
  support_succeed(vptr_malloc(of, 64, &ptr));
  support_succeed(vptr_memset(of, ptr, 0, 64));
  return ptr;
}

static unsigned value_of(vptr_mapper *of, const unsigned *word) {
  unsigned value = NEVER;
  support_succeed(vptr_memcpy(of, &value, word, sizeof value));
  return value;
}

static void is_waiting(vptr__stream *of) {
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(of));
  usleep(LATE_US);
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(of));
}

/* ---- waits that are not met ------------------------------------------------------------------------------ */

START_TEST(a_mapper_that_is_destroyed_waits_for_no_word) {
  vptr__word_step steps[] = { on_host(VPTR__WORD_EQ, &flag, 1), on_host(VPTR__WORD_WRITE, &flag, NEVER) };
  vptr__word_step again = on_device(VPTR__WORD_EQ, mapper, allocate(mapper), NEVER);
  support_succeed(vptr__stream_words(stream, steps, 2));
  support_succeed(vptr__stream_words(stream, &again, 1)); /* which is not due when the mapper goes */
  is_waiting(stream);
}
END_TEST /* tear_down() destroys it */

START_TEST(a_stream_that_is_destroyed_goes_on_waiting) {
  unsigned *word = allocate(mapper);
  vptr__word_step steps[] = { on_host(VPTR__WORD_EQ, &flag, 1), on_device(VPTR__WORD_WRITE, mapper, word, 7) };
  support_succeed(vptr__stream_words(stream, steps, 2));
  support_succeed(vptr__stream_destroy(stream));
  usleep(LATE_US);
  ck_assert_uint_eq(value_of(mapper, word), 0);
  atomic_store(&flag, 1);
  support_succeed(vptr__stream_synchronize_all(mapper));
  ck_assert_uint_eq(value_of(mapper, word), 7);
}
END_TEST

START_TEST(a_wait_ends_with_the_mapper_of_its_word_and_tells) {
  vptr_mapper *owner;
  support_succeed(vptr_mapper_create(NULL, &owner));
  unsigned *word = allocate(owner);
  vptr__word_step steps[] = { on_device(VPTR__WORD_GEQ, owner, word, 1), on_host(VPTR__WORD_WRITE, &flag, 1) };
  support_succeed(vptr__stream_words(stream, steps, 2));
  is_waiting(stream);
  support_succeed(vptr_mapper_destroy(owner));
  support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize(stream));
  ck_assert_uint_eq(atomic_load(&flag), 0);
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

START_TEST(words_of_another_mapper_are_waited_for_and_written) {
  vptr_mapper *owner;
  support_succeed(vptr_mapper_create(NULL, &owner));
  unsigned *word = allocate(owner), two = 2;
  vptr__word_step steps[] = { on_device(VPTR__WORD_EQ, owner, word, 2),
                              on_device(VPTR__WORD_WRITE, owner, word + 1, 3) };
  support_succeed(vptr__stream_words(stream, steps, 2));
  is_waiting(stream);
  support_succeed(vptr_memcpy(owner, word, &two, sizeof two));
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(value_of(owner, word + 1), 3);
  support_succeed(vptr_mapper_destroy(owner));
}
END_TEST

/* As if the program had freed it while it waits, and nobody had waited for the stream. */
START_TEST(a_freed_word_is_kept_until_nobody_waits_for_it) {
  unsigned *word = allocate(mapper);
  vptr__word_step step = on_device(VPTR__WORD_EQ, mapper, word, NEVER);
  support_succeed(vptr__stream_words(stream, &step, 1));
  support_succeed(vptr__heap_free(mapper->heap, word));
  support_succeed(vptr__heap_trim(mapper->heap, 0));
  is_waiting(stream);
  vptr__streams_end_waits(mapper);
  support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize(stream));
  support_succeed(vptr__stream_words(stream, (vptr__word_step[]){ on_host(VPTR__WORD_EQ, &flag, 0) }, 1));
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

START_TEST(a_word_that_is_not_there_is_refused) {
  unsigned *word = allocate(mapper);
  vptr__word_step steps[] = { on_host(VPTR__WORD_WRITE, &flag, 1), on_device(VPTR__WORD_EQ, mapper, word + 15, 0) };
  steps[1].size = 8; /* four bytes behind the end */
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__stream_words(stream, steps, 2));
  support_succeed(vptr_free(mapper, word));
  steps[1].size = 4;
  support_expect(VPTR_ERROR_FREED, vptr__stream_words(stream, steps, 2));
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(atomic_load(&flag), 0);
}
END_TEST

static void exit_while_a_stream_waits(void) {
  vptr__stream *shut;
  vptr__word_step steps[] = { on_host(VPTR__WORD_EQ, &flag, 1), on_host(VPTR__WORD_WRITE, &flag, 2) };
  child_require(vptr_mapper_create(NULL, &mapper) == VPTR_SUCCESS, "a mapper");
  child_require(vptr__stream_create(mapper, 0, 0, &shut) == VPTR_SUCCESS, "a stream");
  child_require(vptr__stream_words(shut, steps, 2) == VPTR_SUCCESS, "a wait");
  usleep(LATE_US);
}

START_TEST(a_process_ends_while_a_stream_waits) {
  child done;
  child_run(exit_while_a_stream_waits, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "%s", done.text);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------------------- */

START_TEST(a_read_that_fails_is_tried_again) {
  unsigned *word = allocate(mapper), one = 1;
  vptr__word_step step = on_device(VPTR__WORD_EQ, mapper, word, 1);
  refuse_reads(2);
  support_succeed(vptr__stream_words(stream, &step, 1));
  while (atomic_load(&refusals) > 0)
    usleep(100);
  is_waiting(stream);
  support_succeed(vptr_memcpy(mapper, word, &one, sizeof one));
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

START_TEST(a_word_that_cannot_be_read_is_told_and_the_stream_goes_on) {
  vptr__word_step steps[] = { on_device(VPTR__WORD_EQ, mapper, allocate(mapper), 0),
                              on_host(VPTR__WORD_WRITE, &flag, 1) };
  refuse_reads(1000);
  support_succeed(vptr__stream_words(stream, steps, 2));
  support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize(stream));
  ck_assert_uint_eq(atomic_load(&flag), 0);
  atomic_store(&refusals, 0);
  support_succeed(vptr__stream_words(stream, steps, 2));
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(atomic_load(&flag), 1);
}
END_TEST

/* What it was to bring may still come, to memory that is somebody else's then. */
START_TEST(a_transfer_that_cannot_be_waited_for_is_over_all_the_same) {
  unsigned *word = allocate(mapper), value = NEVER;
  vptr__copy_queue *copy_queue;
  vptr_location location;
  support_succeed(vptr__copy_queue_open(mapper->device, &copy_queue));
  support_succeed(vptr_resolve(mapper, word, sizeof value, &location));
  refuse_reads(0);
  refusing.transfer.enqueue_read = real->transfer.enqueue_read;
  refusing.event.wait = refuse_to_wait;
  atomic_store(&refusals, 1);
  vptr__fake_disorder(1, 100); /* no command begins before it is waited for */
  vptr__copy_batch batch = vptr__copy_batch_begin(copy_queue, location.buffer);
  vptr__copy_batch_fetch(&batch, location.buffer_offset, &value, sizeof value);
  vptr_status status = vptr__copy_batch_end(&batch);
  unsigned brought = value;
  vptr__fake_disorder(0, 0);
  vptr__copy_queue_close(copy_queue);
  support_expect(VPTR_ERROR_OPENCL, status);
  ck_assert_uint_eq(brought, 0);
}
END_TEST

/* Whether all of it succeeded. Whatever fails, nothing hangs, and what was refused has not happened. */
static bool live(void) {
  vptr_mapper *mine;
  vptr__stream *shut;
  void *word;
  if (vptr_mapper_create(NULL, &mine) != VPTR_SUCCESS)
    return false;
  bool fine = vptr__stream_create(mine, VPTR__STREAM_NON_BLOCKING, 0, &shut) == VPTR_SUCCESS &&
              vptr_malloc(mine, 64, &word) == VPTR_SUCCESS && vptr_memset(mine, word, 0, 64) == VPTR_SUCCESS;
  atomic_store(&flag, 0);
  if (fine) {
    vptr__word_step steps[] = { on_device(VPTR__WORD_WRITE, mine, word, 5), on_host(VPTR__WORD_EQ, &flag, 1),
                                on_device(VPTR__WORD_EQ, mine, word, 5), on_host(VPTR__WORD_WRITE, &flag, 2) };
    bool is_sent = vptr__stream_words(shut, steps, 4) == VPTR_SUCCESS;
    atomic_store(&flag, 1);
    fine = vptr__stream_synchronize(shut) == VPTR_SUCCESS && is_sent;
    ck_assert(is_sent || atomic_load(&flag) == 1);
    ck_assert(!fine || atomic_load(&flag) == 2);
  }
  return vptr_mapper_destroy(mine) == VPTR_SUCCESS && fine;
}

START_TEST(any_call_of_the_device_may_fail) {
  vptr__fake_counts before, after;
  ck_assert(live());
  vptr__fake_get_counts(&before);
  ck_assert(live());
  vptr__fake_get_counts(&after);
  long memory = vptr__memory_live(), calls = (long)(after.operations - before.operations);
  for (long n = 1; n <= calls; n++) {
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    live();
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
    live();
    vptr__fake_fail_command(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(after.buffers, before.buffers);
    ck_assert_uint_eq(after.queues, before.queues);
    ck_assert_uint_eq(after.events, before.events);
    ck_assert_int_eq(vptr__memory_live(), memory);
  }
  ck_assert(live());
}
END_TEST

START_TEST(any_allocation_may_fail) {
  ck_assert(live());
  long memory = vptr__memory_live();
  bool fine = false;
  for (long n = 1; !fine; n++) {
    vptr__memory_fail_nth(n);
    fine = live();
    vptr__memory_fail_nth(0);
    ck_assert_int_eq(vptr__memory_live(), memory);
    ck_assert_int_lt(n, 1000);
  }
}
END_TEST

/* ---- many at once ---------------------------------------------------------------------------------------- */

static vptr__stream *ring[THREADS];
static atomic_uint baton; /* the stream's turn whose number it is */

/* Each stream takes the baton when it is its turn, and hands it on. */
static void *send_rounds(void *number) {
  unsigned self = (unsigned)(uintptr_t)number;
  for (unsigned i = 0; i < ROUNDS; i++) {
    vptr__word_step steps[] = { on_host(VPTR__WORD_EQ, &baton, i * THREADS + self),
                                on_host(VPTR__WORD_WRITE, &baton, i * THREADS + self + 1) };
    support_must(vptr__stream_words(ring[self], steps, 2) == VPTR_SUCCESS);
  }
  support_must(vptr__stream_synchronize(ring[self]) == VPTR_SUCCESS);
  return NULL;
}

START_TEST(streams_of_many_threads_take_turns) {
  pthread_t threads[THREADS];
  atomic_store(&baton, 0);
  for (uintptr_t i = 0; i < THREADS; i++) {
    support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &ring[i]));
    ck_assert_int_eq(pthread_create(&threads[i], NULL, send_rounds, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_uint_eq(atomic_load(&baton), THREADS * ROUNDS);
}
END_TEST

static Suite *word_suite(void) {
  Suite *suite = suite_create("word");
  TCase *end = tcase_create("end of the process"); /* first: nothing of vptr may have been used before */
  tcase_add_test(end, a_process_ends_while_a_stream_waits);
  suite_add_tcase(suite, end);
  TCase *words = tcase_create("words");
  tcase_add_checked_fixture(words, set_up, tear_down);
  tcase_add_test(words, a_mapper_that_is_destroyed_waits_for_no_word);
  tcase_add_test(words, a_stream_that_is_destroyed_goes_on_waiting);
  tcase_add_test(words, a_wait_ends_with_the_mapper_of_its_word_and_tells);
  tcase_add_test(words, words_of_another_mapper_are_waited_for_and_written);
  tcase_add_test(words, a_freed_word_is_kept_until_nobody_waits_for_it);
  tcase_add_test(words, a_word_that_is_not_there_is_refused);
  tcase_add_test(words, a_read_that_fails_is_tried_again);
  tcase_add_test(words, a_word_that_cannot_be_read_is_told_and_the_stream_goes_on);
  tcase_add_test(words, streams_of_many_threads_take_turns);
  if (!support_has_opencl())
    tcase_add_test(words, a_transfer_that_cannot_be_waited_for_is_over_all_the_same);
  suite_add_tcase(suite, words);
  TCase *faults = tcase_create("faults");
  tcase_add_test(faults, any_allocation_may_fail);
  if (!support_has_opencl())
    tcase_add_test(faults, any_call_of_the_device_may_fail);
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  return support_run(word_suite());
}
