/* SPDX-License-Identifier: MIT */
/*
 * The model is an array with the advice of every page. Both get the same random changes of random ranges and must agree
 * about random ranges, each allocation for itself; then faults, several threads, and memory that others come to lie in.
 */
#include "support/support.h"

#include "base/memory.h"
#include "cuda/advice.h"

#include <pthread.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 40, MEMORIES = 3, THREADS = 4 };

typedef struct model {
  vptr__cuda_managed memory;
  size_t pages; /* that it has bytes on */
  vptr__cuda_advice advice[PAGES + 2];
} model;

static const struct cudaMemLocation somewhere[] = { { cudaMemLocationTypeDevice, 0 },
                                                    { cudaMemLocationTypeDevice, 1 },
                                                    { cudaMemLocationTypeHost, cudaCpuDeviceId } };

static vptr__cuda_advice nothing(void) {
  vptr__cuda_advice advice;
  memset(&advice, 0, sizeof advice);
  advice.preferred = advice.prefetched = VPTR__CUDA_NOWHERE;
  return advice;
}

static void prefer(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  advice->preferred = *where;
}

static void prefetch(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  advice->prefetched = *where;
}

static void access_from(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  if (where->type == cudaMemLocationTypeHost)
    advice->host = true;
  else
    advice->devices |= UINT64_C(1) << where->id;
}

static void read_mostly(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  advice->is_read_mostly = where->id == 0;
}

static void clear(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  (void)where;
  *advice = nothing();
}

static const vptr__cuda_advise changes[] = { prefer, prefetch, access_from, read_mostly, clear };
enum { CHANGES = sizeof changes / sizeof *changes };

/* Nobody looks at what the addresses mean: they begin and end anywhere on a page, next to one another. */
static void model_begin(model *it, uintptr_t base, size_t size) {
  it->memory = (vptr__cuda_managed){ (const void *)base, size, NULL };
  it->pages = (base + size - 1) / PAGE - base / PAGE + 1;
  for (size_t i = 0; i < PAGES + 2; i++)
    it->advice[i] = nothing();
}

static vptr__cuda_range any_range(const model *it, uint64_t *seed) {
  size_t at = support_random(seed) % it->memory.size;
  size_t left = it->memory.size - at, size = 1 + support_random(seed) % left;
  if (support_random(seed) % 2 == 0 && size > PAGE)
    size = size % PAGE + 1;
  return (vptr__cuda_range){ it->memory, (const char *)it->memory.base + at, size };
}

static size_t first_page(const vptr__cuda_range *range) {
  return (uintptr_t)range->begin / PAGE - (uintptr_t)range->memory.base / PAGE;
}

static size_t last_page(const vptr__cuda_range *range) {
  return ((uintptr_t)range->begin + range->size - 1) / PAGE - (uintptr_t)range->memory.base / PAGE;
}

static void change_both(model *it, uint64_t *seed) {
  vptr__cuda_range range = any_range(it, seed);
  vptr__cuda_advise change = changes[support_random(seed) % CHANGES];
  const struct cudaMemLocation *where = &somewhere[support_random(seed) % 3];
  support_succeed(vptr__cuda_advice_change(&range, change, where));
  for (size_t i = first_page(&range); i <= last_page(&range); i++)
    change(&it->advice[i], where);
}

static bool is_at(struct cudaMemLocation a, struct cudaMemLocation b) {
  return a.type == b.type && a.id == b.id;
}

static struct cudaMemLocation common_place(const model *it, const vptr__cuda_range *range, bool of_preferred) {
  struct cudaMemLocation place = VPTR__CUDA_NOWHERE;
  for (size_t i = first_page(range); i <= last_page(range); i++) {
    struct cudaMemLocation here = of_preferred ? it->advice[i].preferred : it->advice[i].prefetched;
    if (i == first_page(range))
      place = here;
    else if (!is_at(place, here))
      return VPTR__CUDA_NOWHERE;
  }
  return place;
}

static void compare(const model *it, uint64_t *seed) {
  vptr__cuda_range range = any_range(it, seed);
  vptr__cuda_advice told = vptr__cuda_advice_of(&range);
  uint64_t devices = UINT64_MAX;
  bool host = true, is_read_mostly = true;
  for (size_t i = first_page(&range); i <= last_page(&range); i++) {
    devices &= it->advice[i].devices;
    host = host && it->advice[i].host;
    is_read_mostly = is_read_mostly && it->advice[i].is_read_mostly;
  }
  support_must(told.devices == devices && told.host == host && told.is_read_mostly == is_read_mostly);
  support_must(is_at(told.preferred, common_place(it, &range, true)));
  support_must(is_at(told.prefetched, common_place(it, &range, false)));
}

/* Neighbours without a gap, on pages of which two have bytes. */
static void begin_all(model models[MEMORIES]) {
  uintptr_t base = (UINT64_C(1) << 40) + 768;
  static const size_t sizes[MEMORIES] = { 30 * PAGE + 5, 1000, 40 * PAGE - 1 };
  for (int i = 0; i < MEMORIES; i++) {
    model_begin(&models[i], base, sizes[i]);
    base += sizes[i];
  }
}

static void forget_all(model models[MEMORIES]) {
  for (int i = 0; i < MEMORIES; i++)
    vptr__cuda_advice_forget(models[i].memory.base);
}

START_TEST(each_page_has_what_was_said_of_it) {
  model models[MEMORIES];
  uint64_t seed = 5;
  long live = vptr__memory_live();
  begin_all(models);
  for (int i = 0; i < 20000; i++) {
    model *it = &models[support_random(&seed) % MEMORIES];
    change_both(it, &seed);
    for (int k = 0; k < 5; k++)
      compare(&models[support_random(&seed) % MEMORIES], &seed);
  }
  forget_all(models);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

/* A variable's module may end in silence: what is there then is known by its size. */
START_TEST(whoever_comes_next_begins_anew) {
  model models[MEMORIES];
  uint64_t seed = 6;
  begin_all(models);
  for (int i = 0; i < 300; i++) {
    model *it = &models[support_random(&seed) % MEMORIES];
    change_both(it, &seed);
    vptr__cuda_advice_forget((const char *)it->memory.base + 1); /* no beginning of any */
    compare(it, &seed);
    uintptr_t base = (uintptr_t)it->memory.base;
    bool is_told = support_random(&seed) % 2 == 0;
    if (is_told)
      vptr__cuda_advice_forget(it->memory.base);
    model_begin(it, base, is_told ? it->memory.size : it->memory.size - 1);
    compare(it, &seed);
  }
  forget_all(models);
}
END_TEST

START_TEST(a_mapper_takes_what_was_said_of_its_memory) {
  model models[MEMORIES];
  const struct cudaMemLocation *where = &somewhere[0];
  vptr_mapper *owners[MEMORIES] = { (vptr_mapper *)16, (vptr_mapper *)32, NULL };
  begin_all(models);
  for (int i = 0; i < MEMORIES; i++) {
    models[i].memory.mapper = owners[i];
    vptr__cuda_range whole = { models[i].memory, models[i].memory.base, models[i].memory.size };
    support_succeed(vptr__cuda_advice_change(&whole, read_mostly, where));
  }
  vptr__cuda_advice_forget_all(owners[1]);
  for (int i = 0; i < MEMORIES; i++) {
    vptr__cuda_range whole = { models[i].memory, models[i].memory.base, models[i].memory.size };
    ck_assert(vptr__cuda_advice_of(&whole).is_read_mostly == (i == 0));
  }
  vptr__cuda_advice_forget_all(owners[0]);
}
END_TEST

START_TEST(without_memory_nothing_changes) {
  model models[MEMORIES];
  uint64_t seed = 7;
  long live = vptr__memory_live(), failed = 0;
  begin_all(models);
  for (long n = 1; n < 2000; n++) {
    model *it = &models[support_random(&seed) % MEMORIES];
    vptr__cuda_range range = any_range(it, &seed);
    vptr__memory_fail_nth(n % 3 + 1);
    vptr_status status = vptr__cuda_advice_change(&range, access_from, &somewhere[n % 3]);
    vptr__memory_fail_nth(0);
    for (size_t i = first_page(&range); i <= last_page(&range) && status == VPTR_SUCCESS; i++)
      access_from(&it->advice[i], &somewhere[n % 3]);
    support_must(status == VPTR_SUCCESS || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
    failed += status != VPTR_SUCCESS;
    compare(it, &seed);
    if (n % 50 == 0) {
      vptr__cuda_advice_forget(it->memory.base);
      model_begin(it, (uintptr_t)it->memory.base, it->memory.size);
    }
  }
  ck_assert_int_ge(failed, 10);
  forget_all(models);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

/* Each thread has memory of its own, and the table is everybody's. */
static void *advise_own(void *number) {
  uint64_t seed = (uint64_t)(uintptr_t)number + 1;
  model own;
  for (int round = 0; round < 50; round++) {
    model_begin(&own, (uintptr_t)(seed % 1000 + 1) * 64 * PAGE + ((uintptr_t)number << 36), 20 * PAGE);
    for (int i = 0; i < 50; i++) {
      change_both(&own, &seed);
      compare(&own, &seed);
    }
    vptr__cuda_advice_forget(own.memory.base);
  }
  return NULL;
}

START_TEST(threads_keep_to_their_own) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, advise_own, (void *)(i + 1)), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}
END_TEST

static Suite *advice_suite(void) {
  Suite *suite = suite_create("advice");
  TCase *all = tcase_create("advice");
  tcase_add_test(all, each_page_has_what_was_said_of_it);
  tcase_add_test(all, whoever_comes_next_begins_anew);
  tcase_add_test(all, a_mapper_takes_what_was_said_of_its_memory);
  tcase_add_test(all, without_memory_nothing_changes);
  tcase_add_test(all, threads_keep_to_their_own);
  suite_add_tcase(suite, all);
  return suite;
}

int main(void) {
  return support_run(advice_suite());
}
