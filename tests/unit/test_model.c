/* SPDX-License-Identifier: MIT */
/*
 * model - a million random operations, each held against a plain array that tells the truth.
 *
 * The array knows every live allocation, and what was freed since. After each operation the library must give
 * the same answer; now and then all of it is compared, the walk included, and every invariant checked.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "support/support.h"

enum { MOST = 3000, FREED = 512 };

typedef struct record {
  char *base;
  size_t size;
  uint64_t serial;
} record;

typedef struct model {
  vptr_mapper *mapper;
  record live[MOST];
  size_t count, bytes;
  record freed[FREED]; /* ring of what was freed last; serial: of the latest allocation at that time */
  size_t freed_count;
  record withheld[FREED]; /* the same of what was freed for good */
  size_t withheld_count;
  unsigned withheld_of_ten; /* frees */
  uint64_t random, serial;
  size_t largest;
} model;

static uint64_t draw(model *model, uint64_t below) {
  return support_random(&model->random) % below;
}

/* Small sizes are the commonest, as in programs; every magnitude occurs. */
static size_t draw_size(model *model) {
  unsigned magnitude = (unsigned)draw(model, 64);
  if (magnitude < 40)
    return 1 + draw(model, 2000);
  if (magnitude < 60)
    return 1 + draw(model, 60000);
  return 1 + draw(model, model->largest);
}

/* The live allocation with the greatest base at or below ptr, or NULL: a plain walk over the array. */
static const record *at_or_below(const model *model, const char *ptr) {
  const record *best = NULL;
  for (size_t i = 0; i < model->count; i++)
    if (model->live[i].base <= ptr && (best == NULL || model->live[i].base > best->base))
      best = &model->live[i];
  return best;
}

static void expect_live(model *model, const record *record, size_t offset, size_t need) {
  vptr_location location;
  support_succeed(vptr_resolve(model->mapper, record->base + offset, need, &location));
  support_must(location.base == record->base && location.size == record->size && location.offset == offset);
  support_must(location.serial == record->serial);
}

static void step_allocate(model *model) {
  if (model->count == MOST)
    return;
  size_t size = draw_size(model);
  void *ptr;
  support_succeed(vptr_malloc(model->mapper, size, &ptr));
  record made = { ptr, size, ++model->serial };
  const record *below = at_or_below(model, (char *)ptr + size); /* one past the end belongs to nobody */
  support_must(below == NULL || below->base + below->size < (char *)ptr);
  for (size_t i = 0; i < model->withheld_count && i < FREED; i++)
    support_must((char *)ptr >= model->withheld[i].base + model->withheld[i].size ||
                 (char *)ptr + size <= model->withheld[i].base);
  model->live[model->count++] = made;
  model->bytes += size;
  expect_live(model, &made, size - 1, 1);
}

static void step_free(model *model) {
  if (model->count == 0)
    return;
  size_t i = draw(model, model->count);
  record gone = model->live[i];
  bool is_withheld = model->withheld_of_ten > 0 && draw(model, 10) < model->withheld_of_ten;
  support_succeed(is_withheld ? vptr_free_no_reuse(model->mapper, gone.base) : vptr_free(model->mapper, gone.base));
  model->live[i] = model->live[--model->count];
  model->bytes -= gone.size;
  gone.serial = model->serial;
  if (is_withheld)
    model->withheld[model->withheld_count++ % FREED] = gone;
  else
    model->freed[model->freed_count++ % FREED] = gone;
  support_expect(VPTR_ERROR_FREED, vptr_free(model->mapper, gone.base));
  support_expect(VPTR_ERROR_FREED, vptr_free_no_reuse(model->mapper, gone.base));
}

/* Whatever was issued since. */
static void step_look_up_withheld(model *model) {
  if (model->withheld_count == 0)
    return;
  size_t known = model->withheld_count < FREED ? model->withheld_count : FREED;
  const record *gone = &model->withheld[draw(model, known)];
  vptr_location location;
  support_expect(VPTR_ERROR_FREED, vptr_resolve(model->mapper, gone->base + draw(model, gone->size), 1, &location));
}

static void step_look_up(model *model) {
  if (model->count == 0)
    return;
  const record *record = &model->live[draw(model, model->count)];
  size_t offset = draw(model, record->size);
  expect_live(model, record, offset, 1 + draw(model, record->size - offset));
  support_must(vptr_get_offset(model->mapper, record->base + offset) == (ptrdiff_t)offset);
  vptr_location location;
  support_expect(VPTR_ERROR_PAST_END, vptr_resolve(model->mapper, record->base + record->size, 1, &location));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS,
                 vptr_resolve(model->mapper, record->base + offset, record->size - offset + 1, &location));
}

/* A freed byte is FREED, unless something issued later covers it or ends before it. */
static void step_look_up_freed(model *model) {
  if (model->freed_count == 0)
    return;
  const record *gone = &model->freed[draw(model, model->freed_count < FREED ? model->freed_count : FREED)];
  char *ptr = gone->base + draw(model, gone->size);
  const record *below = at_or_below(model, ptr);
  vptr_location location;
  vptr_status status = vptr_resolve(model->mapper, ptr, 1, &location);
  if (below != NULL && ptr < below->base + below->size)
    support_expect(VPTR_SUCCESS, status);
  else if (below == NULL || below->serial <= gone->serial)
    support_expect(VPTR_ERROR_FREED, status);
  else
    support_must(status == VPTR_ERROR_FREED || status == VPTR_ERROR_PAST_END);
}

static void step_bad_free(model *model) {
  if (model->count == 0)
    return;
  const record *record = &model->live[draw(model, model->count)];
  if (record->size > 1)
    support_expect(VPTR_ERROR_INTERIOR, vptr_free(model->mapper, record->base + 1 + draw(model, record->size - 1)));
  support_expect(VPTR_ERROR_PAST_END, vptr_free(model->mapper, record->base + record->size));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_free(model->mapper, &record));
}

static int check_order(const vptr_location *location, void *context) {
  const void **last = context;
  support_must(location->base > *last);
  *last = location->base;
  return 0;
}

static void compare(model *model) {
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(model->mapper, &stats));
  ck_assert_uint_eq(stats.live_count, model->count);
  ck_assert_uint_eq(stats.live_bytes, model->bytes);
  ck_assert_uint_eq(stats.serial, model->serial);
  for (size_t i = 0; i < model->count; i++)
    expect_live(model, &model->live[i], 0, model->live[i].size);
  const void *last = NULL;
  support_succeed(vptr_walk(model->mapper, check_order, &last));
  support_succeed(vptr_check(model->mapper));
}

static void run_withholding(vptr_config *config, long operations, size_t largest, uint64_t seed,
                            unsigned withheld_of_ten) {
  model *model = calloc(1, sizeof *model);
  *model = (struct model){ .random = seed, .largest = largest, .withheld_of_ten = withheld_of_ten };
  support_succeed(vptr_mapper_create(config, &model->mapper));
  for (long i = 0; i < operations; i++) {
    /* The share of allocations swings, so that the heap fills and drains. */
    uint64_t swing = (uint64_t)(i / (operations / 8 + 1)) % 2 == 0 ? 35 : 15, dice = draw(model, 100);
    if (dice < swing)
      step_allocate(model);
    else if (dice < 50)
      step_free(model);
    else if (dice < 90)
      step_look_up(model);
    else if (dice < 97)
      step_look_up_freed(model), step_look_up_withheld(model);
    else
      step_bad_free(model);
    if (i % (operations / 20) == 0)
      compare(model);
  }
  compare(model);
  support_succeed(vptr_clear(model->mapper));
  ck_assert_uint_eq(vptr_count(model->mapper), 0);
  support_succeed(vptr_mapper_destroy(model->mapper));
  free(model);
}

static void run(vptr_config *config, long operations, size_t largest, uint64_t seed) {
  run_withholding(config, operations, largest, seed, 0);
}

/* Real devices get fewer operations and smaller blocks: what is random here is addresses, not the device. */
static long operations(long of_the_fake) {
  return support_rounds(support_has_opencl() ? of_the_fake / 20 : of_the_fake);
}

static size_t largest(void) {
  return support_has_opencl() ? 1 << 20 : 40 << 20;
}

START_TEST(a_million_random_operations_agree_with_a_plain_array) {
  run(NULL, operations(1000000), largest(), 1);
}
END_TEST

START_TEST(so_they_do_with_a_quarantine) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.quarantine_bytes = 1 << 20;
  run(&config, operations(200000), largest(), 2);
}
END_TEST

START_TEST(so_they_do_when_addresses_are_scarce) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)64 << 30;
  config.flags = VPTR_CONFIG_REUSE_ADDRESSES;
  run(&config, operations(200000), support_has_opencl() ? 1 << 20 : 4 << 20, 3);
}
END_TEST

START_TEST(so_they_do_with_coarse_alignment) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.alignment = 16384;
  run(&config, operations(100000), support_has_opencl() ? 1 << 20 : 4 << 20, 4);
  config.alignment = 65536; /* nothing is pooled */
  run(&config, operations(50000), support_has_opencl() ? 1 << 18 : 1 << 20, 5);
}
END_TEST

START_TEST(so_they_do_when_addresses_are_withheld) {
  run_withholding(NULL, operations(200000), support_has_opencl() ? 1 << 20 : 4 << 20, 6, 3);
  run_withholding(NULL, operations(50000), 2000, 7, 10); /* slabs of which no slot comes back */
}
END_TEST

static Suite *model_suite(void) {
  Suite *suite = suite_create("model");
  TCase *random = tcase_create("random");
  tcase_add_test(random, a_million_random_operations_agree_with_a_plain_array);
  tcase_add_test(random, so_they_do_with_a_quarantine);
  tcase_add_test(random, so_they_do_when_addresses_are_scarce);
  tcase_add_test(random, so_they_do_with_coarse_alignment);
  tcase_add_test(random, so_they_do_when_addresses_are_withheld);
  suite_add_tcase(suite, random);
  return suite;
}

int main(void) {
  return support_run(model_suite());
}
