/* SPDX-License-Identifier: MIT */
/*
 * Tests of checkpoints that fail: whatever call does, and wherever the process is killed, the file is the former one or
 * the new one; a failed restore has changed nothing; a file that was cut or changed is refused, with the place.
 *
 * For the kill the program runs itself: with arguments it is the process that takes checkpoints until it is killed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "checkpoint/reader.h"
#include "checkpoints.h"
#include "layer/faults.h"
#include "support/support.h"

static checkpoints_model model;

static void begin_model(uint64_t seed, int steps) {
  memset(&model, 0, sizeof model);
  model.state = seed;
  checkpoints_change(&model, steps);
}

/* ---- calls that fail ------------------------------------------------------------------------------------ */

enum { MOST = 3000 };

static bool is_as_before(const unsigned char *before, size_t size) {
  size_t now_size;
  unsigned char *now = checkpoints_read(checkpoints_path, &now_size);
  bool is_same = now_size == size && memcmp(now, before, size) == 0;
  free(now);
  return is_same;
}

/* Each of the first calls; of the many behind them, which read one allocation after the other, one in five. */
static long next_call(long n) {
  enum { FIRST = 60, STEP = 5 };
  return n < FIRST ? support_next(n) : n + STEP;
}

/* Fails the n-th call, until there is none any more. What is there before stays, byte for byte, where the checkpoint
 * fails; where a file that goes on cannot be opened, a new one is made. */
static long fail_checkpoints(int whose, unsigned flags) {
  bool may_fail = true;
  long n = 0;
  while (may_fail && n < MOST) {
    size_t size;
    unsigned char *before = checkpoints_read(checkpoints_path, &size);
    checkpoints_change(&model, 1);
    n = next_call(n);
    checkpoints_fail(whose, n);
    vptr_status status = vptr_checkpoint(checkpoints_mapper, checkpoints_path, flags);
    may_fail = checkpoints_end_failing(whose, n) || status != VPTR_SUCCESS;
    ck_assert(status == VPTR_SUCCESS || (is_as_before(before, size) && vptr_last_error()[0] != '\0'));
    free(before);
  }
  return n;
}

START_TEST(a_checkpoint_that_fails_leaves_the_former_one) {
  const unsigned flags = _i / CHECKPOINTS_FAILURES == 0 ? 0 : VPTR_CHECKPOINT_WHOLE;
  if (_i % CHECKPOINTS_FAILURES >= CHECKPOINTS_DEVICE && !faults_can())
    return;
  begin_model(11, support_has_opencl() ? 20 : 60); /* there an allocation is several calls */
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  checkpoints_change(&model, 15);
  long n = fail_checkpoints(_i % CHECKPOINTS_FAILURES, flags);
  ck_assert_int_gt(n, 2);
  ck_assert_int_lt(n, MOST);
  checkpoints_change(&model, 10);
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  checkpoints_again();
  support_succeed(vptr_restore(checkpoints_mapper, checkpoints_path));
  checkpoints_expect(&model);
}
END_TEST

START_TEST(a_restore_that_fails_has_changed_nothing) {
  bool may_fail = true;
  long kept = 7, n = 0;
  if (_i >= CHECKPOINTS_DEVICE && !faults_can())
    return;
  begin_model(12, support_has_opencl() ? 15 : 30);
  support_succeed(vptr_checkpoint_keep("kept", &kept, sizeof kept));
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  checkpoints_again();
  kept = 8;
  while (may_fail && n < MOST) {
    n = support_next(n);
    checkpoints_fail(_i, n);
    vptr_status status = vptr_restore(checkpoints_mapper, checkpoints_path);
    may_fail = checkpoints_end_failing(_i, n) || status != VPTR_SUCCESS;
    ck_assert(status == VPTR_SUCCESS || (vptr_count(checkpoints_mapper) == 0 && kept == 8));
    support_succeed(vptr_check(checkpoints_mapper));
    if (status != VPTR_SUCCESS || !may_fail)
      continue;
    checkpoints_expect(&model); /* it went another way */
    kept = 8;
    checkpoints_again();
  }
  ck_assert_int_gt(n, 2);
  ck_assert_int_lt(n, MOST);
  ck_assert_int_eq(kept, 7);
  checkpoints_expect(&model);
  support_succeed(vptr_checkpoint_keep("kept", NULL, 0));
}
END_TEST

static int take_pointer(const vptr_location *location, void *ptr) {
  *(void **)ptr = location->base;
  return 1;
}

/* ---- what is read while other memory is written ----------------------------------------------------------- */

enum { LONG = 9 << 20 /* bytes: more than twice what is read at once */ };

static unsigned char *save_long(void) {
  static unsigned char bytes[LONG];
  void *ptr;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i * 7 + i / 4096 + 1);
  support_succeed(vptr_malloc(checkpoints_mapper, LONG, &ptr));
  support_succeed(vptr_memcpy(checkpoints_mapper, ptr, bytes, LONG));
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  return bytes;
}

static void expect_long(const unsigned char *bytes) {
  static unsigned char there[LONG];
  void *ptr = NULL;
  support_succeed(vptr_walk(checkpoints_mapper, take_pointer, &ptr));
  support_succeed(vptr_memcpy(checkpoints_mapper, there, ptr, LONG));
  ck_assert(memcmp(there, bytes, LONG) == 0);
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 1);
}

START_TEST(damage_that_is_read_ahead_is_told) {
  size_t size;
  const unsigned char *bytes = save_long();
  unsigned char *file = checkpoints_read(checkpoints_path, &size);
  for (size_t at = size / 16; at < size; at += size / 4) {
    checkpoints_again();
    file[at] ^= 4;
    checkpoints_put(checkpoints_path, file, size);
    support_expect(VPTR_ERROR_FILE, vptr_restore(checkpoints_mapper, checkpoints_path));
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "is damaged at byte"));
    ck_assert_uint_eq(vptr_count(checkpoints_mapper), 0);
    file[at] ^= 4;
  }
  checkpoints_put(checkpoints_path, file, size);
  support_succeed(vptr_restore(checkpoints_mapper, checkpoints_path));
  expect_long(bytes);
  free(file);
}
END_TEST

/* A read ahead that fails is made up for by another; what the device refuses, is not. */
START_TEST(calls_that_fail_while_others_run) {
  const unsigned char *bytes = save_long();
  bool may_fail = true;
  long n = 0, succeeded = 0;
  if (_i >= CHECKPOINTS_DEVICE && !faults_can())
    return;
  while (may_fail && n < MOST) {
    checkpoints_again();
    n = support_next(n + 1);
    checkpoints_fail(_i, n);
    vptr_status status = vptr_restore(checkpoints_mapper, checkpoints_path);
    may_fail = checkpoints_end_failing(_i, n) || status != VPTR_SUCCESS;
    ck_assert(status == VPTR_SUCCESS || vptr_count(checkpoints_mapper) == 0);
    if (status != VPTR_SUCCESS)
      continue;
    expect_long(bytes);
    succeeded++;
  }
  ck_assert_int_lt(n, MOST);
  ck_assert_int_ge(succeeded, _i == 0 && !SUPPORT_WATCHES_THREADS ? 11 : 1);
}
END_TEST

/* ---- files that were cut or changed --------------------------------------------------------------------- */

/* Two checkpoints in a file, of which the first, and the bytes that each has at one place, are known. */
static struct {
  unsigned char *bytes;
  size_t size, first;
  unsigned char *ptr;
} file;

enum { BLOCK = 300 << 10 };

static void make_file(void) {
  size_t first;
  void *small;
  support_succeed(vptr_malloc(checkpoints_mapper, 100, &small));
  support_succeed(vptr_malloc(checkpoints_mapper, BLOCK, (void **)&file.ptr));
  support_succeed(vptr_memset(checkpoints_mapper, file.ptr, 1, BLOCK));
  support_succeed(vptr_memset(checkpoints_mapper, small, 1, 100));
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  free(checkpoints_read(checkpoints_path, &first));
  support_succeed(vptr_memset(checkpoints_mapper, file.ptr, 2, BLOCK));
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  file.bytes = checkpoints_read(checkpoints_path, &file.size);
  file.first = first;
  checkpoints_again();
}

/* What the file gives now: 0: refused, and nothing is live; else the byte. */
static int try_file(void) {
  unsigned char seen[2];
  vptr_status status = vptr_restore(checkpoints_mapper, checkpoints_path);
  if (status != VPTR_SUCCESS) {
    ck_assert_int_eq(status, VPTR_ERROR_FILE);
    ck_assert_msg(strstr(vptr_last_error(), "byte") != NULL, "no place: %s", vptr_last_error());
    ck_assert_uint_eq(vptr_count(checkpoints_mapper), 0);
    return 0;
  }
  support_succeed(vptr_memcpy(checkpoints_mapper, &seen[0], file.ptr, 1));
  support_succeed(vptr_memcpy(checkpoints_mapper, &seen[1], file.ptr + BLOCK - 1, 1));
  ck_assert_uint_eq(seen[0], seen[1]);
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 2);
  support_succeed(vptr_clear(checkpoints_mapper));
  return seen[0];
}

START_TEST(a_file_that_was_cut_has_what_was_complete) {
  make_file();
  for (size_t size = 0; size < file.size; size += size % 4096 < 200 ? 7 : 1361) {
    checkpoints_put(checkpoints_path, file.bytes, size);
    ck_assert_int_eq(try_file(), size < file.first ? 0 : 1);
  }
  checkpoints_put(checkpoints_path, file.bytes, file.size);
  ck_assert_int_eq(try_file(), 2);
  free(file.bytes);
}
END_TEST

/* As a loss of power leaves it: the size is there, the bytes are not. */
START_TEST(zeros_at_the_end_do_not_count) {
  make_file();
  for (size_t from = file.first; from < file.size; from += 30011) {
    unsigned char *bytes = calloc(1, file.size + 5000);
    memcpy(bytes, file.bytes, file.first);
    checkpoints_put(checkpoints_path, bytes, from);
    ck_assert_int_eq(try_file(), 1);
    free(bytes);
  }
  free(file.bytes);
}
END_TEST

static bool verifies(void) {
  static vptr__reader reader;
  vptr_status status = vptr__reader_open(&reader, checkpoints_path);
  if (status != VPTR_SUCCESS)
    return false;
  status = vptr__reader_verify(&reader);
  vptr__reader_close(&reader);
  return status == VPTR_SUCCESS;
}

/* Bytes that are out of date are looked at by verify alone. */
START_TEST(a_flipped_bit_is_found) {
  uint64_t state = 5;
  make_file();
  ck_assert(verifies());
  for (long round = 0; round < support_rounds(1200); round++) {
    size_t at = round < 400 ? (size_t)round : support_below(&state, file.size);
    at = round >= 400 && round < 600 ? file.size - 1 - (size_t)(round - 400) : at;
    const unsigned char bit = (unsigned char)(1 << support_below(&state, 8));
    file.bytes[at] ^= bit;
    checkpoints_put(checkpoints_path, file.bytes, file.size);
    file.bytes[at] ^= bit;
    ck_assert_msg(!verifies(), "a flipped bit in byte %zu of %zu is not found", at, file.size);
    const int got = try_file();
    ck_assert_msg(got == 0 || got == 2, "a flipped bit in byte %zu gives %d", at, got);
  }
  free(file.bytes);
}
END_TEST

/* ---- a process that is killed --------------------------------------------------------------------------- */

static void take_until_killed(const char *path, uint64_t seed) {
  begin_model(seed, 100);
  support_succeed(vptr_checkpoint_keep("model", &model, sizeof model));
  for (;;) {
    checkpoints_change(&model, 20);
    support_succeed(vptr_checkpoint(checkpoints_mapper, path, 0));
  }
}

static pid_t start_taker(const char *path, const char *seed) {
  const char *const words[] = { "take", path, seed, NULL };
  return checkpoints_start_self(words, NULL);
}

static void wait_for_file(const char *path) {
  for (int i = 0; i < 10000 && access(path, F_OK) != 0; i++)
    usleep(1000);
  ck_assert_int_eq(access(path, F_OK), 0);
}

/* Restores in this process what the killed one has left: a mapper at its addresses. */
static void expect_restorable(void) {
  static vptr__reader reader;
  vptr_config config = VPTR_CONFIG_INIT;
  support_succeed(vptr__reader_open(&reader, checkpoints_path));
  config.base_address = reader.header.base;
  config.reserve_size = reader.header.size;
  vptr__reader_close(&reader);
  support_succeed(vptr_mapper_destroy(checkpoints_mapper));
  support_succeed(vptr_mapper_create(&config, &checkpoints_mapper));
  support_succeed(vptr_checkpoint_keep("model", &model, sizeof model));
  support_succeed(vptr_restore(checkpoints_mapper, checkpoints_path));
  checkpoints_expect(&model);
  support_succeed(vptr_checkpoint_keep("model", NULL, 0));
}

START_TEST(a_kill_at_any_moment_leaves_a_whole_checkpoint) {
  uint64_t state = 99 + (uint64_t)_i;
  char seed[16], aside[128];
  int status;
  snprintf(seed, sizeof seed, "%d", _i + 1);
  pid_t child = start_taker(checkpoints_path, seed);
  wait_for_file(checkpoints_path);
  usleep((useconds_t)support_below(&state, 60000));
  ck_assert_int_eq(kill(child, SIGKILL), 0);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  expect_restorable();
  snprintf(aside, sizeof aside, "%s.new", checkpoints_path);
  unlink(aside); /* what the killed one had begun */
}
END_TEST

static int be_taker(const char *path, const char *seed) {
  setenv("VPTR_PLATFORM", "fake", 0);
  checkpoints_set_up();
  rmdir(checkpoints_folder);
  take_until_killed(path, (uint64_t)atol(seed));
  return 1;
}

int main(int argc, char **argv) {
  if (argc == 4)
    return be_taker(argv[2], argv[3]);
  faults_begin();
  Suite *suite = suite_create("checkpoint_faults");
  TCase *calls = tcase_create("calls"), *files = tcase_create("files"), *killed = tcase_create("killed");
  tcase_add_checked_fixture(calls, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_checked_fixture(files, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_checked_fixture(killed, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_loop_test(calls, a_checkpoint_that_fails_leaves_the_former_one, 0, 2 * CHECKPOINTS_FAILURES);
  tcase_add_loop_test(calls, a_restore_that_fails_has_changed_nothing, 0, CHECKPOINTS_FAILURES);
  tcase_add_test(calls, damage_that_is_read_ahead_is_told);
  tcase_add_loop_test(calls, calls_that_fail_while_others_run, 0, CHECKPOINTS_FAILURES);
  tcase_add_test(files, a_file_that_was_cut_has_what_was_complete);
  tcase_add_test(files, zeros_at_the_end_do_not_count);
  tcase_add_test(files, a_flipped_bit_is_found);
  tcase_add_loop_test(killed, a_kill_at_any_moment_leaves_a_whole_checkpoint, 0, 12);
  suite_add_tcase(suite, calls);
  suite_add_tcase(suite, files);
  suite_add_tcase(suite, killed);
  return support_run(suite);
}
