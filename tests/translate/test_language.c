/* SPDX-License-Identifier: MIT */
/*
 * test_language - doc/cuda-language.txt tells the truth: what it calls supported is accepted, becomes what it says, and
 * builds on a device; what it calls refused is refused, in words of its own and at a place in the snippet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/language.h"
#include "translate/opencl.h"

static language *rows;

static void check_accepted(const language_row *row, const vptr__translation *translation) {
  if (translation->module == NULL)
    ck_abort_msg("line %d, %s: refused\n%s", row->line, row->construct, translation->log);
  for (int i = 0; row->fragments[i] != NULL; i++)
    if (strstr(translation->module, row->fragments[i]) == NULL)
      ck_abort_msg("line %d, %s: not in the module: %s\n%s", row->line, row->construct, row->fragments[i],
                   translation->module);
}

static void check_refused(const language_row *row, const vptr__translation *translation) {
  if (translation->module != NULL)
    ck_abort_msg("line %d, %s: accepted", row->line, row->construct);
  if (strncmp(translation->log, "row.cu:", 7) != 0 || strstr(translation->log, ": error: ") == NULL)
    ck_abort_msg("line %d, %s: refused without a place: %s", row->line, row->construct, translation->log);
}

START_TEST(each_row_is_as_it_says) {
  for (int i = 0; i < rows->count; i++) {
    const language_row *row = &rows->rows[i];
    vptr__translation translation = language_translate(row->snippet);
    if (row->is_accepted)
      check_accepted(row, &translation);
    else
      check_refused(row, &translation);
    vptr__translate_free(&translation);
  }
}
END_TEST

/* All of them at once, since building takes most of a driver's time for each program. */
START_TEST(what_is_accepted_builds) {
  char *all = calloc(LANGUAGE_MOST_ROWS, LANGUAGE_SNIPPET_BYTES);
  ck_assert_ptr_nonnull(all);
  size_t length = 0;
  for (int i = 0; i < rows->count; i++)
    if (rows->rows[i].is_accepted) {
      size_t more = strlen(rows->rows[i].snippet);
      memcpy(all + length, rows->rows[i].snippet, more);
      length += more;
    }
  vptr__translation translation = language_translate(all);
  if (translation.module == NULL)
    ck_abort_msg("%s", translation.log);
  for (int packed = 0; packed < 2 && support_has_opencl(); packed++)
    opencl_free(opencl_build(translation.module,
                             packed ? "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PACKED=1 -DVPTR_PARAMETER_LIMIT=1024"
                                    : "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PARAMETER_LIMIT=1024"));
  vptr__translate_free(&translation);
  free(all);
}
END_TEST

static Suite *language_suite(void) {
  Suite *suite = suite_create("language");
  TCase *table = tcase_create("table");
  tcase_add_test(table, each_row_is_as_it_says);
  tcase_add_test(table, what_is_accepted_builds);
  suite_add_tcase(suite, table);
  return suite;
}

int main(void) {
  char path[4096];
  const char *folder = getenv("srcdir");
  snprintf(path, sizeof path, "%s/doc/cuda-language.txt", folder != NULL ? folder : ".");
  rows = language_read(path);
  if (rows == NULL)
    return 1;
  int verdict = support_run(language_suite());
  language_free(rows);
  return verdict;
}
