/* SPDX-License-Identifier: MIT */
/* Tests of VPTR_RECORD_RANGE: which texts are right, and which launches they mean. */
#include <string.h>

#include "record/range.h"
#include "support/support.h"

static vptr__record_range read_right(const char *text) {
  vptr__record_range range;
  ck_assert_msg(vptr__record_range_read(text, &range), "%s", text);
  return range;
}

static void expect(const char *text, const char *name, uint64_t first, uint64_t last) {
  vptr__record_range range = read_right(text);
  ck_assert_str_eq(range.name, name);
  ck_assert_uint_eq(range.first, first);
  ck_assert_uint_eq(range.last, last);
}

START_TEST(texts_are_names_and_numbers) {
  vptr__record_range all;
  ck_assert(vptr__record_range_read(NULL, &all));
  ck_assert(all.name[0] == '\0' && all.first == 0 && all.last == UINT64_MAX);
  expect("7", "", 7, 7);
  expect("3-5", "", 3, 5);
  expect("3-", "", 3, UINT64_MAX);
  expect("-5", "", 0, 5);
  expect("saxpy", "saxpy", 0, UINT64_MAX);
  expect("saxpy:0", "saxpy", 0, 0);
  expect("saxpy:3-5", "saxpy", 3, 5);
  expect("a::b", "a::b", 0, UINT64_MAX);
  expect("a::b:2-", "a::b", 2, UINT64_MAX);
  expect("k<3>", "k<3>", 0, UINT64_MAX);
  expect("_Z1kPf", "_Z1kPf", 0, UINT64_MAX);
}
END_TEST

START_TEST(wrong_texts_are_refused) {
  const char *const wrong[] = { "5-3", "3-5-7", "--", "" };
  char name[400];
  vptr__record_range range = read_right("7");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_msg(!vptr__record_range_read(wrong[i], &range), "%s", wrong[i]);
  memset(name, 'a', sizeof name);
  name[sizeof name - 1] = '\0';
  ck_assert(!vptr__record_range_read(name, &range));
  ck_assert_uint_eq(range.first, 7);
}
END_TEST

START_TEST(a_name_is_either_of_the_kernels) {
  vptr__record_range range = read_right("saxpy:1");
  ck_assert(vptr__record_range_names(&range, "saxpy", "_Z5saxpyifPKfPf"));
  ck_assert(!vptr__record_range_names(&range, "saxpy2", "_Z6saxpy2v"));
  range = read_right("_Z5saxpyifPKfPf");
  ck_assert(vptr__record_range_names(&range, "saxpy", "_Z5saxpyifPKfPf"));
  range = read_right("1-2");
  ck_assert(vptr__record_range_names(&range, "any", "_Z3anyv"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("record_range");
  TCase *texts = tcase_create("texts");
  tcase_add_test(texts, texts_are_names_and_numbers);
  tcase_add_test(texts, wrong_texts_are_refused);
  tcase_add_test(texts, a_name_is_either_of_the_kernels);
  suite_add_tcase(suite, texts);
  return support_run(suite);
}
