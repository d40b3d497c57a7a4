/* SPDX-License-Identifier: MIT */
/*
 * stream_order - the order between streams, against a model that knows what happens before what.
 *
 * Random work goes to random streams: fills and copies between cells of device memory, cells of host memory and host
 * functions. Events are recorded and waited for, streams are waited for by the host, destroyed and made. The model
 * runs everything at once, in the order of sending. That is right as long as no two pieces of work that touch the same
 * cell are without order, so a piece is only sent where all earlier work on its cells comes before it by the promises
 * of stream.h: the stream's own order, the legacy stream's, events, and the host. How much comes before is a vector of
 * numbers for each stream: [s][t] pieces of stream t come before the next one of stream s.
 *
 * The fake device meanwhile does whatever else OpenCL allows. Where a promise is broken, contents differ in the end;
 * under ThreadSanitizer it is also a race. And a mapper that can go to another device does so now and then, in the
 * midst of it all: streams, events and cells are the same there.
 */
#include <string.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"

enum {
  STREAMS = 48, /* ever made in a run; the first is the legacy one */
  OPEN = 6,     /* at a time */
  EVENTS = 4,
  CELLS = 24, /* the first half on the device, the second on the host */
  CELL = 64,  /* bytes */
  STEPS = 300,
  MOVES = 12 /* to another device, about, where the mapper can */
};

typedef struct before {
  unsigned of[STREAMS];
} before;

typedef struct cell {
  int writer;                /* stream of the last piece that wrote it, -1: none */
  unsigned written;          /* and that piece's number */
  unsigned read_by[STREAMS]; /* number of the last piece of each stream that read it since */
  unsigned char model[CELL];
} cell;

typedef struct lane {
  vptr__stream *stream; /* NULL: destroyed */
  bool blocking;
  unsigned sent;
  before known;
} lane;

typedef struct place {
  vptr__event *event;
  bool recorded;
  before known;
} place;

typedef struct world {
  vptr_mapper *mapper;
  vptr__device *device;
  cl_mem buffer;
  size_t offset;
  unsigned char *base;
  unsigned char host[CELLS][CELL];
  uint64_t random;
  int lanes;
  lane lane[STREAMS];
  place place[EVENTS];
  before host_knows;
  cell cell[CELLS];
} world;

static unsigned roll(world *world, unsigned sides) {
  return (unsigned)(support_random(&world->random) % sides);
}

/* ---- what comes before what ----------------------------------------------------------------------------- */

static void learn(before *one, const before *other) {
  for (int i = 0; i < STREAMS; i++)
    if (one->of[i] < other->of[i])
      one->of[i] = other->of[i];
}

/* Everything that a command sent to the lane now comes behind. */
static before comes_before(const world *world, int number) {
  const lane *lane = &world->lane[number];
  before known = lane->known;
  learn(&known, &world->host_knows);
  if (number == 0) {
    for (int i = 1; i < world->lanes; i++)
      if (world->lane[i].blocking)
        learn(&known, &world->lane[i].known);
  } else if (lane->blocking) {
    learn(&known, &world->lane[0].known);
  }
  return known;
}

/* What is done when the host has waited for a lane: of the legacy one also what it would wait for, of another only what
 * its own work came behind. */
static before done_with(const world *world, int number) {
  return number == 0 ? comes_before(world, 0) : world->lane[number].known;
}

static bool may_read(const cell *cell, const before *known) {
  return cell->writer < 0 || cell->written <= known->of[cell->writer];
}

static bool may_write(const cell *cell, const before *known) {
  for (int i = 0; i < STREAMS; i++)
    if (cell->read_by[i] > known->of[i])
      return false;
  return may_read(cell, known);
}

static void note_sent(world *world, int number, const before *known) {
  lane *lane = &world->lane[number];
  lane->known = *known;
  lane->known.of[number] = ++lane->sent;
}

static void note_read(world *world, int number, cell *cell) {
  cell->read_by[number] = world->lane[number].sent;
}

static void note_written(world *world, int number, cell *cell) {
  memset(cell->read_by, 0, sizeof cell->read_by);
  cell->writer = number;
  cell->written = world->lane[number].sent;
}

/* ---- work ----------------------------------------------------------------------------------------------- */

typedef struct host_fill {
  unsigned char *to;
  unsigned char value;
} host_fill;

static void fill_on_host(vptr_status status, void *context) {
  host_fill *fill = context;
  memset(fill->to, status == VPTR_SUCCESS ? fill->value : 0xEE, CELL);
  free(fill);
}

static bool on_device(int cell) {
  return cell < CELLS / 2;
}

static size_t offset_of(const world *world, int cell) {
  return world->offset + (size_t)cell * CELL;
}

static void send_fill(world *world, vptr__stream *stream, int to, unsigned char value) {
  cl_command_queue queue;
  if (on_device(to)) {
    support_succeed(vptr__stream_begin(stream, &queue));
    support_succeed(world->device->ops->transfer.enqueue_fill(world->device, queue, world->buffer,
                                                              offset_of(world, to), CELL, &value, 1, NULL));
    vptr__stream_end(stream);
    return;
  }
  host_fill *fill = malloc(sizeof *fill);
  *fill = (host_fill){ world->host[to], value };
  support_succeed(vptr__stream_host(stream, fill_on_host, fill));
}

/* Between host cells nothing is copied: neither is the device's. */
static void send_copy(world *world, vptr__stream *stream, int to, int from) {
  vptr__device *device = world->device;
  cl_command_queue queue;
  support_succeed(vptr__stream_begin(stream, &queue));
  if (on_device(to) && on_device(from))
    support_succeed(device->ops->transfer.enqueue_copy(device, queue, world->buffer, offset_of(world, from),
                                                       world->buffer, offset_of(world, to), CELL, NULL));
  else if (on_device(to))
    support_succeed(device->ops->transfer.enqueue_write(device, queue, world->buffer, offset_of(world, to),
                                                        world->host[from], CELL, NULL));
  else
    support_succeed(device->ops->transfer.enqueue_read(device, queue, world->buffer, offset_of(world, from),
                                                       world->host[to], CELL, NULL));
  vptr__stream_end(stream);
}

static void fill_some(world *world, int number) {
  int to = (int)roll(world, CELLS);
  unsigned char value = (unsigned char)roll(world, 256);
  before known = comes_before(world, number);
  if (!may_write(&world->cell[to], &known))
    return;
  send_fill(world, world->lane[number].stream, to, value);
  note_sent(world, number, &known);
  note_written(world, number, &world->cell[to]);
  memset(world->cell[to].model, value, CELL);
}

static void copy_some(world *world, int number) {
  int to = (int)roll(world, CELLS), from = (int)roll(world, CELLS);
  before known = comes_before(world, number);
  if (to == from || !(on_device(to) || on_device(from)) || !may_write(&world->cell[to], &known) ||
      !may_read(&world->cell[from], &known))
    return;
  send_copy(world, world->lane[number].stream, to, from);
  note_sent(world, number, &known);
  note_read(world, number, &world->cell[from]);
  note_written(world, number, &world->cell[to]);
  memcpy(world->cell[to].model, world->cell[from].model, CELL);
}

/* ---- order ---------------------------------------------------------------------------------------------- */

static void record(world *world, int number) {
  place *place = &world->place[roll(world, EVENTS)];
  place->known = comes_before(world, number);
  place->recorded = true;
  support_succeed(vptr__event_record(place->event, world->lane[number].stream));
}

static void wait_for_event(world *world, int number) {
  place *place = &world->place[roll(world, EVENTS)];
  before known = comes_before(world, number);
  support_succeed(vptr__stream_wait(world->lane[number].stream, place->event));
  if (!place->recorded)
    return;
  learn(&known, &place->known);
  world->lane[number].known = known;
}

static void wait_on_host(world *world, int number) {
  before known = done_with(world, number);
  support_succeed(vptr__stream_synchronize(world->lane[number].stream));
  learn(&world->host_knows, &known);
}

static void look_from_host(world *world, int number) {
  before known = done_with(world, number);
  vptr_status status = vptr__stream_query(world->lane[number].stream);
  support_must(status == VPTR_SUCCESS || status == VPTR_ERROR_NOT_READY);
  if (status == VPTR_SUCCESS)
    learn(&world->host_knows, &known);
}

static void open_lane(world *world, unsigned flags) {
  if (world->lanes == STREAMS)
    return;
  lane *lane = &world->lane[world->lanes++];
  lane->blocking = flags == 0;
  support_succeed(vptr__stream_create(world->mapper, flags, -(int)roll(world, 2), &lane->stream));
}

static void replace(world *world, int number) {
  lane *lane = &world->lane[number];
  if (number == 0 || world->lanes == STREAMS)
    return;
  support_succeed(vptr__stream_destroy(lane->stream));
  lane->stream = NULL;
  open_lane(world, lane->blocking ? 0 : VPTR__STREAM_NON_BLOCKING);
}

static int some_lane(world *world) {
  int number;
  do
    number = (int)roll(world, (unsigned)world->lanes);
  while (world->lane[number].stream == NULL);
  return roll(world, 4) == 0 ? 0 : number;
}

static void step(world *world) {
  int number = some_lane(world);
  unsigned kind = roll(world, 40);
  if (kind < 14)
    fill_some(world, number);
  else if (kind < 30)
    copy_some(world, number);
  else if (kind < 33)
    record(world, number);
  else if (kind < 36)
    wait_for_event(world, number);
  else if (kind < 37)
    wait_on_host(world, number);
  else if (kind < 39)
    look_from_host(world, number);
  else
    replace(world, number);
}

/* ---- a run ---------------------------------------------------------------------------------------------- */

static void begin(world *world, uint64_t seed, unsigned flags) {
  memset(world, 0, sizeof *world);
  world->random = seed;
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  config.flags = flags;
  support_succeed(vptr_mapper_create(&config, &world->mapper));
  world->device = world->mapper->device;
  void *memory;
  support_succeed(vptr_malloc(world->mapper, CELLS * CELL, &memory));
  support_succeed(vptr_memset(world->mapper, memory, 0, CELLS * CELL));
  vptr_location location;
  support_succeed(vptr__mapper_locate(world->mapper, memory, CELLS * CELL, &location));
  world->base = memory;
  world->buffer = location.buffer;
  world->offset = location.buffer_offset;
  for (int i = 0; i < CELLS; i++)
    world->cell[i].writer = -1;
  support_succeed(vptr__stream_legacy(world->mapper, &world->lane[0].stream));
  world->lanes = 1;
  for (int i = 0; i < OPEN; i++)
    open_lane(world, i % 3 == 2 ? VPTR__STREAM_NON_BLOCKING : 0);
  for (int i = 0; i < EVENTS; i++)
    support_succeed(vptr__event_create(world->mapper, i % 2 ? VPTR__EVENT_NO_TIMING : 0, &world->place[i].event));
}

static void compare(world *world) {
  unsigned char device_cells[CELLS / 2][CELL];
  support_succeed(vptr_memcpy(world->mapper, device_cells, world->base, sizeof device_cells));
  for (int i = 0; i < CELLS; i++) {
    const unsigned char *real = on_device(i) ? device_cells[i] : world->host[i];
    if (memcmp(real, world->cell[i].model, CELL) != 0)
      ck_abort_msg("cell %d holds 0x%02x, the model 0x%02x", i, real[0], world->cell[i].model[0]);
  }
}

/* All that was sent is over then. */
static void go(world *world) {
  const vptr__device *before = world->device;
  support_succeed(vptr_migrate(world->mapper, NULL));
  world->device = world->mapper->device;
  ck_assert_ptr_ne(world->device, before);
  for (int i = 0; i < world->lanes; i++)
    world->host_knows.of[i] = world->lane[i].sent;
}

static void play(uint64_t seed, unsigned flags) {
  static world world;
  begin(&world, seed, flags);
  for (int i = 0; i < STEPS; i++) {
    step(&world);
    if (flags != 0 && roll(&world, STEPS / MOVES) == 0)
      go(&world);
  }
  support_succeed(vptr__stream_synchronize_all(world.mapper));
  compare(&world);
  support_succeed(vptr_mapper_destroy(world.mapper));
}

static const unsigned flags[] = { 0, VPTR_CONFIG_MIGRATE };

START_TEST(work_happens_in_the_promised_order_whatever_the_device_does_else) {
  for (uint64_t seed = 1; seed <= 24; seed++) {
    if (!support_has_opencl())
      vptr__fake_disorder(seed, 60);
    play(seed, flags[_i]);
  }
  vptr__fake_disorder(0, 0);
}
END_TEST

START_TEST(work_happens_in_the_promised_order_on_a_quiet_device) {
  for (uint64_t seed = 100; seed <= 112; seed++)
    play(seed, flags[_i]);
}
END_TEST

static Suite *stream_order_suite(void) {
  Suite *suite = suite_create("stream_order");
  TCase *order = tcase_create("order");
  tcase_add_loop_test(order, work_happens_in_the_promised_order_on_a_quiet_device, 0, 2);
  tcase_add_loop_test(order, work_happens_in_the_promised_order_whatever_the_device_does_else, 0, 2);
  suite_add_tcase(suite, order);
  return suite;
}

int main(void) {
  return support_run(stream_order_suite());
}
