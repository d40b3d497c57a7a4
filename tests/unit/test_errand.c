/* SPDX-License-Identifier: MIT */
/* errand - bytes that come to the host behind the program's back. */
#include "managed/errand.h"

#include <pthread.h>
#include <unistd.h>

#include "device/fake.h"
#include "managed/atlas.h"
#include "mirrors.h"
#include "support/support.h"

enum { PATIENCE_US = 5000000, STEP_US = 200 };

static void send_errand(size_t offset, size_t size) {
  size_t at;
  ck_assert_ptr_eq(vptr__atlas_enter((const void *)host, &at), mirror);
  vptr__errand_run(mirror, offset, size);
}

static bool came(uint64_t bytes) {
  for (int waited = 0; waited < PATIENCE_US; waited += STEP_US) {
    if (mirrors_counts().fetched >= bytes)
      return true;
    usleep(STEP_US);
  }
  return false;
}

START_TEST(bytes_come_without_a_fault) {
  mirrors_run(0, PAGES * page, 5);
  send_errand(page, 3 * page);
  ck_assert(came(3 * page));
  vptr__mirror_counts counts = mirrors_counts();
  ck_assert_uint_eq(counts.fetched, 3 * page);
  for (size_t i = 1; i < 4; i++)
    ck_assert_uint_eq(host[i * page], 5);
  ck_assert_uint_eq(mirrors_counts().fetched, 3 * page);
}
END_TEST

START_TEST(nobody_waits_for_a_kernel_but_the_errand) {
  vptr__stream *stream;
  gate shut = { false };
  support_succeed(vptr__stream_legacy(mapper, &stream));
  mirrors_send(stream, &shut, 0, 6);
  send_errand(0, PAGES * page);
  usleep(20 * STEP_US);
  ck_assert_uint_eq(mirrors_counts().fetched, 0);
  mirrors_send(stream, NULL, page, 7); /* more work can be sent meanwhile */
  atomic_store(&shut.opened, true);
  ck_assert(came(PAGES * page));
  ck_assert_uint_eq(host[0], 6);
  ck_assert_uint_eq(host[page], 7);
}
END_TEST

/* As long as the kernel runs the errand is under way, and holds the memory. */
START_TEST(memory_that_is_freed_waits_for_no_errand) {
  vptr__stream *stream;
  vptr__mirror *brief;
  gate shut = { false };
  pthread_t opener;
  size_t at;
  support_succeed(vptr__mirror_create(mapper, PAGES * page, &brief));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  for (int i = 0; i < 20; i++) {
    ck_assert_ptr_nonnull(vptr__atlas_enter(vptr__mirror_host(brief), &at));
    vptr__errand_run(brief, 0, page);
  }
  mirrors_send(stream, &shut, 0, 6);
  send_errand(0, page);
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  ck_assert_ptr_eq(vptr__atlas_claim(vptr__mirror_host(brief)), brief);
  vptr__mirror_destroy(brief);
  ck_assert(came(page));
  pthread_join(opener, NULL);
}
END_TEST

/* What goes wrong is left to the fault that will ask for the bytes. */
START_TEST(an_errand_that_fails_is_forgotten) {
  mirrors_run(0, PAGES * page, 8);
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  send_errand(0, page);
  usleep(100 * STEP_US);
  vptr__fake_fail_command(0, CL_SUCCESS);
  ck_assert_uint_eq(host[0], 8);
  send_errand(page, page);
  ck_assert(came(2 * page));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("errand");
  TCase *tests = tcase_create("with a mirror");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, mirrors_setup, mirrors_teardown);
  tcase_add_test(tests, bytes_come_without_a_fault);
  tcase_add_test(tests, nobody_waits_for_a_kernel_but_the_errand);
  tcase_add_test(tests, memory_that_is_freed_waits_for_no_errand);
  if (!support_has_opencl())
    tcase_add_test(tests, an_errand_that_fails_is_forgotten);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
