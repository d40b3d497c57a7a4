/* SPDX-License-Identifier: MIT */
/*
 * Tests of variables of modules in checkpoints: they are there again at their addresses, whether their module was
 * loaded before the restore or is loaded later; what does not fit is told.
 *
 * For the restart the program runs itself: with arguments it is the process that saves, or the one that restores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr.h>

#include "checkpoint/reader.h"
#include "checkpoints.h"
#include "layer/faults.h"
#include "module/module.h"
#include "support/support.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=table lowered=table size=16 align=4 kind=device "
                           "initial=01000000020000000300000004000000\n"
                           "//vptr variable name=total lowered=total size=4 align=4 kind=managed initial=07000000\n"
                           "//vptr variable name=head lowered=head size=24 align=8 kind=device\n"
                           "//vptr address variable=head at=8 of=table plus=4\n"
                           "//vptr variable name=tail lowered=tail size=8 align=8 kind=constant\n";
static const char other_text[] = "//vptr-module 1\n"
                                 "//vptr variable name=table lowered=table size=16 align=4 kind=device\n";

static vptr_mapper *mapper;

static void set_up(void) {
  checkpoints_set_up();
  support_succeed(vptr__mapper_for_device(0, &mapper));
  support_succeed(vptr_clear(mapper)); /* the process has one for all tests, and may not fork for them */
}

static vptr__module *load(const char *of) {
  vptr__module *module;
  support_succeed(vptr__module_load(of, strlen(of), &module));
  return module;
}

static unsigned char *variable(vptr__module *module, const char *name) {
  void *at;
  size_t size;
  support_succeed(vptr__module_variable(module, name, mapper, &at, &size));
  return at;
}

static void write_int(void *at, int value) {
  support_succeed(vptr_memcpy(mapper, at, &value, sizeof value));
}

static int int_at(const void *at) {
  int value = -1;
  support_succeed(vptr_memcpy(mapper, &value, at, sizeof value));
  return value;
}

static void save(void) {
  support_succeed(vptr_checkpoint(mapper, checkpoints_path, 0));
}

static void restore(void) {
  support_succeed(vptr_restore(mapper, checkpoints_path));
}

/* ---- in one process -------------------------------------------------------------------------------------- */

START_TEST(a_module_that_stays_has_its_variables_again) {
  vptr__module *module = load(text);
  unsigned char *table = variable(module, "table"), *tail = variable(module, "tail");
  write_int(table + 4, 70);
  write_int(tail, 71);
  save();
  support_succeed(vptr_clear(mapper));
  restore();
  ck_assert_ptr_eq(variable(module, "table"), table);
  ck_assert_ptr_eq(variable(module, "tail"), tail);
  ck_assert_int_eq(int_at(table), 1);
  ck_assert_int_eq(int_at(table + 4), 70);
  ck_assert_int_eq(int_at(tail), 71);
  ck_assert_uint_eq(vptr_count(mapper), 2);
  vptr__module_unload(module);
  ck_assert_uint_eq(vptr_count(mapper), 0);
}
END_TEST

/* And a checkpoint before that has them too. */
START_TEST(a_module_that_is_loaded_later_finds_them) {
  vptr__module *module = load(text);
  unsigned char *head = variable(module, "head"), *table = variable(module, "table");
  unsigned char *pointer;
  write_int(table, 80);
  write_int(head, 81);
  save();
  vptr__module_unload(module);
  restore();
  save();
  support_succeed(vptr_clear(mapper));
  restore();
  module = load(text);
  ck_assert_ptr_eq(variable(module, "table"), table);
  ck_assert_ptr_eq(variable(module, "head"), head);
  ck_assert_int_eq(int_at(table), 80);
  ck_assert_int_eq(int_at(head), 81);
  support_succeed(vptr_memcpy(mapper, &pointer, head + 8, sizeof pointer));
  ck_assert_ptr_eq(pointer, table + 4);
  vptr__module_unload(module);
  ck_assert_uint_eq(vptr_count(mapper), 0);
  module = load(text); /* what was unloaded begins anew */
  ck_assert_int_eq(int_at(variable(module, "table")), 1);
  vptr__module_unload(module);
}
END_TEST

START_TEST(modules_of_one_text_are_told_apart) {
  vptr__module *first = load(text), *second = load(text);
  unsigned char *of_second = variable(second, "table"), *of_first = variable(first, "table");
  write_int(of_first, 1001);
  write_int(of_second, 1002);
  save();
  vptr__module_unload(first);
  vptr__module_unload(second);
  restore();
  first = load(text);
  second = load(text);
  ck_assert_int_eq(int_at(variable(first, "table")), 1001);
  ck_assert_int_eq(int_at(variable(second, "table")), 1002);
  ck_assert_ptr_eq(variable(second, "table"), of_second);
  vptr__module_unload(first);
  vptr__module_unload(second);
}
END_TEST

START_TEST(managed_variables_have_their_bytes) {
  vptr__module *module = load(text);
  int *total = (int *)variable(module, "total");
  ck_assert_int_eq(*total, 7);
  *total = 90;
  save();
  *total = 91;
  restore();
  ck_assert_int_eq(*total, 90);
  vptr__module_unload(module);
  restore();
  module = load(text);
  total = (int *)variable(module, "total");
  ck_assert_int_eq(*total, 90);
  *total = 92;
  vptr__module_unload(module);
  module = load(text); /* it came once */
  ck_assert_int_eq(*(int *)variable(module, "total"), 7);
  vptr__module_unload(module);
}
END_TEST

START_TEST(a_module_with_another_text_is_told) {
  char lines[2048] = "";
  char path[128];
  vptr__module *module = load(text);
  write_int(variable(module, "table"), 5);
  save();
  vptr__module_unload(module);
  restore();
  snprintf(path, sizeof path, "%s/lines", checkpoints_folder);
  fflush(stderr);
  const int former = dup(STDERR_FILENO);
  ck_assert_ptr_nonnull(freopen(path, "w+", stderr));
  module = load(other_text);
  ck_assert_int_eq(int_at(variable(module, "table")), 0);
  fflush(stderr);
  ck_assert_int_ge(dup2(former, STDERR_FILENO), 0);
  close(former);
  size_t size;
  unsigned char *bytes = checkpoints_read(path, &size);
  memcpy(lines, bytes, size < sizeof lines ? size : sizeof lines - 1);
  free(bytes);
  unlink(path);
  ck_assert_msg(strstr(lines, "the variable table of 16 bytes is one of a module with another text") != NULL,
                "told: %s", lines);
  vptr__module_unload(module);
}
END_TEST

START_TEST(a_size_that_differs_is_refused) {
  static const char key, other_key;
  vptr__variable counter = { .key = &key, .name = "counter", .size = 8 };
  void *address;
  support_succeed(vptr__variable_register(&counter));
  support_succeed(vptr__variable_address(&key, mapper, &address));
  save();
  ck_assert(vptr__variable_forget(&key));
  counter.size = 12;
  support_succeed(vptr__variable_register(&counter));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_restore(mapper, checkpoints_path));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "the variable counter has 12 bytes here, and 8 in the checkpoint"));
  ck_assert_uint_eq(vptr_count(mapper), 0);
  ck_assert(vptr__variable_forget(&key));
  restore();
  counter.key = &other_key;
  support_succeed(vptr__variable_register(&counter));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__variable_address(&other_key, mapper, &address));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "the variable counter has 12 bytes here"));
  ck_assert(vptr__variable_forget(&other_key));
  support_succeed(vptr_clear(mapper));
}
END_TEST

START_TEST(what_is_over_with_the_work_is_left_out) {
  static vptr__reader reader;
  static const char key;
  const vptr__variable scratch = { .key = &key, .name = "scratch", .size = 8, .is_scratch = true };
  void *address;
  support_succeed(vptr__variable_register(&scratch));
  support_succeed(vptr__variable_address(&key, mapper, &address));
  save();
  support_succeed(vptr__reader_open(&reader, checkpoints_path));
  ck_assert_uint_eq(reader.snapshot.place_count, 1);
  for (size_t i = 0; i < reader.saved.count; i++) /* those that still wait for their modules are there */
    ck_assert_str_ne(vptr__saved_name(&reader.saved, &reader.saved.items[i]), "scratch");
  vptr__reader_close(&reader);
  ck_assert(vptr__variable_forget(&key));
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------------------- */

enum { KINDS = CHECKPOINTS_DEVICE_CALL, MOST = 2000 };

/* The variable is as it was, or as in the checkpoint, whichever call fails; and what failed is done again. */
START_TEST(calls_that_fail) {
  if (_i == CHECKPOINTS_DEVICE && !faults_can())
    return;
  vptr__module *module = load(text);
  unsigned char *table = variable(module, "table");
  int *total = (int *)variable(module, "total");
  bool may_fail = true;
  long n = 0;
  write_int(table, 60);
  *total = 61;
  checkpoints_fail_each(mapper, _i, MOST);
  *total = 62;
  while (may_fail && n < MOST) {
    support_succeed(vptr_clear(mapper));
    checkpoints_fail(_i, ++n);
    void *at = NULL;
    size_t size;
    vptr_status status = vptr_restore(mapper, checkpoints_path);
    ck_assert_int_eq(*total, status == VPTR_SUCCESS ? 61 : 62);
    ck_assert(status == VPTR_SUCCESS || vptr_count(mapper) == 0);
    *total = 62;
    if (status == VPTR_SUCCESS)
      status = vptr__module_variable(module, "table", mapper, &at, &size);
    may_fail = checkpoints_end_failing(_i, n) || status != VPTR_SUCCESS;
    ck_assert(status != VPTR_SUCCESS || (at == table && int_at(at) == 60));
  }
  ck_assert_int_lt(n, MOST);
  vptr__module_unload(module);
}
END_TEST

/* ---- in another process ---------------------------------------------------------------------------------- */

/* What both of them know, by way of host memory that is kept. */
static struct { unsigned char *table, *block; } state;

enum { ELSEWHERE = 2 };

static int be_other(const char *what, const char *path) {
  setenv("VPTR_PLATFORM", "fake", 0);
  support_succeed(vptr_checkpoint_keep("state", &state, sizeof state));
  if (strcmp(what, "save") == 0) {
    vptr__module *module = load(text);
    support_succeed(vptr__mapper_for_device(0, &mapper));
    support_succeed(vptr_malloc(mapper, 5000, (void **)&state.block));
    state.table = variable(module, "table");
    write_int(state.table + 12, 4711);
    *(int *)variable(module, "total") = 4712;
    support_succeed(vptr_checkpoint(mapper, path, 0));
    vptr__module_unload(module);
    return 0;
  }
  const vptr_status status = vptr_restore(NULL, path);
  if (status == VPTR_ERROR_OUT_OF_ADDRESSES)
    return ELSEWHERE;
  support_succeed(status);
  support_succeed(vptr__mapper_for_device(0, &mapper));
  if (strcmp(what, "none") == 0)
    return 0;
  vptr__module *module = load(text);
  const bool is_there = variable(module, "table") == state.table && int_at(state.table + 12) == 4711 &&
                        *(int *)variable(module, "total") == 4712 && vptr_free(mapper, state.block) == VPTR_SUCCESS;
  vptr__module_unload(module);
  return is_there ? 0 : 1;
}

/* Its exit status, and what it said on stderr. */
static int run_other(const char *what, char *said, size_t room) {
  const char *const words[] = { what, checkpoints_path, NULL };
  char lines[128];
  size_t size;
  snprintf(lines, sizeof lines, "%s/said", checkpoints_folder);
  const int status = checkpoints_await(checkpoints_start_self(words, lines));
  unsigned char *bytes = checkpoints_read(lines, &size);
  snprintf(said, room, "%.*s", (int)size, (const char *)bytes);
  free(bytes);
  unlink(lines);
  return status;
}

/* Another process may have its libraries there; then it says so, and one more try has them elsewhere. */
static void expect_other(const char *what, char *said, size_t room) {
  int result = ELSEWHERE;
  for (int i = 0; i < 8 && result == ELSEWHERE; i++)
    result = run_other(what, said, room);
  ck_assert_msg(result == 0, "%s: %d, %s", what, result, said);
}

START_TEST(a_new_process_has_them) {
  char said[4096];
  ck_assert_msg(run_other("save", said, sizeof said) == 0, "saving: %s", said);
  expect_other("restore", said, sizeof said);
  ck_assert_ptr_null(strstr(said, "the variable"));
  expect_other("none", said, sizeof said);
  ck_assert_msg(strstr(said, "the variable table of 16 bytes was in the checkpoint, and no module with it") != NULL,
                "told: %s", said);
}
END_TEST

int main(int argc, char **argv) {
  if (argc == 3)
    return be_other(argv[1], argv[2]);
  faults_begin();
  Suite *suite = suite_create("checkpoint_variables");
  TCase *variables = tcase_create("variables");
  tcase_add_checked_fixture(variables, set_up, checkpoints_tear_down);
  tcase_add_test(variables, a_module_that_stays_has_its_variables_again);
  tcase_add_test(variables, a_module_that_is_loaded_later_finds_them);
  tcase_add_test(variables, modules_of_one_text_are_told_apart);
  tcase_add_test(variables, managed_variables_have_their_bytes);
  tcase_add_test(variables, a_module_with_another_text_is_told);
  tcase_add_test(variables, a_size_that_differs_is_refused);
  tcase_add_test(variables, what_is_over_with_the_work_is_left_out);
  tcase_add_loop_test(variables, calls_that_fail, 0, KINDS);
  /* ThreadSanitizer has memory of its own where another process had its mapper, as often as not. */
  if (!SUPPORT_WATCHES_THREADS)
    tcase_add_test(variables, a_new_process_has_them);
  suite_add_tcase(suite, variables);
  return support_run(suite);
}
