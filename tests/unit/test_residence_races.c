/* SPDX-License-Identifier: MIT */
/*
 * residence_races - who waits for a move of another thread's: whatever becomes of the move, he goes on, and finds the
 * bytes. A test that hangs here is a wake-up that was lost.
 */
#include "residences.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "layer/faults.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

/* ---- who waits for a move ------------------------------------------------------------------------------- */

enum { HALF = SIZE / 2 };

/* What threads do with an allocation that another one moves. */
static vptr_status read_it(unsigned char *ptr) {
  static _Thread_local unsigned char got[SIZE];
  vptr_status status = vptr_memcpy(residences_mapper, got, ptr, SIZE);
  return status == VPTR_SUCCESS && !residences_match(got, 0) ? VPTR_ERROR_CORRUPT : status;
}

/* The first half behind itself, by a step. The other half stays what it was. */
static vptr_status shift_it(unsigned char *ptr) {
  return vptr_memcpy(residences_mapper, ptr + 5, ptr, HALF - 5);
}

static vptr_status free_it(unsigned char *ptr) {
  return vptr_free(residences_mapper, ptr);
}

typedef vptr_status use(unsigned char *ptr);

typedef struct user {
  use *run;
  unsigned char *ptr;
  atomic_bool is_done;
  vptr_status status;
} user;

static void *run_user(void *context) {
  user *it = context;
  it->status = it->run(it->ptr);
  atomic_store(&it->is_done, true);
  return NULL;
}

static void start(pthread_t *thread, void *(*run)(void *), void *context) {
  ck_assert_int_eq(pthread_create(thread, NULL, run, context), 0);
}

static void *allocate_one(void *memory_out) {
  void *memory = NULL;
  vptr_malloc(residences_mapper, SIZE, &memory);
  *(void **)memory_out = memory;
  return NULL;
}

static void replace(int which, int value) {
  residences_write(many[which] = residences_allocate(), value);
}

static void expect_the_others(int but) {
  for (int i = 0; i < MANY; i++)
    if (i != but)
      residences_expect(many[i], i);
}

/* many[0] is the oldest of those on the device, and leaves it by a copy. */
static void bring_first(void) {
  residences_write(many[0], 0);
  for (int i = 1; i < FIT; i++)
    residences_expect(many[i], i);
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_HERE);
}

static void expect_shifted(bool is_shifted) {
  static unsigned char model[SIZE], got[SIZE];
  residences_write(many[1], 0);
  support_succeed(vptr_memcpy(residences_mapper, model, many[1], SIZE));
  residences_write(many[1], 1);
  if (is_shifted)
    memmove(model + 5, model, HALF - 5);
  support_succeed(vptr_memcpy(residences_mapper, got, many[0], SIZE));
  support_must(memcmp(got, model, SIZE) == 0);
}

/* Each step of the eviction, which fails there or does not, by what a second thread does meanwhile. */
START_TEST(who_uses_what_leaves_goes_on_however_it_ends) {
  static use *const uses[] = { read_it, shift_it, free_it };
  const residences_step step = _i % 2 == 0 ? STEP_FINISH : STEP_READ;
  const bool fails = _i / 2 % 2 == 1;
  user user = { .run = uses[_i / 4], .ptr = many[0] };
  pthread_t evicting, using;
  void *memory = NULL;
  bring_first();
  residences_hold_up(step, fails);
  start(&evicting, allocate_one, &memory);
  residences_await();
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_LEAVING);
  start(&using, run_user, &user);
  if (user.run != free_it) {
    usleep(20000);
    ck_assert(!atomic_load(&user.is_done));
  } else {
    pthread_join(using, NULL);
  }
  residences_let_go();
  pthread_join(evicting, NULL);
  if (user.run != free_it)
    pthread_join(using, NULL);
  residences_undo();
  support_expect(VPTR_SUCCESS, user.status);
  ck_assert_ptr_nonnull(memory);
  support_succeed(vptr_free(residences_mapper, memory));
  if (user.run == free_it)
    replace(0, 0);
  expect_shifted(user.run == shift_it);
  expect_the_others(0);
  residences_write(many[0], 0);
}
END_TEST

/* Likewise of what comes. */
START_TEST(who_uses_what_comes_goes_on_however_it_ends) {
  const residences_step step = _i % 2 == 0 ? STEP_CREATE : STEP_WRITE;
  const bool fails = _i / 2 % 2 == 1, frees = _i / 4 == 1;
  user first = { .run = read_it, .ptr = many[0] }, second = { .run = frees ? free_it : read_it, .ptr = many[0] };
  pthread_t bringing, using;
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_AWAY);
  residences_hold_up(step, fails);
  start(&bringing, run_user, &first);
  residences_await();
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_COMING);
  start(&using, run_user, &second);
  if (frees) {
    pthread_join(using, NULL);
  } else {
    usleep(20000);
    ck_assert(!atomic_load(&second.is_done));
  }
  residences_let_go();
  pthread_join(bringing, NULL);
  if (!frees)
    pthread_join(using, NULL);
  residences_undo();
  if (frees) /* as it was when he had to look again, or had it in time */
    ck_assert(first.status == VPTR_SUCCESS || first.status == VPTR_ERROR_FREED || fails);
  else
    support_expect(fails ? VPTR_ERROR_OPENCL : VPTR_SUCCESS, first.status);
  support_expect(VPTR_SUCCESS, second.status);
  if (frees)
    replace(0, 0);
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}
END_TEST

/* ---- faults at each position, with two threads ---------------------------------------------------------- */

enum { MOST_POSITIONS = 300, QUIET = 5 };

static residences_fail *const faults[] = { residences_fail_device, residences_fail_for_room, vptr__memory_fail_nth };
enum { FAULTS = sizeof faults / sizeof *faults };

static bool is_corrupt(const user *each) {
  return each->status == VPTR_ERROR_CORRUPT;
}

START_TEST(two_threads_that_need_the_same_outlive_any_failure) {
  int failed = 0;
  if (faults[_i] != vptr__memory_fail_nth && !faults_can())
    return;
  for (long n = 1, quiet = 0; n <= MOST_POSITIONS && quiet < QUIET; n++) {
    user users[2] = { { .run = read_it, .ptr = many[0] }, { .run = read_it, .ptr = many[0] } };
    pthread_t threads[2];
    for (int i = FIT; i < MANY; i++)
      residences_expect(many[i], i);
    ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_AWAY);
    faults[_i](n);
    for (int i = 0; i < 2; i++)
      start(&threads[i], run_user, &users[i]);
    for (int i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
    faults[_i](0);
    ck_assert(!is_corrupt(&users[0]) && !is_corrupt(&users[1]));
    ck_assert(users[0].status == VPTR_SUCCESS || users[1].status == VPTR_SUCCESS);
    bool has_failed = users[0].status != users[1].status;
    failed += has_failed;
    quiet = has_failed || residences_has_fired(faults[_i]) ? 0 : quiet + 1;
    support_succeed(vptr_check(residences_mapper));
    for (int i = 0; i < MANY; i++)
      residences_expect(many[i], i);
  }
  if (faults[_i] == residences_fail_device)
    ck_assert_int_gt(failed, 0);
}
END_TEST

/* ---- two full devices ----------------------------------------------------------------------------------- */

/* All fake devices have one memory. So what each has is counted here. */
typedef struct side {
  vptr_mapper *mapper;
  vptr__stream *stream;
  unsigned char *many[MANY];
  vptr__device_ops ops;
  _Atomic(size_t) bytes;
} side;

static side sides[2];
static const vptr__device_ops *fake_ops;

static side *side_of(const vptr__device *device) {
  return &sides[device == sides[1].mapper->device];
}

static bool take_room(side *of, size_t size) {
  if (atomic_fetch_add(&of->bytes, size) + size <= FIT * SIZE + LEFT)
    return true;
  atomic_fetch_sub(&of->bytes, size);
  return false;
}

static vptr_status create_counted(vptr__device *device, size_t size, cl_mem *buffer_out) {
  side *of = side_of(device);
  if (!take_room(of, size))
    return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, "one of two devices is full");
  vptr_status status = fake_ops->memory.create(device, size, buffer_out);
  if (status != VPTR_SUCCESS)
    atomic_fetch_sub(&of->bytes, size);
  return status;
}

static vptr_status set_counted(vptr__device *device, size_t size, unsigned char byte, cl_mem *buffer_out) {
  side *of = side_of(device);
  if (!take_room(of, size))
    return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, "one of two devices is full");
  vptr_status status = fake_ops->memory.create_set(device, size, byte, buffer_out);
  if (status != VPTR_SUCCESS)
    atomic_fetch_sub(&of->bytes, size);
  return status;
}

static void release_counted(vptr__device *device, cl_mem buffer) {
  size_t size = 0;
  if (vptr__fake_buffer_references(buffer) == 1 && fake_ops->memory.size(device, buffer, &size) == VPTR_SUCCESS)
    atomic_fetch_sub(&side_of(device)->bytes, size);
  fake_ops->memory.release(device, buffer);
}

static void begin_side(side *it, int first) {
  void *ptr;
  it->ops = *fake_ops;
  it->ops.memory.create = create_counted;
  it->ops.memory.create_set = set_counted;
  it->ops.memory.release = release_counted;
  atomic_store(&it->bytes, 0);
  it->mapper->device->ops = &it->ops;
  support_succeed(vptr__stream_create(it->mapper, 0, 0, &it->stream));
  residences_mapper = it->mapper;
  for (int i = 0; i < MANY; i++) {
    support_succeed(vptr_malloc(it->mapper, SIZE, &ptr));
    residences_write(it->many[i] = ptr, first + i);
  }
}

static void begin_sides(void) {
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  vptr__option_reload();
  for (int i = 0; i < 2; i++)
    support_succeed(vptr_mapper_create(NULL, &sides[i].mapper));
  fake_ops = sides[0].mapper->device->ops;
  for (int i = 0; i < 2; i++)
    begin_side(&sides[i], i * MANY);
}

static void expect_side(const side *it, int first) {
  residences_mapper = it->mapper;
  for (int i = 0; i < MANY; i++)
    residences_expect(it->many[i], first + i);
  support_succeed(vptr_check(it->mapper));
}

static void end_sides(void) {
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < MANY; k++)
      support_succeed(vptr_free(sides[i].mapper, sides[i].many[k]));
    support_succeed(vptr__stream_destroy(sides[i].stream));
    sides[i].mapper->device->ops = fake_ops;
    support_succeed(vptr_mapper_destroy(sides[i].mapper));
  }
  unsetenv("VPTR_OVERSUBSCRIBE");
  vptr__option_reload();
}

static vptr_status copy_across(vptr__stream *stream, void *to, void *from) {
  vptr__operand target = { .what = "the copy's target", .ptr = to }, source = { .what = "its source", .ptr = from };
  vptr__operand_classify(&target);
  vptr__operand_classify(&source);
  return vptr__transfer_copy_classified(stream, &target, &source, (const size_t[3]){ SIZE, 1, 1 },
                                        VPTR__TRANSFER_WAIT);
}

START_TEST(copies_between_two_full_devices_outlive_any_failure) {
  int failed = 0;
  begin_sides();
  for (long n = 1, quiet = 0; n <= MOST_POSITIONS && quiet < QUIET; n++) {
    expect_side(&sides[0], 0);
    expect_side(&sides[1], MANY);
    faults[_i](n);
    vptr_status status = copy_across(sides[0].stream, sides[0].many[0], sides[1].many[1]);
    faults[_i](0);
    failed += status != VPTR_SUCCESS;
    quiet = status != VPTR_SUCCESS || residences_has_fired(faults[_i]) ? 0 : quiet + 1;
    residences_mapper = sides[0].mapper;
    if (status == VPTR_SUCCESS)
      residences_expect(sides[0].many[0], MANY + 1);
    residences_write(sides[0].many[0], 0);
  }
  if (faults[_i] == residences_fail_device)
    ck_assert_int_gt(failed, 0);
  end_sides();
}
END_TEST

typedef struct crossing {
  int from;
  int failures;
} crossing;

/* Each thread copies what is its own: the allocations that it names are no other thread's. */
static void *cross(void *context) {
  crossing *it = context;
  for (long round = 0; round < support_rounds(40); round++) {
    side *to = &sides[(it->from + round) % 2], *from = &sides[(it->from + round + 1) % 2];
    for (int k = it->from / 2; k < MANY; k += 4)
      it->failures += copy_across(to->stream, to->many[k], from->many[k]) != VPTR_SUCCESS;
  }
  if (it->failures > 0)
    fprintf(stderr, "%d failures, at last: %s\n", it->failures, vptr_last_error());
  return NULL;
}

START_TEST(threads_copy_both_ways_between_two_full_devices) {
  enum { PAIRS = 4 };
  pthread_t threads[PAIRS];
  crossing crossings[PAIRS];
  begin_sides();
  for (int i = 0; i < PAIRS; i++) {
    crossings[i] = (crossing){ 2 * i + i % 2, 0 };
    start(&threads[i], cross, &crossings[i]);
  }
  for (int i = 0; i < PAIRS; i++) {
    pthread_join(threads[i], NULL);
    ck_assert_int_eq(crossings[i].failures, 0);
  }
  static unsigned char got[2][SIZE];
  for (int k = 0; k < MANY; k++) {
    for (int i = 0; i < 2; i++)
      support_succeed(vptr_memcpy(sides[i].mapper, got[i], sides[i].many[k], SIZE));
    support_must(memcmp(got[0], got[1], SIZE) == 0);
    support_must(residences_match(got[0], k) || residences_match(got[0], MANY + k));
  }
  end_sides();
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("residence_races");
  TCase *moves = tcase_create("moves");
  tcase_set_timeout(moves, 60);
  tcase_add_checked_fixture(moves, residences_set_up, residences_tear_down);
  tcase_add_loop_test(moves, who_uses_what_leaves_goes_on_however_it_ends, 0, 12);
  tcase_add_loop_test(moves, who_uses_what_comes_goes_on_however_it_ends, 0, 8);
  tcase_add_loop_test(moves, two_threads_that_need_the_same_outlive_any_failure, 0, FAULTS);
  suite_add_tcase(suite, moves);
  if (!support_has_opencl()) { /* which has two devices */
    TCase *devices = tcase_create("devices");
    tcase_set_timeout(devices, 120);
    tcase_add_loop_test(devices, copies_between_two_full_devices_outlive_any_failure, 0, FAULTS);
    tcase_add_test(devices, threads_copy_both_ways_between_two_full_devices);
    suite_add_tcase(suite, devices);
  }
  return support_run(suite);
}
