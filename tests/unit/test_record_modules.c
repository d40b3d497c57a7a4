/* SPDX-License-Identifier: MIT */
/*
 * Tests of the modules of a recording: whatever threads record at once, a module's text stands in the file before the
 * first launch that refers to it, once, and their numbers rise, as vptr-replay needs it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/option.h"
#include "record/file.h"
#include "support/support.h"

enum { THREADS = 8, MODULES = 48, LENGTH = 100003, LAUNCHES = 3 };

static vptr_mapper *mapper;
static char path[64];
static char *texts[MODULES];
static pthread_barrier_t all_there;

static void begin(void) {
  snprintf(path, sizeof path, "/tmp/vptr-record-XXXXXX");
  const int descriptor = mkstemp(path);
  ck_assert_int_ge(descriptor, 0);
  close(descriptor);
  setenv("VPTR_RECORD", path, 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &mapper));
  for (int i = 0; i < MODULES; i++) {
    texts[i] = malloc(LENGTH);
    memset(texts[i], 'a' + i, LENGTH);
  }
}

static void end(void) {
  support_succeed(vptr_mapper_destroy(mapper));
  for (int i = 0; i < MODULES; i++)
    free(texts[i]);
  unsetenv("VPTR_RECORD");
  vptr__option_reload();
  unlink(path);
}

/* A launch, of which there is no more than the module's number, and which module it is. */
typedef struct told {
  uint64_t module, text;
} told;

static void record(int text) {
  uint64_t number;
  bool is_full;
  support_must(vptr__record_file_put_module(texts[text], LENGTH, &number, &is_full) && !is_full);
  const told launch = { number, (uint64_t)text };
  support_must(vptr__record_file_put(VPTR__RECORD_LAUNCH, 0, &launch, sizeof launch, NULL, 0));
}

static void *record_all(void *unused) {
  (void)unused;
  for (int i = 0; i < MODULES; i++) {
    pthread_barrier_wait(&all_there);
    for (int k = 0; k < LAUNCHES; k++)
      record((i + k) % MODULES);
  }
  return NULL;
}

static void read_some(int descriptor, void *to, size_t bytes) {
  ck_assert_int_eq(read(descriptor, to, bytes), (ssize_t)bytes);
}

/* Goes over the file; what is before each launch is counted. */
static void expect_order(void) {
  static char text[LENGTH + 8];
  uint64_t modules = 0, launches = 0;
  char first[MODULES];
  vptr__record_header header;
  vptr__record_head head;
  const int descriptor = open(path, O_RDONLY);
  ck_assert_int_ge(descriptor, 0);
  read_some(descriptor, &header, sizeof header);
  while (read(descriptor, &head, sizeof head) == (ssize_t)sizeof head) {
    ck_assert_uint_le(head.length, LENGTH);
    read_some(descriptor, text, vptr__record_padded(head.length));
    if (head.type == VPTR__RECORD_MODULE) {
      ck_assert_uint_eq(head.number, modules);
      ck_assert_uint_eq(head.length, LENGTH);
      ck_assert_uint_lt(modules, MODULES);
      first[modules++] = text[0];
      continue;
    }
    told launch;
    memcpy(&launch, text, sizeof launch);
    ck_assert_uint_lt(launch.module, modules);
    ck_assert_int_eq(first[launch.module], texts[launch.text][0]);
    launches++;
  }
  close(descriptor);
  ck_assert_uint_eq(modules, MODULES);
  ck_assert_uint_eq(launches, (uint64_t)THREADS * MODULES * LAUNCHES);
}

START_TEST(a_module_stands_before_its_launches) {
  pthread_t threads[THREADS];
  ck_assert(vptr__record_file_open(mapper));
  ck_assert_int_eq(pthread_barrier_init(&all_there, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, record_all, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&all_there);
  expect_order();
  vptr__disk_fail_nth(1);
  uint64_t number;
  bool is_full;
  ck_assert(!vptr__record_file_put_module("else", 4, &number, &is_full)); /* not known, since not written */
  vptr__disk_fail_nth(0);
  ck_assert(!is_full && !vptr__record_file_put_module("else", 4, &number, &is_full));
  expect_order();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("record_modules");
  TCase *modules = tcase_create("modules");
  tcase_add_checked_fixture(modules, begin, end);
  tcase_add_test(modules, a_module_stands_before_its_launches);
  suite_add_tcase(suite, modules);
  return support_run(suite);
}
