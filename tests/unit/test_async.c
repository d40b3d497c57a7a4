/* SPDX-License-Identifier: MIT */
/*
 * test_async - copies and fills on streams, lines and rects.
 *
 * What carries the load: random rects between two neighbours in one buffer, a buffer of its own and host memory, each
 * beside a host array that tells what every byte must be, gaps included. What a call waits for is proved with a stream
 * that stands at a closed gate: a call that waited there would never return.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { PLACE = 6000, ROUNDS = 400 };

static vptr_mapper *mapper;
static vptr__stream *stream, *other, *legacy;
static uint64_t seed = 11;
static support_gate gate;

static void setup(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_create(mapper, 0, 0, &other));
  support_succeed(vptr__stream_legacy(mapper, &legacy));
}

static void teardown(void) {
  atomic_store(&gate.opened, true); /* a test that failed left it closed */
  support_succeed(vptr__stream_synchronize_all(mapper));
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr__stream_destroy(other));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

/* ---- places with a model --------------------------------------------------------------------------------- */

struct place {
  unsigned char *memory, *model; /* memory: of a device, or the host's */
  size_t size;
  bool is_host;
};

static struct place place_make(vptr_mapper *owner, size_t size) {
  struct place made = { NULL, malloc(size), size, owner == NULL };
  for (size_t i = 0; i < size; i++)
    made.model[i] = (unsigned char)support_random(&seed);
  void *memory = made.is_host ? malloc(size) : NULL;
  if (!made.is_host)
    support_succeed(vptr_malloc(owner, size, &memory));
  made.memory = memory;
  if (made.is_host)
    memcpy(memory, made.model, size);
  else
    support_succeed(vptr_memcpy(owner, memory, made.model, size));
  return made;
}

static void place_free(struct place *place, vptr_mapper *owner) {
  if (place->is_host)
    free(place->memory);
  else
    support_succeed(vptr_free(owner, place->memory));
  free(place->model);
}

/* Every byte, whatever the stream has to do yet. */
static void place_check(const struct place *place, vptr_mapper *owner) {
  unsigned char *seen = place->memory;
  if (!place->is_host) {
    seen = malloc(place->size);
    support_succeed(vptr_memcpy(owner, seen, place->memory, place->size));
  }
  for (size_t i = 0; i < place->size; i++)
    if (seen[i] != place->model[i])
      ck_abort_msg("byte %zu of %zu is %u, not %u", i, place->size, seen[i], place->model[i]);
  if (!place->is_host)
    free(seen);
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

struct end {
  struct place *place;
  size_t offset, row, slice;
};

static vptr__operand operand_of(const struct end *end, bool pinned) {
  return (vptr__operand){
    .what = "test", .ptr = end->place->memory + end->offset, .row = end->row, .slice = end->slice, .pinned = pinned
  };
}

static size_t reach_of(const struct end *end, const size_t region[3]) {
  return region[0] + (region[1] - 1) * end->row + (region[2] - 1) * end->slice;
}

/* A rect somewhere in a place; false if it does not fit there. */
static bool random_end(struct place *place, const size_t region[3], struct end *end_out) {
  size_t row = region[0] + support_below(&seed, 2) * support_below(&seed, 40);
  struct end made = { place, 0, row, row * (region[1] + support_below(&seed, 2) * support_below(&seed, 4)) };
  size_t reach = reach_of(&made, region);
  if (reach > place->size)
    return false;
  made.offset = support_below(&seed, place->size - reach + 1);
  *end_out = made;
  return true;
}

static void random_region(size_t region[3]) {
  region[0] = 1 + support_below(&seed, support_below(&seed, 4) == 0 ? 700 : 30);
  region[1] = support_below(&seed, 3) == 0 ? 1 : 1 + support_below(&seed, 24);
  region[2] = support_below(&seed, 2) == 0 ? 1 : 1 + support_below(&seed, 6);
}

static void model_copy(const struct end *to, const struct end *from, const size_t region[3]) {
  unsigned char *packed = malloc(region[0] * region[1] * region[2]), *at = packed;
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++, at += region[0])
      memcpy(at, from->place->model + from->offset + z * from->slice + y * from->row, region[0]);
  at = packed;
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++, at += region[0])
      memcpy(to->place->model + to->offset + z * to->slice + y * to->row, at, region[0]);
  free(packed);
}

static void model_set(const struct end *to, unsigned char value, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memset(to->place->model + to->offset + z * to->slice + y * to->row, value, region[0]);
}

/* Rects of one place: as memmove() where the pitches are equal; else they must lie apart to have a result. */
static bool has_result(const struct end *to, struct end *from, const size_t region[3]) {
  if (to->place != from->place)
    return true;
  size_t to_last = to->offset + reach_of(to, region), from_last = from->offset + reach_of(from, region);
  if (to_last <= from->offset || from_last <= to->offset)
    return true;
  if (to->place->is_host)
    return false;
  from->row = to->row;
  from->slice = to->slice;
  return from->offset + reach_of(from, region) <= from->place->size;
}

static void random_step(struct place *places, int count, vptr__stream *on) {
  size_t region[3];
  struct end to, from;
  random_region(region);
  struct place *target = &places[support_below(&seed, (size_t)count)];
  if (!random_end(target, region, &to))
    return;
  vptr__operand to_operand = operand_of(&to, false);
  if (!target->is_host && support_below(&seed, 4) == 0) {
    unsigned char value = (unsigned char)support_below(&seed, 256);
    support_succeed(
        vptr__transfer_set(on, &to_operand, value, region, support_below(&seed, 2) ? VPTR__TRANSFER_WAIT : 0));
    model_set(&to, value, region);
    return;
  }
  if (!random_end(&places[support_below(&seed, (size_t)count)], region, &from) || !has_result(&to, &from, region))
    return;
  vptr__operand from_operand = operand_of(&from, false);
  support_succeed(
      vptr__transfer_copy(on, &to_operand, &from_operand, region, support_below(&seed, 2) ? VPTR__TRANSFER_WAIT : 0));
  model_copy(&to, &from, region);
}

static void run_random(vptr__stream *on, vptr_mapper *second) {
  struct place places[5] = { place_make(mapper, PLACE), place_make(mapper, PLACE), place_make(second, 400000),
                             place_make(NULL, PLACE), place_make(NULL, 40000) };
  for (int i = 0; i < ROUNDS; i++) {
    random_step(places, 5, on);
    if (i % 50 != 49)
      continue;
    support_succeed(vptr__stream_synchronize(on));
    for (int k = 0; k < 5; k++)
      place_check(&places[k], k == 2 ? second : mapper);
  }
  for (int k = 0; k < 5; k++)
    place_free(&places[k], k == 2 ? second : mapper);
}

START_TEST(random_rects_are_as_their_model_on_a_stream) {
  run_random(stream, mapper);
}
END_TEST

START_TEST(random_rects_are_as_their_model_on_the_legacy_stream) {
  run_random(legacy, mapper);
}
END_TEST

START_TEST(random_rects_are_as_their_model_between_two_mappers) {
  vptr_mapper *second;
  support_succeed(vptr_mapper_create(NULL, &second));
  run_random(stream, second);
  run_random(legacy, second);
  vptr__stream *peer_stream;
  support_succeed(vptr__stream_create(second, 0, 0, &peer_stream));
  run_random(peer_stream, mapper); /* all memory is another mapper's than the stream */
  support_succeed(vptr__stream_destroy(peer_stream));
  support_succeed(vptr_mapper_destroy(second));
}
END_TEST

START_TEST(copies_larger_than_a_piece_arrive_whole) {
  enum { WIDTH = 1 << 20, ROWS = 37, ROW = WIDTH + 512 };
  struct place a = place_make(mapper, (size_t)ROW * ROWS);
  const size_t region[3] = { WIDTH, ROWS - 1, 1 };
  struct end up = { &a, ROW, ROW, 0 }, down = { &a, 0, ROW, 0 };
  vptr__operand up_operand = operand_of(&up, false), down_operand = operand_of(&down, false);
  support_succeed(vptr__transfer_copy(stream, &down_operand, &up_operand, region, 0));
  model_copy(&down, &up, region);
  support_succeed(vptr__transfer_copy(stream, &up_operand, &down_operand, region, 0));
  model_copy(&up, &down, region);
  struct end line = { &a, 0, 0, 0 }, next = { &a, 7, 0, 0 };
  const size_t length[3] = { (size_t)ROW * ROWS - 7, 1, 1 };
  vptr__operand line_operand = operand_of(&line, false), next_operand = operand_of(&next, false);
  support_succeed(vptr__transfer_copy(stream, &next_operand, &line_operand, length, 0));
  model_copy(&next, &line, length);
  support_succeed(vptr__stream_synchronize(stream));
  place_check(&a, mapper);
  place_free(&a, mapper);
}
END_TEST

START_TEST(tall_rects_are_set) {
  struct place a = place_make(mapper, 3000 * 20);
  struct end all = { &a, 3, 20, 0 };
  const size_t region[3] = { 13, 2999, 1 };
  vptr__operand operand = operand_of(&all, false);
  support_succeed(vptr__transfer_set(stream, &operand, 77, region, 0));
  model_set(&all, 77, region);
  support_succeed(vptr__stream_synchronize(stream));
  place_check(&a, mapper);
  place_free(&a, mapper);
}
END_TEST

START_TEST(long_lines_are_set_at_any_alignment) {
  struct place a = place_make(mapper, (5 << 20) + 100);
  for (size_t i = 0; i < 4; i++) {
    struct end line = { &a, i * 5, 0, 0 };
    const size_t region[3] = { (5 << 20) + i, 1, 1 };
    vptr__operand operand = operand_of(&line, false);
    support_succeed(vptr__transfer_set(stream, &operand, (unsigned char)i, region, VPTR__TRANSFER_WAIT));
    model_set(&line, (unsigned char)i, region);
    place_check(&a, mapper);
  }
  place_free(&a, mapper);
}
END_TEST

static void model_elements(const struct end *end, const vptr__element *element, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      for (size_t x = 0; x < region[0]; x++)
        end->place->model[end->offset + z * end->slice + y * end->row + x] = element->bytes[x % element->size];
}

/* By the host itself; one element, and rows of it, included. */
START_TEST(elements_of_host_memory_are_set_to_the_byte) {
  struct place a = place_make(NULL, 60000);
  for (size_t width = 1; width <= 130; width++)
    for (size_t size = 1; size <= 4; size *= 2) {
      const vptr__element element = { { (unsigned char)width, 2, 3, 4 }, size };
      const size_t region[3] = { width * size, 1 + support_below(&seed, 10), 1 + support_below(&seed, 2) };
      struct end rect = { .place = &a,
                          .offset = support_below(&seed, 30) * size,
                          .row = region[0] + support_below(&seed, 9) * size };
      rect.slice = rect.row * (region[1] + support_below(&seed, 3));
      vptr__operand operand = operand_of(&rect, true);
      support_succeed(vptr__transfer_set_elements(stream, &operand, &element, region, 0));
      model_elements(&rect, &element, region);
      place_check(&a, mapper);
    }
  place_free(&a, mapper);
}
END_TEST

/* By a kernel, on a device that has any, and is told to take it for all (device/opencl_blit_set.c). */
START_TEST(elements_of_rects_are_set_to_the_byte) {
  struct place a = place_make(mapper, 60000);
  mapper->device->tuning.blit_bytes = 16;
  mapper->device->test.blit_untried = true;
  for (size_t width = 1; width <= 130; width++) {
    size_t size = (size_t)1 << support_below(&seed, 3);
    const vptr__element element = { { (unsigned char)width, 2, 3, 4 }, size };
    const size_t region[3] = { width * size, 1 + support_below(&seed, 40), 1 + support_below(&seed, 2) };
    struct end rect = { .place = &a,
                        .offset = support_below(&seed, 30) * size,
                        .row = region[0] + support_below(&seed, 9) * size };
    rect.slice = rect.row * (region[1] + support_below(&seed, 3));
    vptr__operand operand = operand_of(&rect, false);
    if (rect.offset + rect.slice * region[2] > a.size)
      continue;
    support_succeed(vptr__transfer_set_elements(stream, &operand, &element, region, VPTR__TRANSFER_WAIT));
    model_elements(&rect, &element, region);
    place_check(&a, mapper);
  }
  place_free(&a, mapper);
}
END_TEST

/* ---- what a call waits for ------------------------------------------------------------------------------ */

static void close_gate(vptr__stream *on) {
  atomic_store(&gate.opened, false);
  atomic_store(&gate.reached, false);
  support_succeed(vptr__stream_host(on, support_wait_at_gate, &gate));
}

static void open_gate(vptr__stream *on) {
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(on));
  atomic_store(&gate.opened, true);
  support_succeed(vptr__stream_synchronize(on));
}

static vptr_status copy_line(vptr__stream *on, void *to, const void *from, size_t size, bool pinned, unsigned flags) {
  vptr__operand to_operand = { .what = "to", .ptr = to, .pinned = pinned };
  vptr__operand from_operand = { .what = "from", .ptr = (void *)(uintptr_t)from, .pinned = pinned };
  return vptr__transfer_copy(on, &to_operand, &from_operand, (size_t[3]){ size, 1, 1 }, flags);
}

START_TEST(a_little_pageable_memory_may_be_used_again_at_once) {
  struct place a = place_make(mapper, 70000);
  unsigned char *source = malloc(65536);
  memset(source, 5, 65536);
  close_gate(stream);
  support_succeed(copy_line(stream, a.memory, source, 65536, false, 0));
  memset(source, 6, 65536);
  free(source);
  memset(a.model, 5, 65536);
  open_gate(stream);
  place_check(&a, mapper);
  place_free(&a, mapper);
}
END_TEST

START_TEST(much_pageable_memory_may_be_used_again_on_return) {
  struct place a = place_make(mapper, 3 << 20);
  unsigned char *source = malloc(3 << 20);
  memset(source, 5, 3 << 20);
  support_succeed(copy_line(stream, a.memory, source, 3 << 20, false, 0));
  memset(source, 6, 3 << 20);
  memset(a.model, 5, 3 << 20);
  support_succeed(vptr__stream_synchronize(stream));
  place_check(&a, mapper);
  place_free(&a, mapper);
  free(source);
}
END_TEST

START_TEST(pageable_memory_is_there_on_return) {
  struct place a = place_make(mapper, PLACE);
  unsigned char *target = calloc(PLACE, 1);
  support_succeed(copy_line(stream, target, a.memory, PLACE, false, 0));
  ck_assert_int_eq(memcmp(target, a.model, PLACE), 0);
  free(target);
  place_free(&a, mapper);
}
END_TEST

START_TEST(nobody_waits_for_pinned_and_device_memory) {
  enum { SIZE = 1 << 20 };
  struct place a = place_make(mapper, SIZE), b = place_make(mapper, SIZE);
  unsigned char *in = malloc(SIZE), *out = calloc(SIZE, 1);
  memset(in, 9, SIZE);
  close_gate(stream);
  support_succeed(copy_line(stream, a.memory, in, SIZE, true, 0));
  support_succeed(copy_line(stream, b.memory, a.memory, SIZE, false, 0));
  vptr__operand operand = { .what = "set", .ptr = b.memory, .row = 1000 };
  support_succeed(vptr__transfer_set(stream, &operand, 3, (size_t[3]){ 500, 20, 1 }, 0));
  support_succeed(copy_line(stream, out, b.memory, SIZE, true, 0));
  ck_assert_uint_eq(out[0], 0);
  open_gate(stream);
  ck_assert_uint_eq(out[0], 3);
  ck_assert_uint_eq(out[499], 3);
  ck_assert_uint_eq(out[500], 9);
  ck_assert_uint_eq(out[SIZE - 1], 9);
  place_free(&a, mapper);
  place_free(&b, mapper);
  free(in);
  free(out);
}
END_TEST

/* What a set and three copies ask of the device, while it stands still. */
static void count_calls(struct place *a, struct place *b, unsigned char *host, size_t *calls_out,
                        size_t *events_out) {
  vptr__fake_counts before, after;
  vptr__operand operand = { .what = "set", .ptr = b->memory };
  close_gate(stream);
  while (!atomic_load(&gate.reached)) /* else its own calls would count */
    usleep(200);
  vptr__fake_get_counts(&before);
  support_succeed(copy_line(stream, a->memory, host, PLACE, true, 0));
  support_succeed(vptr__transfer_set(stream, &operand, 3, (size_t[3]){ 64, 1, 1 }, 0));
  support_succeed(copy_line(stream, b->memory + 64, a->memory, 64, false, 0));
  support_succeed(copy_line(stream, host, b->memory, PLACE, true, 0));
  vptr__fake_get_counts(&after);
  open_gate(stream);
  *calls_out = after.operations - before.operations;
  *events_out = after.events - before.events;
}

/* As kernels: a command, and nothing besides. */
START_TEST(where_queues_tell_of_failures_a_command_is_all_that_is_asked) {
  struct place a = place_make(mapper, PLACE), b = place_make(mapper, PLACE);
  unsigned char *host = calloc(PLACE, 1);
  size_t calls, events;
  if (!support_has_opencl()) {
    count_calls(&a, &b, host, &calls, &events);
    ck_assert_uint_ge(calls, 8); /* each with its flush */
    ck_assert_uint_eq(events, 4);
    mapper->device->quirk.fails_whole = mapper->device->quirk.begins_unflushed = true;
    count_calls(&a, &b, host, &calls, &events);
    ck_assert_uint_eq(calls, 4);
    ck_assert_uint_eq(events, 0);
    ck_assert_uint_eq(host[0], 3);
    ck_assert_uint_eq(host[64], 3); /* what was read the first time */
    ck_assert_uint_eq(host[128], b.model[128]);
  }
  free(host);
  place_free(&a, mapper);
  place_free(&b, mapper);
}
END_TEST

START_TEST(host_to_host_comes_after_the_stream) {
  struct place a = place_make(mapper, PLACE);
  unsigned char *first = malloc(PLACE), *second = malloc(PLACE);
  support_succeed(copy_line(stream, first, a.memory, PLACE, true, 0));
  support_succeed(copy_line(stream, second, first, PLACE, true, 0));
  ck_assert_int_eq(memcmp(second, a.model, PLACE), 0);
  free(first);
  free(second);
  place_free(&a, mapper);
}
END_TEST

START_TEST(pinned_memory_can_be_set) {
  unsigned char *host = calloc(100, 1);
  vptr__operand operand = { .what = "set", .ptr = host, .row = 10, .pinned = true };
  support_succeed(vptr__transfer_set(stream, &operand, 4, (size_t[3]){ 3, 5, 1 }, 0));
  for (int i = 0; i < 100; i++)
    ck_assert_uint_eq(host[i], i < 50 && i % 10 < 3 ? 4 : 0);
  operand.pinned = false;
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__transfer_set(stream, &operand, 4, (size_t[3]){ 3, 5, 1 }, 0));
  free(host);
}
END_TEST

/* The legacy stream waits for blocking streams and for no other. */
START_TEST(a_waiting_copy_keeps_the_legacy_order) {
  struct place a = place_make(mapper, 2 << 20);
  unsigned char *out = malloc(2 << 20);
  close_gate(stream);
  support_succeed(copy_line(legacy, out, a.memory, 2 << 20, false, VPTR__TRANSFER_WAIT));
  open_gate(stream);
  for (int i = 0; i < 20; i++) {
    vptr__operand operand = { .what = "set", .ptr = a.memory };
    support_succeed(vptr__transfer_set(other, &operand, (unsigned char)i, (size_t[3]){ 2 << 20, 1, 1 }, 0));
    support_succeed(copy_line(legacy, out, a.memory, 2 << 20, false, VPTR__TRANSFER_WAIT));
    ck_assert(out[0] == i && out[(2 << 20) - 1] == i);
    support_succeed(copy_line(legacy, a.memory, a.model, 2 << 20, false, VPTR__TRANSFER_WAIT));
    support_succeed(copy_line(other, out, a.memory, 2 << 20, false, 0));
    ck_assert_int_eq(memcmp(out, a.model, 2 << 20), 0);
  }
  free(out);
  place_free(&a, mapper);
}
END_TEST

START_TEST(an_event_orders_two_streams) {
  struct place a = place_make(mapper, 1 << 20), b = place_make(mapper, 1 << 20);
  vptr__event *event;
  support_succeed(vptr__event_create(mapper, 0, &event));
  close_gate(stream);
  vptr__operand operand = { .what = "set", .ptr = a.memory };
  support_succeed(vptr__transfer_set(stream, &operand, 1, (size_t[3]){ 1 << 20, 1, 1 }, 0));
  support_succeed(vptr__event_record(event, stream));
  support_succeed(vptr__stream_wait(other, event));
  support_succeed(copy_line(other, b.memory, a.memory, 1 << 20, false, 0));
  open_gate(stream);
  support_succeed(vptr__stream_synchronize(other));
  memset(a.model, 1, 1 << 20);
  memset(b.model, 1, 1 << 20);
  place_check(&b, mapper);
  support_succeed(vptr__event_destroy(event));
  place_free(&a, mapper);
  place_free(&b, mapper);
}
END_TEST

/* ---- neighbours ----------------------------------------------------------------------------------------- */

enum { COLUMNS = 48, MIDDLE = 20, HEIGHT = 200, TURNS = 60 };

typedef struct painter {
  vptr__stream *stream;
  unsigned char *memory; /* its first column */
  size_t width;
  pthread_t thread;
} painter;

/* Writes its columns over and over, in every way there is, and reads back what it wrote. */
static void *paint(void *context) {
  painter *self = context;
  unsigned char host[COLUMNS * HEIGHT];
  const size_t region[3] = { self->width, HEIGHT, 1 };
  vptr__operand columns = { .what = "columns", .ptr = self->memory, .row = COLUMNS };
  vptr__operand packed = { .what = "host", .ptr = host, .row = self->width };
  for (int i = 0; i < TURNS; i++) {
    memset(host, i, sizeof host);
    if (i % 2 == 0)
      support_must(vptr__transfer_copy(self->stream, &columns, &packed, region, 0) == VPTR_SUCCESS);
    else
      support_must(vptr__transfer_set(self->stream, &columns, (unsigned char)i, region, 0) == VPTR_SUCCESS);
    memset(host, 255, sizeof host);
    support_must(vptr__transfer_copy(self->stream, &packed, &columns, region, 0) == VPTR_SUCCESS);
    for (size_t k = 0; k < self->width * HEIGHT; k++)
      support_must(host[k] == i);
  }
  return NULL;
}

START_TEST(others_may_write_beside_a_rect) {
  struct place a = place_make(mapper, (size_t)COLUMNS * HEIGHT);
  painter painters[2] = { { .stream = stream, .memory = a.memory, .width = MIDDLE },
                          { .stream = other, .memory = a.memory + MIDDLE, .width = COLUMNS - MIDDLE - 3 } };
  for (int i = 0; i < 2; i++)
    pthread_create(&painters[i].thread, NULL, paint, &painters[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(painters[i].thread, NULL);
  for (size_t i = 0; i < a.size; i++)
    if (i % COLUMNS < COLUMNS - 3)
      a.model[i] = TURNS - 1;
  place_check(&a, mapper);
  place_free(&a, mapper);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------------------- */

START_TEST(a_rect_that_leaves_its_allocation_moves_nothing) {
  struct place a = place_make(mapper, 1000), b = place_make(mapper, 1000), host = place_make(NULL, 4000);
  const size_t region[3] = { 100, 10, 1 };
  vptr__operand fits = { .what = "fits", .ptr = a.memory, .row = 100 },
                leaves = { .what = "leaves", .ptr = b.memory + 1, .row = 100 };
  vptr__operand from_host = { .what = "host", .ptr = host.memory, .row = 200 };
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_copy(stream, &leaves, &from_host, region, 0));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_copy(stream, &from_host, &leaves, region, 0));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_copy(stream, &fits, &leaves, region, 0));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_copy(stream, &leaves, &fits, region, VPTR__TRANSFER_WAIT));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_set(stream, &leaves, 1, region, 0));
  vptr__operand narrow = { .what = "narrow", .ptr = a.memory, .row = 99 };
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__transfer_copy(stream, &narrow, &from_host, region, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__transfer_set(stream, &narrow, 1, region, 0));
  vptr__operand null = { .what = "null", .row = 100 };
  support_expect(VPTR_ERROR_NULL_POINTER, vptr__transfer_copy(stream, &null, &fits, region, 0));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr__transfer_copy(stream, &fits, &null, region, 0));
  support_succeed(vptr__transfer_copy(stream, &null, &null, (size_t[3]){ 5, 0, 1 }, 0));
  support_succeed(vptr__transfer_set(stream, &null, 1, (size_t[3]){ 0, 5, 1 }, 0));
  support_succeed(vptr__stream_synchronize(stream));
  place_check(&a, mapper);
  place_check(&b, mapper);
  place_check(&host, mapper);
  place_free(&a, mapper);
  place_free(&b, mapper);
  place_free(&host, mapper);
}
END_TEST

/* It goes in pieces of 4 MiB, and the first ones would be no reason to refuse. */
START_TEST(a_line_between_mappers_that_leaves_its_allocation_moves_nothing) {
  enum { SHORT = 5 << 20, LONG = 6 << 20 };
  vptr_mapper *second;
  support_succeed(vptr_mapper_create(NULL, &second));
  struct place here = place_make(mapper, SHORT), there = place_make(second, LONG);
  const size_t region[3] = { LONG, 1, 1 };
  vptr__operand leaves = { .what = "leaves", .ptr = here.memory }, fits = { .what = "fits", .ptr = there.memory };
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_copy(stream, &leaves, &fits, region, 0));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__transfer_copy(stream, &fits, &leaves, region, 0));
  place_check(&here, mapper);
  place_check(&there, second);
  place_free(&here, mapper);
  place_free(&there, second);
  support_succeed(vptr_mapper_destroy(second));
}
END_TEST

START_TEST(memory_in_flight_outlives_its_free) {
  enum { SIZE = 1 << 20 };
  for (int i = 0; i < 5; i++) {
    struct place a = place_make(mapper, SIZE), b = place_make(mapper, SIZE);
    support_succeed(copy_line(stream, b.memory, a.memory, SIZE, false, 0));
    memcpy(b.model, a.model, SIZE);
    place_free(&a, mapper);
    support_succeed(vptr__stream_synchronize(stream));
    place_check(&b, mapper);
    place_free(&b, mapper);
  }
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

typedef vptr_status (*attempt)(unsigned char *a, unsigned char *b);

static unsigned char host_memory[100000];

static vptr_status do_staged(unsigned char *a, unsigned char *b) {
  (void)b;
  return copy_line(stream, a, host_memory, 5000, false, 0);
}

static vptr_status do_waiting(unsigned char *a, unsigned char *b) {
  (void)b;
  return copy_line(stream, host_memory, a, 5000, false, 0);
}

static vptr_status do_blocking(unsigned char *a, unsigned char *b) {
  (void)b;
  return copy_line(legacy, a, host_memory, 5000, false, VPTR__TRANSFER_WAIT);
}

static vptr_status do_overlapping(unsigned char *a, unsigned char *b) {
  (void)b;
  return copy_line(stream, a + 1, a, 5000, false, 0);
}

static vptr_status do_other_pitch(unsigned char *a, unsigned char *b) {
  vptr__operand to = { .what = "to", .ptr = a, .row = 100 }, from = { .what = "from", .ptr = b, .row = 200 };
  return vptr__transfer_copy(stream, &to, &from, (size_t[3]){ 90, 20, 1 }, 0);
}

static vptr_status do_set(unsigned char *a, unsigned char *b) {
  (void)b;
  vptr__operand to = { .what = "to", .ptr = a, .row = 100 };
  return vptr__transfer_set(stream, &to, 1, (size_t[3]){ 90, 50, 1 }, VPTR__TRANSFER_WAIT);
}

static vptr_status do_on_host(unsigned char *a, unsigned char *b) {
  (void)a, (void)b;
  return copy_line(stream, host_memory, host_memory + 50000, 5000, false, 0);
}

static vptr_mapper *second_mapper;
static unsigned char *second_memory;

static vptr_status do_peer(unsigned char *a, unsigned char *b) {
  (void)b;
  return copy_line(stream, a, second_memory, 5000, false, 0);
}

static const attempt operations[] = { do_staged,      do_waiting, do_blocking, do_overlapping,
                                      do_other_pitch, do_set,     do_on_host,  do_peer };

/* Each operation of the device fails once; then everything works again and nothing is lost. */
static void fail_each(attempt operation, bool memory) {
  struct place a = place_make(mapper, PLACE), b = place_make(mapper, PLACE);
  support_succeed(operation(a.memory, b.memory));
  support_succeed(vptr__stream_synchronize_all(mapper));
  vptr_status status = VPTR_ERROR_OPENCL;
  int n = 1;
  for (; n < 200; n++) {
    if (memory)
      vptr__memory_fail_nth(n);
    else
      vptr__fake_fail_nth(n, CL_OUT_OF_HOST_MEMORY);
    status = operation(a.memory, b.memory);
    if (memory)
      vptr__memory_fail_nth(0);
    else
      vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__stream_synchronize_all(mapper); /* a command that failed later */
    if (status == VPTR_SUCCESS && n > 30)
      break;
  }
  ck_assert_int_lt(n, 200);
  support_succeed(operation(a.memory, b.memory));
  support_succeed(vptr__stream_synchronize_all(mapper));
  place_free(&a, mapper);
  place_free(&b, mapper);
}

START_TEST(faults_lose_nothing) {
  if (support_has_opencl())
    return;
  void *second = NULL;
  support_succeed(vptr_mapper_create(NULL, &second_mapper));
  support_succeed(vptr_malloc(second_mapper, PLACE, &second));
  second_memory = second;
  attempt tested = operations[_i / 2];
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  fail_each(tested, _i % 2 == 1);
  support_succeed(vptr_trim(mapper, 0));
  vptr__fake_get_counts(&after);
  ck_assert_uint_le(after.buffers, before.buffers + 2); /* the small slab that the places lie in */
  support_succeed(vptr_mapper_destroy(second_mapper));
}
END_TEST

/* The device is full of idle buffers: they go before a move fails for want of a bounce buffer, and no error is left. */
START_TEST(a_full_device_gives_up_idle_buffers_for_a_queued_move) {
  if (support_has_opencl())
    return;
  struct place place = place_make(mapper, PLACE);
  void *idle = NULL;
  support_succeed(vptr_malloc(mapper, 2 << 20, &idle));
  support_succeed(vptr_free(mapper, idle));
  support_expect(VPTR_ERROR_NULL_POINTER, copy_line(stream, NULL, place.memory, 1, false, 0));
  char *words = strdup(vptr_last_error());
  vptr__fake_fail_nth(1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  support_succeed(copy_line(stream, place.memory + 1, place.memory, 5000, false, 0));
  vptr__fake_fail_nth(0, CL_SUCCESS);
  ck_assert_str_eq(vptr_last_error(), words);
  free(words);
  memmove(place.model + 1, place.model, 5000);
  support_succeed(vptr__stream_synchronize(stream));
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &stats));
  ck_assert_uint_eq(stats.idle_bytes, 0);
  place_check(&place, mapper);
  place_free(&place, mapper);
}
END_TEST

static long live_before;

/* What the process keeps from its first two mappers is no loss. */
static void setup_counted(void) {
  vptr_mapper *beside = NULL;
  setup();
  support_succeed(vptr_mapper_create(NULL, &beside));
  support_succeed(vptr_mapper_destroy(beside));
  teardown();
  live_before = vptr__memory_live();
  setup();
}

static void teardown_counted(void) {
  teardown();
  ck_assert_int_eq(vptr__memory_live(), live_before);
}

static Suite *async_suite(void) {
  Suite *suite = suite_create("async");
  TCase *bytes = tcase_create("bytes");
  tcase_add_checked_fixture(bytes, setup, teardown);
  tcase_add_test(bytes, random_rects_are_as_their_model_on_a_stream);
  tcase_add_test(bytes, random_rects_are_as_their_model_on_the_legacy_stream);
  tcase_add_test(bytes, random_rects_are_as_their_model_between_two_mappers);
  tcase_add_test(bytes, copies_larger_than_a_piece_arrive_whole);
  tcase_add_test(bytes, tall_rects_are_set);
  tcase_add_test(bytes, elements_of_host_memory_are_set_to_the_byte);
  tcase_add_test(bytes, elements_of_rects_are_set_to_the_byte);
  tcase_add_test(bytes, long_lines_are_set_at_any_alignment);
  suite_add_tcase(suite, bytes);
  TCase *waiting = tcase_create("waiting");
  tcase_add_checked_fixture(waiting, setup, teardown);
  tcase_add_test(waiting, a_little_pageable_memory_may_be_used_again_at_once);
  tcase_add_test(waiting, much_pageable_memory_may_be_used_again_on_return);
  tcase_add_test(waiting, pageable_memory_is_there_on_return);
  tcase_add_test(waiting, nobody_waits_for_pinned_and_device_memory);
  tcase_add_test(waiting, where_queues_tell_of_failures_a_command_is_all_that_is_asked);
  tcase_add_test(waiting, host_to_host_comes_after_the_stream);
  tcase_add_test(waiting, pinned_memory_can_be_set);
  tcase_add_test(waiting, a_waiting_copy_keeps_the_legacy_order);
  tcase_add_test(waiting, an_event_orders_two_streams);
  tcase_add_test(waiting, others_may_write_beside_a_rect);
  suite_add_tcase(suite, waiting);
  TCase *refusals = tcase_create("refusals");
  tcase_add_checked_fixture(refusals, setup_counted, teardown_counted);
  tcase_add_test(refusals, a_rect_that_leaves_its_allocation_moves_nothing);
  tcase_add_test(refusals, a_line_between_mappers_that_leaves_its_allocation_moves_nothing);
  tcase_add_test(refusals, memory_in_flight_outlives_its_free);
  tcase_add_test(refusals, a_full_device_gives_up_idle_buffers_for_a_queued_move);
  tcase_add_loop_test(refusals, faults_lose_nothing, 0, 2 * (int)(sizeof operations / sizeof *operations));
  suite_add_tcase(suite, refusals);
  return suite;
}

int main(void) {
  return support_run(async_suite());
}
