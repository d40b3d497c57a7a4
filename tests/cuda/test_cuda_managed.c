/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_managed - memory of cudaMallocManaged() between launches, the host, frees and resets; what a launch
 * declares of it; and more of it than the device holds.
 *
 * The device is small, where that can be chosen. Copies are in test_cuda_managed_copy.c.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vptr/cuda/vptr_kernel.h>

#include "base/memory.h"
#include "device/fake.h"
#include "managed.h"
#include "mirror/address_index.h"

enum {
  COUNT = 5000, /* numbers: some pages, the last one not full */
  BYTES = COUNT * sizeof(int),
  THREADS = 4,
  LARGE = 1 << 20, /* numbers: a quarter of the device */
  LARGE_ONES = 10
};

static const dim3 one = { 1, 1, 1 };

static void expect_numbers(const int *x, int n, int add) {
  for (int i = 0; i < n; i++)
    support_must(x[i] == i + add);
}

/* Its buffer is taken from the device, and comes back. */
START_TEST(what_it_takes_of_the_device_is_told) {
  size_t before, during, after;
  succeed(cudaMemGetInfo(&before, NULL));
  int *x = managed_numbers(LARGE);
  bool faults = managed_faults(x);
  succeed(cudaMemGetInfo(&during, NULL));
  succeed(cudaFree(x));
  succeed(cudaMemGetInfo(&after, NULL));
  ck_assert_uint_eq(before - during, faults ? LARGE * sizeof(int) : 0);
  ck_assert_uint_eq(after, before);
}
END_TEST

/* ---- what a launch declares ----------------------------------------------------------------------------- */

static cudaError_t duplicate(int *to, const int *from, int n, const int *accesses, size_t count) {
  void *arguments[] = { &to, &from, &n };
  return vptr_cuda_launch_declared(&managed_duplicate, one, one, arguments, accesses, count, 0, NULL);
}

START_TEST(accesses_that_are_none_are_refused) {
  static const int below[] = { VPTR_CUDA_ACCESS_WRITE, -1 }, above[] = { 6 }, many[4];
  int *x = managed_numbers(COUNT), *to = managed_numbers(COUNT);
  expect(cudaErrorInvalidValue, duplicate(to, x, COUNT, below, 2));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "access -1 of argument 1"));
  expect(cudaErrorInvalidValue, duplicate(to, x, COUNT, above, 1));
  expect(cudaErrorInvalidValue, duplicate(to, x, COUNT, NULL, 1));
  expect(cudaErrorInvalidValue, duplicate(to, x, COUNT, many, 4));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "4 accesses"));
  succeed(duplicate(to, x + 1, COUNT - 1, many, 3));
  succeed(duplicate(to, x, COUNT, NULL, 0));
  succeed(cudaDeviceSynchronize());
  expect_numbers(to, COUNT, 0);
  succeed(cudaFree(to));
  succeed(cudaFree(x));
}
END_TEST

static cudaError_t duplicate_in(int *to, const int *from, int n, const vptr_cuda_range *ranges, size_t count) {
  void *arguments[] = { &to, &from, &n };
  return vptr_cuda_launch_ranges(&managed_duplicate, one, one, arguments, ranges, count, 0, NULL);
}

/* Of managed and of device memory; what fails changes nothing. */
START_TEST(ranges_that_are_none_are_refused) {
  const vptr_cuda_range right[] = { { BYTES, 0, VPTR_CUDA_ACCESS_DISCARD_WRITE }, { BYTES, sizeof(int), 0 } };
  const vptr_cuda_range beyond[] = { { BYTES + 1, 0, 0 } }, longer[] = { { 8, 9, 0 } }, odd[] = { { 8, 0, -1 } };
  const vptr_cuda_range number[] = { right[0], right[1], { 4, 0, 0 } }, many[4] = { { 0, 0, 0 } };
  int *x = managed_numbers(COUNT), *to, back[COUNT];
  succeed(cudaMalloc((void **)&to, BYTES));
  succeed(cudaMemset(to, 0, BYTES));
  expect(cudaErrorInvalidValue, duplicate_in(to, x, COUNT, beyond, 1));
  expect(cudaErrorInvalidValue, duplicate_in(x, to, COUNT, beyond, 1));
  expect(cudaErrorInvalidValue, duplicate_in(x + 1, to, COUNT, right, 1));
  expect(cudaErrorInvalidValue, duplicate_in(to, x, COUNT, longer, 1));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "argument 0 has 9 bytes, and all of them 8"));
  expect(cudaErrorInvalidValue, duplicate_in(to, x, COUNT, odd, 1));
  expect(cudaErrorInvalidValue, duplicate_in(to, x, COUNT, number, 3));
  ck_assert_msg(strstr(vptr_last_error(), "argument 2, which is no pointer") != NULL, "%s", vptr_last_error());
  expect(cudaErrorInvalidValue, duplicate_in(to, x, COUNT, many, 4));
  expect(cudaErrorInvalidValue, duplicate_in(to, x, COUNT, NULL, 1));
  vptr__memory_fail_nth(1);
  expect(cudaErrorMemoryAllocation, duplicate_in(to, x, COUNT, right, 2));
  vptr__memory_fail_nth(0);
  succeed(cudaMemcpy(back, to, BYTES, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++)
    support_must(back[i] == 0);
  succeed(duplicate_in(to, x, COUNT, right, 2));
  succeed(cudaMemcpy(back, to, BYTES, cudaMemcpyDeviceToHost));
  expect_numbers(back, COUNT, 0);
  succeed(cudaFree(to));
  succeed(cudaFree(x));
}
END_TEST

START_TEST(what_is_read_stays_the_hosts) {
  static const int accesses[] = { VPTR_CUDA_ACCESS_WRITE, VPTR_CUDA_ACCESS_READ, 0 };
  int *x = managed_numbers(COUNT), *to = (int *)device_memory(BYTES);
  if (managed_faults(x)) {
    uint64_t faults = managed_counts(x).faults;
    for (int i = 0; i < 3; i++) {
      succeed(duplicate(to, x, COUNT, accesses, 3));
      succeed(cudaDeviceSynchronize());
      expect_numbers(x, COUNT, 0);
      vptr__mirror_counts counts = managed_counts(x);
      ck_assert_uint_eq(counts.sends, 1); /* nothing was written since */
      ck_assert_uint_eq(counts.faults, faults);
      ck_assert_uint_eq(counts.fetches, 0);
    }
    x[0] = 7; /* one page */
    succeed(duplicate(to, x, COUNT, accesses, 3));
    ck_assert_uint_eq(managed_counts(x).sends, 2);
    ck_assert_uint_lt(managed_counts(x).sent, 2 * BYTES);
  }
  succeed(cudaFree(to));
  succeed(cudaFree(x));
}
END_TEST

START_TEST(what_is_discarded_is_not_sent) {
  static const int kinds[] = { VPTR_CUDA_ACCESS_DISCARD_WRITE, VPTR_CUDA_ACCESS_DISCARD_READ_WRITE };
  int *x = managed_numbers(COUNT), *from = managed_numbers(COUNT);
  for (int i = 0; i < 2; i++) {
    memset(x, 7, BYTES);
    succeed(duplicate(x, from, COUNT, &kinds[i], 1));
    succeed(cudaDeviceSynchronize());
    expect_numbers(x, COUNT, 0);
    if (managed_faults(x))
      ck_assert_uint_eq(managed_counts(x).sends, 0);
  }
  succeed(cudaFree(from));
  succeed(cudaFree(x));
}
END_TEST

START_TEST(what_the_host_leaves_alone_is_not_sent_again) {
  int *x = managed_numbers(COUNT);
  for (int i = 0; i < 5; i++)
    succeed(managed_run_add(x, COUNT, 1, NULL));
  if (managed_faults(x)) {
    ck_assert_uint_eq(managed_counts(x).sends, 1);
    ck_assert_uint_eq(managed_counts(x).fetches, 0);
  }
  succeed(cudaDeviceSynchronize());
  expect_numbers(x, COUNT, 5);
  succeed(cudaFree(x));
}
END_TEST

/* What one argument reads the other may not discard, whichever comes first. */
START_TEST(one_allocation_may_be_two_arguments) {
  static const int writes[] = { 0, VPTR_CUDA_ACCESS_WRITE, VPTR_CUDA_ACCESS_READ_WRITE,
                                VPTR_CUDA_ACCESS_DISCARD_WRITE, VPTR_CUDA_ACCESS_DISCARD_READ_WRITE };
  for (int to = 0; to < 5; to++)
    for (int from = 0; from <= VPTR_CUDA_ACCESS_READ_WRITE; from++) {
      const int accesses[] = { writes[to], from };
      int *x = managed_numbers(2 * COUNT);
      succeed(duplicate(x + COUNT, x, COUNT, accesses, 2));
      succeed(cudaDeviceSynchronize());
      expect_numbers(x, COUNT, 0);
      expect_numbers(x + COUNT, COUNT, 0);
      x[3] = 4;
      succeed(managed_run_duplicate(x, x + COUNT, COUNT, NULL));
      succeed(cudaDeviceSynchronize());
      expect_numbers(x, COUNT, 0);
      succeed(cudaFree(x));
    }
}
END_TEST

/* The array of addresses, and the values; a kernel had them last. */
START_TEST(arguments_may_lie_in_managed_memory) {
  typedef struct frame {
    void *arguments[3];
    int *x, n, by;
  } frame;
  frame *it = NULL;
  succeed(cudaMallocManaged((void **)&it, sizeof *it, cudaMemAttachGlobal));
  *it = (frame){ { &it->x, &it->n, &it->by }, &it->n, 2, 10 };
  for (int i = 0; i < 3; i++) {
    succeed(cudaLaunchKernel(&managed_add, one, one, it->arguments, 0, NULL));
    succeed(cudaDeviceSynchronize());
  }
  ck_assert_int_eq(it->by, 80);
  ck_assert_int_eq(it->n, 2 + 10 + 20 + 40); /* the second and third begin with n of before */
  succeed(cudaFree(it));
}
END_TEST

/* ---- freeing -------------------------------------------------------------------------------------------- */

static struct {
  pthread_barrier_t start;
  int *memory;
  atomic_int freed, refused;
} race;

static void *free_it(void *unused) {
  pthread_barrier_wait(&race.start);
  cudaError_t error = cudaFree(race.memory);
  atomic_fetch_add(&race.freed, error == cudaSuccess);
  atomic_fetch_add(&race.refused, error == cudaErrorInvalidValue);
  return unused;
}

START_TEST(of_many_frees_one_succeeds) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&race.start, NULL, THREADS);
  for (int round = 1; round <= 30; round++) {
    race.memory = managed_numbers(COUNT);
    succeed(managed_run_add(race.memory, COUNT, 1, NULL));
    for (int i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_create(&threads[i], NULL, free_it, NULL), 0);
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&race.freed), round);
    ck_assert_int_eq(atomic_load(&race.refused), round * (THREADS - 1));
  }
  pthread_barrier_destroy(&race.start);
}
END_TEST

START_TEST(a_free_waits_for_the_kernels) {
  managed_gate gate;
  cudaStream_t stream;
  int *x = managed_numbers(COUNT), *to = (int *)device_memory(BYTES), *seen = malloc(BYTES);
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  managed_close_gate(&gate, stream);
  succeed(managed_run_duplicate(to, x, COUNT, stream));
  managed_open_gate_later(&gate);
  succeed(cudaFree(x));
  succeed(cudaStreamSynchronize(stream));
  managed_end_gate(&gate);
  succeed(cudaMemcpy(seen, to, BYTES, cudaMemcpyDeviceToHost));
  expect_numbers(seen, COUNT, 0);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(to));
  free(seen);
}
END_TEST

START_TEST(a_host_access_waits_for_the_kernels) {
  managed_gate gate;
  cudaStream_t stream;
  int *x = managed_numbers(COUNT);
  if (managed_faults(x)) { /* in place it is the program that waits */
    succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    managed_close_gate(&gate, stream);
    succeed(managed_run_add(x, COUNT, 9, stream));
    managed_open_gate_later(&gate);
    expect_numbers(x, COUNT, 9);
    managed_end_gate(&gate);
    succeed(cudaStreamDestroy(stream));
  }
  succeed(cudaFree(x));
}
END_TEST

START_TEST(a_reset_takes_it_away) {
  struct cudaPointerAttributes what;
  int *x = managed_numbers(COUNT), *y = managed_numbers(COUNT);
  succeed(managed_run_add(x, COUNT, 1, NULL));
  y[0] = 3;
  succeed(cudaDeviceReset());
  succeed(cudaPointerGetAttributes(&what, x));
  ck_assert_int_eq(what.type, cudaMemoryTypeUnregistered);
  expect(cudaErrorInvalidValue, cudaFree(x));
  expect(cudaErrorInvalidValue, cudaFree(y));
  int *again = managed_numbers(COUNT);
  succeed(managed_run_add(again, COUNT, 1, NULL));
  succeed(cudaDeviceSynchronize());
  expect_numbers(again, COUNT, 1);
  succeed(cudaFree(again));
}
END_TEST

/* ---- other processes, other mappers, other devices ------------------------------------------------------ */

START_TEST(a_child_can_do_nothing_with_it) {
  int status, *x = managed_numbers(COUNT);
  if (SUPPORT_WATCHES_THREADS)
    return;
  succeed(managed_run_add(x, COUNT, 1, NULL));
  pid_t child = fork();
  if (child == 0) {
    alarm(20); /* for one that waits for a lock of its parent's */
    bool refused = cudaFree(x) == cudaErrorInitializationError &&
                   cudaMemcpy(x, x + 10, 4, cudaMemcpyDefault) == cudaErrorInitializationError &&
                   cudaMemset(x, 0, 4) == cudaErrorInitializationError &&
                   managed_run_add(x, 1, 1, NULL) == cudaErrorInitializationError;
    _exit(refused ? 0 : 1);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  succeed(cudaDeviceSynchronize());
  expect_numbers(x, COUNT, 1);
  succeed(cudaFree(x));
}
END_TEST

/* Where it lives when that goes away: on its device, on the host; and back on another. */
START_TEST(a_mapper_that_borrowed_it_may_go) {
  vptr_mapper *other;
  int *x = managed_numbers(COUNT), *seen = malloc(BYTES);
  void *there;
  if (managed_faults(x)) {
    for (int i = 0; i < 3; i++) {
      support_succeed(vptr_mapper_create(NULL, &other));
      support_succeed(vptr_malloc(other, BYTES, &there));
      succeed(managed_run_add(x, COUNT, 1, NULL));
      support_succeed(vptr_memcpy(other, there, x, BYTES));
      support_succeed(vptr_memset(other, x + 1, 0, sizeof *x));
      support_succeed(vptr_memcpy(other, x, there, BYTES));
      support_succeed(vptr_memcpy(other, seen, there, BYTES));
      if (i == 1)
        x[7] += 0;
      support_succeed(vptr_free(other, there));
      support_succeed(vptr_mapper_destroy(other));
      expect_numbers(seen, COUNT, i + 1);
      expect_numbers(x, COUNT, i + 1);
    }
    support_succeed(vptr_mapper_create(NULL, &other));
    support_succeed(vptr_memset(other, x, 1, BYTES));
    succeed(cudaFree(x)); /* while it is there */
    support_succeed(vptr_mapper_destroy(other));
  } else
    succeed(cudaFree(x));
  free(seen);
}
END_TEST

/* Each device adds to all, and copies a part to another part; the host changes one number. */
START_TEST(devices_take_turns) {
  int devices, *x = managed_numbers(COUNT), *model = malloc(BYTES);
  succeed(cudaGetDeviceCount(&devices));
  for (int i = 0; i < COUNT; i++)
    model[i] = i;
  for (int turn = 0; turn < 8; turn++) {
    succeed(cudaSetDevice(turn % devices));
    succeed(managed_run_add(x, COUNT, turn, NULL));
    for (int i = 0; i < COUNT; i++)
      model[i] += turn;
    succeed(cudaMemcpyAsync(x + 100 * turn, x + 2500, 1000 * sizeof *x, cudaMemcpyDefault, NULL));
    memmove(model + 100 * turn, model + 2500, 1000 * sizeof *x);
    if (turn % 3 == 0)
      succeed(cudaDeviceSynchronize());
    if (turn % 3 == 0)
      x[turn * 600] = model[turn * 600] = turn;
    succeed(cudaDeviceSynchronize());
  }
  ck_assert_mem_eq(x, model, BYTES);
  if (managed_faults(x) && devices > 1)
    ck_assert_uint_ge(managed_counts(x).moves, 7);
  succeed(cudaSetDevice(0));
  succeed(cudaFree(x));
  free(model);
}
END_TEST

/* ---- more than there is --------------------------------------------------------------------------------- */

START_TEST(there_may_be_more_than_the_device_holds) {
  int *x[LARGE_ONES];
  for (int i = 0; i < LARGE_ONES; i++)
    x[i] = managed_numbers(LARGE);
  uint64_t evictions = 0;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < LARGE_ONES; i++)
      succeed(managed_run_duplicate(x[i], x[(i + 1) % LARGE_ONES], LARGE / 2, NULL));
  succeed(cudaDeviceSynchronize());
  for (int i = 0; i < LARGE_ONES; i++) {
    expect_numbers(x[i], LARGE, 0);
    evictions += managed_faults(x[i]) ? managed_counts(x[i]).evictions : 0;
  }
  ck_assert(support_has_opencl() || evictions > 0);
  for (int i = 0; i < LARGE_ONES; i++)
    succeed(cudaFree(x[i]));
}
END_TEST

/* One kernel needs both at once: what is in place of them goes, and what does not fit is said. */
START_TEST(one_launch_needs_all_that_it_uses_at_once) {
  int *x = managed_numbers(3 * LARGE - 1000), *y = managed_numbers(2 * LARGE);
  if (!support_has_opencl()) {
    expect(cudaErrorMemoryAllocation, managed_run_duplicate(y, x, COUNT, NULL));
    expect_numbers(x, 3 * LARGE - 1000, 0);
    succeed(managed_run_add(x, 10, 1, NULL));
    succeed(managed_run_add(y, 10, 1, NULL));
    ck_assert(x[9] == 10 && y[9] == 10 && x[10] == 10);
  }
  succeed(cudaFree(x));
  succeed(cudaFree(y));
}
END_TEST

static Suite *managed_suite(void) {
  Suite *suite = suite_create("cuda_managed");
  TCase *managed = tcase_create("managed");
  tcase_add_checked_fixture(managed, managed_setup, managed_teardown);
  tcase_add_test(managed, what_it_takes_of_the_device_is_told);
  tcase_add_test(managed, accesses_that_are_none_are_refused);
  tcase_add_test(managed, ranges_that_are_none_are_refused);
  tcase_add_test(managed, what_is_read_stays_the_hosts);
  tcase_add_test(managed, what_is_discarded_is_not_sent);
  tcase_add_test(managed, what_the_host_leaves_alone_is_not_sent_again);
  tcase_add_test(managed, one_allocation_may_be_two_arguments);
  tcase_add_test(managed, arguments_may_lie_in_managed_memory);
  tcase_add_test(managed, of_many_frees_one_succeeds);
  tcase_add_test(managed, a_free_waits_for_the_kernels);
  tcase_add_test(managed, a_host_access_waits_for_the_kernels);
  tcase_add_test(managed, a_reset_takes_it_away);
  tcase_add_test(managed, a_child_can_do_nothing_with_it);
  tcase_add_test(managed, a_mapper_that_borrowed_it_may_go);
  tcase_add_test(managed, devices_take_turns);
  tcase_add_test(managed, there_may_be_more_than_the_device_holds);
  tcase_add_test(managed, one_launch_needs_all_that_it_uses_at_once);
  suite_add_tcase(suite, managed);
  return suite;
}

int main(void) {
  setenv("VPTR_FAKE_BYTES", "16M", 1);
  alarm(300); /* for one that waits for ever */
  return support_run(managed_suite());
}
