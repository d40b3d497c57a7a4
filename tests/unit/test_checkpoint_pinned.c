/* SPDX-License-Identifier: MIT */
/*
 * Tests of host memory that a device works on in place in checkpoints: pinned memory with a device address, large and
 * in small blocks, and, where the device keeps it so, managed memory. It is there again at both addresses.
 *
 * Small blocks lie in chunks that stay for good, so they are restored in another process: with arguments the program
 * is the one that saves, the one that restores, or the one in which each call of a restore fails once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr.h>

#include "base/memory.h"
#include "checkpoints.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "support/support.h"

#define must(call) ck_assert_int_eq(call, cudaSuccess)

enum { LARGE = 2500000, PAGE = 4096, PIECES = 7, ELSEWHERE = 17 };

/* The sizes, and which of them are managed. The second and the third lie on one page, the fourth has pages of its own,
 * and so has the last. */
static const size_t sizes[PIECES] = { LARGE, 300, 700, 9000, 5000, 100, LARGE };
static const bool is_managed[PIECES] = { false, false, false, false, true, true, true };

typedef struct piece {
  unsigned char *host, *device;
  uint64_t serial;
} piece;

static piece pieces[PIECES]; /* what both processes know, by way of host memory that is kept */
static vptr_mapper *mapper;

static void begin(void) {
  support_succeed(vptr_checkpoint_keep("pieces", pieces, sizeof pieces));
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

static void set_up(void) {
  checkpoints_set_up();
  begin();
}

/* Pinned memory that is an allocation of the mapper's by its device address; else both addresses are one. */
static bool has_two(const piece *it) {
  return it->device != it->host;
}

static void write_piece(int i) {
  memset(pieces[i].host, i + 1, sizes[i]);
  must(cudaMemset(pieces[i].device + sizes[i] / 2, i + 100, sizes[i] - sizes[i] / 2));
  must(cudaDeviceSynchronize());
}

static void make(int i) {
  piece *it = &pieces[i];
  vptr_location location;
  if (is_managed[i])
    must(cudaMallocManaged((void **)&it->host, sizes[i], cudaMemAttachGlobal));
  else
    must(cudaHostAlloc((void **)&it->host, sizes[i], cudaHostAllocMapped | (i == 1 ? cudaHostAllocPortable : 0)));
  it->device = it->host;
  if (!is_managed[i])
    must(cudaHostGetDevicePointer((void **)&it->device, it->host, 0));
  if (has_two(it)) {
    support_succeed(vptr_resolve(mapper, it->device, sizes[i], &location));
    it->serial = location.serial;
  }
  write_piece(i);
}

static bool has_bytes(int i, const unsigned char *bytes) {
  bool is_same = true;
  for (size_t at = 0; at < sizes[i] && is_same; at++)
    is_same = bytes[at] == (at < sizes[i] / 2 ? i + 1 : i + 100);
  return is_same;
}

static bool is_resolved(int i) {
  vptr_location location;
  return !has_two(&pieces[i]) ||
         (vptr_resolve(mapper, pieces[i].device, sizes[i], &location) == VPTR_SUCCESS &&
          location.base == pieces[i].device && location.size == sizes[i] && location.serial == pieces[i].serial);
}

/* Bytes at both addresses, and that the two are one memory. */
static void expect(int i) {
  static unsigned char seen[LARGE];
  piece *it = &pieces[i];
  struct cudaPointerAttributes attributes;
  unsigned char *device;
  ck_assert(has_bytes(i, it->host));
  ck_assert(is_resolved(i));
  must(cudaMemcpy(seen, it->device, sizes[i], cudaMemcpyDefault));
  ck_assert(has_bytes(i, seen));
  must(cudaMemset(it->device, 77, 1));
  must(cudaDeviceSynchronize());
  ck_assert_uint_eq(it->host[0], 77);
  if (!is_managed[i]) {
    must(cudaHostGetDevicePointer((void **)&device, it->host + 1, 0));
    ck_assert_ptr_eq(device, it->device + 1);
  }
  must(cudaPointerGetAttributes(&attributes, it->host + sizes[i] - 1));
  ck_assert_int_eq(attributes.type, is_managed[i] ? cudaMemoryTypeManaged : cudaMemoryTypeHost);
  it->host[0] = (unsigned char)(i + 1);
}

static void release(int i) {
  vptr_location location;
  if (is_managed[i])
    must(cudaFree(pieces[i].host));
  else
    must(cudaFreeHost(pieces[i].host));
  ck_assert_int_ne(is_managed[i] ? cudaFree(pieces[i].host) : cudaFreeHost(pieces[i].host), cudaSuccess);
  if (has_two(&pieces[i]))
    ck_assert_int_ne(vptr_resolve(mapper, pieces[i].device, 1, &location), VPTR_SUCCESS);
}

static void save(void) {
  support_succeed(vptr_checkpoint(mapper, checkpoints_path, 0));
}

static void restore(void) {
  support_succeed(vptr_restore(mapper, checkpoints_path));
}

/* ---- large memory, in one process ------------------------------------------------------------------------ */

START_TEST(large_memory_is_there_again_at_both_addresses) {
  unsigned flags;
  make(0);
  save();
  release(0);
  restore();
  expect(0);
  must(cudaHostGetFlags(&flags, pieces[0].host));
  ck_assert_uint_eq(flags, cudaHostAllocMapped);
  release(0);
  make(0);
  release(0);
}
END_TEST

START_TEST(what_has_no_device_address_is_host_memory_like_any) {
  unsigned char *host;
  must(cudaMallocHost((void **)&host, LARGE));
  memset(host, 5, LARGE);
  save();
  memset(host, 6, LARGE);
  restore();
  ck_assert_uint_eq(host[LARGE - 1], 6);
  must(cudaFreeHost(host));
}
END_TEST

static size_t file_bytes(void) {
  struct stat now;
  ck_assert_int_eq(stat(checkpoints_path, &now), 0);
  return (size_t)now.st_size;
}

START_TEST(a_later_checkpoint_adds_what_has_changed) {
  make(0);
  save();
  const size_t first = file_bytes();
  ck_assert_uint_gt(first, LARGE);
  save();
  ck_assert_uint_lt(file_bytes(), first + 4096);
  pieces[0].host[LARGE / 4] = 200;
  save();
  ck_assert_uint_lt(file_bytes(), first + (300 << 10)); /* one chunk */
  release(0);
  restore();
  ck_assert_uint_eq(pieces[0].host[LARGE / 4], 200);
  pieces[0].host[LARGE / 4] = 1;
  expect(0);
  release(0);
}
END_TEST

START_TEST(what_lies_at_the_address_is_in_the_way) {
  char words[64];
  void *plain;
  make(0);
  support_succeed(vptr_malloc(mapper, 100, &plain));
  save();
  unsigned char *host = pieces[0].host;
  release(0);
  support_succeed(vptr_clear(mapper));
  vptr__pinned_trim(mapper, 0);
  void *other = mmap(host + PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ck_assert_ptr_eq(other, host + PAGE);
  support_expect(VPTR_ERROR_OUT_OF_ADDRESSES, vptr_restore(mapper, checkpoints_path));
  snprintf(words, sizeof words, "was at %p, and something else", (void *)host);
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "no %s in: %s", words, vptr_last_error());
  ck_assert_uint_eq(vptr_count(mapper), 0);
  ck_assert_int_eq(vptr__pinned_find(host).kind, VPTR__PINNED_NONE);
  munmap(other, PAGE);
  restore();
  expect(0);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(mapper, checkpoints_path));
  expect(0);
  release(0);
  support_succeed(vptr_clear(mapper));
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------------------- */

static void expect_refusal(const char *words) {
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_checkpoint(mapper, checkpoints_path, 0));
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "no %s in: %s", words, vptr_last_error());
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
}

START_TEST(registered_memory_with_a_device_address_is_refused) {
  void *pages = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *device;
  ck_assert_ptr_ne(pages, MAP_FAILED);
  must(cudaHostRegister(pages, PAGE, cudaHostRegisterMapped));
  must(cudaHostGetDevicePointer(&device, pages, 0));
  make(0);
  if (device != pages)
    expect_refusal("that is registered");
  must(cudaHostUnregister(pages));
  save();
  release(0);
  munmap(pages, PAGE);
}
END_TEST

/* It may be elsewhere by then: its device address is what stays. */
START_TEST(registered_memory_that_is_named_has_its_device_address_again) {
  static unsigned char here[4 * PAGE] __attribute__((aligned(PAGE))), there[4 * PAGE] __attribute__((aligned(PAGE)));
  unsigned char *device, *again, last = 0;
  support_succeed(vptr_checkpoint_keep("named", here, sizeof here));
  must(cudaHostRegister(here + PAGE, 2 * PAGE, cudaHostRegisterMapped));
  must(cudaHostGetDevicePointer((void **)&device, here + PAGE, 0));
  must(cudaMemset(device, 6, 2 * PAGE));
  must(cudaDeviceSynchronize());
  save();
  must(cudaHostUnregister(here + PAGE));
  support_succeed(vptr_checkpoint_keep("named", there, sizeof there));
  for (long n = 1; n <= 12; n++) {
    vptr__memory_fail_nth(n);
    const vptr_status status = vptr_restore(mapper, checkpoints_path);
    vptr__memory_fail_nth(0);
    ck_assert_int_eq(vptr__pinned_find(there + PAGE).kind,
                     status == VPTR_SUCCESS ? VPTR__PINNED_REGISTERED : VPTR__PINNED_NONE);
    if (status == VPTR_SUCCESS)
      must(cudaHostUnregister(there + PAGE));
  }
  restore();
  ck_assert(there[0] == 0 && there[PAGE] == 6 && there[3 * PAGE - 1] == 6 && there[3 * PAGE] == 0);
  must(cudaHostGetDevicePointer((void **)&again, there + PAGE, 0));
  if (device != here + PAGE) {
    ck_assert_ptr_eq(again, device);
    there[3 * PAGE - 1] = 8;
    must(cudaMemcpy(&last, device + 2 * PAGE - 1, 1, cudaMemcpyDefault));
    ck_assert_uint_eq(last, 8);
  }
  must(cudaHostUnregister(there + PAGE));
  support_succeed(vptr_checkpoint_keep("named", NULL, 0));
}
END_TEST

START_TEST(an_attached_buffer_is_refused) {
  void *attached;
  cl_mem buffer;
  support_succeed(mapper->device->ops->memory.create(mapper->device, 10000, &buffer));
  support_succeed(vptr_attach(mapper, buffer, &attached));
  make(0);
  expect_refusal("vptr_attach()");
  support_succeed(vptr_free(mapper, attached));
  save();
  release(0);
  mapper->device->ops->memory.release(mapper->device, buffer);
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------------------- */

enum { KINDS = CHECKPOINTS_DEVICE_CALL, MOST = 3000 };

/* Nothing is left of a restore that fails: the next one is refused otherwise. */
static void fail_restores(int whose, int from, int to, const char *path) {
  bool may_fail = true;
  long n = 0;
  while (may_fail && n < MOST) {
    checkpoints_fail(whose, ++n);
    const vptr_status status = vptr_restore(mapper, path);
    may_fail = checkpoints_end_failing(whose, n) || status != VPTR_SUCCESS;
    if (status == VPTR_ERROR_OUT_OF_ADDRESSES)
      exit(ELSEWHERE);
    for (int i = from; i < to && status != VPTR_SUCCESS; i++)
      ck_assert_int_eq(vptr__pinned_find(pieces[i].host).kind, VPTR__PINNED_NONE);
    if (status != VPTR_SUCCESS)
      ck_assert_uint_eq(vptr_count(mapper), 0);
    for (int i = from; i < to && status == VPTR_SUCCESS; i++) {
      expect(i);
      release(i);
    }
  }
  ck_assert_int_gt(n, 2);
  ck_assert_int_lt(n, MOST);
}

START_TEST(calls_that_fail) {
  if (_i == CHECKPOINTS_DEVICE && !faults_can())
    return;
  make(0);
  checkpoints_fail_each(mapper, _i, MOST);
  release(0);
  fail_restores(_i, 0, 1, checkpoints_path);
}
END_TEST

/* ---- in another process ---------------------------------------------------------------------------------- */

/* Freed blocks come from nowhere that new ones are cut from. */
static void expect_all(void) {
  for (int i = 0; i < PIECES; i++)
    expect(i);
  for (int i = 0; i < PIECES; i++) {
    release(i);
    make(i);
  }
  for (int i = 0; i < PIECES; i++)
    expect(i);
}

static int save_from(int first, const char *path) {
  begin();
  for (int i = first; i < PIECES; i++)
    make(i);
  support_succeed(vptr_checkpoint(mapper, path, 0));
  return 0;
}

static int expect_by_faults(void) {
  expect(PIECES - 1);
  release(PIECES - 1);
  return 0;
}

static int be_other(const char *what, const char *path) {
  const bool is_by_faults = strcmp(what, "faults") == 0, is_refused = strcmp(what, "refused") == 0;
  setenv("VPTR_PLATFORM", "fake", 0);
  if (is_by_faults || is_refused)
    setenv("VPTR_MANAGED", "faults", 1);
  faults_begin();
  if (strcmp(what, "save") == 0)
    return save_from(0, path);
  if (strcmp(what, "save-last") == 0)
    return save_from(PIECES - 1, path);
  support_succeed(vptr_checkpoint_keep("pieces", pieces, sizeof pieces));
  const vptr_status status = vptr_restore(NULL, path);
  if (status == VPTR_ERROR_OUT_OF_ADDRESSES)
    return ELSEWHERE;
  if (is_refused)
    return status == VPTR_ERROR_UNSUPPORTED && strstr(vptr_last_error(), "VPTR_MANAGED=place") != NULL &&
                   vptr_count(NULL) == 0
               ? 0
               : 1;
  support_succeed(status);
  begin();
  if (is_by_faults)
    return expect_by_faults();
  if (strcmp(what, "restore") == 0) {
    expect_all();
    return 0;
  }
  for (int i = 0; i < PIECES; i++)
    release(i);
  fail_restores(atoi(what), 0, PIECES, path);
  return 0;
}

static int run_other(const char *what) {
  const char *const words[] = { what, checkpoints_path, NULL };
  return checkpoints_await(checkpoints_start_self(words, NULL));
}

/* Another process may have its libraries there; then it says so, and one more try has them elsewhere. */
static void expect_other(const char *what) {
  int result = ELSEWHERE;
  for (int i = 0; i < 8 && result == ELSEWHERE; i++)
    result = run_other(what);
  ck_assert_int_eq(result, 0);
}

START_TEST(a_new_process_has_all_of_it) {
  ck_assert_int_eq(run_other("save"), 0);
  expect_other("restore");
}
END_TEST

/* As another kind of device may have it. */
START_TEST(managed_memory_in_place_comes_back_by_page_faults) {
  ck_assert_int_eq(run_other("save-last"), 0);
  expect_other("faults");
  ck_assert_int_eq(run_other("save"), 0);
  if (support_has_opencl())
    expect_other("refused"); /* some of it begins within a page */
}
END_TEST

START_TEST(calls_that_fail_in_a_new_process) {
  char what[16];
  snprintf(what, sizeof what, "%d", _i);
  if (_i == CHECKPOINTS_DEVICE && !faults_can())
    return;
  ck_assert_int_eq(run_other("save"), 0);
  expect_other(what);
}
END_TEST

int main(int argc, char **argv) {
  if (argc == 3)
    return be_other(argv[1], argv[2]);
  faults_begin();
  Suite *suite = suite_create("checkpoint_pinned");
  TCase *pinned = tcase_create("pinned");
  tcase_add_checked_fixture(pinned, set_up, checkpoints_tear_down);
  tcase_add_test(pinned, large_memory_is_there_again_at_both_addresses);
  tcase_add_test(pinned, what_has_no_device_address_is_host_memory_like_any);
  tcase_add_test(pinned, a_later_checkpoint_adds_what_has_changed);
  tcase_add_test(pinned, what_lies_at_the_address_is_in_the_way);
  tcase_add_test(pinned, registered_memory_with_a_device_address_is_refused);
  tcase_add_test(pinned, registered_memory_that_is_named_has_its_device_address_again);
  tcase_add_test(pinned, an_attached_buffer_is_refused);
  tcase_add_loop_test(pinned, calls_that_fail, 0, KINDS);
  /* ThreadSanitizer has memory of its own where another process had its mapper, as often as not. */
  if (!SUPPORT_WATCHES_THREADS) {
    tcase_add_test(pinned, a_new_process_has_all_of_it);
    tcase_add_test(pinned, managed_memory_in_place_comes_back_by_page_faults);
    tcase_add_loop_test(pinned, calls_that_fail_in_a_new_process, 0, KINDS);
  }
  suite_add_tcase(suite, pinned);
  return support_run(suite);
}
