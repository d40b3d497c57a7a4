/* SPDX-License-Identifier: MIT */
/*
 * test_ptx_launch - modules of PTX on their way to the device: what a program is built of, what its kernels are given,
 * and where it is told that variables are.
 *
 * On the fake device, which is said to take PTX and to tell addresses, with functions that write down what they were
 * given. What NVIDIA's driver makes of such texts is seen with tests/cuda/nvcc/run.sh.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "module/module.h"
#include "nvidia/ptx.h"
#include "stream/stream.h"
#include "support/support.h"

static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                          ".global .align 4 .u32 here = 7;\n"
                          ".const .align 4 .b8 there[8] = {1, 2};\n"
                          ".extern .shared .align 16 .b8 dynamic[];\n"
                          ".visible .entry take(.param .u64 take_param_0, .param .align 8 .b8 take_param_1[32], "
                          ".param .u32 take_param_2)\n{\n"
                          "  .reg .b64 %rd<9>;\n  .reg .b32 %r<9>;\n"
                          "  ld.param.u64 %rd1, [take_param_0];\n"
                          "  ld.param.u64 %rd2, [take_param_1+8];\n"
                          "  ld.param.v2.u32 {%r1, %r2}, [take_param_1+16];\n"
                          "  ld.param.u32 %r3, [take_param_2];\n"
                          "  ret;\n}\n"
                          ".visible .entry use()\n{\n  .reg .b32 %r<9>;\n"
                          "  ld.global.u32 %r1, [here];\n  ld.const.u32 %r2, [there+4];\n  ret;\n}\n"
                          ".visible .entry share(.param .u32 share_param_0)\n{\n  .reg .b32 %r<9>;\n"
                          "  mov.u32 %r1, dynamic;\n  ret;\n}\n"
                          ".visible .entry paint(.param .u64 paint_param_0)\n{\n  .reg .f32 %f<9>;\n"
                          "  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [paint_param_0, {%f5}];\n  ret;\n}\n";

enum { WORDS = 4, SIZE = 1000, LIKE_VARIABLE = 260 /* what one takes, with its lead */ };

static vptr_mapper *mapper;
static vptr__stream *stream;
static vptr__module *module;
static const vptr__device_ops *true_ops;
static vptr__device_ops ops;
static int builds;
static char *built; /* the text of the last program */
static bool built_as_ptx;
static uint64_t given; /* what `take` got */
static uint64_t given_struct[WORDS];
static uint32_t given_number;
static uint64_t words[WORDS]; /* what the setter wrote */
static int words_set, runs;

static void note_take(const vptr__fake_launch *launch) {
  memcpy(&given, launch->arguments[0], sizeof given);
  memcpy(given_struct, launch->arguments[1], sizeof given_struct);
  memcpy(&given_number, launch->arguments[2], sizeof given_number);
  runs++;
}

static void note_run(const vptr__fake_launch *launch) {
  (void)launch;
  runs++;
}

static void note_word(const vptr__fake_launch *launch) {
  uint64_t index = *(const uint64_t *)launch->arguments[0];
  ck_assert_uint_lt(index, WORDS);
  words[index] = *(const uint64_t *)launch->arguments[1];
  words_set++;
}

static vptr_status note_build(vptr__device *device, const vptr__program_source *source, cl_program *program_out) {
  builds++;
  free(built);
  built = strndup(source->text, source->length);
  built_as_ptx = source->is_ptx;
  return true_ops->kernel.program_build(device, source, program_out);
}

/* ---- what every test does ------------------------------------------------------------------------------- */

static void open_device(unsigned capability) {
  vptr__fake_take_ptx(capability);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  true_ops = mapper->device->ops;
  ops = *true_ops;
  ops.kernel.program_build = note_build;
  mapper->device->ops = &ops;
}

static void load_module(void) {
  char *text;
  support_succeed(vptr__ptx_translate(ptx, sizeof ptx - 1, &text));
  support_succeed(vptr__module_load(text, strlen(text), &module));
  vptr__memory_free(text);
}

static void set_up(void) {
  setenv("VPTR_CACHE", "off", 1);
  vptr__fake_report_addresses(true);
  vptr__fake_define("take", note_take);
  vptr__fake_define("use", note_run);
  vptr__fake_define("share", note_run);
  vptr__fake_define("paint", note_run);
  vptr__fake_define("__vptr_set", note_word);
  builds = words_set = runs = 0;
  open_device(900);
  load_module();
}

static void load_text(const char *source) {
  char *text;
  vptr__module_unload(module);
  support_succeed(vptr__ptx_translate(source, strlen(source), &text));
  support_succeed(vptr__module_load(text, strlen(text), &module));
  vptr__memory_free(text);
}

static void open_other(unsigned capability, bool has_addresses) {
  vptr__module_unload(module);
  mapper->device->ops = true_ops;
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__fake_report_addresses(has_addresses);
  open_device(capability);
  load_module();
}

static void tear_down(void) {
  vptr__module_unload(module);
  mapper->device->ops = true_ops;
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__fake_report_addresses(false);
  vptr__fake_take_ptx(0);
  free(built);
  built = NULL;
}

/* A wait that was made to fail has not waited: what was sent before it may run still. */
static void wait_for_commands(void) {
  vptr__fake_counts counts;
  do {
    sched_yield();
    vptr__fake_get_counts(&counts);
  } while (counts.commands > 0);
}

static vptr_status launch_kernel(const char *name, void **arguments, size_t shared) {
  vptr__launch launch = {
    .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments, .shared = shared
  };
  vptr_status status = vptr__function_launch(vptr__module_function(module, name), stream, &launch);
  vptr_status finished = vptr__stream_synchronize(stream);
  wait_for_commands();
  return status == VPTR_SUCCESS ? finished : status;
}

static vptr_status launch_take(uint64_t first, const uint64_t structure[WORDS]) {
  uint32_t number = 5;
  uint64_t copy[WORDS];
  memcpy(copy, structure, sizeof copy);
  void *arguments[] = { &first, copy, &number };
  return launch_kernel("take", arguments, 0);
}

static vptr_status launch_use(void) {
  return launch_kernel("use", (void *[]){ NULL }, 0);
}

static vptr_status launch_share(size_t shared) {
  uint32_t number = 1;
  return launch_kernel("share", (void *[]){ &number }, shared);
}

static uint64_t allocate(void) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, SIZE, &ptr));
  return (uintptr_t)ptr;
}

static uint64_t place_of(uint64_t ptr) {
  vptr_location location;
  uint64_t address;
  support_succeed(vptr_resolve(mapper, (void *)(uintptr_t)ptr, 1, &location));
  support_succeed(mapper->device->ops->memory.address(mapper->device, location.buffer, &address));
  return address + location.buffer_offset;
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

START_TEST(the_text_is_built_as_ptx_and_kernels_get_each_argument) {
  uint64_t memory = allocate();
  support_succeed(launch_take(memory, (uint64_t[]){ 1, memory + 8, 3, 4 }));
  ck_assert(built_as_ptx);
  ck_assert_ptr_nonnull(strstr(built, ".version 8.0"));
  ck_assert_ptr_null(strstr(built, "//vptr kernel"));
  ck_assert_uint_eq(given, place_of(memory));
  ck_assert_uint_eq(given_struct[0], 1);
  ck_assert_uint_eq(given_struct[1], place_of(memory) + 8);
  ck_assert_uint_eq(given_struct[2], 3);
  ck_assert_uint_eq(given_number, 5);
}
END_TEST

/* Only where the kernel reads 64 bits may there be a pointer. */
START_TEST(what_is_no_pointer_is_passed_as_it_is) {
  uint64_t memory = allocate();
  support_succeed(launch_take(0, (uint64_t[]){ memory, 0, memory, memory }));
  ck_assert_uint_eq(given, 0);
  ck_assert_uint_eq(given_struct[0], memory);
  ck_assert_uint_eq(given_struct[1], 0);
  ck_assert_uint_eq(given_struct[2], memory);
  support_succeed(launch_take(UINT64_MAX, (uint64_t[]){ 0, 12345, 0, 0 }));
  ck_assert_uint_eq(given, UINT64_MAX);
  ck_assert_uint_eq(given_struct[1], 12345);
  support_succeed(launch_take((uintptr_t)support_nowhere(), (uint64_t[]){ 0, 1ull << 46, 0, 0 }));
  ck_assert_uint_eq(given, (uintptr_t)support_nowhere());
  ck_assert_uint_eq(given_struct[1], 1ull << 46);
}
END_TEST

START_TEST(the_end_of_memory_is_its_end) {
  uint64_t memory = allocate();
  support_succeed(launch_take(memory + SIZE, (uint64_t[]){ 0, memory + SIZE - 1, 0, 0 }));
  ck_assert_uint_eq(given, place_of(memory) + SIZE);
  ck_assert_uint_eq(given_struct[1], place_of(memory) + SIZE - 1);
}
END_TEST

START_TEST(freed_memory_is_refused) {
  uint64_t memory = allocate(), freed = allocate();
  support_succeed(launch_take(memory, (uint64_t[]){ 0, freed, 0, 0 }));
  support_succeed(vptr_free(mapper, (void *)(uintptr_t)freed));
  support_expect(VPTR_ERROR_FREED, launch_take(freed, (uint64_t[]){ 0, memory, 0, 0 }));
  support_expect(VPTR_ERROR_FREED, launch_take(memory, (uint64_t[]){ 0, freed, 0, 0 }));
  ck_assert_int_eq(runs, 1);
  support_succeed(launch_take(memory, (uint64_t[]){ 0, memory, freed, 0 }));
}
END_TEST

/* ---- variables ------------------------------------------------------------------------------------------ */

static uint64_t variable_at(const char *name) {
  void *ptr;
  size_t size;
  support_succeed(vptr__module_variable(module, name, mapper, &ptr, &size));
  return (uintptr_t)ptr;
}

START_TEST(a_program_is_told_once_where_variables_are) {
  uint32_t content[2] = { 0, 9 };
  support_succeed(launch_use());
  ck_assert_int_eq(words_set, 2);
  ck_assert_uint_eq(words[0], place_of(variable_at("here")));
  ck_assert_uint_eq(words[1], place_of(variable_at("there")));
  support_succeed(launch_use());
  ck_assert_int_eq(words_set, 2);
  ck_assert_int_eq(runs, 2);
  support_succeed(vptr_memcpy(mapper, content, (void *)(uintptr_t)variable_at("here"), sizeof content[0]));
  ck_assert_uint_eq(content[0], 7);
  support_succeed(vptr_memcpy(mapper, content, (void *)(uintptr_t)variable_at("there"), sizeof content));
  ck_assert_uint_eq(content[0], 0x0201);
  ck_assert_uint_eq(content[1], 0);
}
END_TEST

START_TEST(kernels_without_variables_are_told_nothing) {
  support_succeed(launch_take(0, (uint64_t[WORDS]){ 0 }));
  ck_assert_int_eq(words_set, 0);
}
END_TEST

START_TEST(variables_that_have_other_memory_are_told_anew) {
  support_succeed(launch_use());
  uint64_t before = words[0];
  support_succeed(vptr_clear(mapper));
  void *in_the_way;
  support_succeed(vptr_malloc(mapper, LIKE_VARIABLE, &in_the_way));
  support_succeed(launch_use());
  ck_assert_uint_eq(words[0], place_of(variable_at("here")));
  ck_assert_uint_ne(words[0], before);
  ck_assert_int_eq(words_set, 4);
}
END_TEST

START_TEST(what_fails_while_a_program_is_told_is_told_again) {
  int failed = 0;
  for (long n = 1; n < 40; n++) {
    open_other(900, true);
    runs = 0;
    memset(words, 0, sizeof words);
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    vptr_status status = launch_use();
    vptr__fake_fail_nth(0, 0);
    failed += status != VPTR_SUCCESS;
    ck_assert(runs == 1 || status != VPTR_SUCCESS);
    support_succeed(launch_use());
    ck_assert_uint_eq(words[0], place_of(variable_at("here")));
    ck_assert_uint_eq(words[1], place_of(variable_at("there")));
  }
  ck_assert_int_gt(failed, 8);
}
END_TEST

START_TEST(host_memory_may_run_out_anywhere) {
  long before = vptr__memory_live(), n = 0;
  char *text;
  vptr_status status;
  do {
    vptr__memory_fail_nth(++n);
    status = vptr__ptx_translate(ptx, sizeof ptx - 1, &text);
    vptr__memory_fail_nth(0);
    ck_assert(status == VPTR_SUCCESS || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
    ck_assert(status == VPTR_SUCCESS || vptr__memory_live() == before);
  } while (status != VPTR_SUCCESS);
  ck_assert_int_gt(n, 8);
  vptr__memory_free(text);
  ck_assert_int_eq(vptr__memory_live(), before);
  for (n = 1; n < 40 && status == VPTR_SUCCESS; n++) {
    vptr__memory_fail_nth(n);
    vptr_status launched = launch_use();
    vptr__memory_fail_nth(0);
    ck_assert(launched == VPTR_SUCCESS || launched == VPTR_ERROR_OUT_OF_HOST_MEMORY);
  }
  support_succeed(launch_use());
}
END_TEST

/* ---- dynamic shared memory ------------------------------------------------------------------------------ */

static long built_size(void) {
  const char *at = strstr(built, "__vptr_dynamic[");
  ck_assert_ptr_nonnull(at);
  return strtol(at + strlen("__vptr_dynamic["), NULL, 10);
}

START_TEST(each_size_of_shared_memory_is_a_program) {
  support_succeed(launch_share(0));
  ck_assert_int_eq(built_size(), 16);
  ck_assert_ptr_nonnull(strstr(built, ".entry take("));
  support_succeed(launch_share(1));
  ck_assert_int_eq(built_size(), 256);
  ck_assert_ptr_nonnull(strstr(built, ".entry share("));
  ck_assert_ptr_nonnull(strstr(built, ".entry __vptr_set("));
  ck_assert_ptr_null(strstr(built, ".entry take(")); /* which might have too much shared memory besides */
  ck_assert_int_eq(builds, 2);
  support_succeed(launch_share(200));
  support_succeed(launch_share(0));
  ck_assert_int_eq(builds, 2);
  support_succeed(launch_share(20000));
  ck_assert_int_eq(built_size(), 20480);
  support_succeed(launch_share(48 << 10));
  ck_assert_int_eq(built_size(), 48 << 10);
  ck_assert_int_eq(builds, 4);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, launch_share((48 << 10) + 1));
  ck_assert_int_eq(builds, 4);
}
END_TEST

START_TEST(kernels_without_dynamic_shared_memory_have_one_program) {
  support_succeed(launch_use());
  support_succeed(launch_kernel("use", (void *[]){ NULL }, 4096));
  ck_assert_int_eq(builds, 1);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------------------- */

START_TEST(kernels_that_read_textures_are_refused) {
  uint64_t number = 0;
  support_expect(VPTR_ERROR_UNSUPPORTED, launch_kernel("paint", (void *[]){ &number }, 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "textures"));
  ck_assert_int_eq(runs, 0);
}
END_TEST

START_TEST(parameters_are_as_many_as_the_device_takes) {
  static char bytes[5000];
  void *arguments[] = { bytes };
  load_text(".version 8.0\n.target sm_80\n.entry use(.param .align 4 .b8 large[4096]) { ret; }\n");
  support_succeed(launch_kernel("use", arguments, 0));
  load_text(".version 8.0\n.target sm_80\n.entry use(.param .align 4 .b8 large[4100]) { ret; }\n");
  support_expect(VPTR_ERROR_UNSUPPORTED, launch_kernel("use", arguments, 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "4100 bytes of parameters"));
}
END_TEST

/* Which are no arguments: more of them than parameters could be. */
START_TEST(kernels_may_have_many_variables) {
  enum { VARIABLES = 600 };
  char *source = calloc(VARIABLES, 200), *at = source;
  at += sprintf(at, ".version 8.0\n.target sm_80\n.address_size 64\n");
  for (int i = 0; i < VARIABLES; i++)
    at += sprintf(at, ".global .align 4 .u32 v%d;\n", i);
  at += sprintf(at, ".entry share() {\n.reg .b32 %%r<2>;\n");
  for (int i = 0; i < VARIABLES; i++)
    at += sprintf(at, "ld.global.u32 %%r1, [v%d];\n", i);
  sprintf(at, "ret;\n}\n");
  vptr__fake_define("__vptr_set", note_run);
  load_text(source);
  support_succeed(launch_kernel("share", (void *[]){ NULL }, 0));
  ck_assert_int_eq(runs, VARIABLES + 1);
  free(source);
}
END_TEST

START_TEST(devices_that_take_no_ptx_say_so_at_the_launch) {
  open_other(0, true);
  support_expect(VPTR_ERROR_UNSUPPORTED, launch_use());
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "rebuild it with vptrcc"));
  open_other(900, false);
  support_expect(VPTR_ERROR_UNSUPPORTED, launch_use());
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "addresses"));
}
END_TEST

int main(void) {
  if (support_has_opencl()) {
    puts("left out: PTX is launched on the fake device, PoCL takes none");
    return 77;
  }
  Suite *suite = suite_create("ptx_launch");
  TCase *tests = tcase_create("ptx_launch");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, the_text_is_built_as_ptx_and_kernels_get_each_argument);
  tcase_add_test(tests, what_is_no_pointer_is_passed_as_it_is);
  tcase_add_test(tests, the_end_of_memory_is_its_end);
  tcase_add_test(tests, freed_memory_is_refused);
  tcase_add_test(tests, a_program_is_told_once_where_variables_are);
  tcase_add_test(tests, kernels_without_variables_are_told_nothing);
  tcase_add_test(tests, variables_that_have_other_memory_are_told_anew);
  tcase_add_test(tests, what_fails_while_a_program_is_told_is_told_again);
  tcase_add_test(tests, host_memory_may_run_out_anywhere);
  tcase_add_test(tests, each_size_of_shared_memory_is_a_program);
  tcase_add_test(tests, kernels_without_dynamic_shared_memory_have_one_program);
  tcase_add_test(tests, kernels_that_read_textures_are_refused);
  tcase_add_test(tests, parameters_are_as_many_as_the_device_takes);
  tcase_add_test(tests, kernels_may_have_many_variables);
  tcase_add_test(tests, devices_that_take_no_ptx_say_so_at_the_launch);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
