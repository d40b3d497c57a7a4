/* SPDX-License-Identifier: MIT */
/*
 * pinned_faults - any device operation and any host allocation may fail while pinned memory is made, acquired,
 * addressed and ended: the failure is heard of, what was not got is not there, and afterwards nothing is left pinned.
 *
 * A scenario runs again and again while the n-th operation (or allocation) fails, until it runs through unharmed.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "device/fake.h"
#include "pinned/pinned.h"
#include "support/support.h"

static const size_t sizes[] = { 100, 70000, 900000, 1100000, 3000000 };
enum { SIZES = sizeof sizes / sizeof *sizes, PAGES = 4 * 4096 };

static vptr_mapper *mapper;
static char *pages;
static int failed;

static void note(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return;
  failed++;
  ck_assert_str_ne(vptr_last_error(), "");
}

static void use(char *host, size_t size) {
  void *device = NULL;
  vptr_status status = vptr__pinned_device_address(host, &device);
  note(status);
  ck_assert((status == VPTR_SUCCESS) == (device != NULL));
  if (device != NULL && vptr_memset(mapper, device, 0x11, size) != VPTR_SUCCESS)
    failed++;
  ck_assert(vptr__pinned_acquire(NULL, host, size));
}

/* What cannot be waited for is not freed; the next try can. */
static void end(vptr_status (*call)(void *), void *host) {
  vptr_status status = call(host);
  note(status);
  if (status != VPTR_SUCCESS)
    support_succeed(call(host));
  ck_assert_int_eq(vptr__pinned_find(host).kind, VPTR__PINNED_NONE);
}

static void run(void) {
  void *hosts[SIZES];
  failed = 0;
  for (int i = 0; i < SIZES; i++) {
    hosts[i] = NULL;
    vptr_status status = vptr__pinned_allocate(mapper, sizes[i], 0, &hosts[i]);
    note(status);
    ck_assert((status == VPTR_SUCCESS) == (hosts[i] != NULL));
    if (hosts[i] != NULL)
      use(hosts[i], sizes[i]);
  }
  vptr_status status = vptr__pinned_register(mapper, pages, PAGES, 0);
  note(status);
  ck_assert_int_eq(vptr__pinned_find(pages).kind,
                   status == VPTR_SUCCESS ? VPTR__PINNED_REGISTERED : VPTR__PINNED_NONE);
  if (status == VPTR_SUCCESS) {
    use(pages, PAGES);
    end(vptr__pinned_unregister, pages);
  }
  for (int i = 0; i < SIZES; i++)
    if (hosts[i] != NULL)
      end(vptr__pinned_free, hosts[i]);
  vptr__pinned_trim(mapper, 0);
  support_succeed(vptr_trim(mapper, 0));
}

static size_t acquired(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.host_buffers;
}

static void set_up(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
  pages = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(pages, MAP_FAILED);
}

static void tear_down(void) {
  munmap(pages, PAGES);
}

/* The first one, where even pools and trees have to be made. */
START_TEST(the_very_first_allocation_may_fail) {
  int tries = 0;
  void *host = NULL;
  for (long n = 1; host == NULL; n++, tries++) {
    vptr__memory_fail_nth(n);
    note(vptr__pinned_allocate(mapper, 100, 0, &host));
    vptr__memory_fail_nth(0);
    ck_assert_int_lt(n, 100);
  }
  ck_assert_int_gt(tries, 1);
  support_succeed(vptr__pinned_free(host));
}
END_TEST

START_TEST(every_device_operation_may_fail) {
  static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY };
  run();
  ck_assert_int_eq(failed, 0);
  size_t pinned = acquired(), live = vptr_count(mapper);
  for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
    int heard = 0;
    for (long n = 1, unharmed = 0; unharmed < 10; n++) {
      vptr__fake_fail_nth(n, codes[c]);
      run();
      vptr__fake_fail_nth(0, 0);
      heard += failed > 0;
      unharmed = failed > 0 ? 0 : unharmed + 1;
      ck_assert_uint_eq(acquired(), pinned);
      ck_assert_uint_eq(vptr_count(mapper), live);
      ck_assert_int_lt(n, 1000);
    }
    ck_assert_int_gt(heard, 10);
  }
  support_succeed(vptr_check(mapper));
}
END_TEST

START_TEST(every_host_allocation_may_fail) {
  run();
  size_t pinned = acquired(), live = vptr_count(mapper);
  int heard = 0;
  for (long n = 1, unharmed = 0; unharmed < 10; n++) {
    vptr__memory_fail_nth(n);
    run();
    vptr__memory_fail_nth(0);
    heard += failed > 0;
    unharmed = failed > 0 ? 0 : unharmed + 1;
    ck_assert_uint_eq(acquired(), pinned);
    ck_assert_uint_eq(vptr_count(mapper), live);
    ck_assert_int_lt(n, 1000);
  }
  ck_assert_int_gt(heard, 3);
  support_succeed(vptr_check(mapper));
}
END_TEST

static Suite *faults_suite(void) {
  Suite *suite = suite_create("pinned_faults");
  TCase *faults = tcase_create("faults");
  if (support_has_opencl())
    return suite; /* these count what only the fake device counts */
  tcase_add_checked_fixture(faults, set_up, tear_down);
  tcase_add_test(faults, the_very_first_allocation_may_fail);
  tcase_add_test(faults, every_device_operation_may_fail);
  tcase_add_test(faults, every_host_allocation_may_fail);
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  return support_run(faults_suite());
}
