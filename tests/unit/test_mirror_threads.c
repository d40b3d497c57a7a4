/* SPDX-License-Identifier: MIT */
/*
 * mirror_threads - random programs of several threads on managed memory, compared with a model.
 *
 * Each thread owns chunks of bytes that lie among those of the others, in the same pages, and has a stream and a
 * model of its own; so every byte has one owner who knows what it must be, and every page is fought over. A step
 * writes or reads a few chunks, on the host or on the device, moves one between mirrors on the device, or fetches a range
 * for nothing.
 *
 * STEPS and the seed can be set: VPTR_TEST_STEPS, VPTR_TEST_SEED.
 */
#include "managed/mirror.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/fake.h"
#include "stream/stream.h"
#include "support/support.h"

enum { THREADS = 4, MIRRORS = 2, PAGES = 40, CHUNK = 200, FEW = 3, DEFAULT_STEPS = 400 };

static vptr_mapper *mapper;
static vptr__mirror *mirrors[MIRRORS];
static size_t size;
static long steps;
static uint64_t seed;

static vptr_status lend(vptr__mirror *mirror, vptr_access access) {
  return vptr__mirror_lend(mirror, mapper, 0, size, access, NULL);
}

typedef struct program {
  pthread_t thread;
  unsigned id;
  uint64_t random;
  vptr__stream *stream;
  unsigned char *model[MIRRORS];
} program;

static long number_of(const char *name, long fallback) {
  const char *text = getenv(name);
  return text != NULL ? atol(text) : fallback;
}

/* ---- chunks --------------------------------------------------------------------------------------------- */

/* One of the thread's own. */
static size_t pick(program *it) {
  size_t count = size / CHUNK / THREADS;
  return (support_random(&it->random) % count * THREADS + it->id) * CHUNK;
}

static void check(const program *it, unsigned which, size_t at, const unsigned char *got) {
  for (size_t i = 0; i < CHUNK; i++)
    if (got[i] != it->model[which][at + i])
      ck_abort_msg("thread %u, mirror %u, byte %zu is %u, and must be %u", it->id, which, at + i, got[i],
                   it->model[which][at + i]);
}

/* ---- steps ---------------------------------------------------------------------------------------------- */

static void host_reads(program *it, unsigned which) {
  size_t at = pick(it);
  check(it, which, at, (const unsigned char *)vptr__mirror_host(mirrors[which]) + at);
}

static void host_writes(program *it, unsigned which) {
  size_t at = pick(it);
  unsigned char byte = (unsigned char)support_random(&it->random);
  memset((unsigned char *)vptr__mirror_host(mirrors[which]) + at, byte, CHUNK);
  memset(it->model[which] + at, byte, CHUNK);
}

static void device_writes(program *it, unsigned which) {
  vptr__device *device = mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  size_t at = pick(it);
  unsigned char byte = (unsigned char)support_random(&it->random);
  vptr_access access = support_random(&it->random) % 2 == 0 ? VPTR_ACCESS_WRITE : VPTR_ACCESS_READ_WRITE;
  support_succeed(lend(mirrors[which], access));
  support_succeed(vptr__stream_begin(it->stream, &queue));
  support_succeed(
      device->ops->enqueue_fill(device, queue, vptr__mirror_buffer(mirrors[which]), at, CHUNK, &byte, 1, &event));
  vptr__mirror_lent(mirrors[which], vptr__stream_id(it->stream), event);
  vptr__stream_end(it->stream);
  device->ops->event_release(device, event);
  memset(it->model[which] + at, byte, CHUNK);
}

static void device_reads(program *it, unsigned which) {
  vptr__device *device = mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  unsigned char got[CHUNK];
  size_t at = pick(it);
  support_succeed(lend(mirrors[which], VPTR_ACCESS_READ));
  support_succeed(vptr__stream_begin(it->stream, &queue));
  support_succeed(
      device->ops->enqueue_read(device, queue, vptr__mirror_buffer(mirrors[which]), at, got, CHUNK, &event));
  vptr__mirror_lent(mirrors[which], vptr__stream_id(it->stream), event);
  vptr__stream_end(it->stream);
  support_succeed(device->ops->event_wait(device, event));
  device->ops->event_release(device, event);
  check(it, which, at, got);
}

/* A kernel that uses both mirrors, which threads lend in whichever order. */
static void device_moves(program *it, unsigned which) {
  vptr__device *device = mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  unsigned other = (which + 1) % MIRRORS;
  size_t from = pick(it), to = pick(it);
  support_succeed(lend(mirrors[which], VPTR_ACCESS_READ));
  support_succeed(lend(mirrors[other], VPTR_ACCESS_READ_WRITE));
  support_succeed(vptr__stream_begin(it->stream, &queue));
  support_succeed(device->ops->enqueue_copy(device, queue, vptr__mirror_buffer(mirrors[which]), from,
                                            vptr__mirror_buffer(mirrors[other]), to, CHUNK, &event));
  vptr__mirror_lent(mirrors[which], vptr__stream_id(it->stream), event);
  vptr__mirror_lent(mirrors[other], vptr__stream_id(it->stream), event);
  vptr__stream_end(it->stream);
  device->ops->event_release(device, event);
  memcpy(it->model[other] + to, it->model[which] + from, CHUNK);
}

static void fetches(program *it, unsigned which) {
  size_t at = support_random(&it->random) % size, most = size - at;
  size_t length = support_random(&it->random) % (most < 5000 ? most : 5000);
  vptr_access access = support_random(&it->random) % 2 == 0 ? VPTR_ACCESS_READ : VPTR_ACCESS_READ_WRITE;
  support_succeed(vptr__mirror_fetch(mirrors[which], at, length, access));
}

static void (*const kinds[])(program *it, unsigned which) = { host_reads,    host_reads,   host_writes,  host_writes,
                                                              device_writes, device_reads, device_moves, fetches };

static void *run(void *context) {
  program *it = context;
  for (long i = 0; i < steps; i++) {
    unsigned which = (unsigned)(support_random(&it->random) % MIRRORS);
    size_t kind = support_random(&it->random) % (sizeof kinds / sizeof *kinds);
    for (uint64_t few = 1 + support_random(&it->random) % FEW; few > 0; few--)
      kinds[kind](it, which);
  }
  return NULL;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static void prepare(program *it, unsigned id) {
  *it = (program){ .id = id, .random = seed * 1000 + id };
  support_succeed(vptr__stream_create(mapper, id % 2 == 0 ? 0 : VPTR__STREAM_NON_BLOCKING, 0, &it->stream));
  for (int i = 0; i < MIRRORS; i++)
    it->model[i] = calloc(1, size);
}

/* In the end every byte of every owner, on the host and then on the device. */
static void conclude(program *it) {
  unsigned char *got = malloc(size);
  vptr__device *device = mapper->device;
  for (unsigned which = 0; which < MIRRORS; which++) {
    const unsigned char *host = vptr__mirror_host(mirrors[which]);
    for (size_t at = it->id * CHUNK; at + CHUNK <= size / CHUNK / THREADS * THREADS * CHUNK; at += THREADS * CHUNK)
      check(it, which, at, host + at);
    support_succeed(lend(mirrors[which], VPTR_ACCESS_READ));
    support_succeed(device->ops->read(device, vptr__mirror_buffer(mirrors[which]), 0, got, size));
    vptr__mirror_lent(mirrors[which], 0, NULL);
    for (size_t at = it->id * CHUNK; at + CHUNK <= size / CHUNK / THREADS * THREADS * CHUNK; at += THREADS * CHUNK)
      check(it, which, at, got + at);
    free(it->model[which]);
  }
  free(got);
  support_succeed(vptr__stream_destroy(it->stream));
}

/* Contents are undefined at first: all bytes are set, by one side or the other. */
static void create(int which) {
  const unsigned char zero = 0;
  vptr__device *device = mapper->device;
  support_succeed(vptr__mirror_create(mapper, size, &mirrors[which]));
  if (which % 2 == 0) {
    memset(vptr__mirror_host(mirrors[which]), 0, size);
    return;
  }
  support_succeed(lend(mirrors[which], VPTR_ACCESS_DISCARD_WRITE));
  support_succeed(device->ops->fill(device, vptr__mirror_buffer(mirrors[which]), 0, size, &zero, 1));
  vptr__mirror_lent(mirrors[which], 0, NULL);
}

START_TEST(no_byte_is_stale_and_none_is_lost) {
  static program programs[THREADS];
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 34;
  steps = number_of("VPTR_TEST_STEPS", DEFAULT_STEPS);
  seed = (uint64_t)number_of("VPTR_TEST_SEED", 1) + (uint64_t)_i;
  size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
  support_succeed(vptr_mapper_create(&config, &mapper));
  if (_i % 2 == 1)
    vptr__fake_disorder(seed, 20);
  for (int i = 0; i < MIRRORS; i++)
    create(i);
  for (unsigned i = 0; i < THREADS; i++)
    prepare(&programs[i], i);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&programs[i].thread, NULL, run, &programs[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(programs[i].thread, NULL);
  for (int i = 0; i < THREADS; i++)
    conclude(&programs[i]);
  for (int i = 0; i < MIRRORS; i++)
    vptr__mirror_destroy(mirrors[i]);
  vptr__fake_disorder(0, 0);
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_threads");
  TCase *tests = tcase_create("threads");
  tcase_set_timeout(tests, 300);
  tcase_add_loop_test(tests, no_byte_is_stale_and_none_is_lost, 0, 4);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
