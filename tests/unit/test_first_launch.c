/* SPDX-License-Identifier: MIT */
/*
 * first launch - what a process pays for its first kernel, counted in programs: with a full cache, no text is compiled,
 * and no kernel of the library's own is loaded before it is needed; and of a module with many kernels each is compiled
 * when it is reached.
 *
 * A mapper that is made anew stands for a process: all that is remembered of a device goes with it, but what is on
 * disk. Needs an OpenCL platform whose devices tell addresses (PoCL), and the layer (VPTR_TEST_LAYER=path of the
 * module); else it is left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "layer/layer.h"
#include "module/module.h"
#include "support/support.h"
#include "translate/translate.h"

static const char kernels[] = "__global__ void alone(int n) { }\n"
                              "__global__ void store(int *to, int n) { *to = n; }\n";

typedef struct tally {
  long compiled, loaded;
} tally;

static const layer_control *layer;
static vptr__module *module;

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

/* A module has its programs for as long as their mapper lives. */
static vptr_mapper *begin(void) {
  vptr_mapper *mapper;
  const vptr__reader reader = { .open = no_file };
  const vptr__translate_options options = { .arch = 0 };
  vptr__translation translation;
  ck_assert(vptr__translate("first.cu", kernels, sizeof kernels - 1, &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  support_succeed(vptr__module_load(translation.module, strlen(translation.module), &module));
  vptr__translate_free(&translation);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  return mapper;
}

static void end(vptr_mapper *mapper) {
  vptr__module_unload(module);
  support_succeed(vptr_mapper_destroy(mapper));
}

static tally tally_now(void) {
  return (tally){ layer->calls(LAYER_CREATE_PROGRAM_WITH_SOURCE), layer->calls(LAYER_CREATE_PROGRAM_WITH_BINARY) };
}

static void expect_since(tally before, long compiled, long loaded, const char *when) {
  tally now = tally_now();
  ck_assert_msg(now.compiled - before.compiled == compiled && now.loaded - before.loaded == loaded,
                "%s: %ld programs compiled, %ld loaded; expected %ld and %ld", when, now.compiled - before.compiled,
                now.loaded - before.loaded, compiled, loaded);
}

static void launch(vptr_mapper *mapper, const char *name, void **arguments) {
  vptr__stream *stream;
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  vptr__launch launch = { .what = name, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  support_succeed(vptr__function_launch(vptr__module_function(module, name), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr__stream_destroy(stream));
}

static void launch_alone(vptr_mapper *mapper) {
  int n = 1;
  launch(mapper, "alone", (void *[]){ &n });
}

static void launch_store(vptr_mapper *mapper) {
  int n = 42, back = 0;
  void *to;
  support_succeed(vptr_malloc(mapper, sizeof n, &to));
  launch(mapper, "store", (void *[]){ &to, &n });
  support_succeed(vptr_memcpy(mapper, &back, to, sizeof back));
  ck_assert_int_eq(back, n);
  support_succeed(vptr_free(mapper, to));
}

static void fill_cache(void) {
  vptr_mapper *first = begin();
  launch_store(first);
  end(first);
}

static bool tells_addresses(vptr_mapper *mapper) {
  bool tells = false;
  support_succeed(mapper->device->ops->memory.takes_addresses(mapper->device, &tells));
  return tells;
}

START_TEST(a_kernel_without_pointers_loads_its_own_program_alone) {
  fill_cache();
  vptr_mapper *next = begin();
  tally before = tally_now();
  launch_alone(next);
  expect_since(before, 0, 1, "the first launch");
  launch_alone(next);
  expect_since(before, 0, 1, "the second launch");
  end(next);
}
END_TEST

START_TEST(a_pointer_takes_one_program_more_and_none_is_compiled) {
  fill_cache();
  vptr_mapper *next = begin();
  tally before = tally_now();
  launch_store(next);
  expect_since(before, 0, tells_addresses(next) ? 2 : 1, "the first launch");
  before = tally_now();
  launch_store(next);
  expect_since(before, 0, 0, "the second launch");
  end(next);
}
END_TEST

START_TEST(whether_kernels_take_plain_memory_is_tried_once_for_all_processes) {
  vptr_mapper *first = begin();
  bool takes = first->device->ops->memory.takes_system(first->device);
  end(first);
  vptr_mapper *next = begin();
  tally before = tally_now();
  ck_assert(next->device->ops->memory.takes_system(next->device) == takes);
  if (takes)
    expect_since(before, 0, 0, "the second trial");
  end(next);
}
END_TEST

/* A binary that the driver refuses is compiled anew; whatever fails of reading and keeping one is made up for. */
START_TEST(a_fault_around_the_cache_costs_a_compilation_and_nothing_else) {
  static const layer_call calls[] = { LAYER_CREATE_PROGRAM_WITH_BINARY, LAYER_GET_PROGRAM_INFO };
  fill_cache();
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    for (long n = 1; n <= 4; n++) {
      vptr_mapper *next = begin();
      layer->inject(calls[i], n, CL_INVALID_BINARY);
      launch_store(next);
      layer->inject(LAYER_ANY, 0, CL_SUCCESS);
      end(next);
    }
}
END_TEST

/* ---- many kernels ----------------------------------------------------------------------------------------- */

enum { MANY = 12, STEPS = 40 };

/* Each adds its number to what its kin before it left in a variable, by a function that all share. */
static char *translate_many(void) {
  const vptr__reader reader = { .open = no_file };
  const vptr__translate_options options = { .arch = 0 };
  vptr__translation translation;
  char *text = calloc(1, MANY * STEPS * 60), *result;
  ck_assert_ptr_nonnull(text);
  strcpy(text, "__device__ int sum = 100; __constant__ int table[2] = { 1000, 2000 };\n"
               "__device__ int shared_by_all(int i) { return table[i & 1]; }\n");
  for (int i = 0; i < MANY; i++) {
    sprintf(text + strlen(text), "__global__ void many%d(int *to, int n) {\n  int t = n;\n", i);
    for (int k = 0; k < STEPS; k++)
      sprintf(text + strlen(text), "  t = t * 3 %% %d + n;\n", 1001 + k);
    sprintf(text + strlen(text), "  sum += %d; *to = sum + shared_by_all(%d) + (t < 0); }\n", i, i);
  }
  ck_assert(vptr__translate("many.cu", text, strlen(text), &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  result = strdup(translation.module);
  vptr__translate_free(&translation);
  free(text);
  return result;
}

static vptr_status launch_many(vptr_mapper *mapper, int kernel, int *back) {
  int n = 1;
  void *to;
  char name[16];
  vptr__stream *stream;
  snprintf(name, sizeof name, "many%d", kernel);
  support_succeed(vptr_malloc(mapper, sizeof n, &to));
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  vptr__launch it = { .what = name, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = (void *[]){ &to, &n } };
  vptr_status status = vptr__function_launch(vptr__module_function(module, name), stream, &it);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr__stream_destroy(stream));
  if (status == VPTR_SUCCESS)
    support_succeed(vptr_memcpy(mapper, back, to, sizeof *back));
  support_succeed(vptr_free(mapper, to));
  return status;
}

static vptr_mapper *begin_many(char *text) {
  vptr_mapper *mapper;
  support_succeed(vptr__module_load(text, strlen(text), &module));
  free(text);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  return mapper;
}

START_TEST(of_many_kernels_each_is_compiled_when_it_is_reached_and_kept) {
  int back = 0;
  fill_cache();
  for (int round = 0; round < 2; round++) {
    vptr_mapper *mapper = begin_many(translate_many());
    support_succeed(launch_many(mapper, 3, &back)); /* and what pointers take */
    ck_assert_int_eq(back, 100 + 3 + 2000);
    tally before = tally_now();
    support_succeed(launch_many(mapper, 8, &back));
    ck_assert_int_eq(back, 100 + 3 + 8 + 1000); /* the variable is one, whoever built its users */
    support_succeed(launch_many(mapper, 8, &back));
    ck_assert_int_eq(back, 100 + 3 + 8 + 8 + 1000);
    expect_since(before, round == 0, round, "a kernel more");
    end(mapper);
  }
}
END_TEST

START_TEST(a_kernel_that_the_driver_refuses_is_named_and_the_others_run) {
  static const char mark[] = "//vptr-for 5\n", wrong[] = "#error broken\n";
  char *text = translate_many(), *at = strstr(text, mark), *edited = calloc(1, strlen(text) + sizeof wrong);
  int back = 0;
  ck_assert_ptr_nonnull(at);
  at += sizeof mark - 1;
  memcpy(edited, text, (size_t)(at - text));
  strcat(edited, wrong);
  strcat(edited, at);
  free(text);
  vptr_mapper *mapper = begin_many(edited);
  support_succeed(launch_many(mapper, 4, &back));
  support_expect(VPTR_ERROR_OPENCL, launch_many(mapper, 5, &back));
  ck_assert_msg(strstr(vptr_last_error(), "building kernel many5 on ") != NULL, "%s", vptr_last_error());
  ck_assert_msg(strstr(vptr_last_error(), "broken") != NULL, "%s", vptr_last_error());
  support_succeed(launch_many(mapper, 6, &back));
  ck_assert_int_eq(back, 100 + 4 + 6 + 1000);
  end(mapper);
}
END_TEST

static Suite *first_launch_suite(void) {
  Suite *suite = suite_create("first launch");
  TCase *counts = tcase_create("counts");
  layer = support_has_opencl() ? layer_install() : NULL;
  if (layer != NULL) {
    tcase_add_test(counts, a_kernel_without_pointers_loads_its_own_program_alone);
    tcase_add_test(counts, a_pointer_takes_one_program_more_and_none_is_compiled);
    tcase_add_test(counts, whether_kernels_take_plain_memory_is_tried_once_for_all_processes);
    tcase_add_test(counts, a_fault_around_the_cache_costs_a_compilation_and_nothing_else);
    tcase_add_test(counts, of_many_kernels_each_is_compiled_when_it_is_reached_and_kept);
    tcase_add_test(counts, a_kernel_that_the_driver_refuses_is_named_and_the_others_run);
  }
  suite_add_tcase(suite, counts);
  return suite;
}

int main(void) {
  static char folder[] = "/tmp/vptr-test-first-XXXXXX";
  char removal[64];
  if (mkdtemp(folder) == NULL)
    return 1;
  setenv("VPTR_CACHE", folder, 1);
  int result = support_run(first_launch_suite());
  snprintf(removal, sizeof removal, "rm -rf %s", folder);
  return system(removal) == 0 ? result : 1;
}
