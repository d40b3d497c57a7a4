/* SPDX-License-Identifier: MIT */
/*
 * migrate walk - a random program beside plain memory that tells the truth, whose mapper goes to another device between
 * its calls. Addresses, serial numbers and bytes are those of the model whatever happens: slabs and allocations of
 * their own, open accessors, compactions, a device that does not hold all, and attempts to go that fail at a random
 * call.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "device/proxy.h"
#include "heap/heap.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum {
  ITEMS = 48,
  LARGEST = 2 << 20,
  SMALL_DEVICE = 9 << 20, /* bytes: a copy between two allocations, and slabs */
  STEPS = 1500,
  CALLS = 150 /* about as many as going takes */
};

typedef struct item {
  unsigned char *ptr; /* NULL: not live */
  unsigned char *model;
  size_t size;
  uint64_t serial;
} item;

typedef struct walk {
  vptr_mapper *mapper;
  uint64_t random;
  bool is_small; /* the device, of which there are always new ones */
  int went, stayed;
  item items[ITEMS];
} walk;

static unsigned char scratch[LARGEST];

static size_t draw(walk *it, size_t below) {
  return support_below(&it->random, below);
}

/* The one of them that is live, of two tries. */
static item *some_item(walk *it) {
  item *first = &it->items[draw(it, ITEMS)], *second = &it->items[draw(it, ITEMS)];
  return first->ptr != NULL ? first : second;
}

/* ---- steps ---------------------------------------------------------------------------------------------- */

static uint64_t serial_of(const walk *it, const void *ptr) {
  vptr_location location;
  support_succeed(vptr__mapper_locate(it->mapper, ptr, 1, &location));
  return location.serial;
}

static void allocate(walk *it, item *at) {
  static const size_t most[] = { 300, 5000, 300000, LARGEST };
  void *ptr;
  at->size = draw(it, most[draw(it, 4)]) + 1;
  at->model = malloc(at->size);
  const int value = (int)draw(it, 256);
  support_succeed(vptr_malloc(it->mapper, at->size, &ptr));
  support_succeed(vptr_memset(it->mapper, ptr, value, at->size));
  memset(at->model, value, at->size);
  at->ptr = ptr;
  at->serial = serial_of(it, ptr);
}

static void give_back(walk *it, item *at) {
  support_succeed(vptr_free(it->mapper, at->ptr));
  support_expect(VPTR_ERROR_FREED, vptr_free(it->mapper, at->ptr));
  free(at->model);
  *at = (item){ .ptr = NULL };
}

static void write_some(walk *it, item *at) {
  const size_t from = draw(it, at->size), size = draw(it, at->size - from) + 1;
  for (size_t i = 0; i < size; i++)
    scratch[i] = (unsigned char)(i * 11 + from);
  memcpy(at->model + from, scratch, size);
  support_succeed(vptr_memcpy(it->mapper, at->ptr + from, scratch, size));
}

static void copy_some(walk *it, item *to, const item *from) {
  const size_t most = to->size < from->size ? to->size : from->size, size = draw(it, most) + 1;
  const size_t to_at = draw(it, to->size - size + 1), from_at = draw(it, from->size - size + 1);
  memmove(to->model + to_at, from->model + from_at, size);
  support_succeed(vptr_memcpy(it->mapper, to->ptr + to_at, from->ptr + from_at, size));
}

/* In place a mapped buffer keeps the mapper where it is. What was mapped never leaves a small device again. */
static void map_some(walk *it, item *at) {
  const size_t from = draw(it, at->size), size = draw(it, at->size - from) + 1;
  void *host;
  if (it->is_small)
    return;
  support_succeed(vptr_map(it->mapper, at->ptr + from, size, VPTR_ACCESS_READ_WRITE, &host));
  support_must(memcmp(host, at->model + from, size) == 0);
  if (draw(it, 2) == 0) {
    vptr_status status = vptr_migrate(it->mapper, NULL);
    ck_assert_int_eq(status, it->mapper->device->host_unified ? VPTR_ERROR_MAPPED : VPTR_SUCCESS);
  }
  memset(host, 77, size);
  memset(at->model + from, 77, size);
  support_succeed(vptr_unmap(it->mapper, host));
}

static void expect_item(const walk *it, const item *at) {
  support_succeed(vptr_memcpy(it->mapper, scratch, at->ptr, at->size));
  support_must(memcmp(scratch, at->model, at->size) == 0);
  support_must(serial_of(it, at->ptr) == at->serial);
}

static void expect_all(const walk *it) {
  size_t live = 0;
  for (int i = 0; i < ITEMS; i++)
    if (it->items[i].ptr != NULL) {
      expect_item(it, &it->items[i]);
      live++;
    }
  ck_assert_uint_eq(vptr_count(it->mapper), live);
  support_succeed(vptr_check(it->mapper));
}

/* Half of the attempts have up to three faults somewhere, which may be behind all that they call: a wait that fails,
 * and the wait for the queue in its place. */
static void go(walk *it) {
  const vptr__device *before = it->mapper->device;
  const bool has_fault = faults_can() && draw(it, 2) == 0;
  if (has_fault)
    faults_plant_in_a_row((long)draw(it, CALLS) + 1, (long)draw(it, 3) + 1,
                          draw(it, 2) == 0 ? CL_OUT_OF_RESOURCES : CL_INVALID_OPERATION);
  vptr_status status = vptr_migrate(it->mapper, NULL);
  faults_pull();
  if (!has_fault)
    support_succeed(status);
  ck_assert_int_eq(status == VPTR_SUCCESS, it->mapper->device != before);
  if (it->is_small)
    it->mapper->device->proxy->inner->device->memory_bytes = SMALL_DEVICE;
  it->went += status == VPTR_SUCCESS;
  it->stayed += status != VPTR_SUCCESS;
}

static void step(walk *it) {
  item *at = some_item(it);
  if (at->ptr == NULL) {
    allocate(it, at);
    return;
  }
  switch (draw(it, 16)) {
  case 0:
    go(it);
    break;
  case 1:
    support_succeed(vptr_trim(it->mapper, 0));
    break;
  case 2:
    vptr_compact(it->mapper, NULL); /* which a full device has no room for */
    break;
  case 3:
  case 4:
  case 5:
    give_back(it, at);
    break;
  case 6:
    map_some(it, at);
    break;
  case 7:
  case 8:
  case 9:
    write_some(it, at);
    break;
  case 10:
  case 11: {
    const item *from = some_item(it);
    copy_some(it, at, from->ptr != NULL ? from : at);
    break;
  }
  default:
    expect_item(it, at);
  }
}

/* ---- walks ---------------------------------------------------------------------------------------------- */

static void begin(walk *it, uint64_t seed, bool is_small) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  config.flags = VPTR_CONFIG_MIGRATE | (seed % 2 == 0 ? VPTR_CONFIG_OVERSUBSCRIBE : 0);
  *it = (walk){ .random = seed, .is_small = is_small };
  support_succeed(vptr_mapper_create(&config, &it->mapper));
  if (is_small)
    it->mapper->device->proxy->inner->device->memory_bytes = SMALL_DEVICE;
}

static void end(walk *it) {
  for (int i = 0; i < ITEMS; i++)
    if (it->items[i].ptr != NULL)
      give_back(it, &it->items[i]);
  support_succeed(vptr_check(it->mapper));
  support_succeed(vptr_mapper_destroy(it->mapper));
}

static void take_walk(uint64_t seed, bool is_small) {
  static walk it;
  const long steps = support_rounds(STEPS);
  begin(&it, seed, is_small);
  for (long i = 0; i < steps; i++) {
    step(&it);
    if (i % 100 == 99)
      expect_all(&it);
  }
  expect_all(&it);
  ck_assert_int_gt(it.went, 0);
  ck_assert(it.stayed > 0 || !faults_can() || steps < STEPS);
  end(&it);
}

START_TEST(a_random_program_does_not_notice_where_it_is) {
  take_walk((uint64_t)_i, false);
}
END_TEST

START_TEST(nor_where_the_device_does_not_hold_all) {
  take_walk(2 * (uint64_t)_i, true);
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("migrate walk");
  TCase *walks = tcase_create("walks");
  tcase_set_timeout(walks, 300);
  tcase_add_loop_test(walks, a_random_program_does_not_notice_where_it_is, 1, 7);
  if (!support_has_opencl()) /* what a small device is, the test says to the fake one alone */
    tcase_add_loop_test(walks, nor_where_the_device_does_not_hold_all, 1, 5);
  suite_add_tcase(suite, walks);
  return support_run(suite);
}
