/* SPDX-License-Identifier: MIT */
/*
 * The preprocessor against C++'s own examples, the cases that are known to be hard, and what it must refuse.
 */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "translate/preprocessor/preprocessor.h"

static vptr__arena arena;
static jmp_buf out;
static vptr__source *source;
static vptr__preprocessor *preprocessor;

typedef struct header {
  const char *name, *text, *path;
} header;

static const header *headers;

static bool open_header(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                        const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)is_quoted, (void)includer;
  bool is_past = after == NULL;
  for (const header *each = headers; each != NULL && each->name != NULL; each++) {
    if (is_past && strcmp(each->name, name) == 0) {
      *text_out = each->text;
      *length_out = strlen(each->text);
      *path_out = each->path;
      return true;
    }
    is_past |= after != NULL && strcmp(each->path, after) == 0;
  }
  return false;
}

static bool is_hosts(void *context, const char *name) {
  (void)context;
  return strncmp(name, "hosts/", 6) == 0;
}

static void set_up(void) {
  vptr__arena_init(&arena, &out);
  if (setjmp(out) != 0)
    ck_abort_msg("the arena ended");
  headers = NULL;
  source = vptr__source_create(&arena);
  vptr__reader reader = { open_header, NULL, "inc:src", is_hosts };
  preprocessor = vptr__preprocessor_create(source, &reader);
}

static void tear_down(void) {
  vptr__arena_free(&arena);
}

/* All tokens of a text, a space where there was white space. */
static const char *processed(const char *text) {
  static char shown[4000];
  char *end = shown;
  vptr__preprocessor_push(preprocessor, vptr__source_add(source, "test.cu", text, strlen(text), 0));
  for (vptr__token token; (token = vptr__preprocessor_next(preprocessor)).kind != VPTR__TOKEN_END;) {
    bool is_apart = (token.flags & (VPTR__TOKEN_AFTER_SPACE | VPTR__TOKEN_AT_LINE_START)) != 0;
    end += sprintf(end, "%s%s%.*s%s", end != shown && is_apart ? " " : "",
                   token.kind == VPTR__TOKEN_PRAGMA_UNROLL ? "[unroll " : "", (int)token.length, token.text,
                   token.kind == VPTR__TOKEN_PRAGMA_UNROLL ? "]" : "");
  }
  *end = 0;
  return shown;
}

static void expect(const char *text, const char *expected) {
  const char *got = processed(text);
  ck_assert_msg(strcmp(got, expected) == 0, "\n  text     %s\n  expected %s\n  got      %s\n  log      %s", text,
                expected, got, vptr__source_log(source));
  ck_assert_msg(vptr__source_errors(source) == 0, "%s: %s", text, vptr__source_log(source));
}

static void expect_error(const char *text, const char *message) {
  processed(text);
  ck_assert_msg(strstr(vptr__source_log(source), message) != NULL, "%s: \"%s\" is not in the log:\n%s", text, message,
                vptr__source_log(source));
  tear_down();
  set_up();
}

/* ---- macros ---------------------------------------------------------------------------------------------- */

START_TEST(the_standards_examples_come_out_right) {
  expect("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n"
         "#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n"
         "#define str(x) # x\n"
         "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
         "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };",
         "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & "
         "f(2 * (0,1))^m(0,1); int i[] = { 1, 23, 4, 5, }; char c[2][6] = { \"hello\", \"\" };");
}
END_TEST

START_TEST(strings_are_made_and_joined) {
  expect("#define str(s) # s\n#define xstr(s) str(s)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n"
         "#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n"
         "str(strncmp(\"abc\\0d\", \"abc\", '\\4') // gone\n == 0) str(: @\\n)\nxstr(INCFILE(2).h)\n"
         "glue(HIGH, LOW) xglue(HIGH, LOW)",
         "\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\" \"vers2.h\" \"hello\" \"hello\" \", "
         "world\"");
}
END_TEST

START_TEST(a_literal_and_its_suffix_are_one_token) {
  expect("#define catch(t) t##_sr\n#define made(t) #t##_sr\ncatch(\"a\") made(b c) catch('x')",
         "\"a\"_sr \"b c\"_sr 'x'_sr");
}
END_TEST

START_TEST(empty_arguments_join_nothing) {
  expect("#define t(x,y,z) x ## y ## z\n{ t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) }",
         "{ 123, 45, 67, 89, 10, 11, 12, }");
  expect("#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
         "#define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
         "\"x ## y\"");
}
END_TEST

START_TEST(the_rest_of_the_arguments) {
  expect("#define list(...) puts(#__VA_ARGS__)\n#define report(test, ...) ((test)?puts(#test):printf(__VA_ARGS__))\n"
         "list(The first, second.); report(x>y, \"%d\", x, y)",
         "puts(\"The first, second.\"); ((x>y)?puts(\"x>y\"):printf(\"%d\", x, y))");
  expect("#define E(fmt, ...) printf(fmt, ## __VA_ARGS__)\nE(a) E(a, b, c)", "printf(a) printf(a, b, c)");
  expect("#define N(fmt, rest...) printf(fmt, rest)\nN(a, b, c)", "printf(a, b, c)");
  expect("#define V(...) f(0 __VA_OPT__(, __VA_ARGS__))\nV() V(1, 2)", "f(0) f(0 , 1, 2)");
  expect("#define J(x, ...) x ## __VA_OPT__(b) c\nJ(a, 1) J(a)", "ab c a c");
  expect("#define K(x, ...) x __VA_OPT__(b) ## c\nK(a, 1) K(a)", "a bc a c");
}
END_TEST

START_TEST(a_name_in_its_own_expansion_stays_for_ever) {
  expect("#define foo foo + a\n#define bar baz\n#define baz bar\nfoo bar", "foo + a bar");
  expect("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
  expect("#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42");
  expect("#define AA BB\n#define BB AA\nAA BB", "AA BB");
}
END_TEST

START_TEST(calls_may_span_lines_and_directives) {
  expect("#define f(a, b) a-b\nf(1,\n#if 1\n2\n#else\n3\n#endif\n)", "1-2");
  expect("#define f(a) [a]\nf f\n(1) f", "f [1] f");
}
END_TEST

START_TEST(predefined_macros_say_where_and_what) {
  expect("__LINE__ __FILE__ __COUNTER__ __COUNTER__\n__LINE__", "1 \"test.cu\" 0 1 2");
  expect("#define L __LINE__\n\nL L\n#line 70 \"a.cu\"\nL __FILE__\n# 8 \"b.cu\" 2\n__LINE__ __FILE__",
         "3 3 70 \"a.cu\" 8 \"b.cu\"");
  expect("__cplusplus __CUDACC__ __VPTR__", "201703L 1 1");
}
END_TEST

START_TEST(definitions_come_from_outside_too) {
  vptr__preprocessor_define(preprocessor, "A", "(1 + 2)");
  vptr__preprocessor_define(preprocessor, "B", NULL);
  vptr__preprocessor_define(preprocessor, "C(x)", "[x]\n(x)");
  vptr__preprocessor_define(preprocessor, "D", "4");
  vptr__preprocessor_undefine(preprocessor, "D");
  expect("A B C(3) D", "(1 + 2) 1 [3] (3) D");
}
END_TEST

/* ---- conditions ------------------------------------------------------------------------------------------ */

static void expect_condition(const char *condition, bool holds) {
  char text[300];
  snprintf(text, sizeof text, "#if %s\nyes\n#else\nno\n#endif\n", condition);
  expect(text, holds ? "yes" : "no");
}

START_TEST(conditions_are_computed_in_64_bits) {
  expect_condition("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9", true);
  expect_condition("0xffffffffffffffff == -1", true);
  expect_condition("-1 > 0u", true);
  expect_condition("-1 < 0", true);
  expect_condition("(-8 >> 1) == -4 && (1 << 40) > 0", true);
  expect_condition("1 ? 0 : 1/0", false);
  expect_condition("0 && 1/0 || 1 || 1/0", true);
  expect_condition("-9223372036854775807 - 1 == (-9223372036854775807 - 1) / -1", true);
  expect_condition("7 % 4 == 3 && ~0 == -1 && !0 && (5 & 6) == 4 && (5 | 6) == 7 && (5 ^ 6) == 3", true);
  expect_condition("-1 < 0x80000000 && -1 < 0xffffffff && !(-1 < 0x80000000u) && !(-1 < 0xffffffffffffffff)", true);
  expect_condition("'a' == 97 && '\\xff' < 0", true);
  expect_condition("true and not false and undefined_name == 0", true);
  expect_condition("2 > 1 ? 0 : 1 ? 1 : 1", false);
}
END_TEST

START_TEST(conditions_ask_for_names_and_headers) {
  expect("#define A\n#if defined A && defined(A) && !defined(B) && defined __has_include\nyes\n#endif", "yes");
  expect("#define D defined(A)\n#if D\nyes\n#endif", "yes");
  expect_condition("__has_include(<math.h>) && __has_include(\"cmath\") && !__has_include(<nothing.h>)", true);
  expect_condition("__has_include(<hosts/a.h>) && __has_include(\"hosts/a.h\")", true);
  expect("#define F(x) x > 2\n#if F(3)\nyes\n#endif", "yes");
}
END_TEST

START_TEST(one_group_is_taken) {
  expect("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne", "b e");
  expect("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c");
  expect("#ifdef X\na\n#elifndef X\nb\n#endif\n#ifndef X\nc\n#elifdef X\nd\n#endif", "b c");
  expect("#if 0\n don't \" worry\n#foo\n#elif 1\nok\n#elif 1/0\n#endif", "ok");
}
END_TEST

/* ---- includes -------------------------------------------------------------------------------------------- */

START_TEST(headers_come_from_the_reader) {
  static const header mine[] = { { "a.h", "#pragma once\nA\n", "inc/a.h" },
                                 { "b.h", "#include \"a.h\"\n#include_next <b.h>\nB1", "inc/b.h" },
                                 { "b.h", "B2", "src/b.h" },
                                 { NULL, NULL, NULL } };
  headers = mine;
  expect("#include \"a.h\"\n#include <a.h>\n#include \"b.h\"\n#define H <b.h>\n#include H\nend", "A B2 B1 B2 B1 end");
  ck_assert_str_eq(vptr__preprocessor_included(preprocessor, 0), "inc/a.h");
  ck_assert_str_eq(vptr__preprocessor_included(preprocessor, 1), "inc/b.h");
  ck_assert_str_eq(vptr__preprocessor_included(preprocessor, 2), "src/b.h");
  ck_assert_ptr_null(vptr__preprocessor_included(preprocessor, 3));
}
END_TEST

START_TEST(built_in_headers_go_before_folders) {
  static const header mine[] = { { "math.h", "MINE", "cuda/include/math.h" },
                                 { "limits.h", "BESIDE", "limits.h" },
                                 { NULL, NULL, NULL } };
  headers = mine;
  expect("#include <math.h>\n#include <limits.h>\n#ifdef INT_MAX\nours\n#endif",
         "typedef float float_t; typedef double "
         "double_t; ours");
  expect("#include \"math.h\"\n#include \"limits.h\"", "BESIDE");
  expect("#include <never/heard/of.h>\nok", "ok");
  expect("#include \"hosts/a.h\"\nok", "ok");
}
END_TEST

START_TEST(errors_in_headers_name_the_header) {
  static const header mine[] = { { "a.h", "\n\n #error inside", "inc/a.h" }, { NULL, NULL, NULL } };
  headers = mine;
  processed("#include \"a.h\"");
  ck_assert_str_eq(vptr__source_log(source), "inc/a.h:3:2: error: #error inside\n");
}
END_TEST

/* ---- pragmas --------------------------------------------------------------------------------------------- */

START_TEST(unroll_reaches_the_parser) {
  expect("#define N 4\n#define str(x) #x\n#define UNROLL(n) _Pragma(str(unroll n))\n#pragma unroll\na\n"
         "#pragma unroll (N + 1)\nb\nUNROLL(8) c\n#pragma nounroll\nd\n#pragma omp parallel\n_Pragma(\"pack(1)\") e",
         "[unroll ] a [unroll (4 + 1)] b [unroll 8] c[unroll 1] d e");
}
END_TEST

START_TEST(macros_are_kept_and_given_back) {
  expect("#define A 1\n#pragma push_macro(\"A\")\n#undef A\n#define A 2\nA\n#pragma pop_macro(\"A\")\nA", "2 1");
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------------------- */

START_TEST(mistakes_are_said) {
  expect_error("#include \"nope.h\"", "test.cu:1:1: error: \"nope.h\" was not found: neither beside the file that "
                                      "includes it nor in inc:src");
  expect_error("#if 1 +\n#endif", "an operand is missing");
  expect_error("#if (1\n#endif", "closing ) is missing");
  expect_error("#if 1/0\n#endif", "division by zero");
  expect_error("#if foo(1)\n#endif", "foo is no macro that takes arguments");
  expect_error("#if 1 1\n#endif", "an operator is missing");
  expect_error("#else", "#else without #if");
  expect_error("#endif", "#endif without #if");
  expect_error("#if 1\n#else\n#else\n#endif", "behind #else");
  expect_error("#if 1\n", "has no #endif");
  expect_error("#define f(x", "error");
  expect_error("#define f(x,x) x", "cannot be a parameter");
  expect_error("#define f(x) #y", "# must stand before one of them");
  expect_error("#define a ##", "cannot begin or end");
  expect_error("#define k(a,b) a\nk(1)", "takes 2 arguments, and gets 1");
  expect_error("#define k(a,b) a\nk(1,2", "no closing )");
  expect_error("#define q(a) a##*\nq(-)", "which is not one token");
  expect_error("#define s(x) #x\ns(\\)", "which is no string");
  expect_error("#define s(x) #x\ns(\")\n)", "which is no string");
  expect_error("#define defined 1", "cannot be defined");
  expect_error("#define and 1", "cannot be defined");
  expect_error("\n\n #undef __FILE__", "test.cu:3:2: error: __FILE__ cannot be defined");
  expect_error("#foo", "#foo is no directive");
  expect_error("#line x", "#line needs");
  expect_error("#error no  good", "#error no  good");
  expect_error("\"abc", "closing quote is missing");
  expect_error("a @ b", "a stray byte (0x40)");
  expect_error("int \xc3\xa9;", "only ASCII");
  expect_error("/* a", "*/ is missing");
  expect_error("#define X 1\n#define X 2", "warning: macro X gets a second meaning");
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------------------- */

static int end_of(const char *text, size_t limit) {
  vptr__arena small;
  jmp_buf end;
  vptr__arena_init(&small, &end);
  small.limit = limit;
  int why = setjmp(end);
  if (why == 0) {
    vptr__source *own = vptr__source_create(&small);
    vptr__reader reader = { open_header, NULL, NULL, is_hosts };
    vptr__preprocessor *reading = vptr__preprocessor_create(own, &reader);
    vptr__preprocessor_push(reading, vptr__source_add(own, "limit.cu", text, strlen(text), 0));
    while (vptr__preprocessor_next(reading).kind != VPTR__TOKEN_END)
      ;
  }
  vptr__arena_free(&small);
  return why;
}

START_TEST(what_does_not_end_is_ended) {
  char text[4000], *end = text;
  for (int i = 0; i < 60; i++)
    end += sprintf(end, "#define a%d a%d a%d\n", i, i + 1, i + 1);
  sprintf(end, "a0");
  ck_assert_int_eq(end_of(text, 64 << 20), VPTR__ARENA_TOO_LARGE);
  ck_assert_int_eq(end_of("int a;", 1000), VPTR__ARENA_TOO_LARGE);
}
END_TEST

START_TEST(what_nests_too_deep_is_ended) {
  static char text[100000];
  memset(text, '(', sizeof text - 1);
  memcpy(text, "#if ", 4);
  ck_assert_int_eq(end_of(text, 64 << 20), VPTR__ARENA_TOO_DEEP);
}
END_TEST

START_TEST(a_header_that_includes_itself_is_ended) {
  static const header mine[] = { { "a.h", "#include \"a.h\"\n", "a.h" }, { NULL, NULL, NULL } };
  headers = mine;
  expect_error("#include \"a.h\"", "nests more than 200 deep");
}
END_TEST

static Suite *preprocessor_suite(void) {
  Suite *suite = suite_create("preprocessor");
  TCase *cases = tcase_create("all");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, the_standards_examples_come_out_right);
  tcase_add_test(cases, strings_are_made_and_joined);
  tcase_add_test(cases, a_literal_and_its_suffix_are_one_token);
  tcase_add_test(cases, empty_arguments_join_nothing);
  tcase_add_test(cases, the_rest_of_the_arguments);
  tcase_add_test(cases, a_name_in_its_own_expansion_stays_for_ever);
  tcase_add_test(cases, calls_may_span_lines_and_directives);
  tcase_add_test(cases, predefined_macros_say_where_and_what);
  tcase_add_test(cases, definitions_come_from_outside_too);
  tcase_add_test(cases, conditions_are_computed_in_64_bits);
  tcase_add_test(cases, conditions_ask_for_names_and_headers);
  tcase_add_test(cases, one_group_is_taken);
  tcase_add_test(cases, headers_come_from_the_reader);
  tcase_add_test(cases, built_in_headers_go_before_folders);
  tcase_add_test(cases, errors_in_headers_name_the_header);
  tcase_add_test(cases, unroll_reaches_the_parser);
  tcase_add_test(cases, macros_are_kept_and_given_back);
  tcase_add_test(cases, mistakes_are_said);
  tcase_add_test(cases, what_does_not_end_is_ended);
  tcase_add_test(cases, what_nests_too_deep_is_ended);
  tcase_add_test(cases, a_header_that_includes_itself_is_ended);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(preprocessor_suite());
}
