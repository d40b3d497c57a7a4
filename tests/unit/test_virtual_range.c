/* SPDX-License-Identifier: MIT */
/*
 * virtual_range - addresses that get their memory later, on the fake device: any device operation and any host
 * allocation may fail, what a reset leaves behind, threads that map in one range, and random maps beside a host model.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"
#include "virtual/physical.h"
#include "virtual/shared_memory.h"
#include "virtual/virtual_range.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum { G = VPTR__PHYSICAL_GRANULE, PLACES = 6, HANDLES = 4, STEPS = 300, THREADS = 4, TURNS = 20 };

static const uint64_t most = (uint64_t)1 << 30;
static vptr_mapper *mapper;
static int failed;

static bool note(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return true;
  failed++;
  ck_assert_str_ne(vptr_last_error(), "");
  return false;
}

static void set_up(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

static unsigned char first_byte(uintptr_t at) {
  unsigned char byte = 0;
  support_succeed(vptr_memcpy(mapper, &byte, (const void *)at, 1));
  return byte;
}

/* ---- failures ------------------------------------------------------------------------------------------- */

/* What could not be done can be done again. */
static void again(vptr_status status, vptr_status (*call)(uintptr_t, size_t), uintptr_t at, size_t bytes) {
  if (!note(status))
    support_succeed(call(at, bytes));
}

static void run_shared(void) {
  void *ptr = NULL;
  vptr__shared_memory_name name;
  vptr_status status = VPTR_SUCCESS;
  if (!note(vptr__shared_memory_allocate(mapper, 1000, &ptr))) {
    ck_assert_ptr_eq(ptr, NULL);
    return;
  }
  support_succeed(vptr__shared_memory_tell("test", ptr, &name));
  ck_assert_uint_eq(name.bytes, 1000);
  ck_assert(vptr__shared_memory_free(ptr, &status));
  if (!note(status)) {
    ck_assert(vptr__shared_memory_free(ptr, &status));
    support_succeed(status);
  }
  ck_assert(!vptr__shared_memory_free(ptr, &status));
}

static void run(void) {
  uintptr_t base = 0;
  uint64_t handle = 0;
  failed = 0;
  run_shared();
  if (!note(vptr__virtual_range_make(mapper, 0, 3 * G, 0, &base))) {
    ck_assert_uint_eq(base, 0);
    return;
  }
  if (note(vptr__physical_create(0, G, most, false, &handle))) {
    if (note(vptr__virtual_range_map(base + G, G, handle))) {
      support_succeed(vptr__virtual_range_allow(base + G, G, 0, 3));
      again(vptr__virtual_range_unmap(base + G, G), vptr__virtual_range_unmap, base + G, G);
    }
    support_succeed(vptr__physical_release(handle));
  } else
    ck_assert_uint_eq(handle, 0);
  again(vptr__virtual_range_free(base, 3 * G), vptr__virtual_range_free, base, 3 * G);
}

static void run_unharmed(size_t live) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  const size_t borrowed = counts.host_buffers;
  run();
  vptr__fake_fail_nth(0, 0);
  vptr__memory_fail_nth(0);
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.host_buffers, borrowed);
  ck_assert_uint_eq(vptr_count(mapper), live);
}

START_TEST(every_device_operation_may_fail) {
  static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY };
  run();
  ck_assert_int_eq(failed, 0);
  const size_t live = vptr_count(mapper);
  for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
    int heard = 0;
    for (long n = 1, unharmed = 0; unharmed < 5; n++) {
      vptr__fake_fail_nth(n, codes[c]);
      run_unharmed(live);
      heard += failed > 0;
      unharmed = failed > 0 ? 0 : unharmed + 1;
      ck_assert_int_lt(n, 1000);
    }
    ck_assert_int_gt(heard, 0);
  }
  support_succeed(vptr_check(mapper));
}
END_TEST

START_TEST(every_host_allocation_may_fail) {
  run();
  const size_t live = vptr_count(mapper);
  int heard = 0;
  for (long n = 1, unharmed = 0; unharmed < 5; n++) {
    vptr__memory_fail_nth(n);
    run_unharmed(live);
    heard += failed > 0;
    unharmed = failed > 0 ? 0 : unharmed + 1;
    ck_assert_int_lt(n, 1000);
  }
  ck_assert_int_gt(heard, 2);
  support_succeed(vptr_check(mapper));
}
END_TEST

/* ---- ends ----------------------------------------------------------------------------------------------- */

/* The buffer goes with the device's memory; addresses are given back by their name, and take nothing any more. */
START_TEST(a_reset_ends_the_memory) {
  uintptr_t base = 0;
  uint64_t handle = 0;
  support_succeed(vptr__virtual_range_make(mapper, 0, 2 * G, 0, &base));
  support_succeed(vptr__physical_create(0, G, most, false, &handle));
  support_succeed(vptr__virtual_range_map(base, G, handle));
  ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
  ck_assert_int_eq(vptr__virtual_range_map(base + G, G, handle), VPTR_ERROR_INVALID_ARGUMENT);
  support_succeed(vptr__virtual_range_unmap(base, G));
  support_succeed(vptr__physical_release(handle));
  support_succeed(vptr__virtual_range_free(base, 2 * G));
}
END_TEST

START_TEST(a_reset_ends_what_is_shared) {
  void *ptr = NULL;
  vptr__shared_memory_name name;
  vptr_status status = VPTR_SUCCESS;
  support_succeed(vptr__shared_memory_allocate(mapper, 1000, &ptr));
  ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
  ck_assert_int_eq(vptr__shared_memory_tell("test", ptr, &name), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert(!vptr__shared_memory_free(ptr, &status));
  support_succeed(vptr_check(mapper));
}
END_TEST

/* Sizes are exact to the byte, and memory of another kind is told from this. */
START_TEST(what_is_shared_has_its_size) {
  void *ptr = NULL, *other = NULL;
  vptr__shared_memory_name name;
  vptr_location location;
  vptr_status status = VPTR_SUCCESS;
  support_succeed(vptr__shared_memory_allocate(mapper, 1000, &ptr));
  support_succeed(vptr_resolve(mapper, ptr, 1000, &location));
  ck_assert_int_eq(vptr_resolve(mapper, ptr, 1001, &location), VPTR_ERROR_OUT_OF_BOUNDS);
  support_succeed(vptr_malloc(mapper, 1000, &other));
  ck_assert_int_eq(vptr__shared_memory_tell("test", other, &name), VPTR_ERROR_UNSUPPORTED);
  ck_assert_int_eq(vptr__shared_memory_close(ptr), VPTR_ERROR_INVALID_ARGUMENT);
  support_succeed(vptr_free(mapper, other));
  ck_assert(vptr__shared_memory_free(ptr, &status));
  support_succeed(status);
}
END_TEST

START_TEST(what_is_pinned_is_not_freed) {
  uintptr_t base = 0;
  support_succeed(vptr__virtual_range_make(mapper, 0, G, 0, &base));
  ck_assert_int_eq(vptr_free(mapper, (void *)base), VPTR_ERROR_MAPPED);
  support_succeed(vptr__virtual_range_free(base, G));
  ck_assert_int_eq(vptr__virtual_range_free(base, G), VPTR_ERROR_INVALID_ARGUMENT);
}
END_TEST

START_TEST(there_is_no_more_than_the_device_has) {
  uint64_t first = 0, second = 0;
  support_succeed(vptr__physical_create(0, G, 2 * G, false, &first));
  ck_assert_int_eq(vptr__physical_create(0, 2 * G, 2 * G, false, &second), VPTR_ERROR_OUT_OF_DEVICE_MEMORY);
  support_succeed(vptr__physical_create(0, G, 2 * G, false, &second));
  support_succeed(vptr__physical_release(first));
  support_succeed(vptr__physical_release(second));
  ck_assert_int_eq(vptr__physical_release(second), VPTR_ERROR_INVALID_ARGUMENT);
}
END_TEST

/* Any descriptor may come in from outside. */
START_TEST(only_sealed_files_are_memory) {
  uint64_t handle = 77;
  FILE *file = tmpfile();
  ck_assert_ptr_ne(file, NULL);
  ck_assert_int_eq(vptr__physical_import(0, fileno(file), &handle), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_int_eq(vptr__physical_import(0, -1, &handle), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_uint_eq(handle, 77);
  fclose(file);
}
END_TEST

/* ---- random maps ---------------------------------------------------------------------------------------- */

static uint64_t random_state = 42;

static unsigned draw(unsigned below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33) % below;
}

/* Which handle is at each place, and the byte that each handle's memory begins with. */
START_TEST(bytes_are_the_handles) {
  uint64_t handles[HANDLES];
  unsigned char bytes[HANDLES] = { 0 };
  int at[PLACES];
  uintptr_t base = 0;
  support_succeed(vptr__virtual_range_make(mapper, 0, (size_t)PLACES * G, 0, &base));
  for (int i = 0; i < HANDLES; i++)
    support_succeed(vptr__physical_create(0, G, most, false, &handles[i]));
  for (int i = 0; i < PLACES; i++)
    at[i] = -1;
  for (int step = 0; step < STEPS; step++) {
    const unsigned place = draw(PLACES), handle = draw(HANDLES);
    const uintptr_t here = base + (size_t)place * G;
    if (at[place] < 0) {
      support_succeed(vptr__virtual_range_map(here, G, handles[handle]));
      at[place] = (int)handle;
    } else if (draw(2) == 0) {
      support_succeed(vptr__virtual_range_unmap(here, G));
      at[place] = -1;
    } else {
      ck_assert_int_eq(vptr__virtual_range_map(here, G, handles[handle]), VPTR_ERROR_INVALID_ARGUMENT);
      bytes[at[place]] = (unsigned char)step;
      support_succeed(vptr_memset(mapper, (void *)here, step & 255, 1));
    }
    for (unsigned i = 0; i < PLACES; i++)
      ck_assert_uint_eq(first_byte(base + (size_t)i * G), at[i] < 0 ? 0 : bytes[at[i]]);
  }
  for (unsigned i = 0; i < PLACES; i++)
    if (at[i] >= 0)
      support_succeed(vptr__virtual_range_unmap(base + (size_t)i * G, G));
  for (int i = 0; i < HANDLES; i++)
    support_succeed(vptr__physical_release(handles[i]));
  support_succeed(vptr__virtual_range_free(base, (size_t)PLACES * G));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static uintptr_t shared;

static void *map_in_turns(void *place) {
  const uintptr_t here = shared + (uintptr_t)place * G;
  intptr_t wrong = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    uint64_t handle = 0;
    unsigned char byte = 0;
    wrong += vptr__physical_create(0, G, most, false, &handle) != VPTR_SUCCESS;
    wrong += vptr__virtual_range_map(here, G, handle) != VPTR_SUCCESS;
    wrong += vptr__physical_release(handle) != VPTR_SUCCESS;
    wrong += vptr_memset(mapper, (void *)here, turn, 1) != VPTR_SUCCESS;
    wrong += vptr_memcpy(mapper, &byte, (const void *)here, 1) != VPTR_SUCCESS || byte != turn;
    wrong += vptr__virtual_range_unmap(here, G) != VPTR_SUCCESS;
  }
  return (void *)wrong;
}

START_TEST(threads_share_a_range) {
  pthread_t threads[THREADS];
  support_succeed(vptr__virtual_range_make(mapper, 0, (size_t)THREADS * G, 0, &shared));
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, map_in_turns, (void *)i), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &wrong), 0);
    ck_assert_ptr_eq(wrong, NULL);
  }
  support_succeed(vptr__virtual_range_free(shared, (size_t)THREADS * G));
}
END_TEST

static pthread_barrier_t gate;
static vptr__shared_memory_name opened;

static void *open_at_gate(void *unused) {
  void *ptr = NULL;
  (void)unused;
  pthread_barrier_wait(&gate);
  return vptr__shared_memory_open(mapper, &opened, &ptr) == VPTR_SUCCESS ? ptr : NULL;
}

static void *create_at_gate(void *handle) {
  pthread_barrier_wait(&gate);
  const vptr_status status = vptr__physical_create(0, G, G, false, handle);
  if (status != VPTR_SUCCESS && status != VPTR_ERROR_OUT_OF_DEVICE_MEMORY)
    *(uint64_t *)handle = UINT64_MAX;
  return NULL;
}

static void run_at_gate(void *(*run)(void *), void *const arguments[THREADS], void *results[THREADS]) {
  pthread_t threads[THREADS];
  ck_assert_int_eq(pthread_barrier_init(&gate, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run, arguments[i]), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], &results[i]), 0);
  pthread_barrier_destroy(&gate);
}

/* The process stands for the other one, too: it opens its own memory. */
START_TEST(threads_that_open_at_once_get_one_address) {
  void *none[THREADS] = { NULL }, *there[THREADS], *own = NULL;
  vptr_status status = VPTR_SUCCESS;
  support_succeed(vptr__shared_memory_allocate(mapper, 1000, &own));
  support_succeed(vptr__shared_memory_tell("test", own, &opened));
  for (int turn = 0; turn < TURNS; turn++) {
    run_at_gate(open_at_gate, none, there);
    for (int i = 0; i < THREADS; i++) {
      ck_assert_ptr_ne(there[i], NULL);
      ck_assert_ptr_eq(there[i], there[0]);
    }
    for (int i = 0; i < THREADS; i++)
      support_succeed(vptr__shared_memory_close(there[0]));
    ck_assert_int_eq(vptr__shared_memory_close(there[0]), VPTR_ERROR_INVALID_ARGUMENT);
  }
  ck_assert(vptr__shared_memory_free(own, &status));
  support_succeed(status);
}
END_TEST

/* There is room for one. */
START_TEST(threads_that_create_at_once_stay_within_the_limit) {
  for (int turn = 0; turn < TURNS; turn++) {
    uint64_t handles[THREADS] = { 0 };
    void *outputs[THREADS], *none[THREADS];
    int made = 0;
    for (int i = 0; i < THREADS; i++)
      outputs[i] = &handles[i];
    run_at_gate(create_at_gate, outputs, none);
    for (int i = 0; i < THREADS; i++) {
      made += handles[i] != 0;
      if (handles[i] != 0)
        support_succeed(vptr__physical_release(handles[i]));
    }
    ck_assert_int_eq(made, 1);
  }
}
END_TEST

static Suite *virtual_range_suite(void) {
  Suite *suite = suite_create("virtual_range");
  TCase *faults = tcase_create("faults"), *others = tcase_create("others");
  if (support_has_opencl())
    return suite; /* these count what only the fake device counts */
  tcase_add_checked_fixture(faults, set_up, NULL);
  tcase_add_test(faults, every_device_operation_may_fail);
  tcase_add_test(faults, every_host_allocation_may_fail);
  tcase_add_checked_fixture(others, set_up, NULL);
  tcase_add_test(others, a_reset_ends_the_memory);
  tcase_add_test(others, a_reset_ends_what_is_shared);
  tcase_add_test(others, what_is_shared_has_its_size);
  tcase_add_test(others, what_is_pinned_is_not_freed);
  tcase_add_test(others, there_is_no_more_than_the_device_has);
  tcase_add_test(others, only_sealed_files_are_memory);
  tcase_add_test(others, bytes_are_the_handles);
  tcase_add_test(others, threads_share_a_range);
  tcase_add_test(others, threads_that_open_at_once_get_one_address);
  tcase_add_test(others, threads_that_create_at_once_stay_within_the_limit);
  suite_add_tcase(suite, faults);
  suite_add_tcase(suite, others);
  return suite;
}

int main(void) {
  return support_run(virtual_range_suite());
}
