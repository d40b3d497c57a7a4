/* SPDX-License-Identifier: MIT */
/* mirror_devices - managed memory that two devices use in turns: where it lives, what moves, and who waits. */
#include "mirrors.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/address_index.h"
#include "mirror/tombstones.h"
#include "support/support.h"
#include "transfer/endpoint.h"

static vptr_mapper *other; /* on a second device */

static void setup(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 34;
  mirrors_setup();
  support_succeed(vptr_mapper_create(&config, &other));
}

static void teardown(void) {
  mirrors_teardown();
  support_succeed(vptr_mapper_destroy(other));
}

/* A kernel of a mapper's device that sets bytes; one that reads a byte. */
static void run_on(vptr_mapper *on, size_t at, size_t size, unsigned char byte) {
  vptr__acquired acquisition;
  support_succeed(vptr__mirror_acquire(mirror, on, at, size, VPTR_ACCESS_READ_WRITE, &acquisition));
  support_succeed(on->device->ops->transfer.fill(on->device, acquisition.buffer, at, size, &byte, 1));
  mirrors_release();
}

static unsigned char byte_on(vptr_mapper *on, size_t at) {
  unsigned char byte = 0;
  vptr__acquired acquisition;
  support_succeed(vptr__mirror_acquire(mirror, on, at, 1, VPTR_ACCESS_READ, &acquisition));
  support_succeed(on->device->ops->transfer.read(on->device, acquisition.buffer, at, &byte, 1));
  mirrors_release();
  return byte;
}

static size_t buffers(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.buffers;
}

/* ---- moving --------------------------------------------------------------------------------------------- */

START_TEST(another_device_sees_what_the_first_one_wrote) {
  run_on(mapper, 0, PAGES * page, 5);
  ck_assert_uint_eq(byte_on(other, 7 * page), 5);
  run_on(other, 7 * page, page, 6);
  ck_assert_uint_eq(byte_on(mapper, 7 * page), 6);
  ck_assert_uint_eq(byte_on(mapper, 8 * page), 5);
  ck_assert_uint_eq(host[7 * page], 6);
  ck_assert_uint_eq(mirrors_counts().moves, 2);
  ck_assert_ptr_eq(vptr__mirror_mapper(mirror), mapper);
}
END_TEST

START_TEST(another_device_sees_what_the_host_wrote) {
  host[0] = 1;
  host[9 * page] = 2;
  ck_assert_uint_eq(byte_on(mapper, 0), 1);
  ck_assert_uint_eq(byte_on(other, 0), 1);
  ck_assert_uint_eq(byte_on(other, 9 * page), 2);
  host[0] = 3;
  ck_assert_uint_eq(byte_on(mapper, 0), 3);
}
END_TEST

START_TEST(what_moved_is_the_hosts_to_read_and_write_without_faults) {
  run_on(mapper, 0, PAGES * page, 5);
  run_on(other, 0, page, 6);
  for (size_t i = page; i < PAGES * page; i += page)
    ck_assert_uint_eq(host[i]++, 5);
  ck_assert_uint_eq(mirrors_counts().faults, 0);
  ck_assert_uint_eq(mirrors_counts().fetched, PAGES * page);
}
END_TEST

START_TEST(a_device_is_sent_no_more_than_it_uses) {
  run_on(mapper, 0, PAGES * page, 5);
  uint64_t before = mirrors_counts().sent;
  run_on(other, 3 * page, 2 * page, 6);
  ck_assert_uint_eq(mirrors_counts().sent, before + 2 * page);
}
END_TEST

START_TEST(bytes_that_nobody_wrote_do_not_move) {
  byte_on(mapper, 0);
  byte_on(other, 0);
  byte_on(mapper, 0);
  ck_assert_uint_eq(mirrors_counts().sent, 0);
  ck_assert_uint_eq(mirrors_counts().fetched, 0);
  ck_assert_uint_eq(mirrors_counts().moves, 2);
}
END_TEST

/* So that a copy beside its kernels does not make it move. */
START_TEST(transfers_find_it_where_it_is) {
  ck_assert_ptr_eq(vptr__endpoint_managed_mapper((const void *)host), mapper);
  run_on(other, 0, page, 1);
  ck_assert_ptr_eq(vptr__endpoint_managed_mapper((const char *)host + 5), other);
  run_on(mapper, 0, page, 2);
  ck_assert_ptr_eq(vptr__endpoint_managed_mapper((const void *)host), mapper);
  ck_assert_ptr_null(vptr__endpoint_managed_mapper(&page));
}
END_TEST

START_TEST(turns_make_two_buffers_in_all) {
  size_t before = buffers();
  cl_mem first = vptr__mirror_buffer(mirror);
  for (int i = 0; i < 5; i++) {
    run_on(other, 0, page, 1);
    ck_assert_ptr_ne(vptr__mirror_buffer(mirror), first);
    run_on(mapper, 0, page, 2);
    ck_assert_ptr_eq(vptr__mirror_buffer(mirror), first);
  }
  ck_assert_uint_eq(buffers(), before + 1);
  ck_assert_uint_eq(mirrors_counts().moves, 10);
}
END_TEST

START_TEST(it_moves_behind_the_work_of_its_backing) {
  vptr__stream *stream;
  support_gate shut = { false, false };
  pthread_t opener;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  run_on(mapper, 0, PAGES * page, 1);
  mirrors_send(stream, &shut, page, 9);
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  ck_assert_uint_eq(byte_on(other, page), 9);
  ck_assert(atomic_load(&shut.opened));
  pthread_join(opener, NULL);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

static void *write_on_other(void *context) {
  (void)context;
  run_on(other, 0, page, 4);
  return NULL;
}

START_TEST(it_does_not_move_while_it_is_on_acquisition) {
  pthread_t mover;
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  cl_mem backing = vptr__mirror_buffer(mirror);
  pthread_create(&mover, NULL, write_on_other, NULL);
  usleep(20000);
  ck_assert_ptr_eq(vptr__mirror_buffer(mirror), backing);
  mirrors_fill(page, page, 3);
  mirrors_release();
  pthread_join(mover, NULL);
  ck_assert_uint_eq(host[0], 4);
  ck_assert_uint_eq(host[page], 3);
}
END_TEST

START_TEST(a_move_that_fails_leaves_it_where_it_was) {
  run_on(mapper, 0, PAGES * page, 5);
  byte_on(other, 0);
  byte_on(mapper, 0);
  run_on(mapper, 0, PAGES * page, 6);
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr__mirror_acquire(mirror, other, 0, page, VPTR_ACCESS_READ, NULL));
  ck_assert_uint_eq(byte_on(mapper, page), 6);
  ck_assert_uint_eq(byte_on(other, page), 6);
}
END_TEST

/* More steps than there are: so every one has failed once. Each move makes its buffer anew. */
START_TEST(no_step_of_a_move_that_fails_loses_a_byte) {
  enum { STEPS = 30 };
  for (long n = 1; n <= STEPS; n++) {
    run_on(mapper, 0, PAGES * page, (unsigned char)n);
    host[page] = (unsigned char)(n + 100);
    support_succeed(vptr__mirrors_depart(other));
    mirrors_fail_nth(_i, n);
    vptr_status status = vptr__mirror_acquire(mirror, other, 0, PAGES * page, VPTR_ACCESS_READ_WRITE, NULL);
    mirrors_fail_nth(_i, 0);
    if (status == VPTR_SUCCESS)
      mirrors_release();
    ck_assert_uint_eq(byte_on(other, 0), (unsigned char)n);
    ck_assert_uint_eq(byte_on(other, page), (unsigned char)(n + 100));
    ck_assert_uint_eq(host[page], (unsigned char)(n + 100));
  }
}
END_TEST

/* ---- ends ----------------------------------------------------------------------------------------------- */

START_TEST(a_mapper_that_goes_takes_no_bytes_along) {
  size_t before = buffers();
  run_on(mapper, 0, PAGES * page, 5);
  run_on(other, page, page, 6);
  support_succeed(vptr__mirrors_depart(other));
  ck_assert_uint_eq(buffers(), before);
  ck_assert_uint_eq(host[0], 5);
  ck_assert_uint_eq(host[page], 6);
  support_succeed(vptr__mirrors_depart(other));
  ck_assert_uint_eq(byte_on(mapper, page), 6);
  ck_assert_uint_eq(byte_on(mapper, 0), 5);
}
END_TEST

START_TEST(a_backing_that_one_only_left_is_given_up_too) {
  size_t before = buffers();
  run_on(other, page, page, 6);
  run_on(mapper, 0, page, 5);
  support_succeed(vptr__mirrors_depart(other));
  ck_assert_uint_eq(buffers(), before);
  ck_assert_uint_eq(byte_on(mapper, page), 6);
  ck_assert_uint_eq(byte_on(mapper, 0), 5);
}
END_TEST

START_TEST(a_lost_device_is_left_all_the_same) {
  size_t before = buffers();
  host[page] = 3;
  run_on(other, page, page, 6);
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr__mirrors_depart(other));
  ck_assert_uint_eq(buffers(), before);
  ck_assert_uint_eq(host[page], 3);
  host[page] = 4;
  ck_assert_uint_eq(byte_on(mapper, page), 4);
}
END_TEST

START_TEST(all_of_a_mapper_are_found) {
  vptr__mirror *more[3];
  for (int i = 0; i < 3; i++)
    support_succeed(vptr__mirror_create(other, page, &more[i]));
  run_on(other, 0, page, 1); /* not made for it */
  for (int i = 0; i < 3; i++) {
    vptr__mirror *found = vptr__address_index_take_any(other);
    ck_assert_ptr_nonnull(found);
    ck_assert_ptr_ne(found, mirror);
    vptr__mirror_destroy(found);
  }
  ck_assert_ptr_null(vptr__address_index_take_any(other));
  ck_assert_ptr_eq(vptr__address_index_take_any(mapper), mirror);
  ck_assert_ptr_null(
      vptr__address_index_take_any(mapper)); /* whoever has claimed it destroys it: that is the fixture */
}
END_TEST

START_TEST(addresses_are_freed_until_somebody_uses_them) {
  vptr__mirror *brief;
  support_succeed(vptr__mirror_create(mapper, 4 * page, &brief));
  char *at = vptr__mirror_host(brief);
  ck_assert(!vptr__address_index_was(at));
  vptr__mirror_destroy(brief);
  ck_assert(vptr__address_index_was(at) && vptr__address_index_was(at + 4 * page - 1));
  ck_assert(!vptr__address_index_was(NULL));
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  ck_assert_ptr_eq(mmap(at, page, PROT_READ | PROT_WRITE, flags, -1, 0), at);
  ck_assert(!vptr__address_index_was(at));
  ck_assert(vptr__address_index_was(at + page));
  ck_assert_ptr_eq(mmap(at, page, PROT_NONE, flags, -1, 0), at);
  ck_assert(vptr__address_index_was(at));
  munmap(at, page);
  for (int i = 0; i < VPTR__TOMBSTONES_MOST; i++) {
    support_succeed(vptr__mirror_create(mapper, page, &brief));
    ck_assert(!vptr__address_index_was(vptr__mirror_host(brief)));
    vptr__mirror_destroy(brief);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_devices");
  TCase *tests = tcase_create("two devices");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, another_device_sees_what_the_first_one_wrote);
  tcase_add_test(tests, another_device_sees_what_the_host_wrote);
  tcase_add_test(tests, what_moved_is_the_hosts_to_read_and_write_without_faults);
  tcase_add_test(tests, a_device_is_sent_no_more_than_it_uses);
  tcase_add_test(tests, bytes_that_nobody_wrote_do_not_move);
  tcase_add_test(tests, it_moves_behind_the_work_of_its_backing);
  tcase_add_test(tests, it_does_not_move_while_it_is_on_acquisition);
  tcase_add_test(tests, all_of_a_mapper_are_found);
  tcase_add_test(tests, addresses_are_freed_until_somebody_uses_them);
  if (!support_has_opencl()) {
    tcase_add_test(tests, transfers_find_it_where_it_is);
    tcase_add_test(tests, turns_make_two_buffers_in_all);
    tcase_add_test(tests, a_move_that_fails_leaves_it_where_it_was);
    tcase_add_loop_test(tests, no_step_of_a_move_that_fails_loses_a_byte, 0, 3);
    tcase_add_test(tests, a_mapper_that_goes_takes_no_bytes_along);
    tcase_add_test(tests, a_backing_that_one_only_left_is_given_up_too);
    tcase_add_test(tests, a_lost_device_is_left_all_the_same);
  }
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
