/* SPDX-License-Identifier: MIT */
/*
 * What the lexer makes of text, and what literals mean. Expectations are written out: there is no second lexer to
 * compare with.
 */
#include "support/support.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "translate/lexer/keyword.h"
#include "translate/lexer/lexer.h"
#include "translate/lexer/literal.h"

static vptr__arena arena;
static jmp_buf out;
static vptr__source *source;

static void set_up(void) {
  vptr__arena_init(&arena, &out);
  if (setjmp(out) != 0)
    ck_abort_msg("the arena ended");
  source = vptr__source_create(&arena);
  vptr__keyword_install(source);
}

static void tear_down(void) {
  vptr__arena_free(&arena);
}

static vptr__lexer lexer_of(const char *text) {
  vptr__lexer lexer;
  const vptr__source_file *file = vptr__source_add(source, "test.cu", text, strlen(text), 0);
  vptr__lexer_init(&lexer, source, text, strlen(text), file->begin);
  return lexer;
}

/* All tokens as "spelling|spelling|", a newline before those at a line's beginning but the first. */
static const char *lexed(const char *text) {
  static char shown[1000];
  char *end = shown;
  vptr__lexer lexer = lexer_of(text);
  for (vptr__token token; (token = vptr__lexer_next(&lexer)).kind != VPTR__TOKEN_END;)
    end += sprintf(end, "%s%.*s|", end != shown && (token.flags & VPTR__TOKEN_AT_LINE_START) ? "\n" : "",
                   (int)token.length, token.text);
  *end = 0;
  return shown;
}

static int kind_of(const char *text) {
  vptr__lexer lexer = lexer_of(text);
  int kind = vptr__lexer_next(&lexer).kind;
  return vptr__lexer_next(&lexer).kind == VPTR__TOKEN_END ? kind : -1;
}

START_TEST(cuts_punctuators_as_long_as_they_go) {
  ck_assert_str_eq(lexed("a+++b->c<<=d"), "a|++|+|b|->|c|<<=|d|");
  ck_assert_str_eq(lexed("k<<<1,2>>>(x)"), "k|<<<|1|,|2|>>|>|(|x|)|");
  ck_assert_str_eq(lexed("a...b..c"), "a|...|b|.|.|c|");
  ck_assert_str_eq(lexed("::x:y"), "::|x|:|y|");
}
END_TEST

START_TEST(digraphs_are_what_they_stand_for) {
  ck_assert_int_eq(kind_of("<:"), '[');
  ck_assert_int_eq(kind_of("%>"), '}');
  ck_assert_str_eq(lexed("a<::b>"), "a|<|::|b|>|");
}
END_TEST

START_TEST(numbers_are_preprocessing_numbers) {
  ck_assert_int_eq(kind_of("0x1.8p-3f"), VPTR__TOKEN_NUMBER);
  ck_assert_int_eq(kind_of("1'000'000u"), VPTR__TOKEN_NUMBER);
  ck_assert_str_eq(lexed("1e+5-2 .5f 3.x"), "1e+5|-|2|.5f|3.x|");
}
END_TEST

START_TEST(strings_and_characters_stay_whole) {
  ck_assert_int_eq(kind_of("\"a\\\"b\""), VPTR__TOKEN_STRING);
  ck_assert_int_eq(kind_of("u8\"a\""), VPTR__TOKEN_STRING);
  ck_assert_int_eq(kind_of("'\\''"), VPTR__TOKEN_CHARACTER);
  ck_assert_int_eq(kind_of("R\"x(a)\" \n b)x\""), VPTR__TOKEN_STRING);
  ck_assert_int_eq(kind_of("\"abc"), VPTR__TOKEN_OTHER);
  ck_assert_int_eq(kind_of("R\"(abc"), VPTR__TOKEN_OTHER);
}
END_TEST

START_TEST(a_suffix_belongs_to_its_literal) {
  ck_assert_str_eq(lexed("\"a\"_s+'c'_c, u8\"b\"sv R\"(x)\"_r1;\"a\" _s"),
                   "\"a\"_s|+|'c'_c|,|u8\"b\"sv|R\"(x)\"_r1|;|\"a\"|_s|");
  vptr__source_intern(source, "PRId64", 6)->macro = source; /* whatever it stands for */
  ck_assert_str_eq(lexed("\"%\"PRId64\"\\n\"PRId6"), "\"%\"|PRId64|\"\\n\"PRId6|");
}
END_TEST

START_TEST(comments_are_white_space) {
  ck_assert_str_eq(lexed("a/**/b//c\nd/*\n*/e"), "a|b|\nd|e|");
  vptr__lexer lexer = lexer_of("a /* b");
  vptr__lexer_next(&lexer);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_END);
  ck_assert(lexer.has_open_comment);
}
END_TEST

START_TEST(joined_lines_disappear_everywhere_but_in_raw_strings) {
  ck_assert_str_eq(lexed("a\\\nb 1\\\n2 \"x\\\ny\" +\\\n+ // c\\\nd\n/\\\n* e *\\\n/ f"), "ab|12|\"xy\"|++|\nf|");
  ck_assert_int_eq(kind_of("R\"(a\\\nb)\""), VPTR__TOKEN_STRING);
  ck_assert_str_eq(lexed("\"a\\\\\n\"b\" c"), "\"a\\\"b\"|c|"); /* the escape is on the next line */
}
END_TEST

START_TEST(joined_lines_may_end_in_carriage_returns) {
  ck_assert_str_eq(lexed("a\\\r\nb\r\nc"), "ab|\nc|");
}
END_TEST

START_TEST(a_directive_ends_with_its_line) {
  vptr__lexer lexer = lexer_of("a \\\n b /*\n*/ c\nd");
  lexer.in_directive = true;
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_NAME);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_END);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_END);
  lexer.in_directive = false;
  vptr__token last = vptr__lexer_next(&lexer);
  ck_assert(last.kind == VPTR__TOKEN_NAME && (last.flags & VPTR__TOKEN_AT_LINE_START) != 0);
}
END_TEST

START_TEST(positions_become_places) {
  vptr__lexer lexer = lexer_of("ab\n  cd");
  vptr__lexer_next(&lexer);
  vptr__place place = vptr__source_place(source, vptr__lexer_next(&lexer).position);
  ck_assert_str_eq(place.file, "test.cu");
  ck_assert_uint_eq(place.line, 2);
  ck_assert_uint_eq(place.column, 3);
  ck_assert_ptr_null(vptr__source_place(source, 0).file);
}
END_TEST

START_TEST(a_zero_byte_is_no_end) {
  static const char text[] = "a\0b";
  vptr__lexer lexer;
  vptr__lexer_init(&lexer, source, text, 3, vptr__source_add(source, "z", text, 3, 0)->begin);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_NAME);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_OTHER);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_NAME);
  ck_assert_int_eq(vptr__lexer_next(&lexer).kind, VPTR__TOKEN_END);
}
END_TEST

START_TEST(every_kind_has_a_text) {
  ck_assert_str_eq(vptr__token_kind_text('{'), "{");
  ck_assert_str_eq(vptr__token_kind_text('~'), "~");
  ck_assert_str_eq(vptr__token_kind_text(VPTR__TOKEN_AND_AND), "&&");
  ck_assert_str_eq(vptr__token_kind_text(VPTR__KEYWORD_ALIGN), "__align__");
  for (int kind = VPTR__TOKEN_KEYWORD_FIRST; kind < VPTR__KEYWORD_END; kind++)
    ck_assert_str_ne(vptr__token_kind_text(kind), "an unknown token");
  for (int kind = VPTR__TOKEN_NAME; kind <= VPTR__TOKEN_PRAGMA_UNROLL; kind++)
    ck_assert_str_ne(vptr__token_kind_text(kind), "an unknown token");
}
END_TEST

START_TEST(words_are_keywords) {
  ck_assert_int_eq(vptr__source_intern(source, "__global__", 10)->keyword, VPTR__KEYWORD_GLOBAL);
  ck_assert_int_eq(vptr__source_intern(source, "not_eq", 6)->keyword, VPTR__TOKEN_NOT_EQUAL);
  ck_assert_int_eq(vptr__source_intern(source, "restrict", 8)->keyword, 0);
}
END_TEST

/* ---- literals -------------------------------------------------------------------------------------------- */

static bool read_literal(const char *text, vptr__literal *literal_out) {
  vptr__lexer lexer = lexer_of(text);
  vptr__token token = vptr__lexer_next(&lexer);
  return vptr__literal_read(source, &token, literal_out);
}

static void expect_integer(const char *text, vptr__literal_type type, uint64_t value) {
  vptr__literal literal;
  ck_assert_msg(read_literal(text, &literal), "%s is refused", text);
  ck_assert_msg(literal.type == type, "%s has type %d", text, (int)literal.type);
  ck_assert_msg(literal.integer == value, "%s is %llu", text, (unsigned long long)literal.integer);
}

START_TEST(integers_have_the_first_type_that_holds_them) {
  expect_integer("0", VPTR__LITERAL_INT, 0);
  expect_integer("2147483647", VPTR__LITERAL_INT, 2147483647);
  expect_integer("2147483648", VPTR__LITERAL_LONG, 2147483648u);
  expect_integer("0x80000000", VPTR__LITERAL_UNSIGNED, 0x80000000u);
  expect_integer("0xffffffffff", VPTR__LITERAL_LONG, 0xffffffffffu);
  expect_integer("0xffffffffffffffff", VPTR__LITERAL_UNSIGNED_LONG, UINT64_MAX);
  expect_integer("4294967296u", VPTR__LITERAL_UNSIGNED_LONG, 4294967296u);
  expect_integer("1ll", VPTR__LITERAL_LONG_LONG, 1);
  expect_integer("1LLu", VPTR__LITERAL_UNSIGNED_LONG_LONG, 1);
  expect_integer("18446744073709551615ull", VPTR__LITERAL_UNSIGNED_LONG_LONG, UINT64_MAX);
  expect_integer("0b1011", VPTR__LITERAL_INT, 11);
  expect_integer("0755", VPTR__LITERAL_INT, 0755);
  expect_integer("1'000'000", VPTR__LITERAL_INT, 1000000);
}
END_TEST

START_TEST(wrong_numbers_are_refused) {
  static const char *const wrong[] = { "08",
                                       "0b12",
                                       "1lL",
                                       "1uu",
                                       "0x",
                                       "18446744073709551616",
                                       "9223372036854775808",
                                       "1.5q",
                                       "1e",
                                       "1e+",
                                       "0x1.8",
                                       "12abc",
                                       "1.2.3",
                                       "0x1p",
                                       "0b",
                                       "1f" };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    vptr__literal literal;
    int errors = vptr__source_errors(source);
    ck_assert_msg(!read_literal(wrong[i], &literal), "%s is taken", wrong[i]);
    ck_assert_int_eq(vptr__source_errors(source), errors + 1);
  }
}
END_TEST

START_TEST(floating_numbers_are_rounded_once) {
  vptr__literal literal;
  ck_assert(read_literal("0.1f", &literal));
  ck_assert(literal.type == VPTR__LITERAL_FLOAT && literal.floating == (double)0.1f);
  /* lies just above the middle of two floats, and its double in the middle: rounded twice it would go down */
  ck_assert(read_literal("1.00000005960464477540f", &literal));
  ck_assert(literal.floating == (double)1.00000005960464477540f);
  ck_assert(read_literal("0x1.8p3", &literal));
  ck_assert(literal.type == VPTR__LITERAL_DOUBLE && literal.floating == 12.0);
  ck_assert(read_literal("1'0.5e-1L", &literal));
  ck_assert(literal.type == VPTR__LITERAL_DOUBLE && literal.floating == 1.05);
  ck_assert(read_literal(".5", &literal) && literal.floating == 0.5);
  ck_assert(read_literal("5.", &literal) && literal.floating == 5.0);
  ck_assert(read_literal("0e0f", &literal) && literal.floating == 0.0);
}
END_TEST

START_TEST(the_programs_locale_does_not_matter) {
  const char *comma = setlocale(LC_NUMERIC, "de_DE.UTF-8");
  vptr__literal literal;
  ck_assert(read_literal("1.5", &literal) && literal.floating == 1.5);
  if (comma != NULL)
    setlocale(LC_NUMERIC, "C");
}
END_TEST

START_TEST(characters_are_signed_bytes) {
  expect_integer("'a'", VPTR__LITERAL_CHAR, 'a');
  expect_integer("'\\n'", VPTR__LITERAL_CHAR, '\n');
  expect_integer("'\\0'", VPTR__LITERAL_CHAR, 0);
  expect_integer("'\\xff'", VPTR__LITERAL_CHAR, UINT64_MAX);
  vptr__literal literal;
  ck_assert(!read_literal("''", &literal));
  ck_assert(!read_literal("'ab'", &literal));
  ck_assert(!read_literal("L'a'", &literal));
  ck_assert(!read_literal("'\\q'", &literal));
}
END_TEST

static void expect_string(const char *text, const char *bytes, uint32_t length) {
  vptr__lexer lexer = lexer_of(text);
  vptr__token token = vptr__lexer_next(&lexer);
  uint32_t got_length = 0;
  const char *got = vptr__literal_string(source, &token, &got_length);
  ck_assert_msg(got != NULL, "%s is refused", text);
  ck_assert_uint_eq(got_length, length);
  ck_assert(memcmp(got, bytes, length + 1) == 0);
}

START_TEST(strings_are_unescaped) {
  expect_string("\"a\\tb\\\\\\\"\"", "a\tb\\\"", 5);
  expect_string("\"\\101\\0\\x41z\"", "A\0Az", 4);
  expect_string("\"\\u00e9\\U0001F600\"", "\xc3\xa9\xf0\x9f\x98\x80", 6);
  expect_string("u8\"x\"", "x", 1);
  expect_string("R\"(a\\n\")\"", "a\\n\"", 4);
  expect_string("R\"end()\")end\"", ")\"", 2);
  expect_string("\"\"", "", 0);
}
END_TEST

START_TEST(a_suffix_is_refused_where_a_value_is_wanted) {
  uint32_t length;
  vptr__lexer lexer = lexer_of("\"a\"_s");
  vptr__token token = vptr__lexer_next(&lexer);
  ck_assert_ptr_null(vptr__literal_string(source, &token, &length));
  ck_assert_ptr_nonnull(strstr(vptr__source_log(source), "\"a\"_s has a suffix"));
}
END_TEST

/* ---- the source ------------------------------------------------------------------------------------------ */

START_TEST(errors_are_cut_off_and_counted) {
  for (int i = 0; i < 150; i++)
    vptr__source_report(source, VPTR__ERROR, 0, "wrong %d", i);
  const char *log = vptr__source_log(source);
  ck_assert_int_eq(vptr__source_errors(source), 150);
  ck_assert_ptr_nonnull(strstr(log, "error: wrong 99\n"));
  ck_assert_ptr_null(strstr(log, "wrong 100"));
  ck_assert_ptr_nonnull(strstr(log, "50 more"));
}
END_TEST

START_TEST(silence_hides_and_forgets) {
  int before = vptr__source_errors(source);
  vptr__source_silence(source);
  vptr__source_report(source, VPTR__ERROR, 0, "hidden");
  ck_assert_int_eq(vptr__source_errors(source), before + 1);
  vptr__source_unsilence(source, before);
  ck_assert_int_eq(vptr__source_errors(source), before);
  ck_assert_str_eq(vptr__source_log(source), "");
}
END_TEST

START_TEST(many_names_stay_apart) {
  static vptr__name *names[20000];
  for (int i = 0; i < 20000; i++) {
    char text[20];
    names[i] = vptr__source_intern(source, text, (size_t)sprintf(text, "name_%d", i));
  }
  for (int i = 0; i < 20000; i++) {
    char text[20];
    support_must(vptr__source_intern(source, text, (size_t)sprintf(text, "name_%d", i)) == names[i]);
  }
}
END_TEST

static Suite *lexer_suite(void) {
  Suite *suite = suite_create("lexer");
  TCase *tokens = tcase_create("tokens");
  tcase_add_checked_fixture(tokens, set_up, tear_down);
  tcase_add_test(tokens, cuts_punctuators_as_long_as_they_go);
  tcase_add_test(tokens, digraphs_are_what_they_stand_for);
  tcase_add_test(tokens, numbers_are_preprocessing_numbers);
  tcase_add_test(tokens, strings_and_characters_stay_whole);
  tcase_add_test(tokens, a_suffix_belongs_to_its_literal);
  tcase_add_test(tokens, comments_are_white_space);
  tcase_add_test(tokens, joined_lines_disappear_everywhere_but_in_raw_strings);
  tcase_add_test(tokens, joined_lines_may_end_in_carriage_returns);
  tcase_add_test(tokens, a_directive_ends_with_its_line);
  tcase_add_test(tokens, positions_become_places);
  tcase_add_test(tokens, a_zero_byte_is_no_end);
  tcase_add_test(tokens, every_kind_has_a_text);
  tcase_add_test(tokens, words_are_keywords);
  suite_add_tcase(suite, tokens);
  TCase *literals = tcase_create("literals");
  tcase_add_checked_fixture(literals, set_up, tear_down);
  tcase_add_test(literals, integers_have_the_first_type_that_holds_them);
  tcase_add_test(literals, wrong_numbers_are_refused);
  tcase_add_test(literals, floating_numbers_are_rounded_once);
  tcase_add_test(literals, the_programs_locale_does_not_matter);
  tcase_add_test(literals, characters_are_signed_bytes);
  tcase_add_test(literals, strings_are_unescaped);
  tcase_add_test(literals, a_suffix_is_refused_where_a_value_is_wanted);
  suite_add_tcase(suite, literals);
  TCase *texts = tcase_create("source");
  tcase_add_checked_fixture(texts, set_up, tear_down);
  tcase_add_test(texts, errors_are_cut_off_and_counted);
  tcase_add_test(texts, silence_hides_and_forgets);
  tcase_add_test(texts, many_names_stay_apart);
  suite_add_tcase(suite, texts);
  return suite;
}

int main(void) {
  return support_run(lexer_suite());
}
