/* SPDX-License-Identifier: MIT */
/*
 * fast - look-ups without a call, and many at once, say what vptr_resolve() says: about every kind of address, in
 * random programs, while other threads allocate and free; and views of another layout are refused.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <vptr/vptr_fast.h>

#include "mapper/mapper.h"
#include "support/support.h"

enum { BLOCKS = 200, MANY = 300 };

static vptr_mapper *mapper, *other;
static vptr_fast fast;

static void set_up(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_mapper_create(NULL, &other));
  fast = (vptr_fast)VPTR_FAST_INIT;
  support_succeed(vptr_fast_open(mapper, &fast));
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  support_succeed(vptr_mapper_destroy(other));
}

static char *allocate(vptr_mapper *in, size_t size) {
  void *ptr = NULL;
  support_succeed(vptr_malloc(in, size, &ptr));
  return ptr;
}

static bool extent_is(const vptr_fast_extent *extent, const vptr_location *location) {
  return extent->buffer == location->buffer && extent->buffer_offset == location->buffer_offset &&
         extent->base == location->base && extent->size == location->size;
}

/* ---- one address ---------------------------------------------------------------------------------------- */

static void expect_same(const void *ptr, size_t need) {
  static const vptr_fast_extent untouched = { NULL, 77, NULL, 77 };
  char words[1024];
  vptr_location location;
  vptr_fast_extent extent = untouched;
  vptr_status status = vptr_resolve(mapper, ptr, need, &location);
  vptr_fast_prefetch(&fast, ptr); /* nothing comes of it */
  snprintf(words, sizeof words, "%s", vptr_last_error());
  support_must(vptr_fast_resolve(&fast, ptr, need, &extent) == status);
  if (status != VPTR_SUCCESS) {
    support_must(strcmp(words, vptr_last_error()) == 0);
    support_must(memcmp(&extent, &untouched, sizeof extent) == 0);
    return;
  }
  support_must(extent_is(&extent, &location));
  /* It was not the call that answered, unless buffers may leave: then it always is. */
  support_must(vptr_fast_locate(&fast, ptr, need != 0 ? need : 1, &extent) == !vptr__heap_moves(mapper->heap));
  vptr_fast_place place = vptr_fast_translate(&fast, ptr);
  if (vptr__heap_moves(mapper->heap))
    support_must(place.buffer == NULL);
  else
    support_must(place.buffer == location.buffer && place.offset == location.buffer_offset);
}

static void expect_same_around(char *base, size_t size) {
  static const size_t needs[] = { 0, 1, 2, 256, SIZE_MAX };
  char *places[] = { base - 1, base, base + size / 2, base + size - 1, base + size, base + size + 256 };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (size_t j = 0; j < sizeof needs / sizeof *needs; j++)
      expect_same(places[i], needs[j]);
  expect_same(base, size);
  expect_same(base, size + 1);
}

START_TEST(every_kind_of_address_has_the_same_answer) {
  static const size_t sizes[] = { 1, 255, 256, 257, 4096, 100000, 262143, 262144, 3 << 20, 130 << 20 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *base = allocate(mapper, sizes[i]);
    expect_same_around(base, sizes[i]);
    support_succeed(vptr_free(mapper, base));
    expect_same_around(base, sizes[i]);
    support_succeed(vptr_trim(mapper, 0));
    expect_same_around(base, sizes[i]);
  }
}
END_TEST

START_TEST(an_attached_buffer_has_the_same_answer) {
  char *lender = allocate(mapper, 1 << 20);
  void *attached = NULL;
  cl_mem buffer = vptr_get_buffer(mapper, lender);
  support_succeed(vptr_attach(mapper, buffer, &attached));
  expect_same_around(attached, 1 << 20);
  cl_mem told = vptr_fast_translate(&fast, (char *)attached + 5).buffer;
  support_must(told == (vptr__heap_moves(mapper->heap) ? NULL : buffer));
  support_succeed(vptr_free(mapper, attached));
  expect_same_around(attached, 1 << 20);
  support_succeed(vptr_free(mapper, lender));
}
END_TEST

START_TEST(addresses_of_others_have_the_same_answer) {
  int on_stack = 0;
  char *theirs = allocate(other, 1000);
  expect_same(NULL, 1);
  expect_same(&on_stack, 1);
  expect_same(support_nowhere(), 1);
  expect_same_around(theirs, 1000);
  expect_same((void *)fast.base, 1);
  expect_same((void *)(fast.base + fast.size - 1), 1);
  expect_same((void *)(fast.base + fast.size), 1);
  expect_same((void *)(fast.base - 1), 1);
  expect_same((void *)UINTPTR_MAX, 1);
  support_must(vptr_fast_translate(&fast, &on_stack).buffer == NULL);
  support_must(vptr_fast_translate(&fast, (void *)(fast.base + fast.size - 1)).buffer == NULL);
  support_succeed(vptr_free(other, theirs));
}
END_TEST

START_TEST(null_means_the_default_mapper) {
  vptr_fast of_default = VPTR_FAST_INIT;
  vptr_fast_extent extent;
  char *ptr = allocate(NULL, 100);
  support_succeed(vptr_fast_open(NULL, &of_default));
  support_succeed(vptr_fast_resolve(&of_default, ptr + 99, 1, &extent));
  ck_assert_ptr_eq(extent.base, ptr);
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_fast_resolve(&fast, ptr, 1, &extent));
  support_succeed(vptr_free(NULL, ptr));
}
END_TEST

/* ---- entries in motion ------------------------------------------------------------------------------------ */

/* A directory of one entry, to catch it in states that last no time. */
static int located_on(const vptr_fast_entry *entry) {
  vptr_fast one = VPTR_FAST_INIT;
  one.shift = 26;
  one.base = entry->base;
  one.size = (size_t)1 << 26;
  one.window_mask = one.size - 1;
  one.entries = entry;
  vptr_fast_extent extent;
  vptr_fast_prefetch(&one, (void *)(entry->base + 300));
  return vptr_fast_locate(&one, (void *)(entry->base + 300), 1, &extent);
}

START_TEST(an_entry_that_is_being_rewritten_leads_nowhere) {
  int16_t states[] = { VPTR_FAST_LIVE - 1, VPTR_FAST_LIVE - 1 };
  vptr_fast_entry entry = { .sequence = 2,
                            .kind = VPTR_FAST_SLAB,
                            .slot_size = 256,
                            .reciprocal = UINT32_C(1) << 31,
                            .base = UINT32_C(1) << 30,
                            .size = 512,
                            .states = states };
  ck_assert(located_on(&entry));
  entry.sequence = 3;
  entry.states = NULL; /* whoever follows it crashes */
  ck_assert(!located_on(&entry));
  entry.kind = VPTR_FAST_WHOLE;
  ck_assert(!located_on(&entry));
  entry.sequence = 4;
  ck_assert(located_on(&entry));
  entry.kind = VPTR_FAST_SLAB - 1;
  ck_assert(!located_on(&entry));
}
END_TEST

START_TEST(the_slack_of_a_slot_is_not_the_allocations) {
  int16_t states[] = { VPTR_FAST_LIVE - 1, VPTR_FAST_LIVE - (256 - 44), 0 };
  vptr_fast_entry entry = { .sequence = 2,
                            .kind = VPTR_FAST_SLAB,
                            .slot_size = 256,
                            .reciprocal = UINT32_C(1) << 31,
                            .base = UINT32_C(1) << 30,
                            .size = 768,
                            .states = states };
  ck_assert(!located_on(&entry)); /* the byte asked for is its 45th */
  states[1]++;
  ck_assert(located_on(&entry));
  static const int16_t dead[] = { VPTR_FAST_LIVE, -1, 0, 1, INT16_MAX };
  for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
    states[1] = dead[i];
    ck_assert(!located_on(&entry));
  }
}
END_TEST

START_TEST(nothing_is_read_behind_the_last_slot_and_the_last_window) {
  int16_t states[] = { VPTR_FAST_LIVE - 1, VPTR_FAST_LIVE - 1 };
  vptr_fast_entry entries[2] = { { .sequence = 2,
                                   .kind = VPTR_FAST_SLAB,
                                   .slot_size = 256,
                                   .reciprocal = UINT32_C(1) << 31,
                                   .base = UINT32_C(1) << 30,
                                   .size = 256,
                                   .states = states } };
  ck_assert(!located_on(&entries[0])); /* the second state is not of this slab */
  entries[0].kind = VPTR_FAST_WHOLE;
  ck_assert(!located_on(&entries[0]));
  entries[1] = entries[0];
  entries[1].buffer = (cl_mem)states;
  vptr_fast one = { sizeof one,      VPTR_FAST_LAYOUT,      26,      entries[0].base,
                    (size_t)1 << 26, ((size_t)1 << 26) - 1, entries, NULL };
  vptr_fast_extent extent;
  const void *behind = (void *)(one.base + one.size);
  entries[1].base = one.base + one.size;
  ck_assert_ptr_null(vptr_fast_translate(&one, behind).buffer);
  ck_assert(!vptr_fast_locate(&one, behind, 1, &extent));
}
END_TEST

/* Though its buffer, which may have served for something larger, goes on behind it. */
START_TEST(a_slab_lies_in_the_first_window_of_its_buffer) {
  enum { SLOTS = (1 << 26) / (256 << 10) };
  static int16_t states[SLOTS];
  for (int i = 0; i < SLOTS; i++)
    states[i] = VPTR_FAST_LIVE - 1;
  vptr_fast_entry entries[2] = { { .sequence = 2,
                                   .kind = VPTR_FAST_SLAB,
                                   .slot_size = 256 << 10,
                                   .reciprocal = (UINT32_C(1) << 31) / 1024,
                                   .base = UINT32_C(1) << 30,
                                   .size = (size_t)1 << 26,
                                   .states = states } };
  entries[1] = entries[0];
  vptr_fast two = { sizeof two,      VPTR_FAST_LAYOUT,      26,      entries[0].base,
                    (size_t)2 << 26, ((size_t)1 << 26) - 1, entries, NULL };
  vptr_fast_extent extent;
  const char *base = (const char *)entries[0].base;
  ck_assert(vptr_fast_locate(&two, base + entries[0].size - 2, 1, &extent));
  ck_assert(!vptr_fast_locate(&two, base + entries[0].size, 1, &extent));
  ck_assert(!vptr_fast_locate(&two, base + entries[0].size + (256 << 10), 1, &extent));
}
END_TEST

/* Whoever rewrites an entry may be stopped in the middle of it, for as long as the system likes. */
static void expect_on_torn_entry(vptr_status expected, const void *ptr) {
  vptr_fast_entry *entry = (vptr_fast_entry *)&fast.entries[((uintptr_t)ptr - fast.base) >> fast.shift];
  vptr_fast_entry whole = *entry;
  vptr_location location;
  for (uint32_t kind = 0; kind <= VPTR_FAST_ATTACHED; kind++)
    for (int half = 0; half < 2; half++) {
      entry->sequence = whole.sequence | 1;
      entry->kind = kind;
      entry->base = half ? whole.base : 0;
      entry->size = half ? 0 : whole.size;
      entry->states = NULL; /* whoever follows it crashes */
      vptr_status status = vptr_resolve(mapper, ptr, 1, &location);
      *entry = whole;
      support_expect(expected, status);
    }
}

START_TEST(an_entry_that_is_being_rewritten_does_not_forget_what_was_issued) {
  enum { LARGE = 130 << 20 };
  char *large = allocate(mapper, LARGE), *small = allocate(mapper, 300), *beside = allocate(mapper, 300);
  expect_on_torn_entry(VPTR_ERROR_UNKNOWN_ADDRESS,
                       large); /* its address is new while its entry is written for the first time */
  support_succeed(vptr_free(mapper, large));
  support_succeed(vptr_free(mapper, small));
  support_succeed(vptr_free(mapper, beside));
  support_succeed(vptr_trim(mapper, 0));
  for (int window = 0; window < 2; window++)
    expect_on_torn_entry(VPTR_ERROR_FREED, large + ((size_t)window << fast.shift) + 5);
  expect_on_torn_entry(VPTR_ERROR_FREED, large + LARGE - 1);
  expect_on_torn_entry(VPTR_ERROR_UNKNOWN_ADDRESS, large + LARGE);
  expect_on_torn_entry(VPTR_ERROR_FREED, small);
  expect_on_torn_entry(VPTR_ERROR_FREED, beside + 299);
  expect_on_torn_entry(VPTR_ERROR_UNKNOWN_ADDRESS, beside + 4096);
}
END_TEST

/* ---- views that are refused ----------------------------------------------------------------------------- */

static void expect_refused(size_t struct_size, uint32_t layout) {
  vptr_fast wrong = VPTR_FAST_INIT, before;
  wrong.struct_size = struct_size;
  wrong.layout = layout;
  memcpy(&before, &wrong, sizeof before);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_fast_open(mapper, &wrong));
  ck_assert_mem_eq(&wrong, &before, sizeof wrong);
}

START_TEST(another_layout_is_refused) {
  expect_refused(sizeof(vptr_fast), VPTR_FAST_LAYOUT + 1);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "compiled for layout 2, this library has 1"));
  expect_refused(sizeof(vptr_fast), VPTR_FAST_LAYOUT - 1);
  expect_refused(sizeof(vptr_fast) - 8, VPTR_FAST_LAYOUT);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "struct_size is 48, this library's view has 56"));
  expect_refused(0, 0);
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_fast_open(mapper, NULL));
}
END_TEST

/* ---- many at once --------------------------------------------------------------------------------------- */

static void expect_same_batch(const void *const *ptrs, size_t count, size_t need) {
  static vptr_location locations[MANY], location;
  static vptr_status verdicts[MANY];
  char words[1024];
  memset(locations, 0x5a, sizeof locations);
  snprintf(words, sizeof words, "%s", vptr_last_error());
  support_succeed(vptr_resolve_batch(mapper, ptrs, count, need, locations, verdicts));
  ck_assert_str_eq(words, vptr_last_error());
  for (size_t i = 0; i < count; i++) {
    memset(&location, 0x5a, sizeof location);
    support_must(vptr_resolve(mapper, ptrs[i], need, &location) == verdicts[i]);
    support_must(memcmp(&location, &locations[i], sizeof location) == 0);
  }
}

START_TEST(a_batch_refuses_arrays_that_are_not_there) {
  const void *ptr = NULL;
  vptr_location location;
  vptr_status verdict = VPTR_ERROR_NOT_READY;
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_resolve_batch(mapper, NULL, 1, 1, &location, &verdict));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_resolve_batch(mapper, &ptr, 1, 1, NULL, &verdict));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_resolve_batch(mapper, &ptr, 1, 1, &location, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "verdicts_out is NULL, and count is 1"));
  ck_assert_int_eq(verdict, VPTR_ERROR_NOT_READY);
  support_succeed(vptr_resolve_batch(mapper, NULL, 0, 1, NULL, NULL));
  support_succeed(vptr_resolve_batch(mapper, &ptr, 1, 1, &location, &verdict));
  ck_assert_int_eq(verdict, VPTR_ERROR_NULL_POINTER);
}
END_TEST

/* ---- random programs ------------------------------------------------------------------------------------ */

typedef struct block {
  char *base;
  size_t size;
  bool live;
} block;

static size_t random_size(uint64_t *random) {
  static const size_t largest[] = { 300, 5000, 200000, 1 << 20 };
  return 1 + support_random(random) % largest[support_random(random) % 4];
}

static void step(block *blocks, uint64_t *random) {
  block *one = &blocks[support_random(random) % BLOCKS];
  if (one->live)
    support_succeed(vptr_free(mapper, one->base));
  else
    *one = (block){ .size = random_size(random) };
  if (!one->live)
    one->base = allocate(mapper, one->size);
  one->live = !one->live;
  if (support_random(random) % 512 == 0)
    support_succeed(vptr_trim(mapper, 0));
}

/* Somewhere in or a little behind a block that lives or did. */
static const void *random_address(const block *blocks, uint64_t *random) {
  const block *one = &blocks[support_random(random) % BLOCKS];
  return one->base == NULL ? (const void *)blocks : one->base + support_random(random) % (one->size + 300);
}

START_TEST(random_programs_have_the_same_answers) {
  static block blocks[BLOCKS];
  static const void *ptrs[MANY];
  uint64_t random = 6;
  for (int i = 0; i < 20000; i++) {
    step(blocks, &random);
    for (int j = 0; j < 4; j++)
      expect_same(random_address(blocks, &random), support_random(&random) % 400);
    if (i % 64 != 0)
      continue;
    size_t count = support_random(&random) % (MANY + 1);
    for (size_t k = 0; k < count; k++)
      ptrs[k] = random_address(blocks, &random);
    expect_same_batch(ptrs, count, support_random(&random) % 400);
  }
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 4, OWN = 32, ROUNDS = 4000 };

static _Atomic(char *) board[THREADS][OWN]; /* what each thread has live */
/* Check's assertions are for its own thread only: which line did not hold. */
static atomic_int broken_line;

#define must(condition) ((condition) ? (void)0 : atomic_store(&broken_line, __LINE__))

/* What is this thread's own does not move, whatever happens in the entries beside it. */
static void look_at_own(char *base, size_t size) {
  vptr_fast_extent extent = { 0 };
  must(vptr_fast_locate(&fast, base + size - 1, 1, &extent) == !vptr__heap_moves(mapper->heap));
  must(vptr_fast_resolve(&fast, base + size - 1, 1, &extent) == VPTR_SUCCESS);
  must(extent.base == base && extent.size == size);
  must(!vptr_fast_locate(&fast, base, size + 1, &extent));
  vptr_fast_place place = vptr_fast_translate(&fast, base + size / 2);
  if (vptr__heap_moves(mapper->heap))
    must(place.buffer == NULL);
  else
    must(place.buffer == extent.buffer && place.offset == extent.buffer_offset - (size - 1) + size / 2);
}

/* What was there before and is there after, by its number, was there meanwhile. */
static void look_at_others(uint64_t dice) {
  const void *ptrs[2] = { atomic_load(&board[dice % THREADS][dice / THREADS % OWN]) };
  if ((ptrs[1] = ptrs[0]) == NULL)
    return;
  vptr_location before, after, many[2];
  vptr_status verdicts[2];
  vptr_fast_extent extent;
  vptr_status was = vptr_resolve(mapper, ptrs[0], 1, &before);
  vptr_status fastly = vptr_fast_resolve(&fast, ptrs[0], 1, &extent);
  must(vptr_resolve_batch(mapper, ptrs, 2, 1, many, verdicts) == VPTR_SUCCESS);
  vptr_status is = vptr_resolve(mapper, ptrs[0], 1, &after);
  if (was == VPTR_SUCCESS && is == VPTR_SUCCESS && before.serial == after.serial) {
    must(fastly == VPTR_SUCCESS && extent_is(&extent, &before));
    must(verdicts[1] == VPTR_SUCCESS && many[1].serial == before.serial);
  }
  must(fastly == VPTR_SUCCESS || fastly == VPTR_ERROR_FREED || fastly == VPTR_ERROR_PAST_END);
  if (fastly == VPTR_SUCCESS)
    must((const char *)ptrs[0] - (const char *)extent.base < (ptrdiff_t)extent.size && extent.buffer != NULL);
}

static void *work(void *context) {
  _Atomic(char *) *own = context;
  uint64_t random = (uintptr_t)own;
  for (int round = 0; round < ROUNDS; round++) {
    size_t i = support_random(&random) % OWN;
    char *old = atomic_exchange(&own[i], NULL);
    size_t size = random_size(&random);
    void *made = NULL;
    if (old != NULL) {
      must(vptr_free(mapper, old) == VPTR_SUCCESS);
    } else {
      must(vptr_malloc(mapper, size, &made) == VPTR_SUCCESS);
      look_at_own(made, size);
      atomic_store(&own[i], made);
    }
    for (int j = 0; j < 8; j++)
      look_at_others(support_random(&random));
    if (round % 64 == 0)
      must(vptr_trim(mapper, 0) == VPTR_SUCCESS);
  }
  return NULL;
}

START_TEST(threads_have_the_same_answers_while_others_allocate_and_free) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, board[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(broken_line, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("fast");
  TCase *tests = tcase_create("fast");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, every_kind_of_address_has_the_same_answer);
  tcase_add_test(tests, an_attached_buffer_has_the_same_answer);
  tcase_add_test(tests, addresses_of_others_have_the_same_answer);
  tcase_add_test(tests, null_means_the_default_mapper);
  tcase_add_test(tests, an_entry_that_is_being_rewritten_leads_nowhere);
  tcase_add_test(tests, an_entry_that_is_being_rewritten_does_not_forget_what_was_issued);
  tcase_add_test(tests, a_slab_lies_in_the_first_window_of_its_buffer);
  tcase_add_test(tests, the_slack_of_a_slot_is_not_the_allocations);
  tcase_add_test(tests, nothing_is_read_behind_the_last_slot_and_the_last_window);
  tcase_add_test(tests, another_layout_is_refused);
  tcase_add_test(tests, a_batch_refuses_arrays_that_are_not_there);
  tcase_add_test(tests, random_programs_have_the_same_answers);
  tcase_add_test(tests, threads_have_the_same_answers_while_others_allocate_and_free);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
