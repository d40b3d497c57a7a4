/* SPDX-License-Identifier: MIT */
/*
 * moving races - a mapper goes to other devices, its memory leaves a full device and comes back, and checkpoints are
 * taken, all at once, while sixteen threads look up, allocate and free, launch, and copy: each sees its own bytes as if
 * nothing happened. Nobody writes while a checkpoint is taken, which is the program's part (doc/checkpoint.md).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/clock.h"
#include "base/option.h"
#include "device/fake.h"
#include "heap/heap.h"
#include "mapper/mapper.h"
#include "module/module.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"
#include "unit/launched.h"

enum { THREADS = 16, BLOCKS = 3, WORDS = 1 << 16, BYTES = 4 * WORDS, HOG = 8 << 20, SMALL = 5000 };
#define DEVICE_BYTES "13M"
static const uint64_t SECONDS_NS = UINT64_C(3000000000);

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=raise lowered=raise entry=m_raise\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr kernel name=compare lowered=compare entry=m_compare\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "m_raise m_compare\n";

static atomic_bool is_over, is_saving;
static pthread_rwlock_t writing = PTHREAD_RWLOCK_INITIALIZER;

/* In a thread of its own a test cannot fail as Check has it, which jumps to another stack. */
static void must_hold(bool holds, int line, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "test_moving_races.c:%d: does not hold: %s (%s)\n", line, what, vptr_last_error());
  abort();
}
#define must(condition) must_hold((condition), __LINE__, #condition)

/* Where all at once need more than there is, one is told so, and tries again. */
static bool goes(vptr_status status, int line) {
  must_hold(status == VPTR_SUCCESS || status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY, line, "a call");
  return status == VPTR_SUCCESS;
}
#define went(call) goes((call), __LINE__)

static void run_raise(const vptr__fake_launch *launch) {
  uint32_t *words = (uint32_t *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  for (int i = 0; i < WORDS; i++)
    words[i] += *(uint32_t *)launch->arguments[1];
}

static void run_compare(const vptr__fake_launch *launch) {
  const uint32_t *words = (const uint32_t *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  for (uint32_t i = 0; i < WORDS; i++)
    must(words[i] == *(uint32_t *)launch->arguments[1] + i);
}

static vptr_status launch_on(vptr__stream *stream, const char *kernel, void *words, uint32_t value) {
  void *arguments[] = { &words, &value };
  vptr__launch how = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(launched_module, kernel), stream, &how);
}

/* Not while a checkpoint is taken, nor where one is about to be. */
static bool begin_writing(void) {
  if (atomic_load(&is_saving))
    return false;
  pthread_rwlock_rdlock(&writing);
  return true;
}

static void end_writing(void) {
  pthread_rwlock_unlock(&writing);
}

/* ---- what threads do until it is over ------------------------------------------------------------------- */

static void *look_up(void *context) {
  char *ptr = context;
  uint64_t serial = 0;
  while (!is_over) {
    vptr_location location;
    must(vptr__mapper_locate(launched_mapper, ptr + 17, 1, &location) == VPTR_SUCCESS);
    must(location.base == ptr && location.offset == 17);
    must(serial == 0 || serial == location.serial);
    serial = location.serial;
    must(vptr_get_offset(launched_mapper, ptr + 5) == 5);
    must(vptr__mapper_locate(launched_mapper, ptr + BYTES, 1, &location) != VPTR_SUCCESS);
  }
  return NULL;
}

static void *allocate_and_free(void *context) {
  uint64_t seed = (uintptr_t)context;
  unsigned char in[SMALL], back[SMALL];
  while (!is_over) {
    const size_t size = support_below(&seed, 4) == 0 ? BYTES : SMALL;
    void *ptr;
    if (!went(vptr_malloc(launched_mapper, size, &ptr)))
      continue;
    memset(in, (int)support_below(&seed, 256), SMALL);
    if (begin_writing()) {
      const bool is_there = went(vptr_memcpy(launched_mapper, ptr, in, SMALL));
      end_writing();
      if (is_there && went(vptr_memcpy(launched_mapper, back, ptr, SMALL)))
        must(memcmp(in, back, SMALL) == 0);
    }
    must(vptr_free(launched_mapper, ptr) == VPTR_SUCCESS);
  }
  return NULL;
}

/* Blocks of a thread's own, and what is in them: of each the first word, and one more for each behind. */
typedef struct own {
  void *block[BLOCKS];
  uint32_t value[BLOCKS];
  bool is_filled[BLOCKS];
  uint32_t *host;
  vptr__stream *stream;
  uint64_t seed;
} own;

static void begin_own(own *it, uint64_t seed) {
  *it = (own){ .seed = seed, .host = calloc(WORDS, 4) };
  must(vptr__stream_create(launched_mapper, VPTR__STREAM_NON_BLOCKING, 0, &it->stream) == VPTR_SUCCESS);
  for (int i = 0; i < BLOCKS; i++)
    while (!went(vptr_malloc(launched_mapper, BYTES, &it->block[i])))
      ;
}

static void end_own(own *it) {
  for (int i = 0; i < BLOCKS; i++)
    must(vptr_free(launched_mapper, it->block[i]) == VPTR_SUCCESS);
  must(vptr__stream_destroy(it->stream) == VPTR_SUCCESS);
  free(it->host);
}

static bool copy(own *it, int i, bool to_device) {
  vptr__operand device = { .what = "device", .ptr = it->block[i] };
  vptr__operand host = { .what = "host", .ptr = it->host, .pinned = true };
  const bool is_sent = went(vptr__transfer_copy(it->stream, to_device ? &device : &host, to_device ? &host : &device,
                                                (const size_t[3]){ BYTES, 1, 1 }, 0));
  must(vptr__stream_synchronize(it->stream) == VPTR_SUCCESS);
  return is_sent;
}

static void fill(own *it, int i) {
  const uint32_t value = (uint32_t)support_random(&it->seed);
  for (uint32_t k = 0; k < WORDS; k++)
    it->host[k] = value + k;
  if (!begin_writing())
    return;
  if (copy(it, i, true)) {
    it->value[i] = value;
    it->is_filled[i] = true;
  }
  end_writing();
}

static void *copy_both_ways(void *context) {
  own mine;
  begin_own(&mine, (uintptr_t)context);
  while (!is_over) {
    const int i = (int)support_below(&mine.seed, BLOCKS);
    fill(&mine, i);
    if (!mine.is_filled[i] || !copy(&mine, i, false))
      continue;
    for (uint32_t k = 0; k < WORDS; k++)
      must(mine.host[k] == mine.value[i] + k);
  }
  end_own(&mine);
  return NULL;
}

static void *launch(void *context) {
  own mine;
  begin_own(&mine, (uintptr_t)context);
  while (!is_over) {
    const int i = (int)support_below(&mine.seed, BLOCKS);
    if (!mine.is_filled[i])
      fill(&mine, i);
    if (!mine.is_filled[i])
      continue;
    if (begin_writing()) {
      if (went(launch_on(mine.stream, "raise", mine.block[i], 3)))
        mine.value[i] += 3;
      must(vptr__stream_synchronize(mine.stream) == VPTR_SUCCESS);
      end_writing();
    }
    went(launch_on(mine.stream, "compare", mine.block[i], mine.value[i]));
    if (support_below(&mine.seed, 2) == 0)
      must(vptr__stream_synchronize(mine.stream) == VPTR_SUCCESS);
  }
  end_own(&mine);
  return NULL;
}

/* ---- what moves meanwhile ------------------------------------------------------------------------------- */

/* Room for one more, which the blocks of others must leave for; then to another device, which takes room for all of
 * them twice, and so may fail. */
static void *evict_and_move(void *context) {
  (void)context;
  while (!is_over) {
    void *hog;
    if (went(vptr_malloc(launched_mapper, HOG, &hog)))
      must(vptr_free(launched_mapper, hog) == VPTR_SUCCESS);
    must(vptr_trim(launched_mapper, 0) == VPTR_SUCCESS);
    went(vptr_migrate(launched_mapper, NULL));
  }
  return NULL;
}

static char folder[] = "/tmp/vptr-moving-XXXXXX", path[64];

static void save(void) {
  atomic_store(&is_saving, true);
  pthread_rwlock_wrlock(&writing);
  const vptr_status status = vptr_checkpoint(launched_mapper, path, 0);
  pthread_rwlock_unlock(&writing);
  atomic_store(&is_saving, false);
  must(status == VPTR_SUCCESS || status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void set_up(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  setenv("VPTR_MIGRATE", "1", 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  setenv("VPTR_DEVICE_BYTES", DEVICE_BYTES, 1);
  vptr__option_reload();
  vptr__fake_define("m_raise", run_raise);
  vptr__fake_define("m_compare", run_compare);
  launched_begin(text);
}

static void tear_down(void) {
  launched_end();
  unlink(path);
  rmdir(folder);
}

START_TEST(sixteen_threads_do_not_notice) {
  static void *(*const work[])(void *) = { look_up, allocate_and_free, launch, copy_both_ways };
  pthread_t threads[THREADS], mover;
  void *seen;
  const vptr__device *first = launched_mapper->device;
  const uint64_t end = vptr__clock_ns() + SECONDS_NS;
  support_succeed(vptr_malloc(launched_mapper, BYTES, &seen));
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work[i % 4], i % 4 == 0 ? seen : (void *)(i + 1)), 0);
  ck_assert_int_eq(pthread_create(&mover, NULL, evict_and_move, NULL), 0);
  do
    save();
  while (vptr__clock_ns() < end);
  is_over = true;
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_join(mover, NULL);
  support_succeed(vptr_migrate(launched_mapper, NULL));
  ck_assert_ptr_ne(launched_mapper->device, first);
  support_succeed(vptr_checkpoint(launched_mapper, path, VPTR_CHECKPOINT_WHOLE));
  support_succeed(vptr_free(launched_mapper, seen));
  support_succeed(vptr_check(launched_mapper));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("moving races");
  TCase *races = tcase_create("races");
  tcase_add_checked_fixture(races, set_up, tear_down);
  if (!support_has_opencl())
    tcase_add_test(races, sixteen_threads_do_not_notice);
  suite_add_tcase(suite, races);
  return support_run(suite);
}
