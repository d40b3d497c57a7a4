/* SPDX-License-Identifier: MIT */
/*
 * launch - a launch's arguments on their way to the kernel: what each pointer becomes, and what is set how often.
 *
 * On the fake device, with a kernel that writes down what it was given; once where the device tells addresses, once
 * where they are packed in one struct with all else, and once where pointers are buffers and offsets. What CUDA's
 * calls promise is in tests/cuda/test_cuda_launch.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/fake.h"
#include "module/module.h"
#include "support/support.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=here lowered=here size=4 align=4 kind=device\n"
                           "//vptr variable name=there lowered=there size=4 align=4 kind=device\n"
                           "//vptr kernel name=note lowered=note entry=m_note packed=1\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr param size=24 align=8 kind=value\n"
                           "//vptr kernel name=hide lowered=hide entry=m_hide packed=1\n"
                           "//vptr param size=1 align=1 kind=value\n"
                           "//vptr hidden kind=variable name=here\n"
                           "//vptr hidden kind=shared\n"
                           "//vptr hidden kind=variable name=there\n"
                           "//vptr kernel name=wide lowered=wide entry=m_wide packed=1\n"
                           "//vptr param size=16 align=16 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr kernel name=broad lowered=broad entry=m_wide packed=1\n"
                           "//vptr param size=16 align=16 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=shared\n"
                           "//vptr kernel name=three lowered=three entry=m_wide packed=1\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr kernel name=large lowered=large entry=m_wide packed=1\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr param size=1024 align=8 kind=value\n"
                           "//vptr kernel name=old lowered=old entry=m_wide\n"
                           "//vptr param size=16 align=16 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr kernel name=block lowered=block entry=m_block\n"
                           "//vptr hidden kind=status of=block\n"
                           "//vptr hidden kind=block\n"
                           "//vptr kernel name=loops lowered=loops entry=m_loops\n"
                           "//vptr hidden kind=block of=loops\n"
                           "//vptr hidden kind=blocks of=loops\n"
                           "//vptr kernel name=bound lowered=bound entry=m_wide max_threads=500\n"
                           "//vptr kernel name=free lowered=free entry=m_wide\n"
                           "m_note m_hide m_wide m_block m_loops\n";

enum { POINTERS = 2, LARGE = 1 << 20, SMALL = 1000 };

typedef struct triple {
  uint64_t of[3];
} triple;

/* What the kernel was given last, as addresses of the process: the fake device's memory is there. */
static uint64_t given[POINTERS];
static int given_value;
static triple given_triple;

/* How kernels take their arguments. */
static enum { ADDRESSES, PACKED, PAIRS } form;

static vptr_mapper *mapper;
static vptr__stream *stream;
static vptr__module *module;
static const vptr__device_ops *true_ops;
static vptr__device_ops ops;
static int sets;            /* since the last launch */
static bool refuses_value;  /* the next one of four bytes, or the next struct of all */
static size_t set_sizes[8]; /* the last value's, by index */
static char options[512];   /* of the last program that was built */

static void note_addresses(const vptr__fake_launch *launch) {
  for (int i = 0; i < POINTERS; i++)
    given[i] = *(const uint64_t *)launch->arguments[i];
  given_value = *(const int *)launch->arguments[POINTERS];
  given_triple = *(const triple *)launch->arguments[POINTERS + 1];
}

static void note_pairs(const vptr__fake_launch *launch) {
  for (int i = 0; i < POINTERS; i++)
    given[i] = (uintptr_t)launch->arguments[2 * i] + *(const uint64_t *)launch->arguments[2 * i + 1];
  given_value = *(const int *)launch->arguments[2 * POINTERS];
  given_triple = *(const triple *)launch->arguments[2 * POINTERS + 1];
}

static void note_packed(const vptr__fake_launch *launch) {
  const struct {
    uint64_t pointers[POINTERS];
    int value;
    triple three;
  } *packed = launch->arguments[0];
  memcpy(given, packed->pointers, sizeof given);
  given_value = packed->value;
  given_triple = packed->three;
}

static vptr_status count_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                               size_t size) {
  sets++;
  ck_assert_uint_lt(index, sizeof set_sizes / sizeof *set_sizes);
  set_sizes[index] = size;
  if (refuses_value && (size == sizeof(int) || form == PACKED)) {
    refuses_value = false;
    return vptr__error(VPTR_ERROR_OPENCL, "refused as the test likes");
  }
  return true_ops->kernel.arg_value(device, kernel, index, value, size);
}

static vptr_status keep_options(vptr__device *device, const vptr__program_source *source, cl_program *program_out) {
  snprintf(options, sizeof options, "%s", source->options);
  return true_ops->kernel.program_build(device, source, program_out);
}

/* ---- what every test does ------------------------------------------------------------------------------- */

static void set_up(int chosen) {
  static vptr__fake_function *const notes[] = { note_addresses, note_packed, note_pairs };
  form = chosen;
  vptr__fake_report_addresses(form != PAIRS);
  vptr__fake_define("m_note", notes[form]);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  true_ops = mapper->device->ops;
  ops = *true_ops;
  ops.kernel.arg_value = count_value;
  ops.kernel.program_build = keep_options;
  mapper->device->ops = &ops;
  mapper->device->tuning.packs_arguments = form != ADDRESSES; /* without addresses it changes nothing */
  refuses_value = false;
}

static void set_up_addresses(void) {
  set_up(ADDRESSES);
}

static void set_up_packed(void) {
  set_up(PACKED);
}

static void set_up_pairs(void) {
  set_up(PAIRS);
}

static void tear_down(void) {
  vptr__module_unload(module);
  mapper->device->ops = true_ops;
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__fake_report_addresses(false);
}

static char *allocate(size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

static vptr_status launch_with(const void *a, const void *b, int value, triple three) {
  void *arguments[] = { &a, &b, &value, &three };
  vptr__launch launch = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  sets = 0;
  vptr_status status = vptr__function_launch(vptr__module_function(module, "note"), stream, &launch);
  support_succeed(vptr__stream_synchronize(stream));
  return status;
}

static vptr_status launch(const void *a, const void *b) {
  return launch_with(a, b, 5, (triple){ { 1, 2, 3 } });
}

/* Where the fake device has the byte at ptr. */
static uint64_t place_of(const void *ptr) {
  vptr_location location;
  uint64_t address;
  support_succeed(vptr_resolve(mapper, ptr, 1, &location));
  vptr__fake_report_addresses(true);
  support_succeed(mapper->device->ops->memory.address(mapper->device, location.buffer, &address));
  return address + location.buffer_offset;
}

static void expect_given(const void *a, const void *b) {
  ck_assert_uint_eq(given[0], place_of(a));
  ck_assert_uint_eq(given[1], place_of(b));
}

/* ---- what pointers become ------------------------------------------------------------------------------- */

START_TEST(pointers_become_the_bytes_they_point_to) {
  char *large = allocate(LARGE), *small = allocate(SMALL), *other = allocate(SMALL);
  for (int round = 0; round < 2; round++) { /* addresses are asked for, and then known */
    support_succeed(launch(large, large + LARGE - 1));
    expect_given(large, large + LARGE - 1);
    support_succeed(launch(small + 77, other + SMALL - 1));
    expect_given(small + 77, other + SMALL - 1);
  }
  ck_assert_int_eq(given_value, 5);
  ck_assert_uint_eq(given_triple.of[2], 3);
}
END_TEST

START_TEST(null_stays_null_and_one_past_the_end_is_behind_the_last_byte) {
  char *small = allocate(SMALL), *large = allocate(LARGE);
  support_succeed(launch(small, large));
  support_succeed(launch(small + SMALL, large + LARGE));
  ck_assert_uint_eq(given[0], place_of(small + SMALL - 1) + 1);
  ck_assert_uint_eq(given[1], place_of(large + LARGE - 1) + 1);
  support_succeed(launch(NULL, small));
  ck_assert_uint_eq(given[0], 0);
  ck_assert_uint_eq(given[1], place_of(small));
}
END_TEST

START_TEST(what_was_freed_is_refused_and_nothing_is_sent) {
  char *small = allocate(SMALL), *freed = allocate(SMALL), *large = allocate(LARGE);
  support_succeed(launch(small, freed));
  support_succeed(launch(small, large));
  support_succeed(vptr_free(mapper, freed));
  support_succeed(vptr_free(mapper, large));
  memset(given, 0, sizeof given);
  support_expect(VPTR_ERROR_FREED, launch(small, freed));
  support_expect(VPTR_ERROR_FREED, launch(large, small));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, launch(small, &given));
  ck_assert_uint_eq(given[0], 0);
  ck_assert_int_eq(sets, 0);
}
END_TEST

/* Addresses that are issued again belong to a buffer that lies elsewhere. */
START_TEST(a_buffer_that_comes_later_has_its_own_place) {
  char *kept = allocate(SMALL);
  for (int i = 0; i < 20; i++) {
    char *large = allocate(LARGE + (size_t)i * 4096);
    support_succeed(launch(large, kept));
    expect_given(large, kept);
    support_succeed(vptr_free(mapper, large));
    vptr_trim(mapper, 0);
  }
}
END_TEST

START_TEST(packed_arguments_mean_the_same) {
  char *small = allocate(SMALL), *large = allocate(LARGE);
  struct {
    const void *pointers[POINTERS];
    int value;
    triple three;
  } packed = { { small + 1, large + 2 }, 9, { { 4, 5, 6 } } };
  vptr__launch launch = {
    .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .packed = &packed, .packed_size = sizeof packed
  };
  support_succeed(vptr__function_launch(vptr__module_function(module, "note"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
  expect_given(small + 1, large + 2);
  ck_assert_int_eq(given_value, 9);
  ck_assert_uint_eq(given_triple.of[0], 4);
}
END_TEST

/* ---- what is set ---------------------------------------------------------------------------------------- */

/* Before a launch, what is left on the stack where it prepares its arguments. */
__attribute__((noinline)) static void leave_rubbish(int byte) {
  volatile unsigned char rubbish[16384];
  for (size_t i = 0; i < sizeof rubbish; i++)
    rubbish[i] = (unsigned char)byte;
}

/* The three numbers are longer than what is compared, so they are set each time; but a struct of all is compared as a
 * whole, and what lies between its members is no difference. */
START_TEST(only_what_has_changed_is_set_again) {
  char *a = allocate(SMALL), *b = allocate(SMALL);
  const triple three = { { 1, 2, 3 } };
  const int always = form == PACKED ? 0 : 1;
  support_succeed(launch_with(a, b, 5, three));
  ck_assert_int_eq(sets, form == PACKED ? 1 : POINTERS + 2);
  for (int byte = 1; byte < 4; byte++) {
    leave_rubbish(byte);
    support_succeed(launch_with(a, b, 5, three));
    ck_assert_int_eq(sets, always);
  }
  support_succeed(launch_with(a, b + 4, 5, three));
  ck_assert_int_eq(sets, always + 1);
  expect_given(a, b + 4);
  support_succeed(launch_with(a, b + 4, 6, three));
  ck_assert_int_eq(sets, always + 1);
  ck_assert_int_eq(given_value, 6);
  support_succeed(launch_with(b, a, 0, three));
  expect_given(b, a);
  ck_assert_int_eq(given_value, 0);
}
END_TEST

START_TEST(what_could_not_be_set_is_set_by_the_next_launch) {
  char *a = allocate(SMALL);
  const triple three = { { 1, 2, 3 } };
  support_succeed(launch_with(a, a, 5, three));
  refuses_value = true;
  support_expect(VPTR_ERROR_OPENCL, launch_with(a, a, 6, three));
  support_succeed(launch_with(a, a, 5, three));
  ck_assert_int_eq(sets, form == PACKED ? 1 : 2);
  ck_assert_int_eq(given_value, 5);
  refuses_value = true;
  support_expect(VPTR_ERROR_OPENCL, launch_with(a, a, 6, three));
  support_succeed(launch_with(a, a, 6, three));
  ck_assert_int_eq(given_value, 6);
}
END_TEST

/* ---- in one struct -------------------------------------------------------------------------------------- */

static struct {
  unsigned char value;
  uint64_t variables[2];
} hidden_given;

static void note_hidden(const vptr__fake_launch *launch) {
  memcpy(&hidden_given, launch->arguments[0], sizeof hidden_given);
}

static vptr_status launch_by_name(const char *name, void **arguments, size_t shared) {
  vptr__launch launch = {
    .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .shared = shared, .arguments = arguments
  };
  sets = 0;
  memset(set_sizes, 0, sizeof set_sizes);
  vptr_status status = vptr__function_launch(vptr__module_function(module, name), stream, &launch);
  support_succeed(vptr__stream_synchronize(stream));
  return status;
}

START_TEST(hidden_addresses_follow_and_local_memory_stays_apart) {
  unsigned char value = 7;
  void *arguments[] = { &value }, *memory[2];
  size_t size;
  vptr__fake_define("m_hide", note_hidden);
  for (int i = 0; i < 2; i++)
    support_succeed(vptr__module_variable(module, i == 0 ? "here" : "there", mapper, &memory[i], &size));
  support_succeed(launch_by_name("hide", arguments, 64));
  ck_assert_int_eq(sets, 1);
  ck_assert_uint_eq(set_sizes[0], sizeof hidden_given);
  ck_assert_uint_eq(hidden_given.value, 7);
  for (int i = 0; i < 2; i++)
    ck_assert_uint_eq(hidden_given.variables[i], place_of(memory[i]));
  leave_rubbish(9);
  support_succeed(launch_by_name("hide", arguments, 128)); /* other local memory alone */
  ck_assert_int_eq(sets, 0);
}
END_TEST

static void note_nothing(const vptr__fake_launch *launch) {
  (void)launch;
}

/* Both take 16 bytes and 4; on a device that takes so many. */
static void expect_sizes(const char *name, size_t limit, size_t first, size_t second) {
  uint64_t four[2] = { 1, 2 };
  int value = 3;
  vptr__module_unload(module);
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  mapper->device->parameter_bytes = limit;
  support_succeed(launch_by_name(name, (void *[]){ four, &value }, 0));
  ck_assert_uint_eq(set_sizes[0], first);
  ck_assert_uint_eq(set_sizes[1], second);
}

/* The struct's end is aligned, and counts: 24 bytes of parameters are 32 in it. So does local memory, as 8. */
START_TEST(a_struct_is_no_larger_than_the_device_takes) {
  vptr__fake_define("m_wide", note_nothing);
  expect_sizes("wide", 32, 32, 0);
  expect_sizes("wide", 31, 16, 4);
  expect_sizes("broad", 40, 32, 0);
  expect_sizes("broad", 39, 16, 4);
}
END_TEST

/* 12 bytes, which the text counts as 16: it takes their address then, though the struct would fit. */
START_TEST(what_is_spilled_is_not_packed) {
  int value = 3;
  vptr__fake_define("m_wide", note_nothing);
  mapper->device->parameter_bytes = 12;
  support_succeed(launch_by_name("three", (void *[]){ &value, &value, &value }, 0));
  ck_assert_uint_eq(set_sizes[0], sizeof(uint64_t));
  ck_assert_uint_eq(set_sizes[1], 0);
}
END_TEST

/* The program's and the kernel's, its memory of what was set, and a block that is more than a launch has room for. */
START_TEST(every_allocation_may_fail) {
  enum { TRIED = 30 };
  static uint64_t many[128];
  int value = 3, failures = 0;
  vptr__fake_define("m_wide", note_nothing);
  for (long n = 1; n <= TRIED; n++) { /* the last ones meet nothing */
    vptr__module_unload(module);
    support_succeed(vptr__module_load(text, sizeof text - 1, &module));
    vptr__memory_fail_nth(n);
    vptr_status status = launch_by_name("large", (void *[]){ &value, many }, 0);
    vptr__memory_fail_nth(0);
    failures += status != VPTR_SUCCESS;
    ck_assert(status == VPTR_SUCCESS || (status == VPTR_ERROR_OUT_OF_HOST_MEMORY && n < TRIED));
    support_succeed(launch_by_name("large", (void *[]){ &value, many }, 0));
    ck_assert_uint_eq(set_sizes[0], status == VPTR_SUCCESS ? 0 : 1032);
  }
  ck_assert_int_ge(failures, 5);
}
END_TEST

START_TEST(a_text_without_that_form_gets_each_argument) {
  vptr__fake_define("m_wide", note_nothing);
  expect_sizes("old", 4096, 16, 4);
}
END_TEST

/* And so does the name that a kept binary is found by, which has the options in it. */
START_TEST(the_text_is_told_its_form) {
  char *a = allocate(SMALL);
  support_succeed(launch(a, a));
  ck_assert_ptr_nonnull(strstr(options, form == PACKED ? "-DVPTR_PACKED=1 " : "-DVPTR_PACKED=0 "));
  ck_assert_ptr_nonnull(strstr(options, form == PAIRS ? "-DVPTR_ADDRESSES=0 " : "-DVPTR_ADDRESSES=1 "));
}
END_TEST

/* ---- how many threads ------------------------------------------------------------------------------------ */

/* With shared memory, which has a launch looked at limit by limit. */
static vptr_status launch_block(uint32_t x, uint32_t y, uint32_t z) {
  const void *pointers[POINTERS] = { NULL, NULL };
  int value = 1;
  triple three = { { 1, 2, 3 } };
  void *arguments[] = { &pointers[0], &pointers[1], &value, &three };
  vptr__launch launch = {
    .what = "test", .grid = { 1, 1, 1 }, .block = { x, y, z }, .shared = 16, .arguments = arguments
  };
  vptr_status status = vptr__function_launch(vptr__module_function(module, "note"), stream, &launch);
  support_succeed(vptr__stream_synchronize(stream));
  return status;
}

START_TEST(a_block_has_as_many_threads_as_the_device_and_not_one_more) {
  const uint32_t most = (uint32_t)mapper->device->max_group, deep = (uint32_t)mapper->device->max_items[2];
  ck_assert_uint_eq(mapper->device->max_items[0], most);
  ck_assert_uint_lt(deep, most);
  support_succeed(launch_block(most, 1, 1));
  support_succeed(launch_block(1, 1, deep));
  support_succeed(launch_block(1, most / deep, deep));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, launch_block(most + 1, 1, 1));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, launch_block(1, 1, deep + 1));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, launch_block(1, most / deep + 1, deep));
}
END_TEST

static size_t seen_local, seen_global;
static uint64_t seen_block;

static void note_block(const vptr__fake_launch *launch) {
  seen_local = launch->local[0] * launch->local[1];
  seen_global = launch->global[0] * launch->global[1];
  seen_block = *(const uint64_t *)launch->arguments[form == PAIRS ? 2 : 1];
}

/* A work-item runs the threads of its block, unless the device has warps of its own: then they are as always. */
START_TEST(a_block_is_one_work_item_unless_there_is_ptx) {
  vptr__launch launch = { .what = "test", .grid = { 3, 1, 1 }, .block = { 8, 4, 1 }, .arguments = NULL };
  vptr__fake_define("m_block", note_block);
  support_succeed(vptr__function_launch(vptr__module_function(module, "block"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(seen_local, 1);
  ck_assert_uint_eq(seen_global, 3);
  ck_assert_uint_eq(seen_block, 8 | 4 << 16 | UINT64_C(1) << 32);
}
END_TEST

static uint64_t seen_blocks;
static size_t seen_items;

static void note_loops(const vptr__fake_launch *launch) {
  for (int i = 0; i < 3; i++)
    ck_assert_uint_eq(launch->local[i], 1);
  seen_items = launch->global[0] * launch->global[1] * launch->global[2];
  seen_block = *(const uint64_t *)launch->arguments[0];
  seen_blocks = *(const uint64_t *)launch->arguments[1];
}

/* So many that each core has some left to the end, and no more than there are. */
START_TEST(a_work_item_runs_several_blocks_of_a_large_grid) {
  static const struct {
    uint32_t grid[3];
    unsigned units;
    uint64_t together, items;
  } cases[] = { { { 40, 5, 2 }, 4, 6, 67 },    { { 63, 1, 1 }, 2, 1, 63 },        { { 1, 1, 1 }, 2, 1, 1 },
                { { 40, 5, 2 }, 0, 1, 400 },   { { 16384, 1, 1 }, 2, 16, 1024 },  { { 3, 7, 5 }, 1, 6, 18 },
                { { 1, 1, 1000 }, 4, 15, 67 }, { { 100003, 1, 1 }, 64, 16, 6251 } };
  vptr__fake_define("m_loops", note_loops);
  mapper->device->tuning.loops_over_threads = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint32_t *grid = cases[i].grid;
    vptr__launch launch = { .what = "test", .grid = { grid[0], grid[1], grid[2] }, .block = { 8, 4, 1 } };
    mapper->device->units = cases[i].units;
    support_succeed(vptr__function_launch(vptr__module_function(module, "loops"), stream, &launch));
    support_succeed(vptr__stream_synchronize(stream));
    ck_assert_uint_eq(seen_block, 8 | 4 << 16 | UINT64_C(1) << 32 | cases[i].together << 48);
    ck_assert_uint_eq(seen_blocks, grid[0] | (uint64_t)grid[1] << 32 | (uint64_t)grid[2] << 48);
    ck_assert_uint_eq(seen_items, cases[i].items);
  }
}
END_TEST

/* A kernel whose blocks are of two kinds is built for that which is launched, once for each. */
static void expect_forms(const char *alone, const uint32_t (*blocks)[3], const char *const *forms) {
  char own[512];
  vptr__module *two;
  snprintf(own, sizeof own,
           "//vptr-module 1\n//vptr kernel name=two lowered=two entry=m_two%s\n//vptr hidden kind=block of=loops\n"
           "//vptr hidden kind=blocks of=loops\nm_two\n",
           alone);
  support_succeed(vptr__module_load(own, strlen(own), &two));
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 4; i++) {
      vptr__launch launch = { .what = "test", .grid = { 3, 1, 1 } };
      memcpy(launch.block, blocks[i], sizeof launch.block);
      options[0] = '\0';
      support_succeed(vptr__function_launch(vptr__module_function(two, "two"), stream, &launch));
      support_succeed(vptr__stream_synchronize(stream));
      if (round > 0 || forms[i] == NULL)
        ck_assert_str_eq(options, "");
      else
        ck_assert_msg(strstr(options, forms[i]) != NULL, "no %s in %s", forms[i], options);
    }
  vptr__module_unload(two);
}

START_TEST(a_program_has_the_form_that_the_block_needs) {
  static const uint32_t shapes[][3] = { { 8, 8, 1 }, { 7, 8, 1 }, { 4, 1, 1 }, { 64, 1, 1 } },
                        split[][3] = { { 16, 1, 1 }, { 32, 4, 1 }, { 16, 4, 1 }, { 40, 1, 2 } };
  vptr__fake_define("m_two", note_nothing);
  mapper->device->tuning.loops_over_threads = true;
  expect_forms(" alone=short", shapes, (const char *const[]){ "-DVPTR_FORMS=1", "-DVPTR_FORMS=2", NULL, NULL });
  expect_forms(" alone=split", split, (const char *const[]){ "-DVPTR_FORMS=1", NULL, "-DVPTR_FORMS=2", NULL });
  expect_forms("", split, (const char *const[]){ "-DVPTR_FORMS=3", NULL, NULL, NULL });
  mapper->device->tuning.loops_over_threads = false;
  expect_forms(" alone=short", shapes, (const char *const[]){ "-DVPTR_FORMS=3", NULL, NULL, NULL });
}
END_TEST

START_TEST(a_device_with_ptx_has_the_threads_of_a_block) {
  vptr__launch launch = { .what = "test", .grid = { 3, 1, 1 }, .block = { 8, 4, 1 }, .arguments = NULL };
  vptr__fake_define("m_block", note_block);
  mapper->device->ptx = 900;
  support_succeed(vptr__function_launch(vptr__module_function(module, "block"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
  mapper->device->ptx = 0;
  ck_assert_uint_eq(seen_local, 32);
  ck_assert_uint_eq(seen_global, 96);
  ck_assert_ptr_nonnull(strstr(options, "-DVPTR_PTX=900 "));
}
END_TEST

START_TEST(launch_bounds_leave_registers_for_all_threads) {
  vptr__launch launch = { .what = "test", .grid = { 1, 1, 1 }, .block = { 500, 1, 1 }, .arguments = NULL };
  mapper->device->max_group = 1024;
  mapper->device->registers = 65536;
  vptr__fake_define("m_wide", note_nothing);
  support_succeed(vptr__function_launch(vptr__module_function(module, "free"), stream, &launch));
  ck_assert_ptr_null(strstr(options, "-cl-nv-maxrregcount")); /* no bounds: the driver's choice */
  support_succeed(vptr__function_launch(vptr__module_function(module, "bound"), stream, &launch));
  ck_assert_ptr_nonnull(strstr(options, "-cl-nv-maxrregcount=128"));
  launch.block[0] = 501; /* more than its __launch_bounds__ */
  support_expect(VPTR_ERROR_INVALID_ARGUMENT,
                 vptr__function_launch(vptr__module_function(module, "bound"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------ */

static TCase *add_case(Suite *suite, const char *name, void (*begin)(void)) {
  TCase *tests = tcase_create(name);
  tcase_add_checked_fixture(tests, begin, tear_down);
  tcase_add_test(tests, pointers_become_the_bytes_they_point_to);
  tcase_add_test(tests, null_stays_null_and_one_past_the_end_is_behind_the_last_byte);
  tcase_add_test(tests, what_was_freed_is_refused_and_nothing_is_sent);
  tcase_add_test(tests, a_buffer_that_comes_later_has_its_own_place);
  tcase_add_test(tests, packed_arguments_mean_the_same);
  tcase_add_test(tests, only_what_has_changed_is_set_again);
  tcase_add_test(tests, what_could_not_be_set_is_set_by_the_next_launch);
  tcase_add_test(tests, the_text_is_told_its_form);
  tcase_add_test(tests, a_block_has_as_many_threads_as_the_device_and_not_one_more);
  tcase_add_test(tests, a_block_is_one_work_item_unless_there_is_ptx);
  tcase_add_test(tests, a_work_item_runs_several_blocks_of_a_large_grid);
  tcase_add_test(tests, a_program_has_the_form_that_the_block_needs);
  tcase_add_test(tests, a_device_with_ptx_has_the_threads_of_a_block);
  tcase_add_test(tests, launch_bounds_leave_registers_for_all_threads);
  suite_add_tcase(suite, tests);
  return tests;
}

static Suite *launch_suite(void) {
  Suite *suite = suite_create("launch");
  if (support_has_opencl())
    return suite; /* its kernel is the fake device's */
  add_case(suite, "addresses", set_up_addresses);
  add_case(suite, "pairs", set_up_pairs);
  TCase *packed = add_case(suite, "packed", set_up_packed);
  tcase_add_test(packed, hidden_addresses_follow_and_local_memory_stays_apart);
  tcase_add_test(packed, a_struct_is_no_larger_than_the_device_takes);
  tcase_add_test(packed, what_is_spilled_is_not_packed);
  tcase_add_test(packed, every_allocation_may_fail);
  tcase_add_test(packed, a_text_without_that_form_gets_each_argument);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  return support_run(launch_suite());
}
