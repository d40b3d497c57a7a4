/* SPDX-License-Identifier: MIT */
/*
 * module - modules from their text to their end: what names mean, threads beside each other, ends while work is under
 * way.
 *
 * On the fake device; what tests/cuda/test_cuda_launch.c asks by CUDA's calls is not asked again here. What fails in a
 * module's life is in test_module_faults.c.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "support/support.h"
#include "unit/modules.h"

/* STAYS: tables that grow with what there is, once; what is left behind each time would soon be more. */
enum { THREADS = 4, ROUNDS = 25, LOADS = 100, STAYS = 10 };

static vptr_mapper *mapper;

/* ---- what every test does ------------------------------------------------------------------------------- */

static vptr__stream *legacy(void) {
  vptr__stream *stream;
  support_succeed(vptr__stream_legacy(mapper, &stream));
  return stream;
}

static vptr__module *load(void) {
  vptr__module *module = NULL;
  support_succeed(modules_load(&module));
  return module;
}

static int *numbers(void) {
  void *made;
  support_succeed(vptr_malloc(mapper, 16, &made));
  support_succeed(vptr_memset(mapper, made, 0, 16));
  return made;
}

static int number_at(const int *at) {
  int value = -1;
  support_succeed(vptr_memcpy(mapper, &value, at, sizeof value));
  return value;
}

static void set_up(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
  vptr__module_unload(load()); /* tables that stay are made now */
}

static void tear_down(void) {
  vptr__fake_disorder(0, 0);
  vptr__launch_forget_asserts(0);
  ck_assert_uint_eq(vptr_count(mapper), 0);
  support_succeed(vptr_check(mapper));
}

/* ---- loading -------------------------------------------------------------------------------------------- */

START_TEST(what_is_loaded_goes_when_it_is_unloaded) {
  long live = vptr__memory_live();
  for (int i = 0; i < LOADS; i++)
    vptr__module_unload(load());
  ck_assert_int_le(vptr__memory_live(), live + STAYS);
  vptr__module_unload(NULL);
}
END_TEST

START_TEST(a_text_that_is_no_module_loads_nothing) {
  vptr__module *module = (vptr__module *)&modules_added;
  long live = vptr__memory_live();
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_load("", 0, &module));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_load("__kernel void k() {}", 20, &module));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_load("//vptr-module 99\n", 17, &module));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_load("//vptr-module 1\n//vptr kernel\n", 30, &module));
  ck_assert_ptr_eq(module, &modules_added);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

START_TEST(the_text_is_copied) {
  char own[] = "//vptr-module 1\n//vptr kernel name=k lowered=_Z1kv entry=k\nk\n";
  vptr__module *module;
  support_succeed(vptr__module_load(own, sizeof own - 1, &module));
  memset(own, 'x', sizeof own);
  ck_assert_str_eq(vptr__function_image(vptr__module_function(module, "k"))->lowered, "_Z1kv");
  vptr__module_unload(module);
}
END_TEST

/* ---- names ---------------------------------------------------------------------------------------------- */

START_TEST(a_function_has_three_names_and_its_own_address) {
  vptr__module *module = load();
  vptr__function *add = vptr__module_function(module, "add");
  ck_assert_ptr_nonnull(add);
  ck_assert_ptr_eq(vptr__module_function(module, "_Z3addPii"), add);
  ck_assert_ptr_eq(vptr__module_function(module, "m_add"), add);
  ck_assert_ptr_eq(vptr__function_of(add), add);
  ck_assert_ptr_eq(vptr__function_module(add), module);
  vptr__module_unload(module);
  ck_assert_ptr_null(vptr__function_of(add));
}
END_TEST

START_TEST(names_that_are_missing_are_missed) {
  static const char *const none[] = { "", "ad", "add2", "ADD", "table", "_Z3addPi" };
  vptr__module *module = load();
  void *memory = &modules_added;
  size_t size = 99;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    ck_assert_ptr_null(vptr__module_function(module, none[i]));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_variable(module, "tables", mapper, &memory, &size));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "no variable tables"));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_variable(module, "add", mapper, &memory, &size));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_variable(module, "elsewhere", mapper, &memory, &size));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "extern"));
  ck_assert_ptr_eq(memory, &modules_added);
  ck_assert_uint_eq(size, 99);
  ck_assert_ptr_null(vptr__function_of(&modules_added));
  ck_assert_ptr_null(vptr__function_of(NULL));
  vptr__module_unload(module);
}
END_TEST

START_TEST(a_stub_means_what_it_was_bound_to_last) {
  static char stub, other;
  vptr__module *one = load(), *two = load();
  support_succeed(vptr__function_bind(&stub, vptr__module_function(one, "add")));
  support_succeed(vptr__function_bind(&other, vptr__module_function(one, "read")));
  support_succeed(vptr__function_bind(&stub, vptr__module_function(two, "add")));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__function_bind(NULL, vptr__module_function(two, "add")));
  vptr__module_unload(one);
  ck_assert_ptr_eq(vptr__function_of(&stub), vptr__module_function(two, "add"));
  ck_assert_ptr_null(vptr__function_of(&other));
  vptr__function_unbind(&stub);
  vptr__function_unbind(&stub);
  ck_assert_ptr_null(vptr__function_of(&stub));
  vptr__module_unload(two);
}
END_TEST

/* ---- variables ------------------------------------------------------------------------------------------ */

START_TEST(each_module_has_variables_of_its_own) {
  vptr__module *one = load(), *two = load();
  void *of_one, *of_two;
  size_t size;
  support_succeed(vptr__module_variable(one, "table", mapper, &of_one, &size));
  support_succeed(vptr__module_variable(two, "_ZN1a5tableE", mapper, &of_two, &size));
  ck_assert_uint_eq(size, 16);
  ck_assert_ptr_ne(of_one, of_two);
  support_succeed(vptr_memset(mapper, of_one, 0x11, 16));
  ck_assert_int_eq(number_at((int *)of_two + 3), 4);
  vptr__module_unload(one);
  ck_assert_int_eq(number_at((int *)of_two + 3), 4);
  support_expect(VPTR_ERROR_FREED, vptr_memset(mapper, of_one, 0, 16));
  vptr__module_unload(two);
}
END_TEST

START_TEST(a_managed_variable_begins_as_its_line_says) {
  vptr__module *module = load();
  int by = 3;
  void *total;
  size_t size;
  support_succeed(vptr__module_variable(module, "total", mapper, &total, &size));
  ck_assert_int_eq(*(int *)total, 7);
  support_succeed(MODULES_LAUNCH(legacy(), module, "count", &by));
  support_succeed(MODULES_LAUNCH(legacy(), module, "count", &by));
  support_succeed(vptr__stream_synchronize(legacy()));
  ck_assert_int_eq(*(int *)total, 13);
  vptr__module_unload(module);
}
END_TEST

START_TEST(an_extern_variable_is_found_by_its_shadow) {
  static const int initial[4] = { 1, 2, 3, 99 };
  static char key;
  vptr__module *definer = load(), *user = load();
  const vptr__variable defined = { .key = &key, .name = "table", .initial = initial, .size = 16 };
  const vptr__variable shadow = { .key = &key, .name = "elsewhere", .size = 16 };
  int *x = numbers();
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, MODULES_LAUNCH(legacy(), user, "read_elsewhere", &x));
  support_succeed(vptr__module_bind_variable(user, "elsewhere", &shadow));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT,
                 MODULES_LAUNCH(legacy(), user, "read_elsewhere", &x)); /* not known yet */
  support_succeed(vptr__module_bind_variable(definer, "table", &defined));
  support_expect(VPTR_ERROR_NOT_READY, vptr__module_bind_variable(user, "table", &defined));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_bind_variable(user, "nothing", &defined));
  support_succeed(MODULES_LAUNCH(legacy(), user, "read_elsewhere", &x));
  ck_assert_int_eq(number_at(x + 3), 99);
  vptr__module_unload(definer);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, MODULES_LAUNCH(legacy(), user, "read_elsewhere", &x));
  vptr__module_unload(user);
  support_succeed(vptr_free(mapper, x));
}
END_TEST

typedef struct head {
  long long number;
  void *tail, *second;
} head;

static void *variable(vptr__module *module, const char *name) {
  void *memory = NULL;
  size_t size;
  support_succeed(vptr__module_variable(module, name, mapper, &memory, &size));
  return memory;
}

START_TEST(variables_lead_to_each_other) {
  vptr__module *module = load();
  for (int round = 0; round < 2; round++) {
    head seen;
    void *back;
    char *table = variable(module, "table"); /* made before the others, and used as it is */
    void *tail = variable(module, "tail");
    support_succeed(vptr_memcpy(mapper, &seen, variable(module, "head"), sizeof seen));
    support_succeed(vptr_memcpy(mapper, &back, tail, sizeof back));
    ck_assert(seen.number == 5 && seen.tail == tail && seen.second == table + 4);
    ck_assert_ptr_eq(back, variable(module, "head"));
    support_succeed(vptr_memset(mapper, tail, 0, sizeof back));
    support_succeed(vptr_memcpy(mapper, &back, variable(module, "tail"), sizeof back));
    ck_assert_ptr_null(back);            /* what was changed stays */
    support_succeed(vptr_clear(mapper)); /* and is made anew behind a reset */
  }
  vptr__module_unload(module);
}
END_TEST

START_TEST(what_leads_to_an_extern_variable_needs_it) {
  static const int initial[4] = { 0 };
  static char key;
  const vptr__variable defined = { .key = &key, .name = "table", .initial = initial, .size = 16 };
  vptr__module *module = load(), *definer = load();
  void *there = NULL, *memory;
  size_t size;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_variable(module, "open", mapper, &there, &size));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "variable open begins with the address of one that is extern"));
  support_succeed(vptr__module_bind_variable(definer, "table", &defined));
  support_succeed(vptr__module_bind_variable(module, "elsewhere", &defined));
  support_succeed(vptr_memcpy(mapper, &there, variable(module, "open"), sizeof there));
  support_succeed(vptr__variable_address(&key, mapper, &memory));
  ck_assert_ptr_eq(there, memory);
  vptr__module_unload(module);
  vptr__module_unload(definer);
}
END_TEST

/* One heap a device, for all modules, whose size is set before its first use. */
START_TEST(kernels_share_a_heap) {
  vptr__module *one = load(), *other = load();
  struct {
    char *memory;
    unsigned long long bytes;
  } seen, again;
  int *x = numbers();
  ck_assert(vptr__kernel_heap_limit(0, 4096));
  support_succeed(MODULES_LAUNCH(legacy(), one, "read_heap", &x));
  support_succeed(vptr_memcpy(mapper, &seen, x, sizeof seen));
  ck_assert_uint_eq(seen.bytes, 4096);
  support_succeed(vptr_memset(mapper, seen.memory, 1, 4096));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_memset(mapper, seen.memory, 1, 4097));
  support_succeed(MODULES_LAUNCH(legacy(), other, "read_heap", &x));
  support_succeed(vptr_memcpy(mapper, &again, x, sizeof again));
  ck_assert_ptr_eq(again.memory, seen.memory);
  ck_assert(!vptr__kernel_heap_limit(0, 8192));
  vptr__module_unload(one);
  vptr__kernel_heap_forget(0);
  support_expect(VPTR_ERROR_FREED, vptr_memset(mapper, seen.memory, 1, 1));
  support_succeed(MODULES_LAUNCH(legacy(), other, "read_heap", &x));
  support_succeed(vptr_memcpy(mapper, &again, x, sizeof again));
  ck_assert_uint_eq(again.bytes, 8 << 20);
  vptr__kernel_heap_forget(0);
  vptr__module_unload(other);
  support_succeed(vptr_free(mapper, x));
}
END_TEST

/* One table a device, for all modules, which outlives them; a reset makes it anew. */
START_TEST(kernels_share_their_locks) {
  vptr__module *one = load(), *other = load();
  int *x = numbers(), seen[4], by = 3;
  support_succeed(MODULES_LAUNCH(legacy(), one, "count_locks", &by));
  vptr__module_unload(one);
  support_succeed(MODULES_LAUNCH(legacy(), other, "read_locks", &x));
  support_succeed(vptr_memcpy(mapper, seen, x, sizeof seen));
  ck_assert_int_eq(seen[0], 3);
  vptr__lock_words_forget(0);
  support_succeed(MODULES_LAUNCH(legacy(), other, "read_locks", &x));
  support_succeed(vptr_memcpy(mapper, seen, x, sizeof seen));
  ck_assert_int_eq(seen[0], 0);
  vptr__lock_words_forget(0);
  vptr__module_unload(other);
  support_succeed(vptr_free(mapper, x));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static atomic_int wrong; /* Check's assertions are for its own thread only */

static void must(bool condition) {
  if (!condition)
    atomic_fetch_add(&wrong, 1);
}

static void run_threads(void *(*work)(void *), void *context) {
  pthread_t threads[THREADS];
  atomic_store(&wrong, 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, context), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&wrong), 0);
}

static void use_once(vptr__module *module, vptr__stream *stream) {
  int by = 1, seen[4] = { 0 };
  void *x, *table, *total;
  size_t size;
  must(vptr_malloc(mapper, 16, &x) == VPTR_SUCCESS);
  must(vptr__module_variable(module, "table", mapper, &table, &size) == VPTR_SUCCESS);
  must(vptr__module_variable(module, "total", mapper, &total, &size) == VPTR_SUCCESS);
  must(MODULES_LAUNCH(stream, module, "read", &x) == VPTR_SUCCESS);
  must(MODULES_LAUNCH(stream, module, "add", &x, &by) == VPTR_SUCCESS);
  must(MODULES_LAUNCH(stream, module, "count", &by) == VPTR_SUCCESS);
  must(vptr__stream_synchronize(stream) == VPTR_SUCCESS);
  must(vptr_memcpy(mapper, seen, x, sizeof seen) == VPTR_SUCCESS);
  must(seen[0] == 2 && seen[3] == 4);
  must(*(int *)total == 8);
  head chain;
  must(vptr__module_variable(module, "head", mapper, &table, &size) == VPTR_SUCCESS);
  must(vptr_memcpy(mapper, &chain, table, sizeof chain) == VPTR_SUCCESS);
  must(vptr__module_variable(module, "tail", mapper, &total, &size) == VPTR_SUCCESS && chain.tail == total);
  must(vptr_memcpy(mapper, &total, total, sizeof total) == VPTR_SUCCESS && total == table);
  must(vptr_free(mapper, x) == VPTR_SUCCESS);
}

static void *load_and_use(void *context) {
  vptr__stream *stream = NULL;
  (void)context;
  must(vptr__stream_per_thread(mapper, &stream) == VPTR_SUCCESS);
  for (int i = 0; i < ROUNDS; i++) {
    vptr__module *module = NULL;
    must(modules_load(&module) == VPTR_SUCCESS);
    use_once(module, stream);
    must(vptr__function_of(vptr__module_function(module, "add")) == vptr__module_function(module, "add"));
    vptr__module_unload(module);
  }
  return NULL;
}

START_TEST(threads_load_one_text_at_once) {
  run_threads(load_and_use, NULL);
}
END_TEST

/* Each its own numbers, but one module, whose kernels are built by whoever comes first. */
static void *launch_often(void *context) {
  vptr__module *module = context;
  vptr__stream *stream = NULL;
  int by = 1, seen = 0;
  void *x;
  must(vptr__stream_per_thread(mapper, &stream) == VPTR_SUCCESS);
  must(vptr_malloc(mapper, 16, &x) == VPTR_SUCCESS);
  must(MODULES_LAUNCH(stream, module, "read", &x) == VPTR_SUCCESS);
  for (int i = 0; i < ROUNDS; i++) {
    must(MODULES_LAUNCH(stream, module, "add", &x, &by) == VPTR_SUCCESS);
    must(MODULES_LAUNCH(stream, module, "count", &by) == VPTR_SUCCESS);
    must(MODULES_LAUNCH(stream, module, "check", &(int){ 0 }) == VPTR_SUCCESS);
  }
  must(vptr__stream_synchronize(stream) == VPTR_SUCCESS);
  must(vptr_memcpy(mapper, &seen, x, sizeof seen) == VPTR_SUCCESS && seen == 1 + ROUNDS);
  must(vptr_free(mapper, x) == VPTR_SUCCESS);
  return NULL;
}

START_TEST(threads_launch_from_one_module) {
  vptr__module *module = load();
  void *total;
  size_t size;
  run_threads(launch_often, module);
  support_succeed(vptr__stream_synchronize_all(mapper));
  support_succeed(vptr__module_variable(module, "total", mapper, &total, &size));
  ck_assert_int_eq(*(int *)total, 7 + THREADS * ROUNDS);
  vptr__module_unload(module);
}
END_TEST

/* ---- ends ----------------------------------------------------------------------------------------------- */

START_TEST(unloading_waits_for_launches_on_their_way) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    vptr__stream *stream;
    vptr__module *module = load();
    int by = 1, *x = numbers();
    support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
    vptr__fake_disorder(seed, 300);
    atomic_store(&modules_added, 0);
    for (int i = 0; i < ROUNDS; i++)
      support_succeed(MODULES_LAUNCH(stream, module, "add", &x, &by));
    vptr__module_unload(module);
    ck_assert_int_eq(atomic_load(&modules_added), ROUNDS);
    vptr__fake_disorder(0, 0);
    ck_assert_int_eq(number_at(x), ROUNDS);
    support_succeed(vptr__stream_destroy(stream));
    support_succeed(vptr_free(mapper, x));
  }
}
END_TEST

static void *reset(void *context) {
  (void)context;
  must(cudaDeviceReset() == cudaSuccess);
  return NULL;
}

static void reset_elsewhere(void) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, reset, NULL), 0);
  pthread_join(thread, NULL);
}

/* A reset takes memory and streams along, and leaves modules: they begin anew at the next use. */
START_TEST(a_module_outlives_resets_by_other_threads) {
  vptr__module *module = load();
  int by = 1;
  for (int i = 0; i < 5; i++) {
    int *x = numbers();
    void *table;
    size_t size;
    support_succeed(vptr__module_variable(module, "table", mapper, &table, &size));
    support_succeed(vptr_memset(mapper, table, 0, 16));
    support_succeed(MODULES_LAUNCH(legacy(), module, "count", &by));
    reset_elsewhere();
    support_expect(VPTR_ERROR_FREED, MODULES_LAUNCH(legacy(), module, "read", &x));
    x = numbers();
    support_succeed(MODULES_LAUNCH(legacy(), module, "read", &x));
    ck_assert_int_eq(number_at(x + 3), 4);
    support_succeed(vptr_free(mapper, x));
  }
  reset_elsewhere();
  vptr__module_unload(module); /* what it had is gone already */
}
END_TEST

static atomic_bool is_over;

static void *clear_often(void *context) {
  (void)context;
  while (!atomic_load(&is_over))
    must(vptr_clear(mapper) == VPTR_SUCCESS);
  return NULL;
}

static bool may_be(vptr_status status) {
  return status == VPTR_SUCCESS || status == VPTR_ERROR_FREED || status == VPTR_ERROR_UNKNOWN_ADDRESS;
}

/* Memory that goes under a launch is a refusal, and nothing worse: modules are loaded, launched and unloaded
   meanwhile. */
START_TEST(memory_may_be_cleared_under_launches) {
  pthread_t thread;
  int by = 1;
  atomic_store(&wrong, 0);
  atomic_store(&is_over, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, clear_often, NULL), 0);
  for (int i = 0; i < 200; i++) {
    vptr__module *module = load();
    void *x;
    vptr_location location;
    support_succeed(vptr_malloc(mapper, 16, &x));
    for (int n = 0; n < 1000 && atomic_load(&wrong) == 0; n++)
      must(may_be(vptr_resolve(mapper, x, 1, &location)));
    must(may_be(MODULES_LAUNCH(legacy(), module, "add", &x, &by)));
    must(may_be(MODULES_LAUNCH(legacy(), module, "read", &x)));
    must(may_be(MODULES_LAUNCH(legacy(), module, "count", &by)));
    must(may_be(MODULES_LAUNCH(legacy(), module, "check", &(int){ 0 })));
    support_succeed(vptr__stream_synchronize(legacy()));
    vptr__module_unload(module);
  }
  atomic_store(&is_over, true);
  pthread_join(thread, NULL);
  ck_assert_int_eq(atomic_load(&wrong), 0);
  support_succeed(vptr_clear(mapper));
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------ */

static TCase *add_case(Suite *suite, const char *name) {
  TCase *tests = tcase_create(name);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  suite_add_tcase(suite, tests);
  return tests;
}

static Suite *module_suite(void) {
  Suite *suite = suite_create("module");
  if (support_has_opencl())
    return suite; /* its kernels are the fake device's */
  TCase *names = add_case(suite, "names");
  tcase_add_test(names, what_is_loaded_goes_when_it_is_unloaded);
  tcase_add_test(names, a_text_that_is_no_module_loads_nothing);
  tcase_add_test(names, the_text_is_copied);
  tcase_add_test(names, a_function_has_three_names_and_its_own_address);
  tcase_add_test(names, names_that_are_missing_are_missed);
  tcase_add_test(names, a_stub_means_what_it_was_bound_to_last);
  TCase *variables = add_case(suite, "variables");
  tcase_add_test(variables, each_module_has_variables_of_its_own);
  tcase_add_test(variables, a_managed_variable_begins_as_its_line_says);
  tcase_add_test(variables, an_extern_variable_is_found_by_its_shadow);
  tcase_add_test(variables, variables_lead_to_each_other);
  tcase_add_test(variables, what_leads_to_an_extern_variable_needs_it);
  tcase_add_test(variables, kernels_share_a_heap);
  tcase_add_test(variables, kernels_share_their_locks);
  TCase *life = add_case(suite, "life");
  tcase_add_test(life, threads_load_one_text_at_once);
  tcase_add_test(life, threads_launch_from_one_module);
  tcase_add_test(life, unloading_waits_for_launches_on_their_way);
  tcase_add_test(life, a_module_outlives_resets_by_other_threads);
  tcase_add_test(life, memory_may_be_cleared_under_launches);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  modules_define();
  return support_run(module_suite());
}
