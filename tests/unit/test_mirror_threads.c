/* SPDX-License-Identifier: MIT */
/*
 * mirror_threads - random programs of several threads on managed memory, compared with a model.
 *
 * Each thread owns chunks of bytes that lie among those of the others, in the same pages, and has a stream and a
 * model of its own; so every byte has one owner who knows what it must be, and every page is fought over. A step
 * writes or reads a few chunks, on the host or on a device, moves one between mirrors on a device, or fetches a range
 * for nothing. The worlds differ: one device or two, and memory for all mirrors or for a third of them, so that they
 * evict each other.
 *
 * STEPS and the seed can be set: VPTR_TEST_STEPS, VPTR_TEST_SEED.
 */
#include "mirror/working_set.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/fake.h"
#include "stream/stream.h"
#include "support/support.h"

enum { THREADS = 4, PAGES = 40, CHUNK = 200, FEW = 3, DEFAULT_STEPS = 400 };
enum { MOST_MIRRORS = 12, MOST_DEVICES = 2 };

static const struct world {
  int mirrors, devices;
  int fit; /* so many mirrors; 0: all */
} worlds[] = { { 2, 1, 0 }, { 2, 2, 0 }, { MOST_MIRRORS, 1, 4 }, { MOST_MIRRORS, 2, 4 } };

static struct world world;
static vptr_mapper *mappers[MOST_DEVICES];
static vptr__mirror *mirrors[MOST_MIRRORS];
static size_t size;
static long steps;
static uint64_t seed;

typedef struct program {
  pthread_t thread;
  unsigned id;
  uint64_t random;
  vptr__stream *streams[MOST_DEVICES];
  unsigned char *model[MOST_MIRRORS];
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

/* ---- kernels -------------------------------------------------------------------------------------------- */

/* Work on a device with up to two mirrors. */
typedef struct kernel {
  vptr__device *device;
  vptr__stream *stream;
  vptr_mapper *on;
  size_t count;
  vptr__working_set_item items[2];
  cl_command_queue queue;
  cl_event event;
} kernel;

static kernel kernel_on_any(program *it) {
  size_t device = support_random(&it->random) % (size_t)world.devices;
  return (kernel){ .device = mappers[device]->device, .on = mappers[device], .stream = it->streams[device] };
}

static void use(kernel *work, unsigned which, size_t offset, size_t bytes, vptr_access access) {
  work->items[work->count++] = (vptr__working_set_item){
    .mirror = mirrors[which], .offset = offset, .size = bytes, .access = access, .tag = which
  };
}

static void begin(kernel *work) {
  support_succeed(vptr__working_set_acquire(work->on, work->items, work->count));
  support_succeed(vptr__stream_begin(work->stream, &work->queue));
}

static cl_mem buffer_of(const kernel *work, unsigned which) {
  return work->items[work->items[0].tag == which ? 0 : 1].acquisition.buffer;
}

static void end(kernel *work, bool waits) {
  vptr__working_set_release(work->items, work->count, vptr__stream_id(work->stream), work->event);
  vptr__stream_end(work->stream);
  if (waits)
    support_succeed(work->device->ops->event.wait(work->device, work->event));
  work->device->ops->event.release(work->device, work->event);
}

static void device_writes(program *it, unsigned which) {
  size_t at = pick(it);
  unsigned char byte = (unsigned char)support_random(&it->random);
  kernel work = kernel_on_any(it);
  use(&work, which, 0, size, support_random(&it->random) % 2 == 0 ? VPTR_ACCESS_WRITE : VPTR_ACCESS_READ_WRITE);
  begin(&work);
  support_succeed(work.device->ops->transfer.enqueue_fill(work.device, work.queue, buffer_of(&work, which), at, CHUNK,
                                                          &byte, 1, &work.event));
  end(&work, false);
  memset(it->model[which] + at, byte, CHUNK);
}

static void device_reads(program *it, unsigned which) {
  unsigned char got[CHUNK];
  size_t at = pick(it);
  kernel work = kernel_on_any(it);
  use(&work, which, 0, size, VPTR_ACCESS_READ);
  begin(&work);
  support_succeed(work.device->ops->transfer.enqueue_read(work.device, work.queue, buffer_of(&work, which), at, got,
                                                          CHUNK, &work.event));
  end(&work, true);
  check(it, which, at, got);
}

static void device_moves(program *it, unsigned which) {
  unsigned other = (which + 1) % (unsigned)world.mirrors;
  size_t from = pick(it), to = pick(it);
  kernel work = kernel_on_any(it);
  use(&work, which, 0, size, VPTR_ACCESS_READ);
  use(&work, other, 0, size, VPTR_ACCESS_READ_WRITE);
  begin(&work);
  support_succeed(work.device->ops->transfer.enqueue_copy(work.device, work.queue, buffer_of(&work, which), from,
                                                          buffer_of(&work, other), to, CHUNK, &work.event));
  end(&work, false);
  memcpy(it->model[other] + to, it->model[which] + from, CHUNK);
}

/* A kernel that uses its chunk alone, and has only that range acquired. */
static void device_writes_a_range(program *it, unsigned which) {
  size_t at = pick(it);
  unsigned char byte = (unsigned char)support_random(&it->random);
  vptr_access access = support_random(&it->random) % 2 == 0 ? VPTR_ACCESS_DISCARD_WRITE : VPTR_ACCESS_READ_WRITE;
  kernel work = kernel_on_any(it);
  use(&work, which, at, CHUNK, access);
  begin(&work);
  support_succeed(work.device->ops->transfer.enqueue_fill(work.device, work.queue, buffer_of(&work, which), at, CHUNK,
                                                          &byte, 1, &work.event));
  end(&work, false);
  memset(it->model[which] + at, byte, CHUNK);
}

static void fetches(program *it, unsigned which) {
  size_t at = support_random(&it->random) % size, most = size - at;
  size_t length = support_random(&it->random) % (most < 5000 ? most : 5000);
  vptr_access access = support_random(&it->random) % 2 == 0 ? VPTR_ACCESS_READ : VPTR_ACCESS_READ_WRITE;
  support_succeed(vptr__mirror_fetch(mirrors[which], at, length, access));
}

/* One thread alone allocates: so there is always memory for what a kernel of the others needs. It may be told that
 * there is no room, for it does not wait for acquisitions. */
static void allocates(program *it, unsigned which) {
  void *memory;
  vptr_status status = it->id == 0 ? vptr_malloc(mappers[0], size, &memory) : VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  (void)which;
  if (status == VPTR_SUCCESS)
    support_succeed(vptr_free(mappers[0], memory));
  else
    ck_assert_int_eq(status, VPTR_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void (*const kinds[])(program *it, unsigned which) = { host_reads,   host_reads,    host_writes,
                                                              host_writes,  device_writes, device_writes_a_range,
                                                              device_reads, device_moves,  fetches,
                                                              allocates };

static void *run(void *context) {
  program *it = context;
  for (long i = 0; i < steps; i++) {
    unsigned which = (unsigned)(support_random(&it->random) % (unsigned)world.mirrors);
    size_t kind = support_random(&it->random) % (sizeof kinds / sizeof *kinds);
    for (uint64_t few = 1 + support_random(&it->random) % FEW; few > 0; few--)
      kinds[kind](it, which);
  }
  return NULL;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static void prepare(program *it, unsigned id) {
  *it = (program){ .id = id, .random = seed * 1000 + id };
  for (int i = 0; i < world.devices; i++)
    support_succeed(vptr__stream_create(mappers[i], id % 2 == 0 ? 0 : VPTR__STREAM_NON_BLOCKING, 0, &it->streams[i]));
  for (int i = 0; i < world.mirrors; i++)
    it->model[i] = calloc(1, size);
}

/* All bytes of the owner's. */
static void check_all(const program *it, unsigned which, const unsigned char *got) {
  for (size_t at = it->id * CHUNK; at + CHUNK <= size / CHUNK / THREADS * THREADS * CHUNK; at += THREADS * CHUNK)
    check(it, which, at, got + at);
}

/* In the end every byte of every owner, on the host and then on the device. */
static void conclude(program *it) {
  unsigned char *got = malloc(size);
  vptr__device *device = mappers[0]->device;
  for (unsigned which = 0; which < (unsigned)world.mirrors; which++) {
    check_all(it, which, vptr__mirror_host(mirrors[which]));
    support_succeed(vptr__mirror_acquire(mirrors[which], mappers[0], 0, size, VPTR_ACCESS_READ, NULL));
    support_succeed(device->ops->transfer.read(device, vptr__mirror_buffer(mirrors[which]), 0, got, size));
    vptr__mirror_release(mirrors[which], 0, NULL);
    check_all(it, which, got);
    free(it->model[which]);
  }
  free(got);
  for (int i = 0; i < world.devices; i++)
    support_succeed(vptr__stream_destroy(it->streams[i]));
}

/* Contents are undefined at first: all bytes are set, by one side or the other. */
static void create(int which) {
  const unsigned char zero = 0;
  vptr_mapper *mapper = mappers[which % world.devices];
  vptr__device *device = mapper->device;
  support_succeed(vptr__mirror_create(mapper, size, &mirrors[which]));
  if (which % 2 == 0) {
    memset(vptr__mirror_host(mirrors[which]), 0, size);
    return;
  }
  support_succeed(vptr__mirror_acquire(mirrors[which], mapper, 0, size, VPTR_ACCESS_DISCARD_WRITE, NULL));
  support_succeed(device->ops->transfer.fill(device, vptr__mirror_buffer(mirrors[which]), 0, size, &zero, 1));
  vptr__mirror_release(mirrors[which], 0, NULL);
}

/* The fake device looks at its size whenever it makes a buffer. */
static void open_devices(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 34;
  for (int i = 0; i < world.devices; i++) {
    support_succeed(vptr_mapper_create(&config, &mappers[i]));
    if (world.fit > 0)
      mappers[i]->device->memory_bytes = (size_t)world.fit * size + size / 2;
  }
}

static void report_counts(void) {
  vptr__mirror_counts sum = { 0 };
  for (int i = 0; i < world.mirrors; i++) {
    vptr__mirror_counts one;
    vptr__mirror_get_counts(mirrors[i], &one);
    sum.moves += one.moves;
    sum.evictions += one.evictions;
  }
  printf("%d mirrors, %d devices: %llu moves, %llu evictions\n", world.mirrors, world.devices,
         (unsigned long long)sum.moves, (unsigned long long)sum.evictions);
  ck_assert((sum.moves > 0) == (world.devices > 1));
  ck_assert((sum.evictions > 0) == (world.fit > 0));
}

START_TEST(no_byte_is_stale_and_none_is_lost) {
  static program programs[THREADS];
  world = worlds[_i / 2];
  steps = number_of("VPTR_TEST_STEPS", DEFAULT_STEPS);
  seed = (uint64_t)number_of("VPTR_TEST_SEED", 1) + (uint64_t)_i;
  size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
  open_devices();
  if (_i % 2 == 1)
    vptr__fake_disorder(seed, 20);
  for (int i = 0; i < world.mirrors; i++)
    create(i);
  for (unsigned i = 0; i < THREADS; i++)
    prepare(&programs[i], i);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&programs[i].thread, NULL, run, &programs[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(programs[i].thread, NULL);
  report_counts();
  for (int i = 0; i < THREADS; i++)
    conclude(&programs[i]);
  for (int i = 0; i < world.mirrors; i++)
    vptr__mirror_destroy(mirrors[i]);
  vptr__fake_disorder(0, 0);
  for (int i = 0; i < world.devices; i++)
    support_succeed(vptr_mapper_destroy(mappers[i]));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_threads");
  TCase *tests = tcase_create("threads");
  tcase_add_loop_test(tests, no_byte_is_stale_and_none_is_lost, 0, support_has_opencl() ? 4 : 8);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
