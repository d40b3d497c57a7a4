/* SPDX-License-Identifier: MIT */
/*
 * migrate pinned - pinned and managed memory of the host's, which a CPU's device works on in place, goes to a device
 * with memory of its own, and back: same addresses, same bytes, and kernels, copies and the host see what the others
 * wrote.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "device/proxy_apart.h"
#include "layer/faults.h"
#include "managed/managed.h"
#include "mapper/mapper.h"
#include "module/module.h"
#include "pinned/pinned.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { WORDS = 1000, BYTES = WORDS * 4, ROOM = 2 * BYTES };

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=raise lowered=raise entry=m_raise\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "#if VPTR_ADDRESSES\n"
                           "__kernel void m_raise(ulong words, uint by) {\n"
                           "  __global uint *at = (__global uint *)words;\n"
                           "#else\n"
                           "__kernel void m_raise(__global uchar *root, ulong offset, uint by) {\n"
                           "  __global uint *at = (__global uint *)(root + offset);\n"
                           "#endif\n"
                           "  for (uint i = 0; i < 1000; i++)\n"
                           "    at[i] += by;\n"
                           "}\n";

/* Where the kernel is to wait for the test, and the test for the kernel. */
static pthread_barrier_t meeting;
static atomic_bool meets;

static bool has_addresses;

/* Adds a number to each of WORDS words. */
static void run_raise(const vptr__fake_launch *launch) {
  const uint64_t first = *(uint64_t *)launch->arguments[has_addresses ? 0 : 1];
  uint32_t *words = (uint32_t *)(has_addresses ? (char *)(uintptr_t)first : (char *)launch->arguments[0] + first);
  const uint32_t by = *(uint32_t *)launch->arguments[has_addresses ? 1 : 2];
  if (atomic_load(&meets)) {
    pthread_barrier_wait(&meeting);
    pthread_barrier_wait(&meeting);
  }
  for (int i = 0; i < WORDS; i++)
    words[i] += by;
}

/* What a program has: pinned memory of three kinds, and managed memory in place. */
enum { SMALL, LARGE, REGISTERED, ODD, MANAGED, KINDS };
static const size_t sizes[KINDS] = { ROOM, 2 << 20, ROOM, ROOM, ROOM };
static vptr_mapper *mapper;
static vptr__module *module;
static vptr__stream *stream_of_all;
static uint32_t *host[KINDS];
static void *device[KINDS];
static unsigned char *plain;

static vptr_status raise_by(vptr__stream *stream, void *words, uint32_t by) {
  void *arguments[] = { &words, &by };
  vptr__launch how = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(module, "raise"), stream, &how);
}

static void fill_all(uint32_t value) {
  for (int k = 0; k < KINDS; k++)
    for (uint32_t i = 0; i < ROOM / 4; i++)
      host[k][i] = value + i;
}

static void expect(const uint32_t *words, uint32_t first, uint32_t value) {
  for (uint32_t i = 0; i < WORDS; i++)
    ck_assert_msg(words[i] == value + first + i, "word %u is %u, not %u", i, words[i], value + first + i);
}

static void allocate_managed(void) {
  void *memory;
  vptr__device *face = mapper->device;
  setenv("VPTR_MANAGED", "place", 1);
  const bool is_unified = face->host_unified;
  face->host_unified = true;
  support_succeed(vptr__managed_allocate(mapper, sizes[MANAGED], &memory));
  face->host_unified = is_unified;
  unsetenv("VPTR_MANAGED");
  host[MANAGED] = memory;
}

static void begin(void) {
  setenv("VPTR_MIGRATE", "1", 1);
  vptr__fake_define("m_raise", run_raise);
  vptr__fake_report_addresses(has_addresses);
  support_succeed(vptr__mapper_for_device(0, &mapper));
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream_of_all));
  plain = aligned_alloc(4096, (size_t)8 * 4096);
  void *memory;
  for (int k = SMALL; k <= LARGE; k++) {
    support_succeed(vptr__pinned_allocate(mapper, sizes[k], 0, &memory));
    host[k] = memory;
  }
  host[REGISTERED] = (uint32_t *)plain;
  host[ODD] = (uint32_t *)(plain + 2 * ROOM + 4);
  for (int k = REGISTERED; k <= ODD; k++)
    support_succeed(vptr__pinned_register(mapper, host[k], sizes[k], 0));
  allocate_managed();
  for (int k = 0; k < KINDS; k++)
    support_succeed(vptr__pinned_device_address(host[k], &device[k]));
  fill_all(0);
}

static void set_up(void) {
  has_addresses = true;
  begin();
}

static void set_up_pairs(void) {
  has_addresses = false;
  begin();
}

static void tear_down(void) {
  vptr__fake_disorder(0, 0);
  vptr__device_keep_apart(false);
  faults_pull();
  for (int k = REGISTERED; k <= ODD; k++)
    support_succeed(vptr__pinned_unregister(host[k]));
  support_succeed(vptr__managed_free(host[MANAGED]));
  for (int k = SMALL; k <= LARGE; k++)
    support_succeed(vptr__pinned_free(host[k]));
  free(plain);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr__stream_destroy(stream_of_all));
  vptr__module_unload(module);
  support_succeed(vptr_clear(mapper));
  support_succeed(vptr_trim(mapper, 0));
  unsetenv("VPTR_MIGRATE");
}

static void go(bool apart) {
  vptr__device_keep_apart(apart);
  support_succeed(vptr_migrate(mapper, NULL));
}

/* By either address kernels find what the host wrote, and the host what they wrote. */
static void expect_kernels(uint32_t value) {
  fill_all(value);
  for (int k = 0; k < KINDS; k++) {
    void *now;
    support_succeed(vptr__pinned_device_address(host[k], &now));
    ck_assert(now == device[k] || device[k] == host[k] || mapper->device->reaches_pinned);
    support_succeed(raise_by(stream_of_all, device[k], 5));
    support_succeed(raise_by(stream_of_all, host[k] + WORDS, 7));
  }
  support_succeed(vptr__stream_synchronize(stream_of_all));
  for (int k = 0; k < KINDS; k++) {
    expect(host[k], 0, value + 5);
    expect(host[k] + WORDS, WORDS, value + 7);
  }
}

/* Copies by the device address, that wait and that do not, in lines and in rects, and fills. */
static void expect_copies(uint32_t value) {
  uint32_t in[WORDS], out[WORDS];
  void *other;
  support_succeed(vptr_malloc(mapper, BYTES, &other));
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = value + i;
  for (int k = 0; k < KINDS; k++) {
    fill_all(0);
    support_succeed(vptr_memcpy(mapper, device[k], in, BYTES));
    expect(host[k], 0, value);
    expect(host[k] + WORDS, WORDS, 0);
    support_succeed(vptr_memcpy(mapper, other, device[k], BYTES));
    support_succeed(vptr_memcpy(mapper, out, other, BYTES));
    expect(out, 0, value);
    host[k][3] = 77;
    support_succeed(vptr_memcpy(mapper, out, device[k], BYTES));
    ck_assert_uint_eq(out[3], 77);
    if (device[k] != host[k]) {
      support_succeed(vptr_memset(mapper, (char *)device[k] + 8, 9, 4));
      ck_assert_uint_eq(host[k][2], 0x09090909);
    }
    ck_assert_uint_eq(host[k][3], 77);
    /* 3 rows of 8 bytes, 40 apart */
    vptr__operand to = { .what = "to", .ptr = (char *)device[k] + 400, .row = 40 },
                  from = { .what = "from", .ptr = other, .row = 16 };
    const size_t region[3] = { 8, 3, 1 };
    support_succeed(vptr__transfer_copy(stream_of_all, &to, &from, region, 0));
    support_succeed(vptr__stream_synchronize(stream_of_all));
    for (uint32_t i = 0; i < 3; i++) {
      ck_assert_uint_eq(host[k][100 + 10 * i], value + 4 * i);
      ck_assert_uint_eq(host[k][101 + 10 * i], value + 4 * i + 1);
      ck_assert_uint_eq(host[k][102 + 10 * i], value + 102 + 10 * i);
    }
  }
  support_succeed(vptr_free(mapper, other));
}

START_TEST(it_goes_there_and_back) {
  expect_kernels(1000);
  for (int round = 0; round < 2; round++) {
    fill_all(5000);
    go(true);
    for (int k = 0; k < KINDS; k++)
      expect(host[k], 0, 5000);
    expect_kernels(2000);
    expect_copies(100);
    go(true); /* from one such device to another */
    expect_kernels(3000);
    go(false);
    expect_kernels(4000);
    expect_copies(200);
  }
}
END_TEST

START_TEST(it_is_made_and_freed_there) {
  void *memory, *address;
  go(true);
  support_succeed(vptr__pinned_allocate(mapper, BYTES, 0, &memory));
  memset(memory, 0, BYTES);
  support_succeed(raise_by(stream_of_all, memory, 4));
  support_succeed(vptr__stream_synchronize(stream_of_all));
  ck_assert_uint_eq(((uint32_t *)memory)[WORDS - 1], 4);
  support_succeed(vptr__pinned_device_address(memory, &address));
  go(false);
  support_succeed(raise_by(stream_of_all, address, 4));
  support_succeed(vptr__pinned_free(memory));
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, address));
}
END_TEST

/* A kernel runs, and the host writes bytes beside those that it uses: both stay. */
START_TEST(what_the_host_writes_meanwhile_stays) {
  pthread_barrier_init(&meeting, NULL, 2);
  go(true);
  for (int k = 0; k < KINDS; k++) {
    atomic_store(&meets, true);
    fill_all(50);
    support_succeed(raise_by(stream_of_all, device[k], 3));
    pthread_barrier_wait(&meeting);
    for (uint32_t i = WORDS; i < 2 * WORDS; i++)
      host[k][i] = i;
    pthread_barrier_wait(&meeting);
    support_succeed(vptr__stream_synchronize(stream_of_all));
    atomic_store(&meets, false);
    expect(host[k], 0, 53);
    expect(host[k] + WORDS, WORDS, 0);
  }
  pthread_barrier_destroy(&meeting);
}
END_TEST

enum { STREAMS = 3, LAUNCHES = 40 };

/* Launches of several streams take turns: none brings back the old bytes of another's part. */
static void launch_on_several(void) {
  vptr__stream *streams[STREAMS];
  fill_all(0);
  for (int s = 0; s < STREAMS; s++)
    support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &streams[s]));
  for (int n = 0; n < LAUNCHES; n++)
    for (int s = 0; s < STREAMS; s++) {
      uint32_t *words = (uint32_t *)device[s < 2 ? LARGE : SMALL] + (s == 1 ? WORDS : 0);
      support_succeed(raise_by(streams[s], words, 1));
      if (n == LAUNCHES / 2 && s == 1)
        support_succeed(vptr_migrate(mapper, NULL));
    }
  for (int s = 0; s < STREAMS; s++)
    support_succeed(vptr__stream_destroy(streams[s]));
  support_succeed(vptr_finish(mapper));
  expect(host[LARGE], 0, LAUNCHES);
  expect(host[LARGE] + WORDS, WORDS, LAUNCHES);
  expect(host[SMALL], 0, LAUNCHES);
}

START_TEST(launches_of_several_streams_take_turns) {
  go(true);
  launch_on_several();
  vptr__fake_disorder(5, 100);
  launch_on_several();
}
END_TEST

/* On NVIDIA's OpenCL kernels reach pinned memory where it lies: nothing is sent for a launch. */
START_TEST(a_device_that_reaches_it_is_given_the_hosts_address) {
  vptr__fake_counts before, after;
  if (!has_addresses) /* is told, and not used */
    return;
  vptr__fake_register_once(host[SMALL]);
  go(true);
  expect_kernels(10);
  expect_copies(30);
  vptr__fake_get_counts(&before);
  support_succeed(raise_by(stream_of_all, device[LARGE], 1));
  support_succeed(vptr__stream_synchronize(stream_of_all));
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(before.written, after.written);
  vptr__fake_register_once(NULL);
  go(false);
  expect_kernels(20);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

/* It went, or is where it was, and all is as it was. */
START_TEST(every_call_of_a_move_may_fail) {
  bool may_fail = true;
  long n = 0;
  while (may_fail && n < 2000) {
    vptr__device *before = mapper->device;
    fill_all((uint32_t)n);
    vptr__device_keep_apart(_i == 0 ? true : n % 2 == 0);
    faults_plant(++n, CL_OUT_OF_RESOURCES);
    vptr_status status = vptr_migrate(mapper, NULL);
    may_fail = faults_pull();
    ck_assert_int_eq(status == VPTR_SUCCESS, mapper->device != before);
    for (int k = 0; k < KINDS; k++)
      expect(host[k], 0, (uint32_t)n - 1);
    if (n % 8 == 0)
      expect_kernels(60);
  }
  ck_assert_int_gt(n, 20);
  expect_kernels(70);
  expect_copies(80);
}
END_TEST

/* A launch that fails is told; the next one finds what the host has, and others' turns go on. */
START_TEST(every_call_of_a_launch_may_fail) {
  bool may_fail = true;
  long n = 0, failed = 0;
  go(true);
  expect_kernels(5);
  const size_t had = faults_objects();
  while (may_fail && n < 200) {
    fill_all(9);
    faults_plant(++n, CL_OUT_OF_RESOURCES);
    vptr_status status = raise_by(stream_of_all, device[SMALL], 1);
    may_fail = faults_pull();
    if (status == VPTR_SUCCESS)
      status = vptr__stream_synchronize(stream_of_all);
    else
      support_succeed(vptr__stream_synchronize(stream_of_all));
    ck_assert(status == VPTR_SUCCESS || vptr_last_error()[0] != '\0');
    failed += status != VPTR_SUCCESS;
    const bool has_run = host[SMALL][0] == 10; /* what is done behind the kernel fails, too */
    ck_assert(has_run || status != VPTR_SUCCESS);
    expect(host[SMALL], 0, has_run ? 10 : 9);
    expect_kernels(60);
  }
  ck_assert_int_gt(failed, 5);
  ck_assert_int_lt(n, 200);
  for (int i = 0; i < 2000 && faults_objects() > had; i++)
    usleep(1000);
  ck_assert_uint_le(faults_objects(), had);
}
END_TEST

/* So do those that clear up behind a call that failed: the barrier behind what is queued, and the wait in its place. */
START_TEST(calls_of_a_launch_may_fail_in_a_row) {
  enum { CALLS = 40 }; /* more than it has */
  const long count = _i;
  long failed = 0;
  go(true);
  for (long n = 1; n <= CALLS; n++) {
    fill_all(9);
    vptr__fake_fail_in_a_row(n, count, CL_OUT_OF_RESOURCES);
    vptr_status status = raise_by(stream_of_all, device[SMALL], 1);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    failed += status != VPTR_SUCCESS;
    const vptr_status ended = vptr__stream_synchronize(stream_of_all); /* may tell of it once more */
    status = status == VPTR_SUCCESS ? ended : status;
    const bool has_run = host[SMALL][0] == 10;
    ck_assert_msg(has_run || status != VPTR_SUCCESS, "call %ld failed, and nobody was told", n);
    expect(host[SMALL], 0, has_run ? 10 : 9);
    if (n % 8 == 0)
      expect_kernels(60);
  }
  ck_assert_int_ge(failed, 5);
  ck_assert_int_lt(failed, CALLS);
}
END_TEST

/* The bytes that a kernel wrote have come, or the stream says that something failed. */
START_TEST(every_command_of_a_launch_may_fail) {
  enum { COMMANDS = 30 }; /* more than it has */
  int failed = 0;
  go(true);
  for (long n = 1; n <= COMMANDS; n++) {
    fill_all(9);
    vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
    vptr_status status = raise_by(stream_of_all, device[SMALL], 1);
    if (status == VPTR_SUCCESS)
      status = vptr__stream_synchronize(stream_of_all);
    vptr__fake_fail_command(0, 0);
    failed += status != VPTR_SUCCESS;
    const bool has_come = host[SMALL][0] == 10;
    ck_assert_msg(has_come || status != VPTR_SUCCESS, "command %ld failed, and nobody was told", n);
    expect(host[SMALL], 0, has_come ? 10 : 9);
    expect_kernels(60);
  }
  ck_assert_int_ge(failed, 4);
  ck_assert_int_lt(failed, COMMANDS);
}
END_TEST

START_TEST(every_allocation_of_a_launch_may_fail) {
  enum { ALLOCATIONS = 20 };
  long failed = 0;
  go(true);
  for (long n = 1; n <= ALLOCATIONS; n++) {
    fill_all(9);
    vptr__memory_fail_nth(n);
    const bool is_sent = raise_by(stream_of_all, device[LARGE], 1) == VPTR_SUCCESS;
    vptr__memory_fail_nth(0);
    support_succeed(vptr__stream_synchronize(stream_of_all));
    expect(host[LARGE], 0, is_sent ? 10 : 9);
    failed += !is_sent;
  }
  /* Where its bytes go by copies, those have records, too. */
  ck_assert_int_ge(failed, mapper->device->reaches_pinned ? 1 : 2);
  ck_assert_int_lt(failed, ALLOCATIONS);
}
END_TEST

static void add_tests(Suite *suite, const char *name, bool with_addresses) {
  TCase *going = tcase_create(name);
  tcase_add_checked_fixture(going, with_addresses ? set_up : set_up_pairs, tear_down);
  tcase_add_test(going, it_goes_there_and_back);
  tcase_add_test(going, it_is_made_and_freed_there);
  tcase_add_test(going, launches_of_several_streams_take_turns);
  if (faults_can())
    tcase_add_test(going, every_call_of_a_launch_may_fail);
  tcase_add_test(going, every_allocation_of_a_launch_may_fail);
  if (!support_has_opencl()) { /* a device that the test tells what to do; and moves are slow where drivers start */
    tcase_add_loop_test(going, calls_of_a_launch_may_fail_in_a_row, 2, 4);
    tcase_add_test(going, every_command_of_a_launch_may_fail);
    tcase_add_test(going, what_the_host_writes_meanwhile_stays);
    tcase_add_test(going, a_device_that_reaches_it_is_given_the_hosts_address);
    tcase_add_loop_test(going, every_call_of_a_move_may_fail, with_addresses, with_addresses + 1);
  }
  suite_add_tcase(suite, going);
}

int main(void) {
  faults_begin();
  Suite *suite = suite_create("migrate pinned");
  add_tests(suite, "addresses", true);
  if (!support_has_opencl())
    add_tests(suite, "buffers", false);
  return support_run(suite);
}
