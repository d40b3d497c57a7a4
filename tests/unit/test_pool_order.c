/* SPDX-License-Identifier: MIT */
/*
 * pool_order - no byte of a live allocation is ever touched by another's work, whatever the device does.
 *
 * Random streams allocate, fill, read back and free, pass memory on by events, wait, trim, and are destroyed and made.
 * Each allocation is filled with a value of its own behind its allocation and read back before its free, both by work
 * of its stream, which the fake device runs in any order that OpenCL allows. A place that is used again too early is
 * read with another's value, or written over, and both show in what was read.
 */
#include <string.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "pool/pool.h"
#include "support/support.h"

enum { STREAMS = 6, LIVE = 24, STEPS = 500, READ = 256, EVENTS = 3 };

typedef struct live {
  char *ptr; /* NULL: none */
  size_t size;
  int stream;
  unsigned char value;
} live;

typedef struct reading {
  unsigned char seen[READ];
  size_t size;
  unsigned char value;
} reading;

typedef struct world {
  vptr_mapper *mapper;
  vptr__pool *pools[2];
  vptr__stream *streams[STREAMS]; /* the first is the legacy one */
  vptr__event *events[EVENTS];
  live live[LIVE];
  reading readings[STEPS * 2];
  size_t reading_count;
  uint64_t random;
  unsigned char value;
} world;

static unsigned roll(world *world, unsigned sides) {
  return (unsigned)(support_random(&world->random) % sides);
}

/* ---- work ----------------------------------------------------------------------------------------------- */

static void fill(world *world, const live *live) {
  vptr__device *device = world->mapper->device;
  vptr_location at;
  cl_command_queue queue;
  support_succeed(vptr__mapper_locate(world->mapper, live->ptr, live->size, &at));
  support_succeed(vptr__stream_begin(world->streams[live->stream], &queue));
  support_succeed(device->ops->transfer.enqueue_fill(device, queue, at.buffer, at.buffer_offset, live->size,
                                                     &live->value, 1, NULL));
  vptr__stream_end(world->streams[live->stream]);
}

static void look(world *world, const live *live) {
  vptr__device *device = world->mapper->device;
  reading *reading = &world->readings[world->reading_count++];
  reading->size = live->size < READ ? live->size : READ;
  reading->value = live->value;
  size_t skip = roll(world, (unsigned)(live->size - reading->size + 1));
  vptr_location at;
  cl_command_queue queue;
  support_succeed(vptr__mapper_locate(world->mapper, live->ptr + skip, reading->size, &at));
  support_succeed(vptr__stream_begin(world->streams[live->stream], &queue));
  support_succeed(device->ops->transfer.enqueue_read(device, queue, at.buffer, at.buffer_offset, reading->seen,
                                                     reading->size, NULL));
  vptr__stream_end(world->streams[live->stream]);
}

static void compare(world *world) {
  for (size_t i = 0; i < world->reading_count; i++)
    for (size_t k = 0; k < world->readings[i].size; k++)
      support_must(world->readings[i].seen[k] == world->readings[i].value);
}

/* ---- steps ---------------------------------------------------------------------------------------------- */

static void allocate(world *world, live *live) {
  static const size_t sizes[] = { 1, 200, 700, 3000, 100000, 300000 };
  live->size = sizes[roll(world, 6)];
  live->stream = (int)roll(world, STREAMS);
  live->value = ++world->value;
  void *ptr;
  support_succeed(
      vptr__pool_allocate(world->pools[roll(world, 2)], live->size, world->streams[live->stream], NULL, &ptr));
  live->ptr = ptr;
  fill(world, live);
}

/* The allocation goes on in another stream, which waits for the work so far. */
static void pass_on(world *world, live *live, int stream) {
  vptr__event *event = world->events[roll(world, EVENTS)];
  support_succeed(vptr__pool_event_record(event, world->streams[live->stream]));
  support_succeed(vptr__pool_stream_wait(world->streams[stream], event));
  live->stream = stream;
}

static void release(world *world, live *live) {
  look(world, live);
  if (roll(world, 16) == 0)
    support_succeed(vptr_free(world->mapper, live->ptr));
  else
    support_succeed(vptr__pool_free(world->mapper, live->ptr, world->streams[live->stream], "test"));
  live->ptr = NULL;
}

static void wait_on_host(world *world, vptr__stream *stream) {
  vptr__pool_before_wait(world->mapper, stream);
  support_succeed(stream != NULL ? vptr__stream_synchronize(stream) : vptr__stream_synchronize_all(world->mapper));
  vptr__pool_after_wait(world->mapper);
}

static void replace(world *world, int stream) {
  if (stream == 0)
    return;
  for (int i = 0; i < LIVE; i++)
    if (world->live[i].ptr != NULL && world->live[i].stream == stream)
      pass_on(world, &world->live[i], 0);
  support_succeed(vptr__stream_destroy(world->streams[stream]));
  support_succeed(
      vptr__stream_create(world->mapper, stream % 2 ? VPTR__STREAM_NON_BLOCKING : 0, 0, &world->streams[stream]));
}

static void step(world *world) {
  live *some = &world->live[roll(world, LIVE)];
  unsigned kind = roll(world, 64);
  int stream = (int)roll(world, STREAMS);
  if (kind < 48 && some->ptr == NULL)
    allocate(world, some);
  else if (kind < 40)
    release(world, some);
  else if (kind < 54 && some->ptr != NULL)
    pass_on(world, some, stream);
  else if (kind == 56)
    wait_on_host(world, world->streams[stream]);
  else if (kind == 57)
    wait_on_host(world, roll(world, 4) == 0 ? NULL : world->streams[stream]);
  else if (kind == 58)
    vptr__pool_trim(world->pools[roll(world, 2)], roll(world, 500000));
  else if (kind == 59)
    vptr__pool_change_flags(world->pools[roll(world, 2)], VPTR__POOL_ALL_REUSE, roll(world, 8));
  else if (kind == 60)
    vptr__pool_set_threshold(world->pools[roll(world, 2)], roll(world, 2) ? UINT64_MAX : 0);
  else if (kind == 61)
    vptr__pool_after_event(world->events[roll(world, EVENTS)]);
  else if (kind == 62)
    replace(world, stream);
  else if (kind == 63)
    support_succeed(vptr__pool_check(world->mapper));
}

/* ---- a run ---------------------------------------------------------------------------------------------- */

static void begin(world *world, uint64_t seed) {
  memset(world, 0, sizeof *world);
  world->random = seed;
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  support_succeed(vptr_mapper_create(&config, &world->mapper));
  support_succeed(vptr__pool_default(world->mapper, &world->pools[0]));
  support_succeed(vptr__pool_create(world->mapper, (size_t)1 << (seed % 2 ? 40 : 23), &world->pools[1]));
  support_succeed(vptr__stream_legacy(world->mapper, &world->streams[0]));
  for (int i = 1; i < STREAMS; i++)
    support_succeed(vptr__stream_create(world->mapper, i % 2 ? VPTR__STREAM_NON_BLOCKING : 0, 0, &world->streams[i]));
  for (int i = 0; i < EVENTS; i++)
    support_succeed(vptr__event_create(world->mapper, VPTR__EVENT_NO_TIMING, &world->events[i]));
}

static void end(world *world) {
  for (int i = 0; i < LIVE; i++)
    if (world->live[i].ptr != NULL)
      release(world, &world->live[i]);
  wait_on_host(world, NULL);
  compare(world);
  for (int i = 0; i < 2; i++) {
    vptr__pool_stats stats;
    vptr__pool_trim(world->pools[i], 0);
    vptr__pool_get_stats(world->pools[i], &stats);
    ck_assert_uint_eq(stats.used, 0);
    ck_assert_uint_eq(stats.reserved, 0);
  }
  ck_assert_uint_eq(vptr_count(world->mapper), 0);
  for (int i = 0; i < EVENTS; i++)
    support_succeed(vptr__pool_event_destroy(world->events[i]));
  support_succeed(vptr__pool_check(world->mapper));
  support_succeed(vptr_check(world->mapper));
  support_succeed(vptr_mapper_destroy(world->mapper));
}

static void play(uint64_t seed) {
  static world world;
  begin(&world, seed);
  for (int i = 0; i < STEPS; i++)
    step(&world);
  end(&world);
}

START_TEST(live_memory_is_touched_by_its_own_work_alone) {
  for (uint64_t seed = 1; seed <= 8; seed++) {
    if (!support_has_opencl())
      vptr__fake_disorder(seed, 50);
    play(seed);
  }
  vptr__fake_disorder(0, 0);
}
END_TEST

static Suite *pool_order_suite(void) {
  Suite *suite = suite_create("pool_order");
  TCase *cases = tcase_create("order");
  tcase_add_test(cases, live_memory_is_touched_by_its_own_work_alone);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(pool_order_suite());
}
