/* SPDX-License-Identifier: MIT */
/*
 * migrate pause - what a mapper that goes to another device does while others go on: what the new device is to have is
 * made before they are kept out, what the old one had is released after; what they make and release meanwhile goes
 * along, or is gone; and a device that both have their memory of is full for nobody.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "device/proxy.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"

enum { BLOCKS = 5, BYTES = 8 << 20, NAP_US = 200, A_WHILE_US = 20000 };
static const uint64_t PATIENCE_NS = UINT64_C(20000000000);

static vptr_mapper *mapper;
static unsigned char *block[BLOCKS];
static unsigned char *host;

/* ---- the other thread ----------------------------------------------------------------------------------- */

/* Does one thing, when the thread that moves the mapper is somewhere inside. */
static struct {
  void (*act)(void);
  pthread_t thread;
  atomic_bool is_wanted, has_begun, is_through;
} other;

/* In a thread of its own a test cannot fail as Check has it, which jumps to another stack. */
static void must_hold(bool holds, int line, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "test_migrate_pause.c:%d: does not hold: %s (%s)\n", line, what, vptr_last_error());
  abort();
}
#define must(condition) must_hold((condition), __LINE__, #condition)

static void *act_once(void *unused) {
  while (!atomic_load(&other.is_wanted))
    usleep(NAP_US);
  atomic_store(&other.has_begun, true);
  other.act();
  atomic_store(&other.is_through, true);
  return unused;
}

static void begin_other(void (*act)(void)) {
  other.act = act;
  atomic_store(&other.is_wanted, false);
  atomic_store(&other.has_begun, false);
  atomic_store(&other.is_through, false);
  ck_assert_int_eq(pthread_create(&other.thread, NULL, act_once, NULL), 0);
}

static bool is_reached(atomic_bool *flag) {
  const uint64_t until = vptr__clock_ns() + PATIENCE_NS;
  while (!atomic_load(flag) && vptr__clock_ns() < until)
    usleep(NAP_US);
  return atomic_load(flag);
}

/* ---- the device that is left, whose calls tell of the move --------------------------------------------------- */

static vptr__device_ops slow_ops;
static const vptr__device_ops *real_ops;
static _Thread_local bool is_mover;
static bool waits_for_all; /* else until the other thread has begun, and a while */
static bool got_through;   /* before the move went on */

static void let_other_act(void) {
  if (!is_mover || atomic_exchange(&other.is_wanted, true))
    return;
  got_through = is_reached(waits_for_all ? &other.is_through : &other.has_begun);
  usleep(waits_for_all ? 0 : A_WHILE_US);
}

/* Of the ring of the copies, before all is made. */
static vptr_status slow_create(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out) {
  let_other_act();
  return real_ops->queue.create(device, priority, timed, queue_out);
}

static void slow_release(vptr__device *device, cl_mem buffer) {
  let_other_act();
  real_ops->memory.release(device, buffer);
}

/* After all of the bytes. */
static void slow_close(vptr__device *device) {
  let_other_act();
  real_ops->close(device);
}

typedef enum moment { MAKING, RELEASING, CLOSING } moment;

/* One move, in which the other thread acts at that moment. */
static vptr_status move_while(moment when, bool waits, void (*act)(void)) {
  vptr__device *inner = mapper->device->proxy->inner->device;
  real_ops = inner->ops;
  slow_ops = *inner->ops;
  if (when == MAKING)
    slow_ops.queue.create = slow_create;
  else if (when == RELEASING)
    slow_ops.memory.release = slow_release;
  else
    slow_ops.close = slow_close;
  inner->ops = &slow_ops;
  waits_for_all = waits;
  got_through = false;
  begin_other(act);
  is_mover = true;
  vptr_status status = vptr_migrate(mapper, NULL);
  is_mover = false;
  ck_assert(atomic_load(&other.is_wanted));
  pthread_join(other.thread, NULL);
  return status;
}

/* ---- the mapper ----------------------------------------------------------------------------------------- */

static unsigned char byte_of(int i, size_t at) {
  return (unsigned char)(at * 31 + (size_t)i * 7 + at / 4096 + 1);
}

static unsigned char *make_block(int i, size_t bytes) {
  unsigned char *bytes_of_it = malloc(bytes);
  void *ptr;
  must(bytes_of_it != NULL && vptr_malloc(mapper, bytes, &ptr) == VPTR_SUCCESS);
  for (size_t at = 0; at < bytes; at++)
    bytes_of_it[at] = byte_of(i, at);
  must(vptr_memcpy(mapper, ptr, bytes_of_it, bytes) == VPTR_SUCCESS);
  free(bytes_of_it);
  return ptr;
}

static void expect_block(int i, const unsigned char *ptr, size_t bytes) {
  memset(host, 0, bytes);
  support_succeed(vptr_memcpy(mapper, host, ptr, bytes));
  for (size_t at = 0; at < bytes; at++)
    support_must(host[at] == byte_of(i, at));
}

static size_t had_objects;

static void set_up(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  had_objects = faults_objects();
  config.flags = VPTR_CONFIG_MIGRATE;
  host = vptr__memory_calloc(BYTES, 1);
  support_succeed(vptr_mapper_create(&config, &mapper));
  for (int i = 0; i < BLOCKS; i++)
    block[i] = make_block(i, BYTES);
}

/* Of neither device anything is left. Released queues go when their work has. */
static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__memory_free(host);
  for (int i = 0; i < 2000 && faults_objects() != had_objects; i++)
    usleep(1000);
  ck_assert_uint_eq(faults_objects(), had_objects);
}

static void expect_blocks(void) {
  for (int i = 0; i < BLOCKS; i++)
    expect_block(i, block[i], BYTES);
}

/* ---- the pause ------------------------------------------------------------------------------------------ */

static void write_byte(void) {
  must(vptr_memset(mapper, block[1], byte_of(1, 0), 1) == VPTR_SUCCESS);
}

static void expect_no_pause(moment when) {
  support_succeed(move_while(when, true, write_byte));
  ck_assert(got_through);
  expect_blocks();
}

START_TEST(others_go_on_while_the_new_device_is_made_ready) {
  expect_no_pause(MAKING);
}
END_TEST

START_TEST(others_go_on_while_the_old_device_is_released) {
  expect_no_pause(RELEASING);
}
END_TEST

START_TEST(others_go_on_while_the_old_device_is_closed) {
  expect_no_pause(CLOSING);
}
END_TEST

static void move_too(void) {
  must(vptr_migrate(mapper, NULL) == VPTR_SUCCESS);
}

START_TEST(another_move_waits_for_the_end_of_the_first) {
  for (int when = MAKING; when <= CLOSING; when++) {
    const unsigned before = mapper->device->generation;
    support_succeed(move_while((moment)when, false, move_too));
    ck_assert_uint_eq(mapper->device->generation, before + 2);
    expect_blocks();
  }
}
END_TEST

/* ---- what others do meanwhile --------------------------------------------------------------------------- */

enum { SMALL = 100001 };
static unsigned char *small, *spare;
static vptr__stream *stream, *later_stream;
static vptr__event *event;

/* Nearly everything that was there goes, or comes. */
static void change_all(void) {
  must(vptr_free(mapper, block[2]) == VPTR_SUCCESS && vptr_free(mapper, spare) == VPTR_SUCCESS);
  must(vptr_trim(mapper, 0) == VPTR_SUCCESS);
  block[2] = make_block(2, BYTES);
  small = make_block(BLOCKS, SMALL);
  must(vptr__stream_destroy(stream) == VPTR_SUCCESS);
  must(vptr__stream_create(mapper, 0, 0, &later_stream) == VPTR_SUCCESS);
  must(vptr__event_record(event, later_stream) == VPTR_SUCCESS);
  must(vptr_memset(mapper, block[3], 0, BYTES) == VPTR_SUCCESS);
}

static void expect_changed(void) {
  for (int i = 0; i < BLOCKS; i++)
    if (i != 3)
      expect_block(i, block[i], BYTES);
  expect_block(BLOCKS, small, SMALL);
  support_succeed(vptr_memcpy(mapper, host, block[3], BYTES));
  for (size_t at = 0; at < BYTES; at++)
    support_must(host[at] == 0);
  support_succeed(vptr__event_synchronize(event));
  support_succeed(vptr__stream_synchronize(later_stream));
}

START_TEST(what_comes_and_goes_meanwhile_is_right) {
  spare = make_block(9, SMALL);
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  support_succeed(vptr__event_create(mapper, 0, &event));
  support_succeed(move_while((moment)_i, true, change_all));
  ck_assert(got_through);
  expect_changed();
  support_succeed(vptr_migrate(mapper, NULL));
  expect_changed();
}
END_TEST

/* ---- a device that is full ------------------------------------------------------------------------------ */

/* All of the blocks twice leave no room for a third of them. */
static void set_up_small(void) {
  setenv("VPTR_FAKE_BYTES", "96M", 1);
  vptr__option_reload();
  set_up();
}

static void tear_down_small(void) {
  tear_down();
  unsetenv("VPTR_FAKE_BYTES");
  vptr__option_reload();
}

static unsigned char *more;

static void take_room(void) {
  void *ptr;
  must(vptr_malloc(mapper, 3 * (size_t)BYTES, &ptr) == VPTR_SUCCESS);
  more = ptr;
}

/* Where something is just being released, who needs the room waits for that. */
static void expect_room(moment when, bool goes) {
  support_expect(goes ? VPTR_SUCCESS : VPTR_ERROR_OUT_OF_DEVICE_MEMORY, move_while(when, when == MAKING, take_room));
  ck_assert(got_through);
  expect_blocks();
  support_succeed(vptr_free(mapper, more));
  support_succeed(vptr_trim(mapper, 0));
  support_succeed(vptr_migrate(mapper, NULL));
  expect_blocks();
}

/* So much is there then that the move finds no room: that is no other thread's matter. */
START_TEST(what_is_made_ahead_takes_nobodys_room) {
  expect_room(MAKING, false);
}
END_TEST

START_TEST(what_is_left_behind_takes_nobodys_room) {
  expect_room(RELEASING, true);
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("migrate pause");
  TCase *pause = tcase_create("pause");
  tcase_add_checked_fixture(pause, set_up, tear_down);
  tcase_add_test(pause, others_go_on_while_the_new_device_is_made_ready);
  tcase_add_test(pause, others_go_on_while_the_old_device_is_released);
  tcase_add_test(pause, others_go_on_while_the_old_device_is_closed);
  tcase_add_test(pause, another_move_waits_for_the_end_of_the_first);
  tcase_add_loop_test(pause, what_comes_and_goes_meanwhile_is_right, MAKING, CLOSING + 1);
  suite_add_tcase(suite, pause);
  TCase *full = tcase_create("full");
  tcase_add_checked_fixture(full, set_up_small, tear_down_small);
  if (!support_has_opencl()) { /* whose devices have as much as the test says */
    tcase_add_test(full, what_is_made_ahead_takes_nobodys_room);
    tcase_add_test(full, what_is_left_behind_takes_nobodys_room);
  }
  suite_add_tcase(suite, full);
  return support_run(suite);
}
