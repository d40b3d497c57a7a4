/* SPDX-License-Identifier: MIT */
/* Tests of checkpoints: what is written is there again, at its addresses, and what cannot be is refused. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/option.h"
#include "checkpoints.h"
#include "support/support.h"

static checkpoints_model model;

static void begin_model(uint64_t seed) {
  memset(&model, 0, sizeof model);
  model.state = seed;
}

static void save(unsigned flags) {
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, flags));
}

static void restore(void) {
  support_succeed(vptr_restore(checkpoints_mapper, checkpoints_path));
}

static size_t file_bytes(void) {
  struct stat now;
  ck_assert_int_eq(stat(checkpoints_path, &now), 0);
  return (size_t)now.st_size;
}

START_TEST(all_memory_is_there_again) {
  begin_model((uint64_t)_i + 1);
  checkpoints_change(&model, _i == 0 ? 0 : (int)support_rounds(500));
  save(0);
  checkpoints_again();
  restore();
  checkpoints_expect(&model);
}
END_TEST

/* The heap goes on as if it had never ended. */
START_TEST(what_was_restored_is_changed_and_freed) {
  begin_model(77);
  for (int round = 0; round < 4; round++) {
    checkpoints_change(&model, (int)support_rounds(300));
    save(0);
    checkpoints_again();
    restore();
    checkpoints_expect(&model);
    checkpoints_change(&model, (int)support_rounds(300));
    checkpoints_expect(&model);
  }
  for (int i = 0; i < CHECKPOINTS_MOST; i++)
    if (model.items[i].ptr != NULL)
      support_succeed(vptr_free(checkpoints_mapper, model.items[i].ptr));
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 0);
}
END_TEST

START_TEST(serials_go_on) {
  void *before, *after;
  vptr_location old, new;
  support_succeed(vptr_malloc(checkpoints_mapper, 100, &before));
  support_succeed(vptr_resolve(checkpoints_mapper, before, 0, &old));
  save(0);
  checkpoints_again();
  restore();
  support_succeed(vptr_malloc(checkpoints_mapper, 100, &after));
  support_succeed(vptr_resolve(checkpoints_mapper, after, 0, &new));
  ck_assert_ptr_ne(before, after);
  ck_assert_uint_gt(new.serial, old.serial);
}
END_TEST

START_TEST(a_later_checkpoint_adds_what_has_changed) {
  enum { SIZE = 8 << 20 };
  unsigned char *ptr, seen[2];
  begin_model(5);
  support_succeed(vptr_malloc(checkpoints_mapper, SIZE, (void **)&ptr));
  support_succeed(vptr_memset(checkpoints_mapper, ptr, 1, SIZE));
  save(0);
  const size_t first = file_bytes();
  ck_assert_uint_gt(first, SIZE);
  save(0);
  ck_assert_uint_lt(file_bytes(), first + 4096); /* nothing but the table */
  support_succeed(vptr_memset(checkpoints_mapper, ptr + SIZE / 2, 2, 1));
  save(0);
  ck_assert_uint_lt(file_bytes(), first + (512 << 10)); /* one chunk */
  checkpoints_again();
  restore();
  support_succeed(vptr_memcpy(checkpoints_mapper, seen, ptr + SIZE / 2, 2));
  ck_assert(seen[0] == 2 && seen[1] == 1);
}
END_TEST

/* Of what has grown out of date too far, a new file is made. */
START_TEST(a_file_does_not_grow_without_an_end) {
  enum { SIZE = 2 << 20 };
  void *ptr;
  support_succeed(vptr_malloc(checkpoints_mapper, SIZE, &ptr));
  for (int i = 1; i < 20; i++) {
    support_succeed(vptr_memset(checkpoints_mapper, ptr, i, SIZE));
    save(0);
    ck_assert_uint_lt(file_bytes(), 4 * SIZE);
  }
  save(VPTR_CHECKPOINT_WHOLE);
  ck_assert_uint_lt(file_bytes(), SIZE + 4096);
}
END_TEST

static int open_descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder != NULL && readdir(folder) != NULL)
    count++;
  if (folder != NULL)
    closedir(folder);
  return count;
}

/* The files that had the name before take no room on the disk, which is so once nobody has them open. */
START_TEST(former_files_are_let_go) {
  enum { SIZE = 16 << 20, LOOKS = 10000 };
  void *ptr;
  support_succeed(vptr_malloc(checkpoints_mapper, SIZE, &ptr));
  support_succeed(vptr_memset(checkpoints_mapper, ptr, 3, SIZE));
  save(VPTR_CHECKPOINT_WHOLE);
  const int before = open_descriptors();
  for (int i = 0; i < 8; i++)
    save(VPTR_CHECKPOINT_WHOLE);
  for (int i = 0; i < LOOKS && open_descriptors() > before; i++)
    usleep(1000);
  ck_assert_int_le(open_descriptors(), before);
}
END_TEST

START_TEST(increments_are_as_in_the_model) {
  begin_model((uint64_t)_i + 100);
  for (int round = 0; round < 12; round++) {
    checkpoints_change(&model, 40);
    save(0);
  }
  checkpoints_again();
  restore();
  checkpoints_expect(&model);
}
END_TEST

/* An address that was freed and issued again has nothing of what lay there before; zeros are not written. */
START_TEST(zeros_take_no_room_and_hide_what_was_there) {
  enum { SIZE = 4 << 20 };
  unsigned char *ptr, *seen = malloc(SIZE), zeros[64] = { 0 };
  support_succeed(vptr_malloc(checkpoints_mapper, SIZE, (void **)&ptr));
  support_succeed(vptr_memset(checkpoints_mapper, ptr, 0, SIZE));
  save(0);
  ck_assert_uint_lt(file_bytes(), 4096);
  support_succeed(vptr_memset(checkpoints_mapper, ptr, 9, SIZE));
  save(0);
  support_succeed(vptr_memset(checkpoints_mapper, ptr, 0, SIZE));
  save(0);
  checkpoints_again();
  restore();
  support_succeed(vptr_memcpy(checkpoints_mapper, seen, ptr, SIZE));
  for (size_t i = 0; i < SIZE; i += sizeof zeros)
    ck_assert(memcmp(seen + i, zeros, sizeof zeros) == 0);
  free(seen);
}
END_TEST

/* A file that somebody put there is not gone on with. */
START_TEST(a_file_that_is_another_one_is_replaced) {
  begin_model(9);
  checkpoints_change(&model, (int)support_rounds(100));
  save(0);
  ck_assert_int_eq(unlink(checkpoints_path), 0);
  checkpoints_put(checkpoints_path, (const unsigned char *)"something else", 14);
  checkpoints_change(&model, 20);
  save(0);
  checkpoints_again();
  restore();
  checkpoints_expect(&model);
}
END_TEST

/* ---- host memory ---------------------------------------------------------------------------------------- */

START_TEST(kept_memory_goes_along) {
  struct {
    void *ptr;
    long step;
  } state = { NULL, 41 };
  double other[1000] = { 3, 4 };
  support_succeed(vptr_checkpoint_keep("state", &state, sizeof state));
  support_succeed(vptr_checkpoint_keep("other", other, sizeof other));
  support_succeed(vptr_malloc(checkpoints_mapper, 1000, &state.ptr));
  void *const ptr = state.ptr;
  state.step = 42;
  save(0);
  state.step = 43;
  save(0);
  state.ptr = NULL;
  state.step = 0;
  other[0] = other[1] = 0;
  checkpoints_again();
  restore();
  ck_assert_ptr_eq(state.ptr, ptr);
  ck_assert_int_eq(state.step, 43);
  ck_assert(other[0] == 3 && other[1] == 4);
  support_succeed(vptr_checkpoint_keep("state", NULL, 0));
  support_succeed(vptr_checkpoint_keep("other", NULL, 0));
}
END_TEST

START_TEST(names_must_be_those_of_the_checkpoint) {
  long one = 1, two = 2;
  char longest[300];
  memset(longest, 'x', sizeof longest);
  longest[256] = '\0';
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_checkpoint_keep(NULL, &one, sizeof one));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_checkpoint_keep("", &one, sizeof one));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_checkpoint_keep(longest, &one, sizeof one));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_checkpoint_keep("one", &one, 0));
  support_succeed(vptr_checkpoint_keep("one", &one, sizeof one));
  save(0);
  checkpoints_again();
  support_succeed(vptr_checkpoint_keep("two", &two, sizeof two));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(checkpoints_mapper, checkpoints_path));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "\"two\""));
  support_succeed(vptr_checkpoint_keep("two", NULL, 0));
  support_succeed(vptr_checkpoint_keep("one", &one, 4));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(checkpoints_mapper, checkpoints_path));
  support_succeed(vptr_checkpoint_keep("one", NULL, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(checkpoints_mapper, checkpoints_path));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "\"one\""));
  support_succeed(vptr_checkpoint_keep("one", &two, sizeof two));
  restore();
  ck_assert_int_eq(two, 1);
  support_succeed(vptr_checkpoint_keep("one", NULL, 0));
}
END_TEST

/* ---- by a signal ---------------------------------------------------------------------------------------- */

/* Once for each signal, and not before the program waits for work. */
START_TEST(a_signal_asks_for_a_checkpoint) {
  begin_model(21);
  setenv("VPTR_CHECKPOINT", checkpoints_path, 1);
  setenv("VPTR_CHECKPOINT_SIGNAL", "SIGUSR1", 1);
  vptr__option_reload();
  checkpoints_again(); /* a mapper installs the handler */
  checkpoints_change(&model, 50);
  support_succeed(vptr_finish(checkpoints_mapper));
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
  ck_assert_int_eq(raise(SIGUSR1), 0);
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
  support_succeed(vptr_finish(checkpoints_mapper));
  ck_assert_int_eq(access(checkpoints_path, F_OK), 0);
  const size_t size = file_bytes();
  support_succeed(vptr_finish(checkpoints_mapper));
  ck_assert_uint_eq(file_bytes(), size);
  unsetenv("VPTR_CHECKPOINT");
  unsetenv("VPTR_CHECKPOINT_SIGNAL");
  vptr__option_reload();
  checkpoints_again();
  restore();
  checkpoints_expect(&model);
}
END_TEST

/* ---- beside other threads ------------------------------------------------------------------------------- */

enum { THREADS = 16 };

static int take_first(const vptr_location *location, void *first) {
  *(vptr_location *)first = *location;
  return 1;
}

static atomic_bool is_over;

/* Allocates, looks up and frees; what it writes it does not, since nobody may while a checkpoint is taken. */
static void *churn(void *number) {
  uint64_t state = 1000 + (uint64_t)(uintptr_t)number;
  while (!atomic_load(&is_over)) {
    void *ptr;
    vptr_location location;
    const size_t size = 1 + support_below(&state, support_below(&state, 8) == 0 ? 600000 : 3000);
    support_succeed(vptr_malloc(checkpoints_mapper, size, &ptr));
    support_succeed(vptr_resolve(checkpoints_mapper, ptr, size, &location));
    support_must(location.base == ptr && location.size == size);
    support_succeed(vptr_free(checkpoints_mapper, ptr));
  }
  return NULL;
}

/* What nobody touches is there again, and all else that was live at its moment is an allocation that can be freed. */
START_TEST(threads_allocate_and_free_meanwhile) {
  pthread_t threads[THREADS];
  unsigned char *ptr, seen[3];
  vptr_location location;
  size_t count = 0;
  support_succeed(vptr_malloc(checkpoints_mapper, 1 << 20, (void **)&ptr));
  support_succeed(vptr_memset(checkpoints_mapper, ptr, 5, 1 << 20));
  atomic_store(&is_over, false);
  for (size_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, churn, (void *)i), 0);
  for (long i = 0; i < support_rounds(40); i++)
    save(i % 5 == 0 ? VPTR_CHECKPOINT_WHOLE : 0);
  atomic_store(&is_over, true);
  for (size_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  checkpoints_again();
  restore();
  support_succeed(vptr_memcpy(checkpoints_mapper, seen, ptr + (1 << 20) - 3, 3));
  ck_assert(seen[0] == 5 && seen[2] == 5);
  support_succeed(vptr_check(checkpoints_mapper));
  while (vptr_count(checkpoints_mapper) > 0 && count < 2 * THREADS + 1) {
    location.base = NULL;
    support_succeed(vptr_walk(checkpoints_mapper, take_first, &location));
    support_succeed(vptr_free(checkpoints_mapper, location.base));
    count++;
  }
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 0);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------------------- */

START_TEST(wrong_arguments_are_refused) {
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_checkpoint(checkpoints_mapper, NULL, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_checkpoint(checkpoints_mapper, "", 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_checkpoint(checkpoints_mapper, checkpoints_path, 2));
  support_expect(VPTR_ERROR_FILE, vptr_checkpoint(checkpoints_mapper, "/nowhere/at/all", 0));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_restore(checkpoints_mapper, NULL));
  support_expect(VPTR_ERROR_FILE, vptr_restore(checkpoints_mapper, "/nowhere/at/all"));
  support_expect(VPTR_ERROR_FILE, vptr_restore(checkpoints_mapper, checkpoints_folder));
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
}
END_TEST

START_TEST(an_open_mapping_is_refused) {
  void *ptr, *host;
  support_succeed(vptr_malloc(checkpoints_mapper, 1000, &ptr));
  support_succeed(vptr_map(checkpoints_mapper, ptr, 1000, VPTR_ACCESS_WRITE, &host));
  support_expect(VPTR_ERROR_MAPPED, vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
  support_succeed(vptr_unmap(checkpoints_mapper, host));
  save(0);
}
END_TEST

START_TEST(an_attached_buffer_is_refused) {
  void *ptr, *attached;
  support_succeed(vptr_malloc(checkpoints_mapper, 1 << 20, &ptr));
  support_succeed(vptr_attach(checkpoints_mapper, vptr_get_buffer(checkpoints_mapper, ptr), &attached));
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
  support_succeed(vptr_free(checkpoints_mapper, attached));
}
END_TEST

START_TEST(a_mapper_with_something_live_is_refused) {
  void *ptr;
  begin_model(3);
  checkpoints_change(&model, 50);
  save(0);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(checkpoints_mapper, checkpoints_path));
  checkpoints_expect(&model);
  support_succeed(vptr_clear(checkpoints_mapper));
  restore(); /* into the same mapper */
  checkpoints_expect(&model);
  support_succeed(vptr_malloc(checkpoints_mapper, 1, &ptr));
}
END_TEST

START_TEST(a_mapper_elsewhere_is_refused) {
  vptr_mapper *other;
  vptr_config config = VPTR_CONFIG_INIT;
  void *ptr;
  support_succeed(vptr_malloc(checkpoints_mapper, 1, &ptr));
  save(0);
  config.reserve_size = (size_t)1 << 32;
  support_succeed(vptr_mapper_create(&config, &other));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(other, checkpoints_path));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "base_address"));
  ck_assert_uint_eq(vptr_count(other), 0);
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("checkpoint");
  TCase *memory = tcase_create("memory"), *host = tcase_create("host"), *refusals = tcase_create("refusals");
  TCase *threads = tcase_create("threads");
  tcase_add_checked_fixture(memory, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_checked_fixture(host, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_checked_fixture(threads, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_checked_fixture(refusals, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_loop_test(memory, all_memory_is_there_again, 0, 4);
  tcase_add_test(memory, what_was_restored_is_changed_and_freed);
  tcase_add_test(memory, serials_go_on);
  tcase_add_test(memory, a_later_checkpoint_adds_what_has_changed);
  tcase_add_test(memory, a_file_does_not_grow_without_an_end);
  tcase_add_test(memory, former_files_are_let_go);
  tcase_add_loop_test(memory, increments_are_as_in_the_model, 0, 4);
  tcase_add_test(memory, zeros_take_no_room_and_hide_what_was_there);
  tcase_add_test(memory, a_file_that_is_another_one_is_replaced);
  tcase_add_test(host, kept_memory_goes_along);
  tcase_add_test(host, names_must_be_those_of_the_checkpoint);
  tcase_add_test(threads, a_signal_asks_for_a_checkpoint);
  tcase_add_test(threads, threads_allocate_and_free_meanwhile);
  tcase_add_test(refusals, wrong_arguments_are_refused);
  tcase_add_test(refusals, an_open_mapping_is_refused);
  tcase_add_test(refusals, an_attached_buffer_is_refused);
  tcase_add_test(refusals, a_mapper_with_something_live_is_refused);
  tcase_add_test(refusals, a_mapper_elsewhere_is_refused);
  suite_add_tcase(suite, memory);
  suite_add_tcase(suite, host);
  suite_add_tcase(suite, threads);
  suite_add_tcase(suite, refusals);
  return support_run(suite);
}
