/* SPDX-License-Identifier: MIT */
/*
 * Large copies of ordinary memory to and from several devices that are one: in pieces, through memory that is pinned
 * for the device that a piece goes to; the right bytes, also where threads, memory and calls fail.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/joint.h"
#include "device/lane.h"
#include "layer/faults.h"
#include "transfer/worker_pool.h"
#include "bulk.h"

enum { BYTES = 5 << 20, STRIPE_FROM = 65536 };

static vptr_mapper *mapper;
static unsigned char *ptr, *host, *back;

static unsigned members(void) {
  return support_has_opencl() ? 2 : 3;
}

static vptr_mapper *make_mapper(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *made;
  config.device_count = members();
  config.stripe_bytes = STRIPE_FROM;
  config.reserve_size = (size_t)1 << 34;
  support_succeed(vptr_mapper_create(&config, &made));
  made->device->tuning.bulk_bytes = BULK_LEAST;
  return made;
}

static void set_up(void) {
  vptr__worker_pool_set_size(BULK_THREADS);
  mapper = make_mapper();
  ptr = bulk_allocate(mapper, BYTES);
  host = malloc(BYTES);
  back = malloc(BYTES);
}

static void tear_down(void) {
  free(host);
  free(back);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

/* ---- bytes ------------------------------------------------------------------------------------------------ */

/* Bytes [at, at + size), between others that stay. */
static void check_copy(size_t at, size_t size, unsigned salt) {
  support_succeed(vptr_memset(mapper, ptr, 0xee, BYTES));
  bulk_write(host, size, salt);
  support_succeed(vptr_memcpy(mapper, ptr + at, host, size));
  memset(back, 0, size);
  support_succeed(vptr_memcpy(mapper, back, ptr + at, size));
  support_must(bulk_has(back, size, salt));
  vptr__worker_pool_set_size(1); /* and all together, not in pieces */
  support_succeed(vptr_memcpy(mapper, back, ptr, BYTES));
  vptr__worker_pool_set_size(BULK_THREADS);
  support_must(bulk_has(back + at, size, salt));
  for (size_t i = 0; i < BYTES; i++)
    support_must((i >= at && i < at + size) || back[i] == 0xee);
}

static const vptr__joint_buffer *buffer_of(const void *address) {
  vptr_location location;
  vptr__lease lease;
  support_succeed(vptr__lease_take(mapper->heap, address, 1, &location, &lease));
  vptr__lease_give(&lease);
  return vptr__joint_buffer_of(location.buffer);
}

static void check_at_home(void) {
  const vptr__joint_buffer *buffer = buffer_of(ptr);
  vptr__joint *joint = mapper->device->joint;
  vptr__lock_take(&joint->lock);
  for (size_t at = 0, end; at < buffer->bytes && at < BYTES; at = end) {
    end = vptr__joint_home_end(buffer, at);
    for (unsigned i = 0; i < joint->count; i++)
      support_must(vptr__joint_spans_on(buffer, at, end, i) == (i == vptr__joint_home(buffer, at) ? end - at : 0));
  }
  vptr__lock_give(&joint->lock);
}

START_TEST(every_byte_arrives_where_it_is_at_home) {
  const size_t stripe = buffer_of(ptr)->stripe;
  check_copy(0, BYTES, 1);
  check_copy(13, BYTES - 77, 2);
  check_copy(stripe - 300000, 600001, 3);
  check_copy(stripe + 4096, 500000, 4); /* all of it on one device */
  ck_assert(bulk_is_used(mapper));
  ck_assert_uint_gt(vptr__worker_pool_helpers(), 0);
  check_at_home();
}
END_TEST

/* A thread's memory is pinned once, for one device, and given back. */
START_TEST(memory_is_pinned_for_one_device_each) {
  if (support_has_opencl())
    return;
  const size_t before = bulk_counts().host_buffers;
  check_copy(0, BYTES, 1);
  ck_assert_uint_gt(bulk_counts().host_buffers, before);
  ck_assert_uint_le(bulk_counts().host_buffers, before + BULK_THREADS);
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(bulk_counts().host_buffers, before);
  check_copy(0, BYTES, 2);
}
END_TEST

START_TEST(lanes_are_where_bytes_are_at_home) {
  const vptr__joint_buffer *buffer = buffer_of(ptr);
  const unsigned count = vptr__lane_count(mapper->device);
  ck_assert_uint_eq(count, members());
  for (size_t offset = 0; offset < BYTES; offset += 77777)
    for (unsigned i = 0; i < count; i++) {
      const size_t end = vptr__lane_end(mapper->device, (cl_mem)buffer, offset, BYTES - offset, i);
      const size_t begin = i > 0 ? vptr__lane_end(mapper->device, (cl_mem)buffer, offset, BYTES - offset, i - 1) : 0;
      ck_assert_uint_le(begin, end);
      if (begin < end) {
        ck_assert_uint_eq(vptr__joint_home(buffer, offset + begin), i);
        ck_assert_uint_eq(vptr__joint_home(buffer, offset + end - 1), i);
      }
      if (i == count - 1)
        ck_assert_uint_eq(end, BYTES - offset);
    }
}
END_TEST

/* What is missing is done without: the pieces of a lane are taken by others. */
START_TEST(a_thread_that_is_not_there_leaves_its_pieces_to_others) {
  vptr__worker_pool_fail_nth(1);
  check_copy(5, BYTES - 5, 8);
  vptr__worker_pool_fail_nth(0);
  check_copy(5, BYTES - 5, 9);
}
END_TEST

/* ---- threads ---------------------------------------------------------------------------------------------- */

enum { WORKERS = 3, EACH = BYTES / WORKERS / 4096 * 4096 };

typedef struct worker {
  size_t at;
  unsigned wrong; /* copies that were refused, or brought other bytes */
} worker;

static void *copy_own_part(void *context) {
  worker *it = context;
  for (unsigned i = 0; i < 6; i++) {
    bulk_write(host + it->at, EACH, i);
    vptr_status sent = vptr_memcpy(mapper, ptr + it->at, host + it->at, EACH);
    vptr_status fetched = vptr_memcpy(mapper, back + it->at, ptr + it->at, EACH);
    it->wrong += sent != VPTR_SUCCESS || fetched != VPTR_SUCCESS || !bulk_has(back + it->at, EACH, i);
  }
  return NULL;
}

START_TEST(threads_copy_their_parts) {
  pthread_t threads[WORKERS];
  worker workers[WORKERS];
  for (size_t i = 0; i < WORKERS; i++) {
    workers[i] = (worker){ i * EACH, 0 };
    ck_assert_int_eq(pthread_create(&threads[i], NULL, copy_own_part, &workers[i]), 0);
  }
  for (size_t i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  for (size_t i = 0; i < WORKERS; i++)
    ck_assert_uint_eq(workers[i].wrong, 0);
  ck_assert(bulk_is_used(mapper));
}
END_TEST

/* ---- what fails ------------------------------------------------------------------------------------------- */

enum { FEW = 400000 };

/* There and back; whatever failed, the next copies are right. false: nothing failed. */
static bool try_copies(void (*plant)(long n), long n) {
  bulk_write(host, FEW, 3);
  plant(n);
  vptr_status sent = vptr_memcpy(mapper, ptr, host, FEW);
  vptr_status fetched = vptr_memcpy(mapper, back, ptr, FEW);
  plant(0);
  if (sent == VPTR_SUCCESS && fetched == VPTR_SUCCESS)
    support_must(bulk_has(back, FEW, 3));
  support_succeed(vptr_memcpy(mapper, ptr, host, FEW));
  support_succeed(vptr_memcpy(mapper, back, ptr, FEW));
  support_must(bulk_has(back, FEW, 3));
  return sent != VPTR_SUCCESS || fetched != VPTR_SUCCESS;
}

static void fail_call(long n) {
  if (n > 0)
    faults_plant(n, CL_OUT_OF_RESOURCES);
  else
    faults_pull();
}

/* Each begins without pinned memory, so that making it fails, too. */
START_TEST(each_call_of_a_device_fails_once) {
  bool has_failed = false;
  long n = 1;
  if (!faults_can())
    return;
  try_copies(fail_call, 100000);
  do {
    support_succeed(vptr_trim(mapper, 0));
    has_failed |= try_copies(fail_call, n++);
    ck_assert_int_lt(n, 500);
  } while (faults_have_fired());
  ck_assert(has_failed);
}
END_TEST

START_TEST(each_allocation_of_the_host_fails_once) {
  for (long n = 1; n < 25; n++) {
    support_succeed(vptr_trim(mapper, 0));
    try_copies(vptr__memory_fail_nth, n);
  }
}
END_TEST

int main(void) {
  if (!support_has_opencl())
    setenv("VPTR_PARTITION", "3", 1);
  setenv("POCL_DEVICES", "pthread pthread", 0);
  faults_begin();
  Suite *suite = suite_create("joint_bulk");
  TCase *tcase = tcase_create("joint_bulk");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, every_byte_arrives_where_it_is_at_home);
  tcase_add_test(tcase, memory_is_pinned_for_one_device_each);
  tcase_add_test(tcase, lanes_are_where_bytes_are_at_home);
  tcase_add_test(tcase, a_thread_that_is_not_there_leaves_its_pieces_to_others);
  tcase_add_test(tcase, threads_copy_their_parts);
  tcase_add_test(tcase, each_call_of_a_device_fails_once);
  tcase_add_test(tcase, each_allocation_of_the_host_fails_once);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
