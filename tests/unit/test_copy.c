/* SPDX-License-Identifier: MIT */
/*
 * test_copy - vptr_memcpy() against a host model.
 *
 * What carries the load: random copies of every direction between allocations and their models in host memory, and
 * every overlap that takes another path. The verdicts are tried at each edge, as source and as destination; the
 * fake device then tells that nothing moved. Faults are injected at every operation of every kind of copy.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum { MIB = 1 << 20 };

static vptr_mapper *mapper;

static void setup(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
}

static void teardown(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static unsigned char *noise(size_t size, uint64_t seed) {
  unsigned char *bytes = malloc(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = (unsigned char)(support_random(&seed) >> 32);
  return bytes;
}

/* An allocation with random content, and a host model that tells what it must hold. */
struct model {
  unsigned char *device, *host;
  size_t size;
};

static struct model model_make(size_t size, uint64_t seed) {
  struct model made = { NULL, noise(size, seed), size };
  void *device = NULL;
  support_succeed(vptr_malloc(mapper, size, &device));
  made.device = device;
  support_succeed(vptr_memcpy(mapper, made.device, made.host, size));
  return made;
}

static void model_expect_equal(const struct model *model) {
  unsigned char *seen = malloc(model->size);
  support_succeed(vptr_memcpy(mapper, seen, model->device, model->size));
  for (size_t i = 0; i < model->size; ++i)
    if (seen[i] != model->host[i])
      ck_abort_msg("byte %zu of %zu is %u, not %u", i, model->size, seen[i], model->host[i]);
  free(seen);
}

static void model_free(struct model *model) {
  support_succeed(vptr_free(mapper, model->device));
  free(model->host);
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

START_TEST(host_to_host_is_memmove) {
  unsigned char bytes[300], model[300];
  for (int i = 0; i < 300; ++i)
    bytes[i] = model[i] = (unsigned char)i;
  support_succeed(vptr_memcpy(mapper, bytes + 10, bytes, 200));
  memmove(model + 10, model, 200);
  support_succeed(vptr_memcpy(mapper, bytes, bytes + 7, 200));
  memmove(model, model + 7, 200);
  ck_assert_int_eq(memcmp(bytes, model, sizeof bytes), 0);
}
END_TEST

START_TEST(a_single_byte_goes_to_its_place) {
  struct model target = model_make(1000, 1);
  for (size_t at = 0; at < 1000; at += 111) {
    unsigned char byte = (unsigned char)~target.host[at];
    support_succeed(vptr_memcpy(mapper, target.device + at, &byte, 1));
    target.host[at] = byte;
  }
  model_expect_equal(&target);
  model_free(&target);
}
END_TEST

START_TEST(device_to_device_between_neighbours_and_buffers) {
  struct model models[4] = { model_make(500, 1), model_make(500, 2), model_make(2 * MIB + 13, 3),
                             model_make(3 * MIB, 4) };
  for (int to = 0; to < 4; ++to)
    for (int from = 0; from < 4; ++from) {
      if (to == from)
        continue;
      size_t size = models[to].size < models[from].size ? models[to].size : models[from].size;
      memcpy(models[to].host + 1, models[from].host, size - 1);
      support_succeed(vptr_memcpy(mapper, models[to].device + 1, models[from].device, size - 1));
      model_expect_equal(&models[to]);
    }
  for (int i = 0; i < 4; ++i)
    model_free(&models[i]);
}
END_TEST

static void expect_move(struct model *model, size_t to, size_t from, size_t size) {
  memmove(model->host + to, model->host + from, size);
  support_succeed(vptr_memcpy(mapper, model->device + to, model->device + from, size));
  model_expect_equal(model);
}

/* Sizes on both sides of the path through the stack, distances on both sides of direct steps. */
START_TEST(overlapping_device_ranges_move_as_memmove) {
  static const size_t sizes[] = { 1, 2, 3, 100, 4095, 4096, 4097, 10000, 100001 };
  struct model model = model_make(250000, 5);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    size_t size = sizes[i];
    size_t distances[] = { 0, 1, 3, size / 3, size / 2 - 1, size / 2, size / 2 + 1, size - 1, size, size + 1 };
    for (size_t k = 0; k < sizeof distances / sizeof *distances; ++k) {
      if (distances[k] > size + 1)
        continue;
      expect_move(&model, 17 + distances[k], 17, size);
      expect_move(&model, 17, 17 + distances[k], size);
    }
  }
  model_free(&model);
}
END_TEST

START_TEST(overlapping_moves_larger_than_the_bounce_buffer) {
  struct model model = model_make(35 * (size_t)MIB, 6);
  expect_move(&model, 1, 0, model.size - 1);
  expect_move(&model, 0, 5, model.size - 5);
  expect_move(&model, 9 * MIB, 3, model.size - 9 * MIB - 3);
  model_free(&model);
}
END_TEST

START_TEST(copies_to_itself_change_nothing) {
  struct model model = model_make(50000, 7);
  expect_move(&model, 0, 0, model.size);
  model_free(&model);
}
END_TEST

enum { MODELS = 6 };

static void random_step(struct model *models, unsigned char *scratch, uint64_t *state) {
  struct model *to = &models[support_random(state) % MODELS];
  struct model *from = support_random(state) % 3 == 0 ? to : &models[support_random(state) % MODELS];
  size_t to_at = support_random(state) % to->size, from_at = support_random(state) % from->size;
  size_t room = to->size - to_at < from->size - from_at ? to->size - to_at : from->size - from_at;
  size_t size = support_random(state) % (room + 1);
  switch (support_random(state) % 3) {
  case 0: /* device to device */
    memmove(to->host + to_at, from->host + from_at, size);
    support_succeed(vptr_memcpy(mapper, to->device + to_at, from->device + from_at, size));
    break;
  case 1: /* host to device */
    memset(scratch, (int)support_random(state), size);
    memcpy(to->host + to_at, scratch, size);
    support_succeed(vptr_memcpy(mapper, to->device + to_at, scratch, size));
    break;
  default: /* device to host */
    support_succeed(vptr_memcpy(mapper, scratch, from->device + from_at, size));
    ck_assert_int_eq(memcmp(scratch, from->host + from_at, size), 0);
  }
}

START_TEST(random_copies_agree_with_the_model) {
  uint64_t state = 8;
  struct model models[MODELS];
  for (int i = 0; i < MODELS; ++i)
    models[i] = model_make(1 + support_random(&state) % (i < 3 ? 5000 : 3 * MIB), (uint64_t)i);
  unsigned char *scratch = malloc(3 * MIB);
  for (int i = 0; i < 500; ++i)
    random_step(models, scratch, &state);
  free(scratch);
  for (int i = 0; i < MODELS; ++i) {
    model_expect_equal(&models[i]);
    model_free(&models[i]);
  }
}
END_TEST

START_TEST(null_means_the_default_mapper) {
  void *ptr = NULL;
  char text[6] = "hello", seen[6] = "";
  support_succeed(vptr_malloc(NULL, 100, &ptr));
  support_succeed(vptr_memcpy(NULL, ptr, text, 6));
  support_succeed(vptr_memset(NULL, (char *)ptr + 1, 'a', 1));
  support_succeed(vptr_memcpy(NULL, seen, ptr, 6));
  ck_assert_str_eq(seen, "hallo");
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_memcpy(mapper, seen, ptr, 6));
  support_succeed(vptr_free(NULL, ptr));
}
END_TEST

/* ---- other queues --------------------------------------------------------------------------------------- */

static void *open_gate_soon(void *context) {
  nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
  clSetUserEventStatus(context, CL_COMPLETE);
  return NULL;
}

/* Starts a fill of the model on the other queue, behind a gate that opens in a while. */
static pthread_t fill_later(cl_command_queue queue, const struct model *model, unsigned char value) {
  pthread_t thread;
  cl_mem buffer = NULL;
  size_t offset;
  cl_event gate = clCreateUserEvent(vptr_get_context(mapper), NULL);
  support_succeed(vptr_retain_buffer(mapper, model->device, &buffer, &offset));
  ck_assert_int_eq(clEnqueueFillBuffer(queue, buffer, &value, 1, offset, model->size, 1, &gate, NULL), CL_SUCCESS);
  ck_assert_int_eq(clFlush(queue), CL_SUCCESS);
  memset(model->host, value, model->size);
  ck_assert_int_eq(pthread_create(&thread, NULL, open_gate_soon, gate), 0);
  clReleaseMemObject(buffer);
  return thread;
}

START_TEST(transfers_wait_for_the_queues_that_were_named) {
  if (!support_has_opencl())
    return;
  struct model model = model_make(5000, 17);
  void *host = NULL;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(vptr_get_context(mapper), vptr_get_device(mapper), NULL, NULL);
  support_succeed(vptr_use_queue(mapper, queue));
  pthread_t thread = fill_later(queue, &model, 1);
  model_expect_equal(&model);
  pthread_join(thread, NULL);

  thread = fill_later(queue, &model, 2);
  support_succeed(vptr_memset(mapper, model.device, 3, 10));
  memset(model.host, 3, 10);
  model_expect_equal(&model);
  pthread_join(thread, NULL);

  thread = fill_later(queue, &model, 4);
  support_succeed(vptr_map(mapper, model.device, model.size, VPTR_ACCESS_READ, &host));
  ck_assert_int_eq(memcmp(host, model.host, model.size), 0);
  support_succeed(vptr_unmap(mapper, host));
  pthread_join(thread, NULL);

  support_succeed(vptr_drop_queue(mapper, queue));
  clReleaseCommandQueue(queue);
  model_free(&model);
}
END_TEST

/* ---- verdicts ------------------------------------------------------------------------------------------- */

/* p[-1] of the first allocation, whatever p points to. */
START_TEST(nothing_lies_in_front_of_the_first_device_address) {
  static const size_t before[] = { 1, 2, 8, 100, 4096 };
  unsigned char host[8] = "abcdefg", *base = (unsigned char *)vptr__heap_directory(mapper->heap)->base;
  struct model it = model_make(100, 1);
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    for (size_t size = 1; size <= 8 && size <= before[i]; size *= 2) {
      support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_memcpy(mapper, base - before[i], host, size));
      support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_memcpy(mapper, host, base - before[i], size));
      support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_memcpy(mapper, base - before[i], it.device, size));
      support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_memcpy(mapper, it.device, base - before[i], size));
      support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_fill(mapper, it.device, base - before[i], size, 3));
    }
  model_expect_equal(&it);
  model_free(&it);
}
END_TEST

/* There it may be the program's. */
START_TEST(memory_may_end_where_a_reservation_was_placed) {
  const size_t room = (size_t)256 << 20, page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *place = mmap(NULL, 2 * room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ck_assert(place != MAP_FAILED);
  unsigned char *base = (unsigned char *)(((uintptr_t)place + room - 1) & ~(uintptr_t)(room - 1)),
                host[8] = "abcdefg";
  if (base - place < (ptrdiff_t)page)
    base += room / 2;
  munmap(base, (size_t)(place + 2 * room - base));
  ck_assert_int_eq(mprotect(base - page, page, PROT_READ | PROT_WRITE), 0);
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *there;
  void *device;
  config.base_address = (uintptr_t)base;
  config.reserve_size = room / 4;
  support_succeed(vptr_mapper_create(&config, &there));
  support_succeed(vptr_malloc(there, 8, &device));
  support_succeed(vptr_memcpy(there, base - 8, host, 8));
  support_succeed(vptr_memcpy(there, device, base - 8, 8));
  memset(host, 0, 8);
  support_succeed(vptr_memcpy(there, host, device, 8));
  ck_assert_mem_eq(host, "abcdefg", 8);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_memcpy(there, base - 8, host, 9));
  support_succeed(vptr_mapper_destroy(there));
  munmap(place, (size_t)(base - place));
}
END_TEST

START_TEST(size_zero_succeeds_whatever_the_addresses) {
  char host;
  support_succeed(vptr_memcpy(mapper, NULL, NULL, 0));
  support_succeed(vptr_memcpy(mapper, &host, NULL, 0));
  support_succeed(vptr_memcpy(mapper, (void *)8, (void *)16, 0));
}
END_TEST

/* Both ways, and no byte moves either way. */
static void expect_refusal(vptr_status expected, void *bad, size_t size) {
  unsigned char *host = noise(size, 9), *before = noise(size, 9);
  vptr__fake_counts counts_before, counts;
  vptr__fake_get_counts(&counts_before);
  support_expect(expected, vptr_memcpy(mapper, bad, host, size));
  ck_assert_str_ne(vptr_last_error(), "");
  support_expect(expected, vptr_memcpy(mapper, host, bad, size));
  ck_assert_str_ne(vptr_last_error(), "");
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.operations, counts_before.operations);
  ck_assert_int_eq(memcmp(host, before, size), 0);
  free(host);
  free(before);
}

START_TEST(null_is_refused) {
  expect_refusal(VPTR_ERROR_NULL_POINTER, NULL, 1);
  expect_refusal(VPTR_ERROR_NULL_POINTER, NULL, 100);
}
END_TEST

static void expect_edges_refused(size_t size) {
  struct model model = model_make(size, 10);
  expect_refusal(VPTR_ERROR_OUT_OF_BOUNDS, model.device, size + 1);
  expect_refusal(VPTR_ERROR_OUT_OF_BOUNDS, model.device + size - 1, 2);
  expect_refusal(VPTR_ERROR_OUT_OF_BOUNDS, model.device + 1, size);
  expect_refusal(VPTR_ERROR_PAST_END, model.device + size, 1);
  unsigned char last = model.host[size - 1];
  support_succeed(vptr_memcpy(mapper, model.device + size - 1, &last, 1));
  model_expect_equal(&model);
  unsigned char *freed = model.device;
  model_free(&model);
  expect_refusal(VPTR_ERROR_FREED, freed, 1);
  expect_refusal(VPTR_ERROR_FREED, freed + size - 1, 1);
}

START_TEST(every_edge_has_its_verdict) {
  expect_edges_refused(700);
  expect_edges_refused(2 * MIB + 5);
}
END_TEST

START_TEST(addresses_never_issued_and_of_another_mapper_are_refused) {
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &stats));
  expect_refusal(VPTR_ERROR_UNKNOWN_ADDRESS, (void *)(stats.reserve_base + stats.reserve_bytes - 64), 8);
  vptr_mapper *other = NULL;
  void *theirs = NULL;
  support_succeed(vptr_mapper_create(NULL, &other));
  support_succeed(vptr_malloc(other, 100, &theirs));
  expect_refusal(VPTR_ERROR_OTHER_MAPPER, theirs, 8);
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(host_ranges_that_run_into_device_addresses_are_refused) {
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &stats));
  unsigned char *before = (unsigned char *)stats.reserve_base - 8;
  unsigned char host[16];
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_memcpy(mapper, host, before, 16));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_memcpy(mapper, before, host, 16));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "device addresses"));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_memcpy(mapper, before, before, stats.reserve_bytes + 16));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_memcpy(mapper, host, (void *)(UINTPTR_MAX - 7), 16));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_memcpy(mapper, host, host, SIZE_MAX));
}
END_TEST

/* A bad source is found before a good destination is written, and the other way round. */
START_TEST(both_ranges_are_checked_before_a_byte_moves) {
  struct model good = model_make(5000, 11), bad = model_make(100, 12);
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_memcpy(mapper, good.device, bad.device, 101));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_memcpy(mapper, bad.device, good.device, 101));
  model_expect_equal(&good);
  model_expect_equal(&bad);
  model_free(&good);
  model_free(&bad);
}
END_TEST

/* ---- races ---------------------------------------------------------------------------------------------- */

struct race {
  void *_Atomic place;
  _Atomic bool over;
};

static void *copy_until_over(void *context) {
  struct race *race = context;
  unsigned char *bytes = calloc(1, 300000);
  long strange = 0;
  while (!race->over) {
    void *place = race->place;
    vptr_status status = vptr_memcpy(mapper, bytes, place, 300000);
    if (status != VPTR_SUCCESS && (status < VPTR_ERROR_NULL_POINTER || status > VPTR_ERROR_OUT_OF_BOUNDS))
      strange++;
  }
  free(bytes);
  return (void *)strange;
}

START_TEST(a_racing_free_never_pulls_the_buffer_from_under_a_copy) {
  struct race race = { NULL, false };
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, copy_until_over, &race), 0);
  for (int i = 0; i < 300; ++i) {
    void *place = NULL;
    support_succeed(vptr_malloc(mapper, 300000, &place));
    race.place = place;
    support_succeed(vptr_memset(mapper, place, i, 300000));
    support_succeed(vptr_free(mapper, place));
    support_succeed(vptr_trim(mapper, 0)); /* not kept: released, were it not for the copies */
  }
  race.over = true;
  for (int i = 0; i < 2; ++i) {
    void *strange;
    pthread_join(threads[i], &strange);
    ck_assert_ptr_null(strange);
  }
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

struct request {
  size_t to, from, size;
  bool to_host, from_host;
};

static const struct request requests[] = {
  { 0, 0, 60000, false, true },   { 0, 0, 60000, true, false },      { 0, 150000, 60000, false, false },
  { 10, 0, 4000, false, false },  { 40000, 0, 60000, false, false }, { 0, 40000, 60000, false, false },
  { 4, 0, 200000, false, false }, { 0, 4, 200000, false, false },
};

static unsigned char host_side[300000];

static vptr_status perform(const struct request *request, const struct model *model) {
  return vptr_memcpy(mapper, request->to_host ? host_side : model->device + request->to,
                     request->from_host ? host_side : model->device + request->from, request->size);
}

static void rewrite(struct model *model) {
  support_succeed(vptr_memcpy(mapper, model->device, model->host, model->size));
}

static void expect_nothing_leaked(const vptr__fake_counts *before) {
  vptr__fake_counts after;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before->buffers);
  ck_assert_uint_eq(after.bytes, before->bytes);
  support_succeed(vptr_check(mapper));
}

/* Whether the n-th operation exists in this request; if so it fails, and the failure is told and harms nothing. */
static bool fails_cleanly(const struct request *request, struct model *model, long n) {
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  vptr__fake_fail_nth(n, CL_INVALID_COMMAND_QUEUE);
  vptr_status status = perform(request, model);
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_get_counts(&after);
  expect_nothing_leaked(&before);
  if (after.operations - before.operations < (uint64_t)n) {
    support_succeed(status);
    return false;
  }
  ck_assert_int_ne(status, VPTR_SUCCESS);
  ck_assert_int_ne(vptr_last_cl_error(), CL_SUCCESS);
  return true;
}

START_TEST(faults_at_every_operation_are_told_and_leave_nothing_behind) {
  if (support_has_opencl())
    return;
  struct model model = model_make(300000, 13);
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
    long n = 1;
    while (fails_cleanly(&requests[i], &model, n))
      n++;
    ck_assert_int_gt(n, 1);
    rewrite(&model);
    model_expect_equal(&model);
  }
  model_free(&model);
}
END_TEST

START_TEST(copies_need_no_host_memory) {
  struct model model = model_make(300000, 14);
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
    vptr__memory_fail_nth(1);
    vptr_status status = perform(&requests[i], &model);
    vptr__memory_fail_nth(0);
    if (!support_has_opencl())
      support_succeed(status);
  }
  model_free(&model);
}
END_TEST

/* The device is full of idle buffers: they go before a move fails for want of a bounce buffer. */
START_TEST(a_full_device_gives_up_idle_buffers_for_a_move) {
  if (support_has_opencl())
    return;
  struct model model = model_make(2 * MIB, 15);
  void *idle = NULL;
  support_succeed(vptr_malloc(mapper, 2 * MIB, &idle));
  support_succeed(vptr_free(mapper, idle));
  vptr__fake_fail_nth(1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  expect_move(&model, 4, 0, model.size - 4);
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &stats));
  ck_assert_uint_eq(stats.idle_bytes, 0);
  model_free(&model);
}
END_TEST

START_TEST(a_bounce_buffer_is_no_allocation) {
  struct model model = model_make(2 * MIB, 16);
  vptr_stats before = { .struct_size = sizeof before }, after = before;
  support_succeed(vptr_get_stats(mapper, &before));
  expect_move(&model, 4, 0, model.size - 4);
  support_succeed(vptr_get_stats(mapper, &after));
  ck_assert_uint_eq(after.serial, before.serial);
  ck_assert_uint_eq(after.buffer_bytes, before.buffer_bytes);
  model_free(&model);
}
END_TEST

/* A retain that is not released shows in the reference count of a stranger's buffer. */
START_TEST(references_are_given_back_on_success_and_failure) {
  if (support_has_opencl())
    return;
  vptr__device *device = NULL;
  support_succeed(vptr__device_open(NULL, 0, &device));
  cl_mem buffer = vptr__fake_buffer_make(device, 1000);
  void *ptr = NULL;
  char host[1000];
  support_succeed(vptr_attach(mapper, buffer, &ptr));
  unsigned references = vptr__fake_buffer_references(buffer);
  support_succeed(vptr_memcpy(mapper, ptr, host, 1000));
  support_succeed(vptr_memcpy(mapper, (char *)ptr + 1, ptr, 999));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_memcpy(mapper, ptr, host, 1001));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_memcpy(mapper, ptr, NULL, 10));
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), references);
  support_succeed(vptr_free(mapper, ptr));
  vptr__fake_buffer_release(buffer);
  vptr__device_close(device);
}
END_TEST

static Suite *copy_suite(void) {
  Suite *suite = suite_create("copy");
  TCase *bytes = tcase_create("bytes");
  tcase_add_checked_fixture(bytes, setup, teardown);
  tcase_add_test(bytes, host_to_host_is_memmove);
  tcase_add_test(bytes, a_single_byte_goes_to_its_place);
  tcase_add_test(bytes, device_to_device_between_neighbours_and_buffers);
  tcase_add_test(bytes, overlapping_device_ranges_move_as_memmove);
  tcase_add_test(bytes, overlapping_moves_larger_than_the_bounce_buffer);
  tcase_add_test(bytes, copies_to_itself_change_nothing);
  tcase_add_test(bytes, random_copies_agree_with_the_model);
  tcase_add_test(bytes, null_means_the_default_mapper);
  tcase_add_test(bytes, transfers_wait_for_the_queues_that_were_named);
  suite_add_tcase(suite, bytes);

  TCase *verdicts = tcase_create("verdicts");
  tcase_add_checked_fixture(verdicts, setup, teardown);
  tcase_add_test(verdicts, size_zero_succeeds_whatever_the_addresses);
  tcase_add_test(verdicts, nothing_lies_in_front_of_the_first_device_address);
  tcase_add_test(verdicts, memory_may_end_where_a_reservation_was_placed);
  tcase_add_test(verdicts, null_is_refused);
  tcase_add_test(verdicts, every_edge_has_its_verdict);
  tcase_add_test(verdicts, addresses_never_issued_and_of_another_mapper_are_refused);
  tcase_add_test(verdicts, host_ranges_that_run_into_device_addresses_are_refused);
  tcase_add_test(verdicts, both_ranges_are_checked_before_a_byte_moves);
  suite_add_tcase(suite, verdicts);

  TCase *faults = tcase_create("faults");
  tcase_add_checked_fixture(faults, setup, teardown);
  tcase_add_test(faults, a_racing_free_never_pulls_the_buffer_from_under_a_copy);
  tcase_add_test(faults, faults_at_every_operation_are_told_and_leave_nothing_behind);
  tcase_add_test(faults, copies_need_no_host_memory);
  tcase_add_test(faults, a_full_device_gives_up_idle_buffers_for_a_move);
  tcase_add_test(faults, a_bounce_buffer_is_no_allocation);
  tcase_add_test(faults, references_are_given_back_on_success_and_failure);
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  return support_run(copy_suite());
}
