/* SPDX-License-Identifier: MIT */
/*
 * A joint device: what it says of itself and refuses, work of several threads in one buffer, and calls of members and
 * commands that fail.
 */
#include "joined.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "device/joint.h"
#include "layer/faults.h"
#include "support/support.h"

enum { LARGE = 4 * JOINED_STRIPE_FROM, SMALL = 8192 };

static vptr__device *device;
static cl_program program;
static cl_kernel kernel;
static long live_before;

static void open_device(void) {
  live_before = vptr__memory_live();
  device = joined_open();
  kernel = joined_kernel(device, &program);
}

static void close_device(void) {
  joined_close(device, program, kernel, live_before);
}

static cl_mem make(size_t bytes, unsigned char byte) {
  return joined_make(device, bytes, byte);
}

static void release(cl_mem buffer) {
  device->ops->memory.release(device, buffer);
}

/* ---- what it says ----------------------------------------------------------------------------------------- */

START_TEST(it_says_that_it_is_several) {
  ck_assert_str_eq(strstr(device->name, " x ") != NULL ? "several" : device->name, "several");
  ck_assert_ptr_null(device->cl_context);
  ck_assert(!device->host_unified);
  bool takes = true;
  support_succeed(device->ops->memory.takes_addresses(device, &takes));
  ck_assert(!takes);
  if (!support_has_opencl()) {
    ck_assert_str_eq(device->name, "3 x fake device");
    ck_assert_uint_eq(device->memory_bytes, UINT64_C(3) * 64 << 30);
  }
}
END_TEST

/* Texts of kernels have PTX where all members take it: NVIDIA's compiler knows no fence of another kind. */
START_TEST(its_kernels_are_written_as_the_members_want_them) {
  vptr__device *taking;
  ck_assert(support_has_opencl() || device->ptx == 0);
  if (support_has_opencl())
    return;
  vptr__fake_take_ptx(900);
  support_succeed(vptr__device_open(NULL, 0, &taking));
  vptr__fake_take_ptx(0);
  ck_assert_ptr_nonnull(taking->joint);
  ck_assert_uint_eq(taking->ptx, 900);
  vptr__device_close(taking);
}
END_TEST

START_TEST(what_needs_one_object_is_refused_with_words) {
  cl_mem buffer = make(LARGE, 0), out = NULL;
  vptr__row *row = NULL;
  unsigned char bytes[4096];
  uint64_t address;
  size_t size;
  void *host;
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->memory.create_sub(device, buffer, 4096, 4096, &out));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->memory.row_create(device, 8192, 4096, &row));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->memory.address(device, buffer, &address));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->memory.share_host(device, bytes, sizeof bytes, &out));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->memory.map(device, buffer, 0, 1, VPTR_ACCESS_READ, &host));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->memory.size(device, (cl_mem)bytes, &size));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->queue.use(device, (cl_command_queue)bytes));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->kernel.arg_address(device, kernel, 0, 4096));
  vptr__image image = { .extent = { 1, 1, 1 }, .element = 4, .buffer = buffer };
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->image.create(device, &image));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_STRIPE"));
  release(buffer);
}
END_TEST

START_TEST(memory_lies_on_all_members) {
  vptr__fake_counts before, after;
  if (support_has_opencl())
    return;
  vptr__fake_get_counts(&before);
  cl_mem large = make(LARGE, 1), small = make(SMALL, 2);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers - before.buffers, 4);
  ck_assert_uint_eq(after.bytes - before.bytes, LARGE + SMALL);
  release(large);
  release(small);
}
END_TEST

/* ---- events ----------------------------------------------------------------------------------------------- */

static atomic_int told_state;

static void CL_CALLBACK be_told(cl_event event, cl_int state, void *context) {
  (void)event, (void)context;
  atomic_store(&told_state, state);
}

static void await_told(cl_int state) {
  while (atomic_load(&told_state) != state)
    sched_yield();
}

START_TEST(a_queue_waits_for_the_host_and_others_hear_of_it) {
  cl_event user, behind;
  cl_int state;
  uint64_t began, ended;
  atomic_store(&told_state, CL_QUEUED);
  support_succeed(device->ops->event.create_user(device, &user));
  support_succeed(device->ops->queue.enqueue_barrier(device, device->cl_queue, 1, &user, &behind));
  support_succeed(device->ops->event.notify(device, behind, be_told, NULL));
  support_succeed(device->ops->event.state(device, behind, &state));
  ck_assert_int_gt(state, CL_COMPLETE);
  support_expect(VPTR_ERROR_OPENCL, device->ops->event.times(device, behind, &began, &ended));
  support_succeed(device->ops->event.set_user(device, user, CL_COMPLETE));
  support_succeed(device->ops->event.wait(device, behind));
  await_told(CL_COMPLETE);
  support_succeed(device->ops->event.times(device, behind, &began, &ended));
  ck_assert_uint_le(began, ended);
  atomic_store(&told_state, CL_QUEUED);
  support_succeed(device->ops->event.notify(device, behind, be_told, NULL));
  await_told(CL_COMPLETE);
  device->ops->event.release(device, user);
  device->ops->event.release(device, behind);
}
END_TEST

START_TEST(who_waits_for_what_failed_fails_and_the_queue_goes_on) {
  cl_event user, behind;
  cl_int state;
  support_succeed(device->ops->event.create_user(device, &user));
  support_succeed(device->ops->event.set_user(device, user, -5));
  support_succeed(device->ops->queue.enqueue_barrier(device, device->cl_queue, 1, &user, &behind));
  support_expect(VPTR_ERROR_OPENCL, device->ops->event.wait(device, behind));
  support_succeed(device->ops->event.state(device, behind, &state));
  ck_assert_int_eq(state, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  device->ops->event.release(device, user);
  device->ops->event.release(device, behind);
  cl_mem buffer = make(LARGE, 3);
  release(buffer);
  support_succeed(device->ops->queue.finish_all(device));
}
END_TEST

/* ---- binaries --------------------------------------------------------------------------------------------- */

START_TEST(a_binary_is_that_of_all_members) {
  unsigned char *binary;
  size_t size;
  cl_program again;
  cl_mem to = make(LARGE, 1), from = make(SMALL, 2);
  uint32_t word;
  support_succeed(device->ops->kernel.program_binary(device, program, &binary, &size));
  vptr__program_source source = { .options = "", .binary = binary, .binary_size = size };
  support_succeed(device->ops->kernel.program_build(device, &source, &again));
  cl_kernel again_kernel;
  support_succeed(device->ops->kernel.create(device, again, "stir", &again_kernel));
  support_succeed(joined_launch(device, device->cl_queue, again_kernel, &(joined_words){ to, 0 },
                                &(joined_words){ from, 0 }, 1, NULL));
  support_succeed(device->ops->transfer.read(device, to, 0, &word, sizeof word));
  ck_assert_uint_eq(word, 0x01010101u * 31 + 0x02020202u);
  source.binary_size = size - 1;
  support_expect(VPTR_ERROR_OPENCL, device->ops->kernel.program_build(device, &source, &again));
  device->ops->kernel.release(device, again_kernel);
  device->ops->kernel.program_release(device, again);
  vptr__memory_free(binary);
  release(to);
  release(from);
}
END_TEST

START_TEST(what_no_member_can_have_at_once_is_refused_with_the_bytes) {
  cl_mem to = make(LARGE, 1), from = make(SMALL, 2);
  for (unsigned i = 0; i < device->joint->count; i++)
    device->joint->members[i]->memory_bytes = LARGE;
  support_expect(
      VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
      joined_launch(device, device->cl_queue, kernel, &(joined_words){ to, 0 }, &(joined_words){ from, 0 }, 1, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "270336 bytes"));
  release(to);
  release(from);
}
END_TEST

/* ---- several threads in one buffer ------------------------------------------------------------------------ */

enum { THREADS = 4, SLOT = 16384, TURNS = 150 };

typedef struct worker {
  cl_mem shared, own;
  size_t slot; /* in the shared buffer, which no other thread looks at */
  uint64_t seed;
  cl_command_queue queue;
  cl_kernel kernel;
} worker;

static void work_once(const worker *it, unsigned char *model, unsigned char *own, uint64_t *seed) {
  unsigned char bytes[SLOT];
  const size_t at = support_below(seed, SLOT), size = 1 + support_below(seed, SLOT - at);
  switch (support_below(seed, 3)) {
  case 0:
    memset(model + at, (int)support_below(seed, 256), size);
    support_succeed(
        device->ops->transfer.enqueue_write(device, it->queue, it->shared, it->slot + at, model + at, size, NULL));
    support_succeed(device->ops->queue.finish(device, it->queue));
    break;
  case 1:
    support_succeed(device->ops->transfer.enqueue_read(device, it->queue, it->shared, it->slot, bytes, SLOT, NULL));
    support_succeed(device->ops->queue.finish(device, it->queue));
    support_must(memcmp(bytes, model, SLOT) == 0);
    break;
  default: /* where most bytes are: the thread's own buffer is on one member, or on another */
    memset(own, (int)support_below(seed, 256), SLOT);
    support_succeed(device->ops->transfer.enqueue_write(device, it->queue, it->own, 0, own, SLOT, NULL));
    support_succeed(joined_launch(device, it->queue, it->kernel, &(joined_words){ it->shared, it->slot },
                                  &(joined_words){ it->own, 0 }, SLOT / 4, NULL));
    joined_stir(model, own, SLOT / 4);
    support_succeed(device->ops->queue.finish(device, it->queue));
    break;
  }
}

static void *work(void *context) {
  const worker *it = context;
  unsigned char *model = calloc(SLOT, 1), *own = calloc(SLOT, 1);
  uint64_t seed = it->seed;
  for (long i = support_rounds(TURNS); i > 0; i--)
    work_once(it, model, own, &seed);
  free(model);
  free(own);
  return NULL;
}

START_TEST(threads_use_their_parts_of_one_buffer) {
  worker workers[THREADS];
  pthread_t threads[THREADS];
  cl_mem shared = make((size_t)THREADS * SLOT, 0);
  if (!support_has_opencl())
    vptr__fake_disorder(3, 30);
  for (size_t i = 0; i < THREADS; i++) {
    workers[i] = (worker){ .shared = shared, .slot = i * SLOT, .seed = i + 1 };
    workers[i].own = make((i + 1) * JOINED_STRIPE_FROM, 0);
    support_succeed(device->ops->queue.create(device, 0, false, &workers[i].queue));
    support_succeed(device->ops->kernel.create(device, program, "stir", &workers[i].kernel));
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    device->ops->kernel.release(device, workers[i].kernel);
    device->ops->queue.release(device, workers[i].queue);
    release(workers[i].own);
  }
  release(shared);
  if (!support_has_opencl())
    vptr__fake_disorder(0, 0);
}
END_TEST

/* ---- what fails ------------------------------------------------------------------------------------------- */

/* Work that goes to all members and from one to another. Whatever fails of it, a byte is what it was or what it shall
 * be, and the device goes on. */
static vptr_status do_work(cl_mem to, cl_mem from, const unsigned char *bytes, unsigned char *read) {
  vptr_status status = device->ops->transfer.write(device, from, 5, bytes, LARGE - 10);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.copy(device, from, 0, to, 100, LARGE - 100);
  if (status == VPTR_SUCCESS)
    status = joined_launch(device, device->cl_queue, kernel, &(joined_words){ to, 4096 }, &(joined_words){ from, 0 },
                           1000, NULL);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.write(device, from, LARGE / 2, bytes, 4096);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.read(device, to, 0, read, LARGE);
  return status;
}

static void check_survives(cl_mem buffer) {
  unsigned char *bytes = malloc(LARGE), *again = malloc(LARGE);
  memset(bytes, 77, LARGE);
  support_succeed(device->ops->transfer.write(device, buffer, 0, bytes, LARGE));
  support_succeed(device->ops->transfer.read(device, buffer, 0, again, LARGE));
  support_must(memcmp(bytes, again, LARGE) == 0);
  free(bytes);
  free(again);
}

/* Bytes that the failed write was to change are old or new, all others old. */
static void check_write_failed(cl_mem buffer, unsigned char before, unsigned char after) {
  unsigned char *bytes = malloc(LARGE);
  support_succeed(device->ops->transfer.read(device, buffer, 0, bytes, LARGE));
  for (size_t i = 0; i < LARGE; i++)
    support_must(bytes[i] == before || (bytes[i] == after && i >= 5 && i < LARGE - 5));
  free(bytes);
}

/* What a command uses, its caller has again: on the fake device it is known. */
static void check_at_rest(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.commands, 0);
}

static void fail_call(long n) {
  if (n > 0)
    faults_plant(n, CL_OUT_OF_RESOURCES);
  else
    faults_pull();
}

/* Whether it failed. Where a call of a member does, the last command of the work has been waited for. */
static bool try_work(void (*plant)(long n), long n) {
  unsigned char *bytes = malloc(LARGE), *read = malloc(LARGE);
  cl_mem to = make(LARGE, 1), from = make(LARGE, 2);
  memset(bytes, 9, LARGE);
  support_succeed(device->ops->queue.finish_all(device));
  plant(n);
  vptr_status status = do_work(to, from, bytes, read);
  if (plant == fail_call && !support_has_opencl())
    check_at_rest();
  device->ops->queue.finish_all(device);
  plant(0);
  check_write_failed(from, 2, 9);
  check_survives(to);
  check_survives(from);
  release(to);
  release(from);
  free(bytes);
  free(read);
  ck_assert_int_lt(n, 1000);
  return status != VPTR_SUCCESS;
}

/* Some fail without a word, such as a flush. On the fake device commands take a while, so that one whose wait failed is
 * still under way. */
START_TEST(each_call_of_a_member_fails_once) {
  if (!faults_can())
    return;
  if (!support_has_opencl())
    vptr__fake_disorder(7, 500);
  long n = 1;
  do
    try_work(fail_call, n++);
  while (faults_have_fired());
  ck_assert_int_gt(n, 20);
  if (!support_has_opencl())
    vptr__fake_disorder(0, 0);
}
END_TEST

static void fail_command(long n) {
  vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
}

START_TEST(each_command_of_a_member_fails_once) {
  if (support_has_opencl())
    return;
  for (long n = 1; try_work(fail_command, n); n++)
    ;
}
END_TEST

START_TEST(each_allocation_of_the_host_fails_once) {
  for (long n = 1; try_work(vptr__memory_fail_nth, n); n++)
    ;
}
END_TEST

START_TEST(opening_fails_at_each_call_and_leaves_nothing) {
  if (support_has_opencl())
    return;
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  const long live = vptr__memory_live();
  vptr__device *another;
  vptr_status status = VPTR_ERROR_OPENCL;
  for (long n = 1; status != VPTR_SUCCESS; n++) {
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    status = vptr__device_open(NULL, 0, &another);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    if (status == VPTR_SUCCESS)
      vptr__device_close(another);
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(after.queues, before.queues);
    ck_assert_int_eq(vptr__memory_live(), live);
  }
}
END_TEST

int main(void) {
  joined_begin();
  faults_begin();
  Suite *suite = suite_create("joint");
  TCase *tcase = tcase_create("joint");
  tcase_add_checked_fixture(tcase, open_device, close_device);
  tcase_add_test(tcase, it_says_that_it_is_several);
  tcase_add_test(tcase, its_kernels_are_written_as_the_members_want_them);
  tcase_add_test(tcase, what_needs_one_object_is_refused_with_words);
  tcase_add_test(tcase, memory_lies_on_all_members);
  tcase_add_test(tcase, a_queue_waits_for_the_host_and_others_hear_of_it);
  tcase_add_test(tcase, who_waits_for_what_failed_fails_and_the_queue_goes_on);
  tcase_add_test(tcase, a_binary_is_that_of_all_members);
  tcase_add_test(tcase, what_no_member_can_have_at_once_is_refused_with_the_bytes);
  tcase_add_test(tcase, threads_use_their_parts_of_one_buffer);
  tcase_add_test(tcase, each_call_of_a_member_fails_once);
  tcase_add_test(tcase, each_command_of_a_member_fails_once);
  tcase_add_test(tcase, each_allocation_of_the_host_fails_once);
  tcase_add_test(tcase, opening_fails_at_each_call_and_leaves_nothing);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
