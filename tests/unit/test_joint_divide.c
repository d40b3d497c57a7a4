/* SPDX-License-Identifier: MIT */
/*
 * Launches on a joint device that say what they reach: where they run, that nothing is moved for them that need not be,
 * how they are divided, beside a model, and calls of members and commands that fail.
 */
#include "joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "device/joint.h"
#include "layer/faults.h"
#include "support/support.h"

enum { LARGE = 6 * JOINED_STRIPE_FROM, SMALL = 16384, GROUP = 64, ROUNDS = 60 };

/* Work-item i of a block is word i of its part: to = 31 to + from. Blocks are counted from the global offset on. */
static const char text[] =
    "__kernel void blend(__global uchar *to, ulong to_at, __global const uchar *from, ulong from_at, uint nx, uint "
    "n)\n"
    "{ uint bx = get_group_id(0) + get_global_offset(0), by = get_group_id(1) + get_global_offset(1);\n"
    "  uint i = (by * nx + bx) * get_local_size(0) + get_local_id(0);\n"
    "  if (i < n) ((__global uint *)(to + to_at))[i] =\n"
    "    ((__global uint *)(to + to_at))[i] * 31u + ((__global const uint *)(from + from_at))[i]; }\n";

static uint32_t *word_at(void *base, const void *offset, size_t i) {
  cl_ulong at;
  memcpy(&at, offset, sizeof at);
  return (uint32_t *)((uintptr_t)base + (uintptr_t)at + 4 * i);
}

static void blend(const vptr__fake_launch *it) {
  const uint32_t nx = *(uint32_t *)it->arguments[4], n = *(uint32_t *)it->arguments[5];
  for (size_t y = 0; y < it->global[1]; y++)
    for (size_t x = 0; x < it->global[0]; x++) {
      const size_t bx = x / GROUP + it->offset[0], by = y + it->offset[1], i = (by * nx + bx) * GROUP + x % GROUP;
      if (i < n) {
        uint32_t *to = word_at(it->arguments[0], it->arguments[1], i);
        *to = *to * 31 + *word_at(it->arguments[2], it->arguments[3], i);
      }
    }
}

static vptr__device *device;
static cl_program program;
static cl_kernel kernel;
static long live_before;

static void open_device(void) {
  const vptr__program_source source = { .text = text, .length = sizeof text - 1, .options = "" };
  vptr__fake_define("blend", blend);
  live_before = vptr__memory_live();
  device = joined_open();
  support_succeed(device->ops->kernel.program_build(device, &source, &program));
  support_succeed(device->ops->kernel.create(device, program, "blend", &kernel));
}

static void close_device(void) {
  joined_close(device, program, kernel, live_before);
}

static cl_mem make(size_t bytes, unsigned char byte) {
  return joined_make(device, bytes, byte);
}

static void release(cl_mem buffer) {
  device->ops->memory.release(device, buffer);
}

/* ---- launches --------------------------------------------------------------------------------------------- */

/* Of n words; nx blocks in x, and as many in y as it takes. axis 0: it may not be divided. */
typedef struct shape {
  cl_mem to, from;
  size_t to_at, from_at;
  uint32_t n, nx;
  unsigned axis;
  bool discards;
} shape;

static size_t layer_of(const shape *it) {
  return it->axis == 0 ? 0 : 4 * (size_t)GROUP * (it->axis == 2 ? it->nx : 1);
}

static void say_reach(const shape *it, cl_uint index, size_t at) {
  const vptr__reach reach = {
    .begin = at, .end = at + 4 * (size_t)it->n, .layer = layer_of(it), .discards = it->discards && index == 0
  };
  vptr__joint_arg_reach(device, kernel, index, &reach);
}

static vptr_status launch(const shape *it, cl_command_queue queue, cl_event *event_out) {
  const uint32_t blocks = (it->n + GROUP - 1) / GROUP;
  const size_t none[3] = { 0, 0, 0 }, local[3] = { GROUP, 1, 1 };
  const size_t global[3] = { (size_t)it->nx * GROUP, (blocks + it->nx - 1) / it->nx, 1 };
  const cl_ulong to_at = it->to_at, from_at = it->from_at;
  vptr_status status = device->ops->kernel.arg_buffer(device, kernel, 0, it->to);
  if (status == VPTR_SUCCESS) {
    say_reach(it, 0, it->to_at);
    status = device->ops->kernel.arg_value(device, kernel, 1, &to_at, sizeof to_at);
  }
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_read(device, kernel, 2, it->from);
  if (status == VPTR_SUCCESS) {
    say_reach(it, 2, it->from_at);
    status = device->ops->kernel.arg_value(device, kernel, 3, &from_at, sizeof from_at);
  }
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_value(device, kernel, 4, &it->nx, sizeof it->nx);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_value(device, kernel, 5, &it->n, sizeof it->n);
  vptr__joint_divide_along(device, kernel, it->axis);
  return status == VPTR_SUCCESS ? device->ops->kernel.enqueue(device, queue, kernel, none, global, local, event_out)
                                : status;
}

static void must_launch(const shape *it) {
  cl_event event;
  support_succeed(launch(it, device->cl_queue, &event));
  support_succeed(device->ops->event.wait(device, event));
  device->ops->event.release(device, event);
}

static uint32_t word_of(cl_mem buffer, size_t at) {
  uint32_t word;
  support_succeed(device->ops->transfer.read(device, buffer, at, &word, sizeof word));
  return word;
}

static bool is_at_home(cl_mem handle) {
  const vptr__joint_buffer *buffer = vptr__joint_buffer_of(handle);
  bool is_so = true;
  vptr__lock_take(&device->joint->lock);
  for (size_t at = 0, end; at < buffer->bytes; at = end) {
    const unsigned home = vptr__joint_home(buffer, at);
    end = vptr__joint_home_end(buffer, at);
    for (unsigned i = 0; i < device->joint->count; i++) {
      const vptr__joint_place *place = &buffer->places[i];
      is_so &= vptr__joint_spans_on(buffer, at, end, i) == (i == home ? end - at : 0);
      is_so &= i != home || (place->begin == at && place->end == end);
    }
  }
  vptr__lock_give(&device->joint->lock);
  return is_so;
}

/* ---- where they run --------------------------------------------------------------------------------------- */

START_TEST(what_lies_in_one_stripe_is_used_there) {
  cl_mem to = make(LARGE, 1), from = make(LARGE, 2);
  for (unsigned i = 0; i < device->joint->count; i++) {
    const size_t at = i * vptr__joint_buffer_of(to)->stripe + 4096;
    must_launch(&(shape){ .to = to, .from = from, .to_at = at, .from_at = at, .n = 500, .nx = 8 });
    ck_assert_uint_eq(word_of(to, at), 0x01010101u * 31 + 0x02020202u);
    ck_assert_uint_eq(word_of(to, at + 1996), 0x01010101u * 31 + 0x02020202u);
    ck_assert_uint_eq(word_of(to, at + 2000), 0x01010101u);
    ck_assert_uint_eq(word_of(to, at - 4), 0x01010101u);
  }
  ck_assert(is_at_home(to));
  ck_assert(is_at_home(from));
  release(to);
  release(from);
}
END_TEST

static void check_divided(unsigned axis) {
  cl_mem to = make(LARGE, 1), from = make(LARGE, 2);
  unsigned char *bytes = malloc(LARGE), *model = malloc(LARGE);
  must_launch(
      &(shape){ .to = to, .from = from, .n = LARGE / 4, .nx = axis == 2 ? 16 : LARGE / 4 / GROUP, .axis = axis });
  memset(model, 1, LARGE);
  memset(bytes, 2, LARGE);
  joined_stir(model, bytes, LARGE / 4);
  ck_assert(is_at_home(to));
  ck_assert(is_at_home(from));
  support_succeed(device->ops->transfer.read(device, to, 0, bytes, LARGE));
  support_must(memcmp(bytes, model, LARGE) == 0);
  free(bytes);
  free(model);
  release(to);
  release(from);
}

START_TEST(what_is_divided_along_stripes_moves_nothing) {
  check_divided(1);
  check_divided(2);
}
END_TEST

/* ---- what is not divided ---------------------------------------------------------------------------------- */

enum { LAYERS = 24 };

static vptr__joint_argument argument_of(cl_mem buffer, bool reads, size_t begin, size_t bytes, size_t layer) {
  return (vptr__joint_argument){ .kind = VPTR__JOINT_BUFFER,
                                 .buffer = vptr__joint_buffer_of(buffer),
                                 .reads = reads,
                                 .reach = { .begin = begin, .end = bytes > 0 ? begin + bytes : 0, .layer = layer } };
}

static unsigned divide(vptr__joint_argument a, vptr__joint_argument b, const char **why_out) {
  const vptr__joint_argument both[] = { a, b, { .kind = VPTR__JOINT_VALUE, .size = 4 } };
  vptr__joint_part parts[VPTR__JOINT_MOST];
  vptr__joint_use room[3 * VPTR__JOINT_MOST];
  const unsigned made = vptr__joint_divide(device->joint, both, 3, LAYERS, parts, room, why_out);
  size_t next = 0;
  for (unsigned i = 0; i < made; i++) {
    ck_assert_uint_eq(parts[i].first, next);
    ck_assert_uint_gt(parts[i].count, 0);
    next += parts[i].count;
  }
  ck_assert(made == 0 ? *why_out != NULL : next == LAYERS && *why_out == NULL);
  return made;
}

static void expect_whole(vptr__joint_argument a, vptr__joint_argument b, const char *word) {
  const char *why;
  ck_assert_uint_eq(divide(a, b, &why), 0);
  ck_assert_msg(strstr(why, word) != NULL, "%s", why);
}

START_TEST(it_is_divided_only_where_that_is_sound) {
  const char *why;
  cl_mem to = make(LARGE, 1), from = make(LARGE, 2), small = make(SMALL, 3);
  const size_t layer = LARGE / LAYERS;
  const vptr__joint_argument written = argument_of(to, false, 0, LARGE, layer);
  const unsigned all = device->joint->count;
  ck_assert_uint_eq(divide(written, argument_of(from, true, 0, LARGE, layer), &why), all);
  ck_assert_uint_eq(divide(written, argument_of(small, true, 0, 0, 0), &why), all);
  ck_assert_uint_eq(divide(written, argument_of(to, true, 0, LARGE, layer), &why), all);
  expect_whole(written, argument_of(small, false, 0, 0, 0), "may write more");
  expect_whole(written, argument_of(small, false, 0, SMALL, 0), "may write more");
  expect_whole(written, argument_of(to, true, 0, 0, 0), "would write what others use");
  expect_whole(written, argument_of(to, true, 4096, LARGE - 4096, layer), "would write what others use");
  expect_whole(argument_of(small, false, 0, SMALL, SMALL / LAYERS), argument_of(from, true, 0, LARGE, 0),
               "no argument with layers");
  expect_whole(argument_of(to, false, 0, 4096, 128), argument_of(from, true, 0, 0, 0), "in one stripe");
  expect_whole(written, argument_of(from, true, 0, layer, layer), "reach nothing");
  release(to);
  release(from);
  release(small);
}
END_TEST

/* ---- beside a model --------------------------------------------------------------------------------------- */

enum { BUFFERS = 4, QUEUES = 2 };

typedef struct modelled {
  cl_mem buffers[BUFFERS];
  unsigned char *models[BUFFERS];
  size_t bytes[BUFFERS];
  cl_command_queue queues[QUEUES];
  cl_event last;
  uint64_t seed;
} modelled;

static size_t below(modelled *it, size_t limit) {
  return support_below(&it->seed, limit);
}

/* Each stands behind the one before, in whatever queue that was. */
static cl_command_queue next_queue(modelled *it) {
  cl_command_queue queue = it->queues[below(it, QUEUES)];
  if (it->last != NULL) {
    support_succeed(device->ops->queue.enqueue_barrier(device, queue, 1, &it->last, NULL));
    device->ops->event.release(device, it->last);
    it->last = NULL;
  }
  return queue;
}

static void launch_any(modelled *it) {
  const size_t a = below(it, BUFFERS), b = (a + 1 + below(it, BUFFERS - 1)) % BUFFERS;
  const size_t words = (it->bytes[a] < it->bytes[b] ? it->bytes[a] : it->bytes[b]) / 4;
  shape what = { .to = it->buffers[a], .from = it->buffers[b], .n = 1 + (uint32_t)below(it, words) };
  what.axis = (unsigned)below(it, 3);
  what.nx = what.axis == 2 ? 1 + (uint32_t)below(it, 9) : (what.n + GROUP - 1) / GROUP;
  what.to_at = 4 * below(it, it->bytes[a] / 4 - what.n + 1);
  what.from_at = below(it, 2) == 0 && what.to_at / 4 + what.n <= it->bytes[b] / 4
                     ? what.to_at
                     : 4 * below(it, it->bytes[b] / 4 - what.n + 1);
  support_succeed(launch(&what, next_queue(it), &it->last));
  joined_stir(it->models[a] + what.to_at, it->models[b] + what.from_at, what.n);
}

static void write_any(modelled *it) {
  const size_t a = below(it, BUFFERS), at = below(it, it->bytes[a]), size = 1 + below(it, it->bytes[a] - at);
  cl_command_queue queue = next_queue(it);
  memset(it->models[a] + at, (int)below(it, 256), size);
  support_succeed(
      device->ops->transfer.enqueue_write(device, queue, it->buffers[a], at, it->models[a] + at, size, &it->last));
  support_succeed(device->ops->event.wait(device, it->last)); /* the model's bytes are the source */
}

static void begin_modelled(modelled *it) {
  static const size_t sizes[BUFFERS] = { SMALL, 100000, LARGE, LARGE };
  *it = (modelled){ .seed = 3 };
  for (int i = 0; i < BUFFERS; i++) {
    it->bytes[i] = sizes[i];
    it->buffers[i] = make(sizes[i], (unsigned char)(i + 1));
    it->models[i] = malloc(sizes[i]);
    memset(it->models[i], i + 1, sizes[i]);
  }
  for (int i = 0; i < QUEUES; i++)
    support_succeed(device->ops->queue.create(device, 0, false, &it->queues[i]));
}

static void end_modelled(modelled *it) {
  if (it->last != NULL) {
    support_succeed(device->ops->event.wait(device, it->last));
    device->ops->event.release(device, it->last);
  }
  for (int i = 0; i < BUFFERS; i++) {
    unsigned char *bytes = malloc(it->bytes[i]);
    support_succeed(device->ops->transfer.read(device, it->buffers[i], 0, bytes, it->bytes[i]));
    support_must(memcmp(bytes, it->models[i], it->bytes[i]) == 0);
    free(bytes);
    free(it->models[i]);
    release(it->buffers[i]);
  }
  for (int i = 0; i < QUEUES; i++)
    device->ops->queue.release(device, it->queues[i]);
}

START_TEST(random_launches_are_those_of_a_model) {
  modelled all;
  if (!support_has_opencl())
    vptr__fake_disorder(5, 30);
  begin_modelled(&all);
  for (long i = support_rounds(ROUNDS); i > 0; i--)
    (below(&all, 4) == 0 ? write_any : launch_any)(&all);
  end_modelled(&all);
  if (!support_has_opencl())
    vptr__fake_disorder(0, 0);
}
END_TEST

/* ---- what fails ------------------------------------------------------------------------------------------- */

/* One word is written before the stripe border that a layer lies across, so that places grow and bytes are brought. */
static vptr_status do_work(cl_mem to, cl_mem from, bool discards) {
  const shape what = { .to = to,
                       .from = from,
                       .to_at = 100,
                       .from_at = 8,
                       .n = LARGE / 4 - 100,
                       .nx = LARGE / 4 / GROUP,
                       .axis = 1,
                       .discards = discards };
  cl_event event;
  vptr_status status = launch(&what, device->cl_queue, &event);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->event.wait(device, event);
  device->ops->event.release(device, event);
  return status;
}

/* Words are what they were or what they shall be, those that nobody names what they were. */
static void check_words(cl_mem to, bool has_worked) {
  uint32_t *words = malloc(LARGE);
  support_succeed(device->ops->transfer.read(device, to, 0, words, LARGE));
  for (size_t i = 0; i < LARGE / 4; i++) {
    const bool is_named = i >= 25 && i < 25 + LARGE / 4 - 100;
    const bool is_new = words[i] == 0x01010101u * 31 + 0x02020202u;
    support_must(is_named && is_new ? true : words[i] == 0x01010101u && !(is_named && has_worked));
  }
  free(words);
}

static void check_survives(cl_mem buffer) {
  unsigned char *bytes = malloc(LARGE), *again = malloc(LARGE);
  memset(bytes, 77, LARGE);
  support_succeed(device->ops->transfer.write(device, buffer, 0, bytes, LARGE));
  support_succeed(device->ops->transfer.read(device, buffer, 0, again, LARGE));
  support_must(memcmp(bytes, again, LARGE) == 0);
  free(bytes);
  free(again);
}

/* Whether it failed. */
static bool try_work(void (*plant)(long n), long n) {
  cl_mem to = make(LARGE, 1), from = make(LARGE, 2);
  support_succeed(device->ops->queue.finish_all(device));
  plant(n);
  vptr_status status = do_work(to, from, false);
  device->ops->queue.finish_all(device);
  plant(0);
  check_words(to, status == VPTR_SUCCESS);
  check_survives(to);
  release(to);
  release(from);
  ck_assert_int_lt(n, 300);
  return status != VPTR_SUCCESS;
}

static void fail_each(void (*plant)(long n)) {
  for (long n = 1; try_work(plant, n); n++)
    ;
}

static void fail_call(long n) {
  if (n > 0)
    faults_plant(n, CL_OUT_OF_RESOURCES);
  else
    faults_pull();
}

/* Some that fail change nothing: they are tried until none is left to fail. */
START_TEST(each_call_of_a_member_fails_once) {
  if (!faults_can())
    return;
  long n = 1;
  do
    try_work(fail_call, n++);
  while (faults_have_fired());
  ck_assert_int_gt(n, 10);
}
END_TEST

static void fail_command(long n) {
  vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
}

START_TEST(each_command_of_a_member_fails_once) {
  if (!support_has_opencl())
    fail_each(fail_command);
}
END_TEST

START_TEST(each_allocation_of_the_host_fails_once) {
  fail_each(vptr__memory_fail_nth);
}
END_TEST

/* What is discarded is not brought: a launch that writes all of what another member has takes it over. */
START_TEST(what_is_discarded_becomes_true_when_it_is_over) {
  cl_mem to = make(SMALL, 1), from = make(LARGE, 2);
  const vptr__joint_buffer *buffer = vptr__joint_buffer_of(to);
  const size_t at = vptr__joint_buffer_of(from)->stripe;
  const shape what = {
    .to = to, .from = from, .from_at = at, .n = SMALL / 4, .nx = SMALL / 4 / GROUP, .discards = true
  };
  if (!support_has_opencl()) {
    vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
    cl_event event;
    support_succeed(launch(&what, device->cl_queue, &event));
    support_expect(VPTR_ERROR_OPENCL, device->ops->event.wait(device, event));
    device->ops->event.release(device, event);
    vptr__fake_fail_command(0, CL_SUCCESS);
    ck_assert_uint_eq(word_of(to, 0), 0x01010101u);
  }
  must_launch(&what);
  vptr__lock_take(&device->joint->lock);
  size_t sum = 0;
  for (unsigned i = 0; i < device->joint->count; i++)
    sum += i * vptr__joint_spans_on(buffer, 0, SMALL, i);
  vptr__lock_give(&device->joint->lock);
  ck_assert_uint_eq(sum, SMALL); /* the second member's alone */
  release(to);
  release(from);
}
END_TEST

int main(void) {
  joined_begin();
  faults_begin();
  Suite *suite = suite_create("joint_divide");
  TCase *tcase = tcase_create("joint_divide");
  tcase_add_checked_fixture(tcase, open_device, close_device);
  tcase_add_test(tcase, what_lies_in_one_stripe_is_used_there);
  tcase_add_test(tcase, what_is_divided_along_stripes_moves_nothing);
  tcase_add_test(tcase, it_is_divided_only_where_that_is_sound);
  tcase_add_test(tcase, random_launches_are_those_of_a_model);
  tcase_add_test(tcase, each_call_of_a_member_fails_once);
  tcase_add_test(tcase, each_command_of_a_member_fails_once);
  tcase_add_test(tcase, each_allocation_of_the_host_fails_once);
  tcase_add_test(tcase, what_is_discarded_becomes_true_when_it_is_over);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
