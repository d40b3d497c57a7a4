/* SPDX-License-Identifier: MIT */
/*
 * A joint device beside a model: random copies, fills, rects and kernels in several queues, with what each of them
 * waits for, and all bytes in the end.
 */
#include "joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "device/joint.h"
#include "support/support.h"

enum { BUFFERS = 6, QUEUES = 3, MOST_BYTES = 300 << 10, ROUNDS = 24, STEPS = 60, READS = STEPS };

typedef struct block {
  cl_mem buffer;
  size_t bytes;
  unsigned char *model;
  cl_event last; /* of the last command that used it; NULL: none did */
} block;

typedef struct reading {
  unsigned char *got, *expected;
  size_t bytes;
} reading;

static vptr__device *device;
static block blocks[BUFFERS];
static cl_command_queue queues[QUEUES];
static cl_program program;
static cl_kernel kernel;
static reading readings[READS];
static unsigned char *writings[STEPS];
static size_t read_count, write_count;
static uint64_t seed;
static long live_before;

static size_t below(size_t limit) {
  return support_below(&seed, limit);
}

static void open_all(void) {
  static const size_t sizes[BUFFERS] = { 4096, 20000, 65536, 100000, 262144, MOST_BYTES };
  seed = 17;
  live_before = vptr__memory_live();
  device = joined_open();
  for (int i = 0; i < QUEUES; i++) {
    support_succeed(device->ops->queue.create(device, 0, false, &queues[i]));
    support_succeed(device->ops->queue.adopt(device, queues[i]));
  }
  kernel = joined_kernel(device, &program);
  for (int i = 0; i < BUFFERS; i++) {
    blocks[i] = (block){ .bytes = sizes[i], .model = calloc(sizes[i], 1) };
    support_succeed(device->ops->memory.create_set(device, sizes[i], (unsigned char)i, &blocks[i].buffer));
    memset(blocks[i].model, i, sizes[i]);
  }
}

static void close_all(void) {
  for (int i = 0; i < BUFFERS; i++) {
    if (blocks[i].last != NULL)
      device->ops->event.release(device, blocks[i].last);
    device->ops->memory.release(device, blocks[i].buffer);
    free(blocks[i].model);
  }
  device->ops->kernel.release(device, kernel);
  device->ops->kernel.program_release(device, program);
  for (int i = 0; i < QUEUES; i++) {
    support_succeed(device->ops->queue.drop(device, queues[i]));
    device->ops->queue.release(device, queues[i]);
  }
  vptr__device_close(device);
  ck_assert_int_eq(vptr__memory_live(), live_before);
}

/* A queue in which the next command stands behind those that used the blocks. */
static cl_command_queue behind(const block *a, const block *b) {
  cl_command_queue queue = queues[below(QUEUES)];
  cl_event events[2];
  cl_uint count = 0;
  if (a->last != NULL)
    events[count++] = a->last;
  if (b != NULL && b->last != NULL)
    events[count++] = b->last;
  support_succeed(device->ops->queue.enqueue_barrier(device, queue, count, events, NULL));
  return queue;
}

static void note(block *it, cl_event event) {
  if (it->last != NULL)
    device->ops->event.release(device, it->last);
  device->ops->event.retain(device, event);
  it->last = event;
}

static unsigned char *random_bytes(size_t size) {
  unsigned char *bytes = malloc(size);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)support_random(&seed);
  writings[write_count++] = bytes;
  return bytes;
}

/* Somewhere, and so much that it mostly crosses stripes of the large ones. */
static size_t place(const block *it, size_t *size_out) {
  const size_t begin = below(it->bytes);
  *size_out = 1 + below(it->bytes - begin);
  return begin;
}

static void step_write(block *it) {
  size_t size, at = place(it, &size);
  const unsigned char *bytes = random_bytes(size);
  cl_event event;
  cl_command_queue queue = behind(it, NULL);
  support_succeed(device->ops->transfer.enqueue_write(device, queue, it->buffer, at, bytes, size, &event));
  memcpy(it->model + at, bytes, size);
  note(it, event);
  device->ops->event.release(device, event);
}

static void step_read(block *it) {
  size_t size, at = place(it, &size);
  reading *wanted = &readings[read_count++];
  cl_event event;
  cl_command_queue queue = behind(it, NULL);
  *wanted = (reading){ malloc(size), malloc(size), size };
  memcpy(wanted->expected, it->model + at, size);
  support_succeed(device->ops->transfer.enqueue_read(device, queue, it->buffer, at, wanted->got, size, &event));
  note(it, event);
  device->ops->event.release(device, event);
}

static void step_copy(block *to, block *from) {
  if (to == from)
    return;
  const size_t to_at = below(to->bytes), from_at = below(from->bytes);
  const size_t room = to->bytes - to_at < from->bytes - from_at ? to->bytes - to_at : from->bytes - from_at;
  const size_t size = 1 + below(room);
  cl_event event;
  cl_command_queue queue = behind(to, from);
  support_succeed(
      device->ops->transfer.enqueue_copy(device, queue, from->buffer, from_at, to->buffer, to_at, size, &event));
  memcpy(to->model + to_at, from->model + from_at, size);
  note(to, event);
  note(from, event);
  device->ops->event.release(device, event);
}

static void step_fill(block *it) {
  const size_t width = (size_t)1 << below(5), units = it->bytes / width;
  const size_t at = below(units), count = 1 + below(units - at);
  unsigned char pattern[16];
  cl_event event;
  for (size_t i = 0; i < width; i++)
    pattern[i] = (unsigned char)support_random(&seed);
  cl_command_queue queue = behind(it, NULL);
  support_succeed(device->ops->transfer.enqueue_fill(device, queue, it->buffer, at * width, count * width, pattern,
                                                     width, &event));
  for (size_t i = 0; i < count; i++)
    memcpy(it->model + (at + i) * width, pattern, width);
  note(it, event);
  device->ops->event.release(device, event);
}

static void step_rect(block *it) {
  const size_t row = 256, rows = it->bytes / row, y = below(rows), height = 1 + below(rows - y);
  const size_t x = below(row), width = 1 + below(row - x);
  const size_t region[3] = { width, height, 1 };
  const vptr__rect rect = { it->buffer, y * row + x, row, row * rows };
  cl_event event;
  cl_command_queue queue = behind(it, NULL);
  if (below(2) == 0) {
    const unsigned char *bytes = random_bytes(width * height);
    support_succeed(
        device->ops->transfer.enqueue_write_rect(device, queue, &rect, bytes, width, width * height, region, &event));
    for (size_t i = 0; i < height; i++)
      memcpy(it->model + (y + i) * row + x, bytes + i * width, width);
  } else {
    reading *wanted = &readings[read_count++];
    *wanted = (reading){ malloc(width * height), malloc(width * height), width * height };
    for (size_t i = 0; i < height; i++)
      memcpy(wanted->expected + i * width, it->model + (y + i) * row + x, width);
    support_succeed(device->ops->transfer.enqueue_read_rect(device, queue, &rect, wanted->got, width, width * height,
                                                            region, &event));
  }
  note(it, event);
  device->ops->event.release(device, event);
}

static void step_copy_rect(block *to, block *from) {
  const size_t row = 128, rows = to->bytes < from->bytes ? to->bytes / row : from->bytes / row;
  const size_t height = 1 + below(rows), width = 1 + below(row / 2);
  const size_t region[3] = { width, height, 1 };
  const vptr__rect there = { to->buffer, below(row / 2), row, row * rows };
  const vptr__rect here = { from->buffer, below(row / 2), row, row * rows };
  cl_event event;
  if (to == from)
    return;
  cl_command_queue queue = behind(to, from);
  support_succeed(device->ops->transfer.enqueue_copy_rect(device, queue, &here, &there, region, &event));
  for (size_t i = 0; i < height; i++)
    memcpy(to->model + there.offset + i * row, from->model + here.offset + i * row, width);
  note(to, event);
  note(from, event);
  device->ops->event.release(device, event);
}

static void step_kernel(block *to, block *from) {
  const size_t to_words = to->bytes / 4, from_words = from->bytes / 4;
  const size_t to_at = below(to_words), from_at = below(from_words);
  const size_t room = to_words - to_at < from_words - from_at ? to_words - to_at : from_words - from_at;
  const size_t words = 1 + below(room < 4000 ? room : 4000);
  const joined_words there = { to->buffer, to_at * 4 }, here = { from->buffer, from_at * 4 };
  cl_event event;
  if (to == from)
    return;
  cl_command_queue queue = behind(to, from);
  support_succeed(joined_launch(device, queue, kernel, &there, &here, words, &event));
  joined_stir(to->model + to_at * 4, from->model + from_at * 4, words);
  note(to, event);
  note(from, event);
  device->ops->event.release(device, event);
}

/* A kernel runs where most bytes are: on another member than the first, by a buffer of which only that one has any. A
 * small block goes there, too. */
static void step_elsewhere(block *small) {
  const unsigned count = device->joint->count, member = 1 + (unsigned)below(count - 1);
  const size_t bytes = (size_t)count * JOINED_STRIPE_FROM, at = member * (size_t)JOINED_STRIPE_FROM;
  const size_t words = small->bytes / 4 < 1000 ? small->bytes / 4 : 1000;
  block other = { .bytes = bytes, .model = calloc(bytes, 1) };
  const unsigned char *written = random_bytes(JOINED_STRIPE_FROM);
  reading *wanted = &readings[read_count++];
  cl_event event;
  support_succeed(device->ops->memory.create(device, bytes, &other.buffer));
  const joined_words there = { other.buffer, at }, here = { small->buffer, 0 };
  cl_command_queue queue = behind(small, NULL);
  support_succeed(
      device->ops->transfer.enqueue_write(device, queue, other.buffer, at, written, JOINED_STRIPE_FROM, NULL));
  memcpy(other.model + at, written, JOINED_STRIPE_FROM);
  support_succeed(joined_launch(device, queue, kernel, &there, &here, words, NULL));
  joined_stir(other.model + at, small->model, words);
  support_succeed(joined_launch(device, queue, kernel, &here, &there, words, &event));
  joined_stir(small->model, other.model + at, words);
  note(small, event);
  device->ops->event.release(device, event);
  *wanted = (reading){ malloc(JOINED_STRIPE_FROM), malloc(JOINED_STRIPE_FROM), JOINED_STRIPE_FROM };
  memcpy(wanted->expected, other.model + at, JOINED_STRIPE_FROM);
  support_succeed(
      device->ops->transfer.enqueue_read(device, queue, other.buffer, at, wanted->got, JOINED_STRIPE_FROM, NULL));
  device->ops->memory.release(device, other.buffer);
  free(other.model);
}

static void step(void) {
  block *a = &blocks[below(BUFFERS)], *b = &blocks[below(BUFFERS)];
  switch (below(8)) {
  case 0:
    step_write(a);
    break;
  case 1:
    step_read(a);
    break;
  case 2:
    step_copy(a, b);
    break;
  case 3:
    step_fill(a);
    break;
  case 4:
    step_rect(a);
    break;
  case 5:
    step_copy_rect(a, b);
    break;
  case 6:
    step_elsewhere(&blocks[below(2)]);
    break;
  default:
    step_kernel(a, b);
    break;
  }
}

static void check_all(void) {
  unsigned char *bytes = malloc(MOST_BYTES);
  support_succeed(device->ops->queue.finish_all(device));
  for (size_t i = 0; i < read_count; i++) {
    support_must(memcmp(readings[i].got, readings[i].expected, readings[i].bytes) == 0);
    free(readings[i].got);
    free(readings[i].expected);
  }
  for (size_t i = 0; i < write_count; i++)
    free(writings[i]);
  read_count = write_count = 0;
  for (int i = 0; i < BUFFERS; i++) {
    support_succeed(device->ops->transfer.read(device, blocks[i].buffer, 0, bytes, blocks[i].bytes));
    support_must(memcmp(bytes, blocks[i].model, blocks[i].bytes) == 0);
  }
  free(bytes);
}

START_TEST(random_work_is_as_on_one_device) {
  for (long round = support_rounds(ROUNDS); round > 0; round--) {
    for (int i = 0; i < STEPS; i++)
      step();
    check_all();
  }
}
END_TEST

START_TEST(so_it_is_where_members_leave_their_order_to_chance) {
  if (support_has_opencl())
    return;
  vptr__fake_disorder(5, 50);
  for (long round = support_rounds(ROUNDS / 3); round > 0; round--) {
    for (int i = 0; i < STEPS; i++)
      step();
    check_all();
  }
  vptr__fake_disorder(0, 0);
}
END_TEST

int main(void) {
  joined_begin();
  Suite *suite = suite_create("joint_random");
  TCase *tcase = tcase_create("model");
  tcase_add_checked_fixture(tcase, open_all, close_all);
  tcase_add_test(tcase, random_work_is_as_on_one_device);
  tcase_add_test(tcase, so_it_is_where_members_leave_their_order_to_chance);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
