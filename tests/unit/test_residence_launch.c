/* SPDX-License-Identifier: MIT */
/*
 * residence_launch - kernels on memory beyond the device: threads launch, look up, copy, allocate and free, and evict
 * each other's memory by that, and compact slabs. Once where kernels take addresses, which no driver knows of, and once
 * by buffers.
 */
#include "residences.h"

#include <pthread.h>
#include <stdio.h>

#include "device/fake.h"
#include "module/module.h"
#include "stream/stream.h"
#include "support/support.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=add lowered=add entry=m_more\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "m_more\n";

static bool has_addresses;
static vptr__module *module;

static int *pointer_at(const vptr__fake_launch *launch, int index) {
  if (has_addresses)
    return *(int *const *)launch->arguments[index];
  return (int *)((unsigned char *)launch->arguments[2 * index] + *(const uint64_t *)launch->arguments[2 * index + 1]);
}

/* to = from + n */
static void run_more(const vptr__fake_launch *launch) {
  *pointer_at(launch, 0) = *pointer_at(launch, 1) + *(const int *)launch->arguments[has_addresses ? 2 : 4];
}

static vptr_status launch_more(vptr__stream *stream, int *to, int *from, int n) {
  void *arguments[] = { &to, &from, &n };
  vptr__launch launch = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(module, "add"), stream, &launch);
}

enum { THREADS = 16, PART = 4096, SMALLS = 12 };

typedef struct worker {
  int number, failures;
  int *small[SMALLS]; /* NULL: freed */
  int values[SMALLS];
} worker;

static int make_small(worker *it, size_t i, size_t size) {
  void *ptr;
  if (vptr_malloc(residences_mapper, size, &ptr) != VPTR_SUCCESS)
    return 1;
  it->small[i] = ptr;
  it->values[i] = 0;
  return vptr_memset(residences_mapper, ptr, 0, sizeof(int)) != VPTR_SUCCESS;
}

/* Slabs that come and go, are nearly empty, and are packed while kernels use them. */
static int do_small_round(worker *it, vptr__stream *stream, uint64_t *random) {
  size_t i = support_below(random, SMALLS), j = support_below(random, SMALLS);
  int n = (int)support_below(random, 1000), got = 0, failures = 0;
  if (it->small[i] == NULL)
    failures += make_small(it, i, sizeof(int) + support_below(random, 8000));
  else if (n % 3 == 0) {
    failures += vptr_free(residences_mapper, it->small[i]) != VPTR_SUCCESS;
    it->small[i] = NULL;
  }
  if (it->small[i] != NULL && it->small[j] != NULL) {
    failures += launch_more(stream, it->small[i], it->small[j], n) != VPTR_SUCCESS;
    it->values[i] = it->values[j] + n;
    failures += vptr__stream_synchronize(stream) != VPTR_SUCCESS;
    failures +=
        vptr_memcpy(residences_mapper, &got, it->small[i], sizeof got) != VPTR_SUCCESS || got != it->values[i];
  }
  if (it->number % 4 == 1 && n % 8 == 0) {
    vptr_status status = vptr_compact(residences_mapper, NULL);
    failures += status != VPTR_SUCCESS && status != VPTR_ERROR_OUT_OF_DEVICE_MEMORY; /* no room to pack in */
  }
  return failures;
}

/* Each has one number in every allocation, a stream, and an allocation that comes and goes. */
static int do_round(const worker *it, vptr__stream *stream, uint64_t *random, int *model) {
  const size_t at = (size_t)it->number * PART;
  size_t a = support_below(random, MANY), b = support_below(random, MANY), c = support_below(random, MANY);
  int n = (int)support_below(random, 1000), got = 0, failures = 0;
  vptr_location location;
  void *own = NULL;
  failures += launch_more(stream, (int *)(many[a] + at), (int *)(many[b] + at), n) != VPTR_SUCCESS;
  model[a] = model[b] + n;
  failures += vptr__mapper_locate(residences_mapper, many[b] + at, PART, &location) != VPTR_SUCCESS;
  if (it->number % 4 == 0 && vptr_malloc(residences_mapper, SIZE, &own) == VPTR_SUCCESS) {
    failures += launch_more(stream, own, (int *)(many[a] + at), n) != VPTR_SUCCESS;
    failures += vptr_free(residences_mapper, own) != VPTR_SUCCESS;
  }
  if (n % 4 == 0) {
    failures += vptr__stream_synchronize(stream) != VPTR_SUCCESS;
    failures += vptr_memcpy(residences_mapper, &got, many[c] + at, sizeof got) != VPTR_SUCCESS || got != model[c];
  }
  return failures;
}

static void *work(void *context) {
  worker *it = context;
  uint64_t random = (uint64_t)it->number + 1;
  int model[MANY] = { 0 };
  vptr__stream *stream;
  if (vptr__stream_create(residences_mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream) != VPTR_SUCCESS) {
    it->failures++;
    return NULL;
  }
  for (long round = 0; round < support_rounds(60); round++) {
    it->failures += do_round(it, stream, &random, model);
    it->failures += do_small_round(it, stream, &random);
  }
  for (int i = 0; i < SMALLS; i++)
    it->failures += it->small[i] != NULL && vptr_free(residences_mapper, it->small[i]) != VPTR_SUCCESS;
  if (it->failures > 0)
    fprintf(stderr, "thread %d: %d failures, at last: %s\n", it->number, it->failures, vptr_last_error());
  it->failures += vptr__stream_synchronize(stream) != VPTR_SUCCESS;
  for (int i = 0; i < MANY; i++) {
    int got = 0;
    it->failures +=
        vptr_memcpy(residences_mapper, &got, many[i] + (size_t)it->number * PART, sizeof got) != VPTR_SUCCESS;
    it->failures += got != model[i];
  }
  it->failures += vptr__stream_destroy(stream) != VPTR_SUCCESS;
  return NULL;
}

START_TEST(launches_race_with_evictions_frees_and_copies) {
  pthread_t threads[THREADS];
  worker workers[THREADS];
  has_addresses = _i != 0;
  vptr__fake_report_addresses(has_addresses);
  vptr__fake_define("m_more", run_more);
  residences_set_up();
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr_memset(residences_mapper, many[i], 0, SIZE));
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){ .number = i };
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(workers[i].failures, 0);
  vptr__module_unload(module);
  residences_tear_down();
  vptr__fake_report_addresses(false);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("residence_launch");
  TCase *launches = tcase_create("launches");
  tcase_set_timeout(launches, 300);
  tcase_add_loop_test(launches, launches_race_with_evictions_frees_and_copies, 0, 2);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, launches);
  return support_run(suite);
}
