/* SPDX-License-Identifier: MIT */
/*
 * Tests of managed memory that is kept by page faults in checkpoints: it is there again at its address, with the bytes
 * of the side that had them; where something else is at the address the restore has changed nothing.
 *
 * For the restart the program runs itself: with arguments it is the process that saves, or the one that restores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr.h>

#include "checkpoint/reader.h"
#include "checkpoints.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define must(call) ck_assert_int_eq(call, cudaSuccess)

enum { SIZE = 1000000, PAGE = 4096, OF_HOST = 5 * PAGE };

static const struct cudaMemLocation device = { cudaMemLocationTypeDevice, 0 };
static vptr_mapper *mapper;

static void set_up(void) {
  setenv("VPTR_MANAGED", "faults", 1);
  checkpoints_set_up();
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

/* The device has written all of it, and the host one page since. */
static unsigned char *make(void) {
  unsigned char *managed;
  must(cudaMallocManaged((void **)&managed, SIZE, cudaMemAttachGlobal));
  must(cudaMemPrefetchAsync(managed, SIZE, device, 0, NULL));
  must(cudaMemsetAsync(managed, 7, SIZE, NULL));
  must(cudaDeviceSynchronize());
  memset(managed + OF_HOST, 9, PAGE);
  return managed;
}

static bool is_as_made(const unsigned char *managed) {
  bool is_same = true;
  for (size_t i = 0; i < SIZE && is_same; i++)
    is_same = managed[i] == (i >= OF_HOST && i < OF_HOST + PAGE ? 9 : 7);
  return is_same;
}

static void save(void) {
  support_succeed(vptr_checkpoint(mapper, checkpoints_path, 0));
}

static void restore(void) {
  support_succeed(vptr_restore(mapper, checkpoints_path));
}

START_TEST(it_is_there_again_at_its_address) {
  unsigned char *managed = make(), *seen = malloc(SIZE);
  save();
  must(cudaFree(managed));
  restore();
  must(cudaMemPrefetchAsync(managed, SIZE, device, 0, NULL));
  must(cudaMemcpy(seen, managed, SIZE, cudaMemcpyDeviceToHost));
  ck_assert(is_as_made(seen));
  ck_assert(is_as_made(managed));
  struct cudaPointerAttributes attributes;
  must(cudaPointerGetAttributes(&attributes, managed + SIZE - 1));
  ck_assert_int_eq(attributes.type, cudaMemoryTypeManaged);
  memset(managed, 1, SIZE);
  must(cudaFree(managed));
  ck_assert_int_eq(cudaFree(managed), cudaErrorInvalidValue);
  free(seen);
}
END_TEST

static size_t file_bytes(void) {
  struct stat now;
  ck_assert_int_eq(stat(checkpoints_path, &now), 0);
  return (size_t)now.st_size;
}

START_TEST(a_later_checkpoint_adds_what_has_changed) {
  unsigned char *managed = make(), *fresh;
  save();
  const size_t first = file_bytes();
  ck_assert_uint_gt(first, SIZE);
  save();
  ck_assert_uint_lt(file_bytes(), first + 4096);
  managed[SIZE / 2] = 3;
  must(cudaMallocManaged((void **)&fresh, PAGE, cudaMemAttachGlobal));
  memset(fresh, 0, PAGE);
  save();
  ck_assert_uint_lt(file_bytes(), first + (300 << 10)); /* one chunk */
  must(cudaFree(managed));
  must(cudaFree(fresh));
  restore();
  ck_assert_uint_eq(managed[SIZE / 2], 3);
  managed[SIZE / 2] = 7;
  ck_assert(is_as_made(managed));
  ck_assert(fresh[0] == 0 && fresh[PAGE - 1] == 0);
  must(cudaFree(managed));
  must(cudaFree(fresh));
}
END_TEST

START_TEST(what_lies_at_the_address_is_in_the_way) {
  static long kept = 5;
  char words[64];
  unsigned char *managed = make();
  void *plain;
  support_succeed(vptr_malloc(mapper, 100, &plain));
  support_succeed(vptr_checkpoint_keep("kept", &kept, sizeof kept));
  save();
  must(cudaFree(managed));
  support_succeed(vptr_clear(mapper));
  kept = 6;
  void *other = mmap(managed + PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ck_assert_ptr_eq(other, managed + PAGE);
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr_restore(mapper, checkpoints_path));
  snprintf(words, sizeof words, "was at %p, and something else", (void *)managed);
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "no %s in: %s", words, vptr_last_error());
  ck_assert_uint_eq(vptr_count(mapper), 0);
  ck_assert_int_eq(kept, 6);
  munmap(other, PAGE);
  restore();
  ck_assert_int_eq(kept, 5);
  ck_assert(is_as_made(managed));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(mapper, checkpoints_path));
  support_succeed(vptr_clear(mapper));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(mapper, checkpoints_path));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "is live"));
  ck_assert(is_as_made(managed));
  must(cudaFree(managed));
  support_succeed(vptr_checkpoint_keep("kept", NULL, 0));
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------------------- */

enum { KINDS = CHECKPOINTS_DEVICE_CALL, MOST = 2000 };

START_TEST(calls_that_fail) {
  if (_i == CHECKPOINTS_DEVICE && !faults_can())
    return;
  unsigned char *managed = make();
  bool may_fail = true;
  long n = 0;
  checkpoints_fail_each(mapper, _i, MOST);
  must(cudaFree(managed));
  while (may_fail && n < MOST) {
    checkpoints_fail(_i, ++n);
    const vptr_status status = vptr_restore(mapper, checkpoints_path);
    may_fail = checkpoints_end_failing(_i, n) || status != VPTR_SUCCESS;
    if (status != VPTR_SUCCESS)
      continue; /* the next restore is refused if any is left */
    ck_assert(is_as_made(managed));
    must(cudaFree(managed));
  }
  ck_assert_int_gt(n, 2);
  ck_assert_int_lt(n, MOST);
}
END_TEST

/* ---- in another process ---------------------------------------------------------------------------------- */

static unsigned char *state; /* what both of them know, by way of host memory that is kept */

static int be_other(const char *what, const char *path) {
  setenv("VPTR_PLATFORM", "fake", 0);
  support_succeed(vptr_checkpoint_keep("state", &state, sizeof state));
  if (strcmp(what, "save") == 0) {
    support_succeed(vptr__mapper_for_device(0, &mapper));
    state = make();
    support_succeed(vptr_checkpoint(mapper, path, 0));
    return 0;
  }
  const vptr_status status = vptr_restore(NULL, path);
  if (status == VPTR_ERROR_OUT_OF_ADDRESSES)
    return 2;
  support_succeed(status);
  return is_as_made(state) && cudaFree(state) == cudaSuccess ? 0 : 1;
}

static int run_other(const char *what) {
  const char *const words[] = { what, checkpoints_path, NULL };
  return checkpoints_await(checkpoints_start_self(words, NULL));
}

/* Another process may have its libraries there; then it says so, and one more try has them elsewhere. */
START_TEST(a_new_process_has_it) {
  int result = 2;
  ck_assert_int_eq(run_other("save"), 0);
  for (int i = 0; i < 4 && result == 2; i++)
    result = run_other("restore");
  ck_assert_int_eq(result, 0);
}
END_TEST

int main(int argc, char **argv) {
  if (argc == 3)
    return be_other(argv[1], argv[2]);
  faults_begin();
  Suite *suite = suite_create("checkpoint_managed");
  TCase *managed = tcase_create("managed");
  tcase_add_checked_fixture(managed, set_up, checkpoints_tear_down);
  tcase_add_test(managed, it_is_there_again_at_its_address);
  tcase_add_test(managed, a_later_checkpoint_adds_what_has_changed);
  /* In one process AddressSanitizer maps what PoCL allocates where managed memory was freed. */
  if (!SUPPORT_WATCHES_ADDRESSES || !support_has_opencl()) {
    tcase_add_loop_test(managed, what_lies_at_the_address_is_in_the_way, 0, 20); /* one in six failed by chance */
    tcase_add_loop_test(managed, calls_that_fail, 0, KINDS);
  }
  /* ThreadSanitizer has memory of its own where another process had its mapper, as often as not. */
  if (!SUPPORT_WATCHES_THREADS)
    tcase_add_test(managed, a_new_process_has_it);
  suite_add_tcase(suite, managed);
  return support_run(suite);
}
