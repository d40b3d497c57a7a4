/* SPDX-License-Identifier: MIT */
/*
 * disk full - a disk that takes no more, and one that takes and gives little at a time: a checkpoint that fails leaves
 * the former one, from which the program can go on; an allocation that cannot leave for a file stays where it is.
 *
 * A limit on the size of files stands for the full disk: the system writes what there is room for, and fails from then
 * on, whatever is tried.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/option.h"
#include "heap/range.h"
#include "heap/store.h"
#include "support/support.h"
#include "unit/checkpoints.h"
#include "unit/residences.h"

static const size_t pieces[] = { 1, 4095 };
enum { PIECES = sizeof pieces / sizeof *pieces };

/* How large a file may be from now on; 0: as large as before. */
static void limit_files(size_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes != 0 ? bytes : limit.rlim_max;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* ---- checkpoints ---------------------------------------------------------------------------------------- */

static checkpoints_model model;

static void expect_restored(void) {
  checkpoints_again();
  support_succeed(vptr_restore(checkpoints_mapper, checkpoints_path));
  checkpoints_expect(&model);
}

/* Room for a part more each time, until it is enough. Others of the process write no files meanwhile. */
START_TEST(a_full_disk_leaves_the_former_checkpoint) {
  enum { PARTS = 12 };
  const unsigned flags = _i == 0 ? 0 : VPTR_CHECKPOINT_WHOLE;
  int failed = 0;
  model = (checkpoints_model){ .state = 21 };
  checkpoints_change(&model, 60);
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  const checkpoints_model former = model;
  size_t size;
  unsigned char *before = checkpoints_read(checkpoints_path, &size);
  checkpoints_change(&model, 20);
  for (size_t part = 1; part <= PARTS; part++) {
    limit_files(flags != 0 ? size * part / (PARTS + 1) : size + part * 4096 - 4000);
    vptr_status status = vptr_checkpoint(checkpoints_mapper, checkpoints_path, flags);
    limit_files(0);
    if (status == VPTR_SUCCESS)
      break;
    size_t now_size;
    unsigned char *now = checkpoints_read(checkpoints_path, &now_size);
    ck_assert(vptr_last_error()[0] != '\0');
    ck_assert_msg(now_size == size && memcmp(now, before, size) == 0, "%zu bytes, not %zu", now_size, size);
    free(now);
    failed++;
  }
  ck_assert_int_gt(failed, 2);
  free(before);
  if (_i == 2) { /* the process ends with the disk full */
    model = former;
  } else {
    checkpoints_change(&model, 5);
    support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, flags));
  }
  expect_restored();
}
END_TEST

START_TEST(a_disk_that_takes_little_at_a_time_has_it_all) {
  model = (checkpoints_model){ .state = 22 };
  checkpoints_change(&model, pieces[_i] == 1 ? 1 : 40);
  vptr__disk_shorten(pieces[_i]);
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  if (pieces[_i] > 1) {
    checkpoints_change(&model, 10);
    support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
  }
  expect_restored();
  vptr__disk_shorten(0);
}
END_TEST

/* ---- what leaves a device for files --------------------------------------------------------------------- */

static char folder[32];

static void set_up_files(void) {
  strcpy(folder, "/tmp/vptr-disk-full-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  setenv("VPTR_SPILL_DIR", folder, 1);
  residences_set_up();
  vptr__store_avoid_memory(true);
  support_succeed(vptr_trim(residences_mapper, 0)); /* memory that was kept for the next departure */
}

static void tear_down_files(void) {
  limit_files(0);
  vptr__disk_shorten(0);
  residences_tear_down();
  ck_assert_int_eq(rmdir(folder), 0); /* the files have no names */
}

static int in_files(void) {
  int count = 0;
  for (int i = 0; i < MANY; i++)
    count += vptr__range_at(residences_mapper->heap, many[i])->store.file >= 0;
  return count;
}

START_TEST(what_finds_no_room_in_a_file_stays) {
  void *more = NULL;
  for (size_t room = 4096; room < SIZE; room += SIZE / 3) {
    limit_files(room);
    vptr_status status = vptr_malloc(residences_mapper, SIZE, &more);
    limit_files(0);
    ck_assert(status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
    ck_assert_msg(strstr(vptr_last_error(), "VPTR_SPILL_DIR") != NULL, "%s", vptr_last_error());
    support_succeed(vptr_check(residences_mapper));
  }
  support_succeed(vptr_malloc(residences_mapper, SIZE, &more));
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
  ck_assert_int_gt(in_files(), 0);
  support_succeed(vptr_free(residences_mapper, more));
}
END_TEST

START_TEST(files_that_take_little_at_a_time_have_it_all) {
  vptr__disk_shorten(4095);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < MANY; i++)
      residences_expect(many[i], i);
  ck_assert_int_gt(in_files(), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("disk full");
  TCase *saved = tcase_create("checkpoints"), *spilled = tcase_create("files");
  tcase_add_checked_fixture(saved, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_checked_fixture(spilled, set_up_files, tear_down_files);
  tcase_add_loop_test(saved, a_full_disk_leaves_the_former_checkpoint, 0, 3);
  tcase_add_loop_test(saved, a_disk_that_takes_little_at_a_time_has_it_all, 0, PIECES);
  tcase_add_test(spilled, what_finds_no_room_in_a_file_stays);
  tcase_add_test(spilled, files_that_take_little_at_a_time_have_it_all);
  suite_add_tcase(suite, spilled); /* first: with another mapper there, its failure is told last */
  suite_add_tcase(suite, saved);
  return support_run(suite);
}
