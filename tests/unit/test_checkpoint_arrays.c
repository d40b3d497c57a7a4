/* SPDX-License-Identifier: MIT */
/*
 * Tests of arrays, mipmapped arrays, texture objects and surface objects in checkpoints: under their handles, with
 * their content. Mipmapped arrays are where the device tells addresses.
 *
 * For the restart the program runs itself: with arguments it is the process that saves, or the one that restores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/cuda/vptr_texture.h>
#include <vptr/vptr.h>

#include "arrays.h"
#include "checkpoint/reader.h"
#include "checkpoints.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define must(call) ck_assert_int_eq(call, cudaSuccess)

static void begin(void) {
  support_succeed(vptr_checkpoint_keep("all", &arrays_all, sizeof arrays_all));
  support_succeed(vptr__mapper_for_device(0, &arrays_mapper));
}

static void set_up(void) {
  checkpoints_set_up();
  begin();
}

static void save(void) {
  support_succeed(vptr_checkpoint(arrays_mapper, checkpoints_path, 0));
}

static void restore(void) {
  support_succeed(vptr_restore(arrays_mapper, checkpoints_path));
}

START_TEST(all_of_it_is_there_again_under_its_handles) {
  arrays_make(true);
  save();
  arrays_release();
  const cudaArray_t before = arrays_all.arrays[0];
  arrays_spoil();
  restore();
  ck_assert_ptr_eq(arrays_all.arrays[0], before);
  arrays_expect();
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(arrays_mapper, checkpoints_path));
  arrays_release();
}
END_TEST

/* A handle of an object that is made afterwards is none that was there, nor is one that is given away now. */
START_TEST(new_handles_are_others) {
  const struct cudaChannelFormatDesc desc = arrays_format(&arrays_shapes[0]);
  cudaArray_t more[40];
  arrays_make(false);
  save();
  arrays_release();
  restore();
  for (int i = 0; i < 40; i++) {
    must(cudaMalloc3DArray(&more[i], &desc, arrays_shapes[0].extent, 0));
    for (int j = 0; j < ARRAYS_COUNT; j++)
      ck_assert_ptr_ne(more[i], arrays_all.arrays[j]);
  }
  arrays_expect();
  for (int i = 0; i < 40; i++)
    must(cudaFreeArray(more[i]));
  arrays_release();
}
END_TEST

START_TEST(what_is_live_is_in_the_way) {
  arrays_make(false);
  save();
  arrays_release();
  const cudaArray_t before = arrays_all.arrays[1];
  arrays_make_one(0);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(arrays_mapper, checkpoints_path));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "is live"));
  ck_assert_uint_eq(vptr_count(arrays_mapper), 0);
  ck_assert_int_ne(cudaArrayGetInfo(NULL, NULL, NULL, before), cudaSuccess);
  must(cudaFreeArray(arrays_all.arrays[0]));
  restore();
  arrays_expect();
  arrays_release();
}
END_TEST

static size_t file_bytes(void) {
  struct stat now;
  ck_assert_int_eq(stat(checkpoints_path, &now), 0);
  return (size_t)now.st_size;
}

START_TEST(a_later_checkpoint_adds_what_has_changed) {
  const unsigned char element[16] = { 1 };
  arrays_make(true);
  save();
  const size_t first = file_bytes();
  save();
  ck_assert_uint_lt(file_bytes(), first + 8192);
  must(cudaMemcpy2DToArray(arrays_all.arrays[ARRAYS_LARGE], 0, 299, element, sizeof element, sizeof element, 1,
                           cudaMemcpyHostToDevice));
  save();
  ck_assert_uint_lt(file_bytes(), first + (300 << 10)); /* one chunk */
  arrays_write(arrays_all.arrays[ARRAYS_LARGE], &arrays_shapes[ARRAYS_LARGE], ARRAYS_LARGE);
  save();
  arrays_release();
  restore();
  arrays_expect();
  arrays_release();
}
END_TEST

static void expect_refusal(const char *words) {
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_checkpoint(arrays_mapper, checkpoints_path, 0));
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "no %s in: %s", words, vptr_last_error());
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
}

START_TEST(objects_over_what_was_freed_are_refused) {
  arrays_make(false);
  must(cudaFree(arrays_all.memory));
  expect_refusal("texture object");
  must(cudaDestroyTextureObject(arrays_all.of_memory));
  must(cudaDestroyTextureObject(arrays_all.of_rows));
  must(cudaFreeArray(arrays_all.arrays[1]));
  expect_refusal("texture object");
  must(cudaDestroyTextureObject(arrays_all.of_array));
  expect_refusal("surface object");
  must(cudaDestroySurfaceObject(arrays_all.surface));
  save();
  must(cudaDestroyTextureObject(arrays_all.of_mipmap));
  must(cudaFreeMipmappedArray(arrays_all.mipmap));
  for (int i = 0; i < ARRAYS_COUNT; i++)
    if (i != 1)
      must(cudaFreeArray(arrays_all.arrays[i]));
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------------------- */

enum { KINDS = CHECKPOINTS_DEVICE_CALL, MOST = 3000 };

/* A handle of each kind: nothing of a restore that fails is left. */
static void expect_none(void) {
  struct cudaResourceDesc resource;
  ck_assert_uint_eq(vptr_count(arrays_mapper), 0);
  ck_assert_int_ne(cudaArrayGetInfo(NULL, NULL, NULL, arrays_all.arrays[1]), cudaSuccess);
  ck_assert_int_ne(cudaGetTextureObjectResourceDesc(&resource, arrays_all.of_array), cudaSuccess);
  ck_assert_int_ne(cudaGetSurfaceObjectResourceDesc(&resource, arrays_all.surface), cudaSuccess);
}

START_TEST(calls_that_fail) {
  if (_i == CHECKPOINTS_DEVICE && !faults_can())
    return;
  bool may_fail = true;
  long n = 0;
  arrays_make_some();
  checkpoints_fail_each(arrays_mapper, _i, MOST);
  arrays_expect();
  arrays_release();
  while (may_fail && n < MOST) {
    checkpoints_fail(_i, ++n);
    const vptr_status status = vptr_restore(arrays_mapper, checkpoints_path);
    may_fail = checkpoints_end_failing(_i, n) || status != VPTR_SUCCESS;
    if (status != VPTR_SUCCESS) {
      expect_none();
      continue;
    }
    arrays_expect();
    arrays_release();
  }
  ck_assert_int_gt(n, 2);
  ck_assert_int_lt(n, MOST);
}
END_TEST

/* ---- in another process ---------------------------------------------------------------------------------- */

static int be_other(const char *what, const char *path) {
  setenv("VPTR_PLATFORM", "fake", 0);
  if (strcmp(what, "save") == 0) {
    begin();
    arrays_make(true);
    support_succeed(vptr_checkpoint(arrays_mapper, path, 0));
    return 0;
  }
  support_succeed(vptr_checkpoint_keep("all", &arrays_all, sizeof arrays_all));
  support_succeed(vptr_restore(NULL, path));
  begin();
  arrays_expect();
  arrays_release();
  return 0;
}

static int run_other(const char *what) {
  const char *const words[] = { what, checkpoints_path, NULL };
  return checkpoints_await(checkpoints_start_self(words, NULL));
}

/* As vptr-checkpoint lists them. */
static void expect_list(void) {
  static vptr__reader reader;
  size_t arrays = 0, mipmaps = 0;
  support_succeed(vptr__reader_open(&reader, checkpoints_path));
  for (size_t i = 0; i < reader.saved.count; i++) {
    const vptr__saved *item = &reader.saved.items[i];
    const bool is_first = item->kind == VPTR__SAVED_ARRAY && item->bytes == 400;
    arrays += item->kind == VPTR__SAVED_ARRAY;
    mipmaps += item->kind == VPTR__SAVED_MIPMAP;
    ck_assert_str_eq(vptr__saved_word(item->kind), item->kind == VPTR__SAVED_ARRAY     ? "array"
                                                   : item->kind == VPTR__SAVED_MIPMAP  ? "mipmap"
                                                   : item->kind == VPTR__SAVED_TEXTURE ? "texture"
                                                                                       : "surface");
    if (is_first)
      ck_assert_str_eq(vptr__saved_name(&reader.saved, item), "100 x 1 x 1");
  }
  ck_assert_uint_eq(arrays, ARRAYS_COUNT + mipmaps * LEVELS);
  support_succeed(vptr__reader_verify(&reader));
  vptr__reader_close(&reader);
}

START_TEST(a_new_process_has_all_of_it) {
  ck_assert_int_eq(run_other("save"), 0);
  expect_list();
  ck_assert_int_eq(run_other("restore"), 0);
}
END_TEST

int main(int argc, char **argv) {
  if (argc == 3)
    return be_other(argv[1], argv[2]);
  faults_begin();
  Suite *suite = suite_create("checkpoint_arrays");
  TCase *arrays = tcase_create("arrays");
  tcase_add_checked_fixture(arrays, set_up, checkpoints_tear_down);
  tcase_add_test(arrays, all_of_it_is_there_again_under_its_handles);
  tcase_add_test(arrays, new_handles_are_others);
  tcase_add_test(arrays, what_is_live_is_in_the_way);
  tcase_add_test(arrays, a_later_checkpoint_adds_what_has_changed);
  tcase_add_test(arrays, objects_over_what_was_freed_are_refused);
  tcase_add_loop_test(arrays, calls_that_fail, 0, KINDS);
  /* ThreadSanitizer has memory of its own where another process had its mapper, as often as not. */
  if (!SUPPORT_WATCHES_THREADS)
    tcase_add_test(arrays, a_new_process_has_all_of_it);
  suite_add_tcase(suite, arrays);
  return support_run(suite);
}
