/* SPDX-License-Identifier: MIT */
/*
 * module_faults - every host allocation, every device call and every command fails once in a module's life: the failure
 * is heard of, nothing is left behind, and the next life goes well. And single faults at places where more is promised.
 */
#include <stdlib.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "heap/heap.h"
#include "stream/stream.h"
#include "support/support.h"
#include "unit/modules.h"

/* UNHARMED: so many lives in a row that met no fault, since some calls may fail unheard. STAYS: allocations that are
 * made once a process; what is left behind each time would soon be more. */
enum { UNHARMED = 20, STAYS = 10, MOST = 3000 };

static vptr_mapper *mapper;
static int failed;

static bool went_well(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return true;
  failed++;
  ck_assert_str_ne(vptr_last_error(), "");
  return false;
}

static void use_all(vptr__module *module, vptr__stream *stream, void *x) {
  static char shadow;
  const vptr__variable bound = { .key = &shadow, .name = "table", .size = 16 };
  int by = 1;
  void *memory;
  size_t size;
  vptr__kernel_limits limits;
  went_well(vptr__module_bind_variable(module, "table", &bound));
  went_well(vptr__function_bind(&shadow, vptr__module_function(module, "read")));
  went_well(MODULES_LAUNCH(stream, module, "add", &x, &by));
  went_well(MODULES_LAUNCH(stream, module, "read", &x));
  went_well(MODULES_LAUNCH(stream, module, "count", &by));
  went_well(MODULES_LAUNCH(stream, module, "read_heap", &x));
  went_well(MODULES_LAUNCH(stream, module, "read_locks", &x));
  went_well(MODULES_LAUNCH(stream, module, "check", &(int){ 0 }));
  went_well(MODULES_LAUNCH(stream, module, "print", &(int){ 7 }, &(int){ 0 }));
  went_well(vptr__module_variable(module, "table", mapper, &memory, &size));
  went_well(vptr__module_variable(module, "tail", mapper, &memory, &size));
  went_well(vptr__function_limits(vptr__module_function(module, "add"), mapper, &limits));
}

/* A module's whole life, with a fault under way; returns how many calls failed. */
static int live(void) {
  vptr__module *module = NULL;
  vptr__stream *stream = NULL;
  void *x = NULL;
  failed = 0;
  if (went_well(vptr_malloc(mapper, 16, &x)) && went_well(vptr__stream_legacy(mapper, &stream)) &&
      went_well(modules_load(&module)))
    use_all(module, stream, x);
  if (stream != NULL)
    went_well(vptr__stream_synchronize(stream));
  vptr__module_unload(module);
  vptr__print_flush(0);
  vptr__print_forget(0);
  vptr__kernel_heap_forget(0);
  vptr__lock_words_forget(0);
  if (x != NULL && !went_well(vptr_free(mapper, x)))
    support_succeed(vptr_free(mapper, x)); /* a wait that failed; the next one goes through */
  return failed;
}

/* At least so many failures are heard of. */
static void fail_each(void (*fail_nth)(long n), int least) {
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(live(), 0);
  vptr__launch_forget_asserts(0);
  support_succeed(vptr_trim(mapper, 0));
  long memory = vptr__memory_live();
  int heard = 0;
  for (long n = 1, unharmed = 0; unharmed < UNHARMED; n++) {
    fail_nth(n);
    int failures = live();
    fail_nth(0);
    vptr__stream_synchronize_all(mapper); /* what failed and was heard of by nobody */
    heard += failures > 0;
    unharmed = failures > 0 ? 0 : unharmed + 1;
    vptr__launch_forget_asserts(0);
    ck_assert_uint_eq(vptr_count(mapper), 0);
    support_succeed(vptr_trim(mapper, 0));
    ck_assert_int_le(vptr__memory_live(), memory + STAYS);
    ck_assert_int_lt(n, MOST);
  }
  ck_assert_int_ge(heard, least);
  ck_assert_int_eq(live(), 0);
}

START_TEST(every_allocation_may_fail) {
  fail_each(vptr__memory_fail_nth, 20);
}
END_TEST

static void no_resources(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static void no_queue(long n) {
  vptr__fake_fail_nth(n, CL_INVALID_COMMAND_QUEUE);
}

static void no_memory(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

START_TEST(every_device_call_may_fail) {
  fail_each(no_resources, 30);
  fail_each(no_queue, 30);
  fail_each(no_memory, 20);
}
END_TEST

static void command(long n) {
  vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
}

START_TEST(every_command_may_fail_on_the_device) {
  fail_each(command, 7);
}
END_TEST

/* ---- one fault at one place ------------------------------------------------------------------------------ */

static vptr__stream *stream_of_kind(int kind) {
  vptr__stream *stream;
  if (kind == 0)
    support_succeed(vptr__stream_legacy(mapper, &stream));
  else
    support_succeed(vptr__stream_create(mapper, kind == 1 ? 0 : VPTR__STREAM_NON_BLOCKING, 0, &stream));
  return stream;
}

static void end_stream(vptr__stream *stream) {
  if (!vptr__stream_is_legacy(stream))
    support_succeed(vptr__stream_destroy(stream));
}

/* The mark behind a launch is its fourth command: write, kernel, read and the mark. The launch behind, on the same
 * stream or another, goes on, before the failure is told or after, and the stream of the mark alone tells of it. */
static void fail_a_mark(vptr__stream *stream, vptr__stream *next, bool is_over) {
  vptr__module *module = NULL;
  int by = 1;
  void *total;
  size_t size;
  support_succeed(modules_load(&module));
  support_succeed(vptr__module_variable(module, "total", mapper, &total, &size));
  support_succeed(MODULES_LAUNCH(stream, module, "count", &by));
  support_succeed(vptr__stream_synchronize_all(mapper));
  vptr__fake_fail_command(4, CL_OUT_OF_RESOURCES);
  support_succeed(MODULES_LAUNCH(stream, module, "count", &by));
  if (is_over)
    support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize(stream));
  support_succeed(MODULES_LAUNCH(next, module, "count", &by));
  if (!is_over)
    support_expect(VPTR_ERROR_OPENCL, vptr__stream_synchronize(stream));
  vptr__fake_fail_command(0, CL_SUCCESS);
  support_succeed(vptr__stream_synchronize(next));
  support_succeed(vptr__stream_synchronize_all(mapper));
  ck_assert_int_eq(*(int *)total, 10);
  vptr__module_unload(module);
}

START_TEST(a_mark_that_failed_is_told_once_and_stops_nothing) {
  for (int kind = 0; kind < 3; kind++)
    for (int other = 0; other < 6; other++) {
      vptr__stream *stream = stream_of_kind(kind);
      vptr__stream *next = other / 2 == kind ? stream : stream_of_kind(other / 2);
      fail_a_mark(stream, next, other % 2 == 0);
      if (next != stream)
        end_stream(next);
      end_stream(stream);
    }
}
END_TEST

/* The mark comes behind the work, so that there is no way back: a mark that cannot be sent is no failure. */
START_TEST(a_launch_that_fails_has_done_nothing) {
  enum { CALLS = 30 };
  vptr__module *module = NULL;
  vptr__stream *stream = stream_of_kind(0);
  int by = 1, failures = 0;
  void *total;
  size_t size;
  support_succeed(modules_load(&module));
  support_succeed(vptr__module_variable(module, "total", mapper, &total, &size));
  support_succeed(MODULES_LAUNCH(stream, module, "count", &by));
  for (int n = 1; n <= CALLS; n++) {
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    failures += MODULES_LAUNCH(stream, module, "count", &by) != VPTR_SUCCESS;
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__stream_synchronize_all(mapper); /* a flush that failed is told here */
    ck_assert_int_eq(*(int *)total, 8 + n - failures);
  }
  ck_assert_int_ge(failures, 3); /* the write, the kernel and the read at least */
  vptr__module_unload(module);
}
END_TEST

static const void *kept; /* what must stay */

static int find_other(const vptr_location *location, void *context) {
  if (location->base != kept)
    *(void **)context = location->base;
  return 0;
}

/* In the place of a kernel: frees what somebody else has just allocated and is about to fill. */
static void free_other(const vptr__fake_launch *launch) {
  void *base = NULL;
  (void)launch;
  while (base == NULL)
    vptr_walk(mapper, find_other, &base);
  vptr__heap_free(mapper->heap, base);
}

START_TEST(a_variable_that_goes_while_it_is_made_is_said_to_be_freed) {
  vptr__module *module = NULL;
  vptr__stream *stream = stream_of_kind(0);
  int by = 1;
  void *x = NULL, *memory = &by;
  size_t size = 99;
  vptr__launch_forget_asserts(0); /* their word is an allocation too */
  support_succeed(modules_load(&module));
  support_succeed(vptr_malloc(mapper, 16, &x));
  kept = x;
  vptr__fake_define("m_add", free_other);
  support_succeed(MODULES_LAUNCH(stream, module, "add", &x, &by));
  support_expect(VPTR_ERROR_FREED, vptr__module_variable(module, "table", mapper, &memory, &size));
  modules_define();
  ck_assert_ptr_eq(memory, &by);
  ck_assert_uint_eq(size, 99);
  support_succeed(vptr__module_variable(module, "table", mapper, &memory, &size));
  vptr__module_unload(module);
  support_succeed(vptr_free(mapper, x));
}
END_TEST

static void set_up(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

static Suite *module_faults_suite(void) {
  Suite *suite = suite_create("module_faults");
  TCase *faults = tcase_create("faults");
  if (support_has_opencl())
    return suite; /* its kernels are the fake device's */
  tcase_add_checked_fixture(faults, set_up, NULL);
  tcase_add_test(faults, every_allocation_may_fail);
  tcase_add_test(faults, every_device_call_may_fail);
  tcase_add_test(faults, every_command_may_fail_on_the_device);
  tcase_add_test(faults, a_mark_that_failed_is_told_once_and_stops_nothing);
  tcase_add_test(faults, a_launch_that_fails_has_done_nothing);
  tcase_add_test(faults, a_variable_that_goes_while_it_is_made_is_said_to_be_freed);
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  modules_define();
  return support_run(module_faults_suite());
}
