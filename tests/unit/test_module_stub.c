/* SPDX-License-Identifier: MIT */
/*
 * module_stub - stubs that are bound and unbound for as long as a program likes: each bound one is found, by any
 * thread, and the table is as large as what is bound needs.
 *
 * What a stub means at all is in test_module.c.
 */
#include <pthread.h>
#include <stdatomic.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "support/support.h"
#include "unit/modules.h"

static vptr__module *module;

static void set_up(void) {
  support_succeed(modules_load(&module));
}

/* Addresses of functions, as far apart as a compiler puts them. */
static const void *stub_at(size_t i) {
  static char code[1 << 20];
  return code + i * 16 % sizeof code;
}

START_TEST(stubs_that_go_leave_their_room_to_others) {
  enum { STAYING = 8, COMING = 50000 };
  vptr__function *add = vptr__module_function(module, "add"), *read = vptr__module_function(module, "read");
  for (size_t i = 0; i < STAYING; i++)
    support_succeed(vptr__function_bind(stub_at(i * 1000), read));
  long live = vptr__memory_live();
  for (size_t i = 0; i < COMING; i++) {
    const void *stub = stub_at(10000 + i);
    support_succeed(vptr__function_bind(stub, add));
    ck_assert_ptr_eq(vptr__function_of(stub), add);
    vptr__function_unbind(stub);
  }
  ck_assert_int_eq(vptr__memory_live(), live);
  for (size_t i = 0; i < STAYING; i++)
    ck_assert_ptr_eq(vptr__function_of(stub_at(i * 1000)), read);
  vptr__module_unload(module);
  for (size_t i = 0; i < STAYING; i++)
    ck_assert_ptr_null(vptr__function_of(stub_at(i * 1000)));
}
END_TEST

/* Few enough not to make the table grow, and enough to lie in each other's way. */
START_TEST(each_stub_is_found_whoever_goes) {
  enum { STUBS = 64, MOST_BOUND = 25, STEPS = 20000 };
  vptr__function *add = vptr__module_function(module, "add"), *bound[STUBS] = { NULL };
  uint64_t seed = 1;
  int count = 0;
  for (int step = 0; step < STEPS; step++) {
    size_t picked = support_random(&seed) % STUBS;
    if (bound[picked] != NULL) {
      vptr__function_unbind(stub_at(picked * 37));
      bound[picked] = NULL;
      count--;
    } else if (count < MOST_BOUND) {
      support_succeed(vptr__function_bind(stub_at(picked * 37), add));
      bound[picked] = add;
      count++;
    }
    for (size_t i = 0; i < STUBS; i++)
      support_must(vptr__function_of(stub_at(i * 37)) == bound[i]);
  }
  vptr__module_unload(module);
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static atomic_int wrong; /* Check's assertions are for its own thread only */
static atomic_bool is_over;

static void *bind_others(void *context) {
  (void)context;
  vptr__function *add = vptr__module_function(module, "add");
  for (size_t i = 0; i < 20000; i++) {
    wrong += vptr__function_bind(stub_at(1000 + i), add) != VPTR_SUCCESS;
    vptr__function_unbind(stub_at(1000 + i));
  }
  is_over = true;
  return NULL;
}

START_TEST(stubs_are_found_while_others_come_and_go) {
  vptr__function *read = vptr__module_function(module, "read");
  pthread_t thread;
  wrong = 0;
  is_over = false;
  for (size_t i = 0; i < 16; i++)
    support_succeed(vptr__function_bind(stub_at(i), read));
  ck_assert_int_eq(pthread_create(&thread, NULL, bind_others, NULL), 0);
  while (!is_over)
    for (size_t i = 0; i < 16; i++)
      wrong += vptr__function_of(stub_at(i)) != read;
  pthread_join(thread, NULL);
  ck_assert_int_eq(wrong, 0);
  vptr__module_unload(module);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------ */

static Suite *module_stub_suite(void) {
  Suite *suite = suite_create("module_stub");
  TCase *tests = tcase_create("stubs");
  tcase_add_checked_fixture(tests, set_up, NULL);
  tcase_add_test(tests, stubs_that_go_leave_their_room_to_others);
  tcase_add_test(tests, each_stub_is_found_whoever_goes);
  tcase_add_test(tests, stubs_are_found_while_others_come_and_go);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(module_stub_suite());
}
