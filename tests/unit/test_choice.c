/* SPDX-License-Identifier: MIT */
/*
 * Which devices are chosen: on machines made up here, as the environment names them.
 */
#include "device/choice.h"
#include "support/support.h"

#include <string.h>

enum { CPU = CL_DEVICE_TYPE_CPU, GPU = CL_DEVICE_TYPE_GPU, ACCELERATOR = CL_DEVICE_TYPE_ACCELERATOR };

static char words[448];

typedef struct machine {
  vptr__device_entry entries[8];
  int count;
} machine;

static void add(machine *to, int platform_ordinal, const char *platform, cl_device_type type, const char *name) {
  vptr__device_entry *entry = &to->entries[to->count++];
  *entry = (vptr__device_entry){ .platform_ordinal = platform_ordinal, .type = type };
  strcpy(entry->platform, platform);
  strcpy(entry->name, name);
}

/* As the drivers list them: a CPU, then two kinds of GPU and an accelerator. */
static machine workstation(void) {
  machine made = { .count = 0 };
  add(&made, 0, "Portable Computing Language", CPU, "pthread-skylake");
  add(&made, 1, "NVIDIA CUDA", GPU, "NVIDIA RTX 4090");
  add(&made, 1, "NVIDIA CUDA", GPU, "NVIDIA RTX 4060");
  add(&made, 2, "Intel(R) OpenCL", ACCELERATOR, "FPGA board");
  add(&made, 2, "Intel(R) OpenCL", GPU, "Intel(R) Arc");
  return made;
}

/* The names of the chosen devices, in order, each followed by a bar. */
static const char *visible_names(machine *of, const char *platform, const char *device, const char *visible) {
  static char names[512];
  names[0] = '\0';
  words[0] = '\0';
  const vptr__device_wishes wishes = { platform, device, visible };
  bool any = vptr__device_choose(of->entries, of->count, &wishes, words, sizeof words);
  for (int i = 0; i < of->count; i++) {
    ck_assert_ptr_nonnull(of->entries[i].why);
    ck_assert_int_gt(strlen(of->entries[i].why), 0);
    if (of->entries[i].chosen)
      strcat(strcat(names, of->entries[i].name), "|");
  }
  ck_assert_int_eq(any, names[0] != '\0');
  ck_assert_int_eq(any, words[0] == '\0');
  return names;
}

static const char *chosen_names(machine *of, const char *platform, const char *device) {
  return visible_names(of, platform, device, NULL);
}

static void expect_choice(const char *platform, const char *device, const char *expected) {
  machine here = workstation();
  ck_assert_str_eq(chosen_names(&here, platform, device), expected);
}

START_TEST(gpus_are_the_default) {
  expect_choice(NULL, NULL, "NVIDIA RTX 4090|NVIDIA RTX 4060|Intel(R) Arc|");
}
END_TEST

START_TEST(without_a_gpu_all_serve) {
  machine here = { .count = 0 };
  add(&here, 0, "P", CPU, "cpu");
  add(&here, 0, "P", ACCELERATOR, "board");
  ck_assert_str_eq(chosen_names(&here, NULL, NULL), "board|cpu|");
}
END_TEST

START_TEST(gpus_come_first_and_equals_keep_their_order) {
  machine here = workstation();
  chosen_names(&here, NULL, NULL);
  static const char *const order[] = { "NVIDIA RTX 4090", "NVIDIA RTX 4060", "Intel(R) Arc", "FPGA board",
                                       "pthread-skylake" };
  for (int i = 0; i < here.count; i++)
    ck_assert_str_eq(here.entries[i].name, order[i]);
}
END_TEST

START_TEST(a_platform_is_named_by_part_of_its_name_in_any_case) {
  expect_choice("nvidia", NULL, "NVIDIA RTX 4090|NVIDIA RTX 4060|");
  expect_choice("PORTABLE comp", NULL, "pthread-skylake|");
  expect_choice("(r)", NULL, "Intel(R) Arc|");
}
END_TEST

START_TEST(a_platform_is_named_by_its_number) {
  expect_choice("0", NULL, "pthread-skylake|");
  expect_choice("1", NULL, "NVIDIA RTX 4090|NVIDIA RTX 4060|");
}
END_TEST

START_TEST(a_device_is_named_by_part_of_its_name) {
  expect_choice(NULL, "rtx", "NVIDIA RTX 4090|NVIDIA RTX 4060|");
  expect_choice(NULL, "skylake", "pthread-skylake|");
  expect_choice(NULL, "fpga", "FPGA board|");
}
END_TEST

START_TEST(a_device_is_named_by_its_number_on_the_chosen_platforms) {
  expect_choice(NULL, "0", "NVIDIA RTX 4090|");
  expect_choice(NULL, "4", "pthread-skylake|");
  expect_choice("intel", "1", "FPGA board|");
}
END_TEST

START_TEST(a_number_beyond_the_last_is_part_of_a_name) {
  expect_choice(NULL, "4060", "NVIDIA RTX 4060|");
  expect_choice(NULL, "5", "");
}
END_TEST

START_TEST(a_platform_that_is_not_there_is_answered_with_those_that_are) {
  expect_choice("AMD", NULL, "");
  ck_assert_ptr_nonnull(strstr(words, "VPTR_PLATFORM=AMD"));
  ck_assert_ptr_nonnull(strstr(words, "[0] Portable Computing Language"));
  ck_assert_ptr_nonnull(strstr(words, "[1] NVIDIA CUDA"));
  ck_assert_ptr_nonnull(strstr(words, "[2] Intel(R) OpenCL"));
  ck_assert_ptr_null(strstr(strstr(words, "NVIDIA CUDA") + 1, "NVIDIA CUDA"));
}
END_TEST

START_TEST(a_device_that_is_not_there_is_answered_with_those_that_are) {
  expect_choice("nvidia", "Arc", "");
  ck_assert_ptr_nonnull(strstr(words, "VPTR_DEVICE=Arc"));
  ck_assert_ptr_nonnull(strstr(words, "[0] NVIDIA RTX 4090 [1] NVIDIA RTX 4060"));
  ck_assert_ptr_null(strstr(words, "Intel"));
}
END_TEST

START_TEST(a_device_older_than_opencl_1_2_is_never_chosen) {
  machine here = { .count = 0 };
  add(&here, 0, "P", GPU, "old");
  add(&here, 0, "P", CPU, "new");
  here.entries[0].too_old = true;
  machine same = here;
  ck_assert_str_eq(chosen_names(&here, NULL, NULL), "new|");
  ck_assert_str_eq(chosen_names(&same, NULL, "0"), "new|");
  machine alone = { .count = 0 };
  add(&alone, 0, "P", GPU, "old");
  alone.entries[0].too_old = true;
  ck_assert_str_eq(chosen_names(&alone, NULL, "old"), "");
  ck_assert_ptr_nonnull(strstr(words, "OpenCL 1.2"));
}
END_TEST

/* Four devices that no driver hides by itself. */
static void expect_visible(const char *visible, const char *expected) {
  machine here = { .count = 0 };
  add(&here, 0, "P", CPU, "cpu");
  add(&here, 1, "Q", GPU, "a");
  add(&here, 1, "Q", GPU, "b");
  add(&here, 1, "Q", GPU, "c");
  add(&here, 1, "Q", GPU, "d");
  ck_assert_msg(strcmp(visible_names(&here, NULL, NULL, visible), expected) == 0, "'%s' makes '%s'", visible,
                visible_names(&here, NULL, NULL, visible));
}

START_TEST(visible_devices_come_in_the_order_they_are_named) {
  expect_visible("0", "a|");
  expect_visible("2", "c|");
  expect_visible("0,1,2,3", "a|b|c|d|");
  expect_visible("3,2,1,0", "d|c|b|a|");
  expect_visible("1,3,0", "b|d|a|");
  expect_visible("2,0,3,1", "c|a|d|b|");
  expect_visible(" 1 , 2 ", "b|c|");
}
END_TEST

START_TEST(a_list_of_visible_devices_ends_at_the_first_thing_that_names_none) {
  expect_visible("1,4,2", "b|");
  expect_visible("1,-1,2", "b|");
  expect_visible("1,x,2", "b|");
  expect_visible("1,,2", "b|");
  expect_visible("1,1,2", "b|");
  expect_visible("2,0,2", "c|a|");
  expect_visible("1,123456789,2", "b|");
}
END_TEST

START_TEST(an_empty_list_of_visible_devices_hides_all) {
  expect_visible("", "");
  ck_assert_ptr_nonnull(strstr(words, "CUDA_VISIBLE_DEVICES=''"));
  expect_visible("-1", "");
  expect_visible("NoDevFiles", "");
  ck_assert_ptr_nonnull(strstr(words, "NoDevFiles"));
  ck_assert_ptr_nonnull(strstr(words, "0 to 3"));
}
END_TEST

START_TEST(visible_devices_are_counted_among_those_that_vptr_device_names) {
  machine here = { .count = 0 };
  add(&here, 0, "P", GPU, "red 0");
  add(&here, 0, "P", GPU, "blue 0");
  add(&here, 0, "P", GPU, "red 1");
  machine same = here;
  ck_assert_str_eq(visible_names(&here, NULL, "red", "1,0"), "red 1|red 0|");
  ck_assert_str_eq(visible_names(&same, NULL, "red", "2"), "");
}
END_TEST

/* NVIDIA's driver has hidden and ordered its devices before vptr sees them. */
START_TEST(devices_of_nvidia_are_taken_as_their_driver_shows_them) {
  machine here = workstation(), same = here, also = here;
  ck_assert_str_eq(visible_names(&here, NULL, NULL, "7,3"), "NVIDIA RTX 4090|NVIDIA RTX 4060|");
  ck_assert_str_eq(visible_names(&same, "nvidia", "4060", "1"), "NVIDIA RTX 4060|");
  ck_assert_str_eq(visible_names(&also, "intel", NULL, "0"), "Intel(R) Arc|");
}
END_TEST

START_TEST(long_lists_of_names_are_cut) {
  machine here = { .count = 0 };
  for (int i = 0; i < 8; i++) {
    char name[100];
    memset(name, 'a' + i, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    add(&here, i, name, GPU, name);
  }
  ck_assert_str_eq(chosen_names(&here, "no such", NULL), "");
  ck_assert_uint_eq(strlen(words), sizeof words - 1);
}
END_TEST

/* ---- several as one --------------------------------------------------------------------------------------- */

/* The names of the members, each followed by a bar; a joint device is chosen alone if there are any. */
static const char *joined_names(machine *of, const char *text, uint64_t *from_out) {
  static char names[512];
  names[0] = words[0] = '\0';
  const vptr__device_wishes wishes = { .platform = NULL };
  ck_assert(vptr__device_choose(of->entries, of->count, &wishes, words, sizeof words));
  const bool joined = vptr__device_join(of->entries, of->count, text, from_out, words, sizeof words);
  ck_assert_int_eq(joined, words[0] == '\0');
  for (int i = 0; i < of->count && joined; i++) {
    ck_assert(!of->entries[i].chosen);
    if (of->entries[i].is_member)
      strcat(strcat(names, of->entries[i].name), "|");
  }
  if (joined)
    ck_assert(of->entries[of->count].is_joint && of->entries[of->count].chosen);
  return names;
}

START_TEST(several_are_one_as_they_are_named) {
  uint64_t from;
  machine here = workstation();
  ck_assert_str_eq(joined_names(&here, "all", &from), "NVIDIA RTX 4090|NVIDIA RTX 4060|Intel(R) Arc|");
  ck_assert_uint_eq(from, 8 << 20);
  ck_assert_str_eq(here.entries[here.count].name, "3 x NVIDIA RTX 4090");
  here = workstation();
  ck_assert_str_eq(joined_names(&here, "0,2:64K", &from), "NVIDIA RTX 4090|Intel(R) Arc|");
  ck_assert_uint_eq(from, 64 << 10);
  here = workstation();
  ck_assert_str_eq(joined_names(&here, "rtx:1M", &from), "NVIDIA RTX 4090|NVIDIA RTX 4060|");
}
END_TEST

START_TEST(one_alone_or_none_is_refused_with_words) {
  uint64_t from;
  machine here = workstation();
  ck_assert_str_eq(joined_names(&here, "4090", &from), "");
  ck_assert_ptr_nonnull(strstr(words, "VPTR_STRIPE=4090 names 1 of the devices"));
  here = workstation();
  ck_assert_str_eq(joined_names(&here, "Radeon", &from), "");
  ck_assert_ptr_nonnull(strstr(words, "names 0 of the devices"));
}
END_TEST

static Suite *choice_suite(void) {
  Suite *suite = suite_create("choice");
  TCase *tests = tcase_create("choice");
  tcase_add_test(tests, gpus_are_the_default);
  tcase_add_test(tests, without_a_gpu_all_serve);
  tcase_add_test(tests, gpus_come_first_and_equals_keep_their_order);
  tcase_add_test(tests, a_platform_is_named_by_part_of_its_name_in_any_case);
  tcase_add_test(tests, a_platform_is_named_by_its_number);
  tcase_add_test(tests, a_device_is_named_by_part_of_its_name);
  tcase_add_test(tests, a_device_is_named_by_its_number_on_the_chosen_platforms);
  tcase_add_test(tests, a_number_beyond_the_last_is_part_of_a_name);
  tcase_add_test(tests, a_platform_that_is_not_there_is_answered_with_those_that_are);
  tcase_add_test(tests, a_device_that_is_not_there_is_answered_with_those_that_are);
  tcase_add_test(tests, a_device_older_than_opencl_1_2_is_never_chosen);
  tcase_add_test(tests, visible_devices_come_in_the_order_they_are_named);
  tcase_add_test(tests, a_list_of_visible_devices_ends_at_the_first_thing_that_names_none);
  tcase_add_test(tests, an_empty_list_of_visible_devices_hides_all);
  tcase_add_test(tests, visible_devices_are_counted_among_those_that_vptr_device_names);
  tcase_add_test(tests, devices_of_nvidia_are_taken_as_their_driver_shows_them);
  tcase_add_test(tests, long_lists_of_names_are_cut);
  tcase_add_test(tests, several_are_one_as_they_are_named);
  tcase_add_test(tests, one_alone_or_none_is_refused_with_words);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(choice_suite());
}
