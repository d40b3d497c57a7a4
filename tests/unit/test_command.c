/* SPDX-License-Identifier: MIT */
/*
 * Commands that do not wait keep what device.h promises of them, on whichever device: order, events, lifetimes, and
 * rects that touch no byte beside them. What only the fake device can show is in test_fake_queue.c.
 */
#include "device/device.h"
#include "support/support.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096 };

static vptr__device *device;
static const vptr__device_ops *ops;
static cl_command_queue queue, other;

static void open_device(void) {
  support_succeed(vptr__device_open(NULL, 0, &device));
  ops = device->ops;
  support_succeed(ops->queue.create(device, 0, true, &queue));
  support_succeed(ops->queue.create(device, -1, true, &other));
}

static void close_device(void) {
  ops->queue.release(device, queue);
  ops->queue.release(device, other);
  vptr__device_close(device);
}

static cl_mem make(size_t bytes) {
  cl_mem buffer;
  support_succeed(ops->memory.create(device, bytes, &buffer));
  return buffer;
}

static cl_int state_of(cl_event event) {
  cl_int state = 4711;
  support_succeed(ops->event.state(device, event, &state));
  return state;
}

/* A user event that `held` waits for, so that nothing behind it begins. */
static cl_event hold(cl_command_queue held) {
  cl_event gate;
  support_succeed(ops->event.create_user(device, &gate));
  support_succeed(ops->queue.enqueue_barrier(device, held, 1, &gate, NULL));
  support_succeed(ops->queue.flush(device, held));
  return gate;
}

static void let_go(cl_event gate) {
  support_succeed(ops->event.set_user(device, gate, CL_COMPLETE));
  ops->event.release(device, gate);
}

static void expect_complete(cl_event event) {
  support_succeed(ops->event.wait(device, event));
  ck_assert_int_eq(state_of(event), CL_COMPLETE);
  ops->event.release(device, event);
}

/* ---- order ---------------------------------------------------------------------------------------------- */

START_TEST(a_queue_is_in_order) {
  cl_mem one = make(SIZE), two = make(SIZE);
  char in[3];
  cl_event done;
  cl_event gate = hold(queue);
  support_succeed(ops->transfer.enqueue_write(device, queue, one, 0, "abc", 3, NULL));
  support_succeed(ops->transfer.enqueue_copy(device, queue, one, 0, two, 8, 3, NULL));
  support_succeed(ops->transfer.enqueue_fill(device, queue, two, 9, 1, "X", 1, NULL));
  support_succeed(ops->transfer.enqueue_write(device, queue, one, 0, "zzz", 3, NULL));
  support_succeed(ops->transfer.enqueue_read(device, queue, two, 8, in, 3, &done));
  ck_assert_int_gt(state_of(done), CL_COMPLETE);
  let_go(gate);
  expect_complete(done);
  ck_assert_mem_eq(in, "aXc", 3);
  ops->memory.release(device, one);
  ops->memory.release(device, two);
}
END_TEST

START_TEST(queues_go_on_beside_each_other) {
  cl_mem buffer = make(SIZE);
  cl_event gate = hold(queue), behind, beside;
  support_succeed(ops->transfer.enqueue_fill(device, queue, buffer, 0, 4, "a", 1, &behind));
  support_succeed(ops->transfer.enqueue_fill(device, other, buffer, 4, 4, "b", 1, &beside));
  expect_complete(beside);
  support_succeed(ops->queue.finish(device, other));
  ck_assert_int_gt(state_of(behind), CL_COMPLETE);
  let_go(gate);
  expect_complete(behind);
  ops->memory.release(device, buffer);
}
END_TEST

START_TEST(a_barrier_waits_for_events_of_other_queues) {
  cl_mem buffer = make(SIZE);
  char in[4];
  cl_event gate = hold(queue), written, passed, done;
  support_succeed(ops->transfer.enqueue_write(device, queue, buffer, 0, "abcd", 4, &written));
  support_succeed(ops->queue.flush(device, queue));
  support_succeed(ops->transfer.enqueue_fill(device, other, buffer, 0, 4, "z", 1, NULL));
  support_succeed(ops->queue.finish(device, other)); /* nothing else orders it before the write */
  support_succeed(ops->queue.enqueue_barrier(device, other, 1, &written, &passed));
  support_succeed(ops->transfer.enqueue_read(device, other, buffer, 0, in, 4, &done));
  ops->event.release(device, written); /* the barrier keeps it */
  support_succeed(ops->queue.flush(device, other));
  ck_assert_int_gt(state_of(passed), CL_COMPLETE);
  ck_assert_int_gt(state_of(done), CL_COMPLETE);
  let_go(gate);
  expect_complete(done);
  expect_complete(passed);
  ck_assert_mem_eq(in, "abcd", 4);
  ops->memory.release(device, buffer);
}
END_TEST

START_TEST(a_barrier_of_no_events_ends_behind_all_before_it) {
  cl_mem buffer = make(SIZE);
  cl_event gate = hold(queue), filled, passed;
  support_succeed(ops->transfer.enqueue_fill(device, queue, buffer, 0, SIZE, "a", 1, &filled));
  support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &passed));
  ck_assert_int_gt(state_of(passed), CL_COMPLETE);
  let_go(gate);
  support_succeed(ops->event.wait(device, passed));
  ck_assert_int_eq(state_of(filled), CL_COMPLETE);
  ops->event.release(device, filled);
  ops->event.release(device, passed);
  ops->memory.release(device, buffer);
}
END_TEST

START_TEST(what_blocks_comes_behind_what_does_not) {
  cl_mem buffer = make(SIZE);
  char in[2] = "";
  support_succeed(ops->transfer.enqueue_write(device, device->cl_queue, buffer, 0, "ab", 2, NULL));
  support_succeed(ops->transfer.write(device, buffer, 1, "c", 1));
  support_succeed(ops->transfer.enqueue_fill(device, device->cl_queue, buffer, 0, 1, "d", 1, NULL));
  support_succeed(ops->transfer.read(device, buffer, 0, in, 2));
  ck_assert_mem_eq(in, "dc", 2);
  ops->memory.release(device, buffer);
}
END_TEST

START_TEST(no_bytes_end_behind_what_was_before) {
  cl_mem buffer = make(SIZE);
  const vptr__rect rect = { buffer, SIZE, 16, 256 };
  const size_t none[][3] = { { 0, 4, 4 }, { 4, 0, 4 }, { 4, 4, 0 } };
  cl_event done[7];
  cl_event gate = hold(queue);
  support_succeed(ops->transfer.enqueue_write(device, queue, buffer, SIZE, NULL, 0, &done[0]));
  support_succeed(ops->transfer.enqueue_read(device, queue, buffer, SIZE, NULL, 0, &done[1]));
  support_succeed(ops->transfer.enqueue_copy(device, queue, buffer, 0, buffer, 0, 0, &done[2]));
  support_succeed(ops->transfer.enqueue_fill(device, queue, buffer, 0, 0, "a", 1, &done[3]));
  support_succeed(ops->transfer.enqueue_write_rect(device, queue, &rect, NULL, 16, 256, none[0], &done[4]));
  support_succeed(ops->transfer.enqueue_read_rect(device, queue, &rect, NULL, 16, 256, none[1], &done[5]));
  support_succeed(ops->transfer.enqueue_copy_rect(device, queue, &rect, &rect, none[2], &done[6]));
  support_succeed(ops->transfer.enqueue_write(device, queue, buffer, SIZE, NULL, 0, NULL));
  ck_assert_int_gt(state_of(done[6]), CL_COMPLETE);
  let_go(gate);
  for (size_t i = 0; i < sizeof done / sizeof *done; i++)
    expect_complete(done[i]);
  ops->memory.release(device, buffer);
}
END_TEST

/* ---- lifetimes ------------------------------------------------------------------------------------------ */

START_TEST(commands_keep_their_buffers) {
  cl_mem one = make(SIZE), two = make(SIZE);
  char in[4];
  cl_event gate = hold(queue), done;
  support_succeed(ops->transfer.enqueue_write(device, queue, one, 0, "abcd", 4, NULL));
  support_succeed(ops->transfer.enqueue_copy(device, queue, one, 0, two, 0, 4, NULL));
  support_succeed(ops->transfer.enqueue_read(device, queue, two, 0, in, 4, &done));
  ops->memory.release(device, one);
  ops->memory.release(device, two);
  let_go(gate);
  expect_complete(done);
  ck_assert_mem_eq(in, "abcd", 4);
}
END_TEST

START_TEST(a_released_queue_finishes_its_work) {
  cl_command_queue gone;
  cl_mem buffer = make(SIZE);
  char in[2];
  cl_event done;
  support_succeed(ops->queue.create(device, 0, true, &gone));
  cl_event gate = hold(gone);
  support_succeed(ops->transfer.enqueue_write(device, gone, buffer, 0, "ab", 2, NULL));
  support_succeed(ops->transfer.enqueue_read(device, gone, buffer, 0, in, 2, &done));
  ops->queue.release(device, gone);
  let_go(gate);
  expect_complete(done);
  ck_assert_mem_eq(in, "ab", 2);
  ops->memory.release(device, buffer);
}
END_TEST

START_TEST(a_retained_event_lives_on) {
  cl_event event;
  support_succeed(ops->event.create_user(device, &event));
  ops->event.retain(device, event);
  ops->event.release(device, event);
  ck_assert_int_gt(state_of(event), CL_COMPLETE);
  support_succeed(ops->event.set_user(device, event, CL_COMPLETE));
  expect_complete(event);
}
END_TEST

START_TEST(finish_waits_for_the_own_queue_and_those_named) {
  cl_mem buffer = make(SIZE);
  char in[2] = "";
  cl_event own, named;
  support_succeed(ops->queue.use(device, queue));
  ck_assert(device->has_queues);
  /* Each in a half of its own: nothing orders the two. */
  support_succeed(ops->transfer.enqueue_fill(device, device->cl_queue, buffer, SIZE / 2, SIZE / 2, "a", 1, &own));
  support_succeed(ops->transfer.enqueue_fill(device, queue, buffer, 0, SIZE / 2, "a", 1, NULL));
  support_succeed(ops->transfer.enqueue_read(device, queue, buffer, 0, in, 2, &named));
  support_succeed(ops->queue.finish_all(device));
  ck_assert_int_eq(state_of(own), CL_COMPLETE);
  ck_assert_int_eq(state_of(named), CL_COMPLETE);
  ck_assert_mem_eq(in, "aa", 2);
  ops->event.release(device, own);
  ops->event.release(device, named);
  support_succeed(ops->queue.drop(device, queue));
  ck_assert(!device->has_queues);
  ops->memory.release(device, buffer);
}
END_TEST

/* ---- events --------------------------------------------------------------------------------------------- */

START_TEST(times_do_not_go_back) {
  cl_mem buffer = make(1 << 20);
  uint64_t begin[3], end[3];
  cl_event events[3];
  support_succeed(ops->transfer.enqueue_fill(device, queue, buffer, 0, 1 << 20, "abcdefghabcdefgh", 16, &events[0]));
  support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &events[1]));
  support_succeed(ops->transfer.enqueue_fill(device, queue, buffer, 0, 1 << 20, "abcdefghabcdefgh", 16, &events[2]));
  support_succeed(ops->queue.finish(device, queue));
  for (int i = 0; i < 3; i++) {
    support_succeed(ops->event.times(device, events[i], &begin[i], &end[i]));
    ck_assert_uint_le(begin[i], end[i]);
    ck_assert(i == 0 || end[i - 1] <= end[i]);
    ops->event.release(device, events[i]);
  }
  ck_assert_uint_lt(begin[0], end[2]);
  ops->memory.release(device, buffer);
}
END_TEST

static vptr_status times_of_own_queue(void) {
  uint64_t begin, end;
  cl_event event;
  support_succeed(ops->queue.enqueue_barrier(device, device->cl_queue, 0, NULL, &event));
  support_succeed(ops->event.wait(device, event));
  vptr_status status = ops->event.times(device, event, &begin, &end);
  ops->event.release(device, event);
  return status;
}

START_TEST(the_devices_own_queue_keeps_times_when_asked_to) {
  support_expect(VPTR_ERROR_OPENCL, times_of_own_queue());
  support_succeed(ops->queue.time(device));
  support_succeed(times_of_own_queue());
  const cl_command_queue timed = device->cl_queue;
  support_succeed(ops->queue.time(device));
  ck_assert_ptr_eq(device->cl_queue, timed);
}
END_TEST

START_TEST(a_user_event_has_no_times) {
  uint64_t begin = 1, end = 2;
  cl_event event;
  support_succeed(ops->event.create_user(device, &event));
  support_succeed(ops->event.set_user(device, event, CL_COMPLETE));
  support_expect(VPTR_ERROR_OPENCL, ops->event.times(device, event, &begin, &end));
  ck_assert(begin == 1 && end == 2);
  ops->event.release(device, event);
}
END_TEST

/* What a callback saw. */
typedef struct hearing {
  sem_t posted;
  cl_event event;
  cl_int state;
  pthread_t thread;
  int times;
} hearing;

static void CL_CALLBACK note(cl_event event, cl_int state, void *context) {
  hearing *told = context;
  told->event = event;
  told->state = state;
  told->thread = pthread_self();
  told->times++;
  sem_post(&told->posted);
}

static void expect_told(hearing *told, cl_event event, cl_int state) {
  sem_wait(&told->posted);
  ck_assert_ptr_eq(told->event, event);
  ck_assert_int_eq(told->state, state);
  ck_assert_int_eq(told->times, 1);
  sem_destroy(&told->posted);
}

START_TEST(those_who_want_to_know_are_told_once) {
  hearing early = { .times = 0 }, late = { .times = 0 };
  sem_init(&early.posted, 0, 0);
  sem_init(&late.posted, 0, 0);
  cl_event gate = hold(queue), done;
  support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &done));
  support_succeed(ops->queue.flush(device, queue));
  support_succeed(ops->event.notify(device, done, note, &early));
  ck_assert_int_eq(sem_trywait(&early.posted), -1);
  let_go(gate);
  expect_told(&early, done, CL_COMPLETE);
  ck_assert(!pthread_equal(early.thread, pthread_self()));
  support_succeed(ops->event.wait(device, done));
  support_succeed(ops->event.notify(device, done, note, &late));
  expect_told(&late, done, CL_COMPLETE);
  ops->event.release(device, done);
}
END_TEST

START_TEST(a_failure_spreads_to_who_waits_for_it) {
  cl_event gate, passed;
  support_succeed(ops->event.create_user(device, &gate));
  support_succeed(ops->queue.enqueue_barrier(device, queue, 1, &gate, &passed));
  support_succeed(ops->queue.flush(device, queue));
  support_succeed(ops->event.set_user(device, gate, CL_OUT_OF_RESOURCES));
  support_expect(VPTR_ERROR_OPENCL, ops->event.wait(device, passed));
  ck_assert_int_lt(state_of(passed), 0);
  ck_assert_int_eq(vptr_last_cl_error(), state_of(passed));
  ops->event.release(device, passed);
  ops->event.release(device, gate);
}
END_TEST

/* ---- rects ---------------------------------------------------------------------------------------------- */

enum { ROOM = 1 << 16 };

static unsigned char model[2][ROOM], host[ROOM], host_model[ROOM];
static uint64_t seed;

/* A rect of a random place and random gaps in ROOM bytes, `gap` at most. */
static vptr__rect random_rect(cl_mem buffer, const size_t region[3], size_t gap) {
  vptr__rect rect = { buffer, 0, region[0] + support_below(&seed, gap + 1), 0 };
  rect.slice = rect.row * (region[1] + support_below(&seed, gap / 8 + 1));
  size_t extent = (region[2] - 1) * rect.slice + (region[1] - 1) * rect.row + region[0];
  support_must(extent <= ROOM);
  rect.offset = support_below(&seed, ROOM - extent + 1);
  return rect;
}

static void model_copy(unsigned char *to, const vptr__rect *to_rect, const unsigned char *from,
                       const vptr__rect *from_rect, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(to + to_rect->offset + z * to_rect->slice + y * to_rect->row,
             from + from_rect->offset + z * from_rect->slice + y * from_rect->row, region[0]);
}

static void expect_bytes(cl_mem buffer, const unsigned char *expected) {
  static unsigned char in[ROOM];
  support_succeed(ops->transfer.read(device, buffer, 0, in, ROOM));
  for (size_t i = 0; i < ROOM; i++)
    if (in[i] != expected[i])
      ck_abort_msg("byte %zu is %d and not %d", i, in[i], expected[i]);
}

static void fill_all(const cl_mem *buffers) {
  for (size_t i = 0; i < ROOM; i++) {
    model[0][i] = (unsigned char)support_random(&seed);
    model[1][i] = (unsigned char)support_random(&seed);
    host[i] = host_model[i] = (unsigned char)support_random(&seed);
  }
  support_succeed(ops->transfer.write(device, buffers[0], 0, model[0], ROOM));
  support_succeed(ops->transfer.write(device, buffers[1], 0, model[1], ROOM));
}

static void random_region(size_t region[3]) {
  static const size_t most[][3] = { { 90, 9, 7 },  { 700, 5, 2 }, { 3, 70, 5 },
                                    { 40, 30, 1 }, { 64, 1, 30 }, { 900, 1, 1 } };
  const size_t *limits = most[support_below(&seed, sizeof most / sizeof *most)];
  for (int i = 0; i < 3; i++)
    region[i] = 1 + support_below(&seed, limits[i]);
}

START_TEST(rects_are_exact) {
  cl_mem buffers[2] = { make(ROOM), make(ROOM) };
  seed = 7;
  fill_all(buffers);
  for (int i = 0; i < 200; i++) {
    size_t region[3];
    random_region(region);
    size_t gap = support_below(&seed, 4) == 0 ? 0 : 24; /* without gaps rows come together */
    const vptr__rect in_one = random_rect(buffers[0], region, gap), in_two = random_rect(buffers[1], region, gap);
    const vptr__rect out = random_rect(NULL, region, gap), in = random_rect(NULL, region, gap);
    cl_event done;
    support_succeed(ops->transfer.enqueue_write_rect(device, queue, &in_one, host + out.offset, out.row, out.slice,
                                                     region, NULL));
    support_succeed(ops->transfer.enqueue_copy_rect(device, queue, &in_one, &in_two, region, NULL));
    support_succeed(ops->queue.finish(device, queue)); /* what is read below may overlap what was written from */
    model_copy(model[0], &in_one, host, &out, region);
    model_copy(model[1], &in_two, model[0], &in_one, region);
    support_succeed(
        ops->transfer.enqueue_read_rect(device, queue, &in_two, host + in.offset, in.row, in.slice, region, &done));
    expect_complete(done);
    model_copy(host_model, &in, model[1], &in_two, region);
    support_must(memcmp(host, host_model, ROOM) == 0);
    if (i % 10 == 0) {
      expect_bytes(buffers[0], model[0]);
      expect_bytes(buffers[1], model[1]);
    }
  }
  ops->memory.release(device, buffers[0]);
  ops->memory.release(device, buffers[1]);
}
END_TEST

/* OpenCL itself refuses rects of one buffer whose rows are not equally far apart. */
START_TEST(rects_within_one_buffer_may_have_other_gaps) {
  cl_mem buffers[2] = { make(ROOM), make(ROOM) };
  seed = 8;
  fill_all(buffers);
  for (int i = 0; i < 60; i++) {
    size_t region[3];
    random_region(region);
    /* in the lower and in the upper half: they do not overlap */
    vptr__rect from = random_rect(buffers[0], region, 16), to = random_rect(buffers[0], region, i % 2 * 16);
    from.offset = support_below(&seed, 64);
    to.offset = ROOM / 2 + support_below(&seed, 64);
    if (from.offset + region[2] * from.slice > ROOM / 2 || to.offset + region[2] * to.slice > ROOM)
      continue;
    cl_event done;
    support_succeed(ops->transfer.enqueue_copy_rect(device, queue, &from, &to, region, &done));
    expect_complete(done);
    model_copy(model[0], &to, model[0], &from, region);
    expect_bytes(buffers[0], model[0]);
  }
  ops->memory.release(device, buffers[0]);
  ops->memory.release(device, buffers[1]);
}
END_TEST

/* Columns side by side in rows of one length: their ranges cross, and no byte is in both. */
START_TEST(columns_of_one_buffer_are_apart) {
  cl_mem buffer = make(SIZE);
  unsigned char in[SIZE], out[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    out[i] = (unsigned char)(i * 7 + i / 64);
  support_succeed(ops->transfer.write(device, buffer, 0, out, SIZE));
  const vptr__rect left = { buffer, 0, 64, SIZE }, right = { buffer, 64 + 32, 64, SIZE };
  const size_t region[3] = { 32, 63, 1 };
  cl_event done;
  support_succeed(ops->transfer.enqueue_copy_rect(device, queue, &left, &right, region, &done));
  expect_complete(done);
  support_succeed(ops->transfer.read(device, buffer, 0, in, SIZE));
  for (size_t y = 0; y < 63; y++)
    memcpy(out + 96 + y * 64, out + y * 64, 32);
  ck_assert(memcmp(in, out, SIZE) == 0);
  ops->memory.release(device, buffer);
}
END_TEST

/* While another queue writes between the rows, its bytes stay its own. */
START_TEST(rects_leave_the_gaps_to_others) {
  enum { ROWS = 256, PITCH = 64 };
  cl_mem buffer = make(ROWS * PITCH);
  static unsigned char ones[ROWS * 32], in[ROWS * PITCH];
  memset(ones, 1, sizeof ones);
  const vptr__rect left = { buffer, 0, PITCH, PITCH * ROWS }, right = { buffer, 32, PITCH, PITCH * ROWS };
  const size_t region[3] = { 32, ROWS, 1 };
  static unsigned char twos[ROWS * 32];
  memset(twos, 2, sizeof twos);
  for (int i = 0; i < 20; i++) {
    support_succeed(ops->transfer.enqueue_write_rect(device, queue, &left, ones, 32, 32 * ROWS, region, NULL));
    support_succeed(ops->transfer.enqueue_write_rect(device, other, &right, twos, 32, 32 * ROWS, region, NULL));
    support_succeed(ops->queue.flush(device, queue));
    support_succeed(ops->queue.finish(device, other));
    support_succeed(ops->queue.finish(device, queue));
    support_succeed(ops->transfer.read(device, buffer, 0, in, sizeof in));
    for (size_t at = 0; at < sizeof in; at++)
      support_must(in[at] == 1 + at / 32 % 2);
  }
  ops->memory.release(device, buffer);
}
END_TEST

static Suite *command_suite(void) {
  Suite *suite = suite_create("command");
  TCase *tests = tcase_create("command");
  tcase_add_checked_fixture(tests, open_device, close_device);
  tcase_add_test(tests, a_queue_is_in_order);
  tcase_add_test(tests, queues_go_on_beside_each_other);
  tcase_add_test(tests, a_barrier_waits_for_events_of_other_queues);
  tcase_add_test(tests, a_barrier_of_no_events_ends_behind_all_before_it);
  tcase_add_test(tests, what_blocks_comes_behind_what_does_not);
  tcase_add_test(tests, no_bytes_end_behind_what_was_before);
  tcase_add_test(tests, commands_keep_their_buffers);
  tcase_add_test(tests, a_released_queue_finishes_its_work);
  tcase_add_test(tests, a_retained_event_lives_on);
  tcase_add_test(tests, finish_waits_for_the_own_queue_and_those_named);
  tcase_add_test(tests, times_do_not_go_back);
  tcase_add_test(tests, the_devices_own_queue_keeps_times_when_asked_to);
  tcase_add_test(tests, a_user_event_has_no_times);
  tcase_add_test(tests, those_who_want_to_know_are_told_once);
  tcase_add_test(tests, a_failure_spreads_to_who_waits_for_it);
  tcase_add_test(tests, rects_are_exact);
  tcase_add_test(tests, rects_within_one_buffer_may_have_other_gaps);
  tcase_add_test(tests, columns_of_one_buffer_are_apart);
  tcase_add_test(tests, rects_leave_the_gaps_to_others);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(command_suite());
}
