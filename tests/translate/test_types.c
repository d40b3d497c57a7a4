/* SPDX-License-Identifier: MIT */
/*
 * test_types - what types expressions have, where things lie, what constants are, and what is refused with which words.
 *
 * The host's C++ compiler is the check where it can be: what this room found out about random expressions and structs
 * is written as static_assert and given to it. Where there is none, these tests say that they were left out.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/syntax/parser.h"
#include "translate/types/types.h"

typedef struct checked {
  vptr__arena arena;
  vptr__unit *unit;
  bool is_good;
  const char *log;
} checked;

static bool open_nothing(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                         const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

static void run(checked *made, const char *text) {
  static const vptr__reader reader = { .open = open_nothing };
  vptr__source *source = vptr__source_create(&made->arena);
  vptr__preprocessor *preprocessor = vptr__preprocessor_create(source, &reader);
  vptr__preprocessor_push(preprocessor, vptr__source_add(source, "t.cu", text, strlen(text), 0));
  vptr__preprocessor_push_built_in(preprocessor, "cuda_runtime.h");
  made->unit = vptr__parser_run(source, preprocessor, false);
  made->is_good = vptr__source_errors(source) == 0 && vptr__types_check(made->unit);
  made->log = vptr__source_log(source);
}

static checked *check_text(const char *text) {
  checked *made = calloc(1, sizeof *made);
  jmp_buf out;
  ck_assert_ptr_nonnull(made);
  vptr__arena_init(&made->arena, &out);
  if (setjmp(out) != 0) {
    made->log = "the arena ended";
    return made;
  }
  run(made, text);
  return made;
}

static void free_checked(checked *made) {
  vptr__arena_free(&made->arena);
  free(made);
}

static void accept(const char *text) {
  checked *made = check_text(text);
  if (!made->is_good)
    ck_abort_msg("refused: %s\n%s", text, made->log);
  free_checked(made);
}

static void refuse(const char *text, const char *expected) {
  checked *made = check_text(text);
  if (made->is_good || strstr(made->log, expected) == NULL)
    ck_abort_msg("%s\nexpected: %s\nsaid: %s", text, expected, made->log);
  free_checked(made);
}

static vptr__declaration *find(const checked *made, const char *name) {
  for (vptr__declaration *found = made->unit->declarations; found != NULL; found = found->next)
    if (found->name != NULL && strcmp(found->name->text, name) == 0 &&
        (found->kind != VPTR__DECLARATION_FUNCTION || found->body != NULL))
      return found;
  ck_abort_msg("there is no '%s'", name);
}

/* The text of assertions goes to the host's compiler; whether it holds. */
static void host_agrees(const char *text) {
  if (system("command -v g++ > /dev/null") != 0) {
    printf("left out: there is no g++\n");
    return;
  }
  FILE *compiler = popen("g++ -std=c++17 -fsyntax-only -w -x c++ - 1>&2", "w");
  ck_assert_ptr_nonnull(compiler);
  fputs(text, compiler);
  if (pclose(compiler) != 0)
    ck_abort_msg("the host's compiler disagrees with:\n%s", text);
}

/* ---- against the host's compiler ---------------------------------------------------------------------------- */

#define OPERANDS                                                                                                     \
  "bool b, char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, "        \
  "unsigned long ul, long long ll, unsigned long long ull, float f, double d, small e"
static const char *const integers[] = { "b",  "c",   "sc", "uc", "s",  "us", "i",    "u",   "l",         "ul",
                                        "ll", "ull", "e",  "1",  "2u", "3l", "4ull", "'x'", "0x80000000" };
static const char *const floats[] = { "f", "d", "1.5f", "2.5" };

static size_t write_expression(char *text, uint64_t *state, int depth, bool wants_integer) {
  uint64_t pick = support_random(state) % 10;
  if (depth == 0 || pick == 0) {
    bool is_float = !wants_integer && support_random(state) % 3 == 0;
    return (size_t)sprintf(text, "%s",
                           is_float ? floats[support_random(state) % (sizeof floats / sizeof *floats)]
                                    : integers[support_random(state) % (sizeof integers / sizeof *integers)]);
  }
  static const char *const any[] = { "+", "-", "*", "/", "<", "==", "&&", "," };
  static const char *const whole[] = { "%", "&", "|", "^", "<<", ">>" };
  static const char *const before[] = { "-", "+", "!" };
  size_t length = (size_t)sprintf(text, "(");
  if (pick == 1) {
    length += (size_t)sprintf(text + length, "%s", wants_integer ? "~" : before[support_random(state) % 3]);
    length += write_expression(text + length, state, depth - 1, wants_integer);
  } else if (pick == 2) {
    length += write_expression(text + length, state, depth - 1, false);
    length += (size_t)sprintf(text + length, " ? ");
    length += write_expression(text + length, state, depth - 1, wants_integer);
    length += (size_t)sprintf(text + length, " : ");
    length += write_expression(text + length, state, depth - 1, wants_integer);
  } else {
    bool is_whole = wants_integer || pick < 6;
    length += write_expression(text + length, state, depth - 1, is_whole);
    length += (size_t)sprintf(text + length, " %s ",
                              is_whole && pick % 2 == 0 ? whole[support_random(state) % 6]
                                                        : any[support_random(state) % 8]);
    length += write_expression(text + length, state, depth - 1, is_whole);
  }
  return length + (size_t)sprintf(text + length, ")");
}

enum { EXPRESSIONS = 300, ROOM = 1 << 20 };

/* The device's text, and at the marks "@" the types of the variables in order. */
static void assert_types(const checked *made, const char *body) {
  char *asserts = malloc(2 * ROOM);
  size_t length = (size_t)sprintf(asserts,
                                  "template <class A, class B> struct same { static const bool is = false; };\n"
                                  "template <class A> struct same<A, A> { static const bool is = true; };\n"
                                  "enum small { one, two };\nvoid k(" OPERANDS ") {\n%s",
                                  body);
  const vptr__statement *statement = find(made, "k")->body->first;
  for (; statement != NULL; statement = statement->next)
    for (const vptr__declaration *v = statement->declarations; v != NULL; v = v->next)
      length += (size_t)sprintf(asserts + length, "static_assert(same<decltype(%s), %s>::is, \"\");\n", v->name->text,
                                vptr__type_text((vptr__arena *)&made->arena, v->type));
  sprintf(asserts + length, "}\n");
  host_agrees(asserts);
  free(asserts);
}

START_TEST(random_expressions_have_the_types_of_the_host_compiler) {
  uint64_t state = 7;
  char *body = malloc(ROOM), *text = malloc(2 * ROOM);
  size_t length = 0;
  for (int i = 0; i < EXPRESSIONS; i++) {
    length += (size_t)sprintf(body + length, "auto v%d = ", i);
    length += write_expression(body + length, &state, 3, false);
    length += (size_t)sprintf(body + length, ";\n");
  }
  sprintf(text, "enum small { one, two };\n__global__ void k(" OPERANDS ") {\n%s}\n", body);
  checked *made = check_text(text);
  if (!made->is_good)
    ck_abort_msg("refused: %s", made->log);
  assert_types(made, body);
  free_checked(made);
  free(body);
  free(text);
}
END_TEST

static size_t write_struct(char *text, uint64_t *state, int index) {
  static const char *const fields[] = { "char",   "short", "int",   "long",         "float",
                                        "double", "bool",  "int *", "unsigned char" };
  static const char *const heads[] = { "struct", "struct", "union", "struct alignas(16)", "struct alignas(2)" };
  const char *head = heads[support_random(state) % 5];
  if (strstr(head, "(2)") != NULL)
    return (size_t)sprintf(text, "struct alignas(2) S%d { char m0; };\n", index);
  size_t length = (size_t)sprintf(text, "%s S%d {\n", head, index);
  for (int i = 0, count = 1 + (int)(support_random(state) % 6); i < count; i++) {
    bool is_nested = index > 0 && support_random(state) % 4 == 0;
    if (is_nested)
      length += (size_t)sprintf(text + length, "S%d m%d", (int)(support_random(state) % (uint64_t)index), i);
    else
      length += (size_t)sprintf(text + length, "%s m%d", fields[support_random(state) % 9], i);
    bool is_array = support_random(state) % 3 == 0;
    length += (size_t)sprintf(text + length, is_array ? "[%d];\n" : ";\n", 1 + (int)(support_random(state) % 5));
  }
  return length + (size_t)sprintf(text + length, "};\n");
}

START_TEST(random_structs_are_laid_out_as_the_host_compiler_does) {
  enum { STRUCTS = 60 };
  uint64_t state = 11;
  char *structs = malloc(ROOM), *text = malloc(2 * ROOM);
  size_t length = 0;
  for (int i = 0; i < STRUCTS; i++)
    length += write_struct(structs + length, &state, i);
  length = (size_t)sprintf(text, "%s", structs);
  for (int i = 0; i < STRUCTS; i++)
    length += (size_t)sprintf(text + length, "__device__ S%d v%d;\n", i, i);
  checked *made = check_text(text);
  if (!made->is_good)
    ck_abort_msg("refused: %s", made->log);
  length = (size_t)sprintf(text, "%s", structs);
  for (int i = 0; i < STRUCTS; i++) {
    char name[16];
    sprintf(name, "S%d", i);
    const vptr__declaration *record = find(made, name);
    length += (size_t)sprintf(text + length, "static_assert(sizeof(%s) == %d && alignof(%s) == %d, \"\");\n", name,
                              (int)record->size, name, (int)record->alignment);
    for (const vptr__declaration *field = record->fields; field != NULL; field = field->next)
      length += (size_t)sprintf(text + length, "static_assert(__builtin_offsetof(%s, %s) == %d, \"\");\n", name,
                                field->name->text, (int)field->offset);
  }
  host_agrees(text);
  free_checked(made);
  free(structs);
  free(text);
}
END_TEST

/* Read by both: what holds here must hold there. */
static const char facts_text[] =
    "#ifdef __CUDACC__\n#define FUNCTION __device__ constexpr\n#define KERNEL __global__\n"
    "#else\n#define FUNCTION constexpr\n#define KERNEL\n#endif\n"
    "FUNCTION int square(int x) { return x * x; }\n"
    "FUNCTION int factorial(int n) { int r = 1; for (int i = 2; i <= n; ++i) r *= i; return r; }\n"
    "FUNCTION unsigned bits(unsigned x) { unsigned n = 0; while (x) { n += x & 1u; x >>= 1; } return n; }\n"
    "struct inner { char c; double d; }; struct outer { int a; inner in[3]; };\n"
    "enum plain { p0, p1 = 5, p2, p3 = p1 | 8 }; enum class small : unsigned char { s0 = 200, s1 };\n"
    "enum wide : long { w = 1L << 40 }; enum big { b0 = 0xffffffff };\n"
    "constexpr int table[4] = { 1, 2, 3 }; constexpr inner thing = { 'x', 2.5 }; const int N = 3 * 4;\n"
    "KERNEL void k(int *p) {\n"
    "static_assert(square(7) == 49 && factorial(6) == 720 && bits(0xf0f0u) == 8, \"\");\n"
    "static_assert(sizeof(outer) == 56 && alignof(outer) == 8 && __builtin_offsetof(outer, in[1].d) == 32, \"\");\n"
    "static_assert(p2 == 6 && p3 == 13 && sizeof(plain) == 4 && sizeof(small) == 1 && sizeof(wide) == 8, \"\");\n"
    "static_assert(static_cast<int>(small::s1) == 201 && b0 > 0 && sizeof(b0) == 4, \"\");\n"
    "static_assert(table[1] + table[3] == 2 && thing.d == 2.5 && thing.c == 120 && N == 12, \"\");\n"
    "static_assert(-7 / 2 == -3 && -7 % 2 == -1 && -1 > 1u && (unsigned char)300 == 44 && -8 >> 1 == -4, \"\");\n"
    "static_assert((int)3.99 == 3 && (float)0.1 != 0.1 && 1.0f / 3 * 3 == 1.0f && (bool)0.5, \"\");\n"
    "static_assert(sizeof('a') == 1 && sizeof(\"abc\") == 4 && sizeof(1 ? 1 : 2.0f) == 4 && sizeof(+'a') == 4, "
    "\"\");\n"
    "static_assert(0xffffffff > 0 && sizeof(0x80000000) == 4 && sizeof(2147483648) == 8 && sizeof(1ull) == 8, "
    "\"\");\n"
    "static_assert(~0u == 4294967295u && (1 ? -1 : 0u) == 4294967295u && (signed char)200 == -56, \"\");\n"
    "static_assert(18446744073709551615ull * 2 == 18446744073709551614ull && (1ull << 63) > 0, \"\");\n"
    "p[0] = table[2] + N; }\n";

START_TEST(constants_are_what_the_host_compiler_says) {
  accept(facts_text);
  host_agrees(facts_text);
}
END_TEST

/* ---- bytes -------------------------------------------------------------------------------------------------- */

static void expect_bytes(const char *text, const char *expected) {
  checked *made = check_text(text);
  if (!made->is_good)
    ck_abort_msg("refused: %s\n%s", text, made->log);
  const vptr__declaration *variable = find(made, "v");
  unsigned char bytes[64] = { 0 };
  char shown[129] = "";
  ck_assert_uint_le(variable->size, sizeof bytes);
  ck_assert(vptr__types_initial_bytes(variable, bytes, NULL, NULL));
  for (uint64_t i = 0; i < variable->size; i++)
    sprintf(shown + 2 * i, "%02x", bytes[i]);
  ck_assert_str_eq(shown, expected);
  free_checked(made);
}

START_TEST(initialisers_become_bytes) {
  expect_bytes("__device__ int v = -2;", "feffffff");
  expect_bytes("__device__ int v;", "00000000");
  expect_bytes("__constant__ float v[3] = { 1, -2.5 };", "0000803f000020c000000000");
  expect_bytes("__device__ char v[] = \"ab\";", "616200");
  expect_bytes("__device__ char v[2][3] = { \"ab\", { 'c' } };", "616200630000");
  expect_bytes("struct s { char c; short a[2]; long l; }; __device__ s v = { 1, 2, 3, 4 };",
               "01000200030000000400000000000000");
  expect_bytes("struct s { char c; short a[2]; }; __device__ s v = { .a = { 7 } };", "000007000000");
  expect_bytes("__device__ int v[] = { [2] = 1 };", "000000000000000001000000");
  expect_bytes("union u { int i; float f; }; __device__ u v = { .f = 1 };", "0000803f");
  expect_bytes("__device__ bool v = 3 > 2;", "01");
  expect_bytes("__device__ int *v = nullptr;", "0000000000000000");
  expect_bytes("#include <math.h>\n__constant__ float v = INFINITY;", "0000807f");
  expect_bytes("__device__ float3 v = { 1, 2 };", "0000803f0000004000000000");
}
END_TEST

/* ---- what is accepted --------------------------------------------------------------------------------------- */

#define KERNEL(statements) "__global__ void k(float *out, const float *in, int n) { " statements " }\n"

START_TEST(what_kernels_write_is_accepted) {
  accept(KERNEL("const float &r = n; auto &w = out[0]; w = r; (n ? out[0] : out[1]) = 2; auto m = min(threadIdx.x, "
                "3); out[m] = 1;"));
  accept(KERNEL("float *p = n ? out : nullptr; if (p && !n) *p++ = in[n]; n = p - out; void *v = p; char *c = (char "
                "*)v; c += 2;"));
  accept(KERNEL(
      "out[0] = pow(2, 3) + pow(2.0f, n) + sqrt(n) + max(n, 2) + max(1.0f, 2.0) + abs(-1.5f); atomicAdd(out, 1.0);"));
  accept(KERNEL("switch (n) { case 1: case 1 + 1: break; default: n = 3; } again: if (n--) goto again; do n++; while "
                "(n < 3);"));
  accept("enum e { a, b }; __device__ int f(e x, int y = b + 1) { return x + y; }" KERNEL(
      "e x = a; n = x; n = f(b) + f(x, 2);"));
  accept("struct s { int x; union { int y; float z; }; }; __device__ s make(int x) { return { x, { 2 } }; }" KERNEL(
      "s v = make(1); v.y = 2; v = { 3 }; n = make(2).x;"));
  accept("namespace a { struct v { int x; }; __device__ v operator-(v l) { return v{ -l.x }; } __device__ int "
         "of(const v &l) { return l.x; } }" KERNEL("a::v x{ 1 }; x = -x; n = of(x);"));
  accept("__device__ float later(float, float = 2); " KERNEL(
      "*out = later(1);") "__device__ float later(float a, float b) { return a * b; }");
  accept("void host(); int global; struct bits { int a : 3; };" KERNEL("n = 1;"));
  accept(KERNEL("bool low = ((unsigned long)in & 15) == 0; const float4 *q = reinterpret_cast<const float4 *>(in); "
                "*out = q[0].x + low;"));
}
END_TEST

START_TEST(the_value_of_one_of_two_objects_is_one_of_two_values) {
  checked *made =
      check_text("__device__ float least(const float &a, const float &b) { return a < b ? a : b; }" KERNEL(
          "*out = least(*in, 3.0f);"));
  ck_assert(made->is_good);
  const vptr__expression *value = find(made, "least")->body->first->expression;
  ck_assert_int_eq(value->kind, VPTR__EXPRESSION_CONDITIONAL);
  ck_assert(!value->is_lvalue);
  ck_assert_int_eq(value->operands[1]->kind, VPTR__EXPRESSION_LOAD);
  ck_assert_int_eq(value->operands[2]->kind, VPTR__EXPRESSION_LOAD);
  free_checked(made);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------------------------- */

START_TEST(conversions_that_do_not_exist_are_refused_in_words) {
  refuse(KERNEL("int *p = out;"),
         "t.cu:1:66: error: cannot initialise 'int *' with a value of type 'float *': cast it if that is meant");
  refuse(KERNEL("float *p = in;"),
         "cannot initialise 'float *' with a value of type 'const float *': that would drop a qualifier");
  refuse(KERNEL("float *p = 5;"), "only nullptr and 0 become pointers");
  refuse(KERNEL("n = out;"),
         "cannot assign to 'int' with a value of type 'float *': did you forget '*' or an index?");
  refuse("enum class e { a };" KERNEL("n = e::a;"), "use static_cast if that is meant");
  refuse("enum e { a };" KERNEL("e x = 1;"), "cannot initialise 'e' with a value of type 'int'");
  refuse("struct s { int x; };" KERNEL("s v = { 1 }; if (v) n = 1;"),
         "cannot decide on 'bool' with a value of type 's'");
  refuse(KERNEL("float *p = (float *)n;"), "a number cannot become a pointer in device code");
  refuse(KERNEL("n = (int)out;"), "cannot cast from 'float *' to 'int': the number has fewer bits than the pointer");
  refuse(KERNEL("float *p = static_cast<float *>((int *)nullptr);"), "use reinterpret_cast");
  refuse(KERNEL("float *p = reinterpret_cast<float *>(in);"), "use const_cast");
  refuse(KERNEL("int &r = 3;"), "with a temporary of type 'int': make it a reference to const");
  refuse(KERNEL("float &r = n;"), "the types must be the same");
}
END_TEST

START_TEST(operators_name_both_types) {
  refuse("struct s { int x; };" KERNEL("s a, b; n = a == b;"),
         "'==' cannot be applied to 's' and 's': no operator function fits");
  refuse(KERNEL("n = 1.5 % 2;"), "'%' cannot be applied to 'double' and 'int'");
  refuse(KERNEL("n = out + out;"), "pointers cannot be added");
  refuse(KERNEL("int *p = &n; n = p == out;"),
         "'==' cannot be applied to 'int *' and 'float *': both must point to the same type");
  refuse(KERNEL("n = ~1.5f;"), "'~' cannot be applied to 'float'");
  refuse(KERNEL("n = *n;"), "only pointers have an object");
  refuse(KERNEL("n = n.x;"), "'int' has no members");
  refuse(KERNEL("n = threadIdx.w;"), "'const uint3' has no member 'w'");
  refuse(KERNEL("float4 *p = (float4 *)in; n = p.x;"), "'float4 *' is a pointer: use '->'");
  refuse(KERNEL("n = n[1];"), "'int' cannot be indexed by 'int'");
}
END_TEST

START_TEST(what_cannot_be_written_to_is_refused) {
  refuse(KERNEL("in[0] = 1;"), "this is 'const float', which is const");
  refuse("__constant__ int c[2];" KERNEL("c[0] = 1;"), "'c' is __constant__: kernels cannot write to it");
  refuse(KERNEL("threadIdx.x = 1;"), "'threadIdx' cannot be written to");
  refuse(KERNEL("n + 1 = 2;"), "this is a value of type 'int', not a variable");
  refuse(KERNEL("const int c = 1; c++;"), "this is 'const int', which is const");
  refuse(KERNEL("const int c;"), "'c' is const: it needs an initialiser");
  refuse(KERNEL("__shared__ int s = 3;"), "a __shared__ variable has no initialiser");
  refuse(KERNEL("static int s = 3;"), "a static variable in a kernel");
}
END_TEST

START_TEST(calls_are_refused_with_names_and_places) {
  refuse("float host(float);\n" KERNEL("*out = host(1);"),
         "t.cu:2:64: error: 'host' is declared at t.cu:1 for the host: mark it __device__");
  refuse("__device__ int f(int);\n" KERNEL("n = f(1);"), "'f' is declared at t.cu:1, but not defined");
  refuse("int global;\n" KERNEL("n = global;"), "'global' is declared at t.cu:1 for the host");
  refuse(KERNEL("n = nothing(1);"), "there is no function 'nothing' in device code");
  refuse(KERNEL("n = nothing;"), "'nothing' is not declared");
  refuse("__device__ void f(int, float); __device__ void f(float, int);" KERNEL("f(1, 1);"),
         "'f(int, int)' is ambiguous");
  refuse("struct s {}; __device__ void f(s) {}" KERNEL("f(1);"), "no function 'f' takes (int)");
  refuse("__device__ int f(int, int) { return 1; }" KERNEL("n = f(1);"), "no function 'f' takes (int)");
  refuse("__device__ int f() { return 1; }" KERNEL("n = f(1);"), "no function 'f' takes (int)");
  accept("__device__ int f(int a, int b = 2) { return a + b; } __device__ int f(int a, int b, int c) { return c; "
         "}" KERNEL("n = f(1) + f(1, 2) + f(1, 2, 3);"));
  refuse("__device__ int f(int x) { return x ? f(x - 1) : 0; }" KERNEL("n = f(1);"), "device code has no recursion");
  refuse("__device__ int g(int); __device__ int f(int x) { return g(x); } __device__ int g(int x) { return f(x); "
         "}" KERNEL("n = f(1);"),
         "device code has no recursion");
  refuse("__device__ int f() { return 1; }" KERNEL("n = (int)(long)&f;"), "function pointers are not supported");
  refuse(KERNEL("") "__global__ void j() { k(0, 0, 1); }", "'k' is a kernel");
  refuse("#include <stdio.h>\n" KERNEL("printf(n);"), "no function 'printf' takes (int)");
  refuse("__device__ void f(int &r) {}" KERNEL("f(3);"), "no function 'f' takes (int)");
}
END_TEST

START_TEST(declarations_and_statements_are_judged) {
  refuse("struct bits { int a : 3; };" KERNEL("bits b;"), "'a' is a bit-field");
  refuse("struct s { s *next; s me; };" KERNEL("s v;"), "'s' would contain itself");
  refuse("struct s;" KERNEL("s v;"), "'s' is declared but not defined");
  refuse(KERNEL("switch (n) { case 1: case 1: ; }"), "the case 1 is there already, at t.cu:1");
  refuse(KERNEL("switch (*in) { }"), "switch is on integers and enumerations, not on 'float'");
  refuse(KERNEL("switch (n) { case 1: ; default: ; default: ; }"), "a second 'default'");
  refuse(KERNEL("break;"), "'break' outside of loops and switches");
  refuse(KERNEL("goto there;"), "there is no label 'there'");
  refuse(KERNEL("int a[n];"), "the length of an array must be a constant");
  refuse(KERNEL("int a[-1];"), "an array of -1 elements");
  refuse(KERNEL("int a[2] = { 1, 2, 3 };"), "more initialisers than 'int [2]' has elements");
  refuse(KERNEL("char a[2] = \"ab\";"), "does not fit into 'char [2]'");
  refuse(KERNEL("static_assert(sizeof(int) == 8, \"wide\");"), "static_assert does not hold: wide");
  refuse(KERNEL("auto a = { 1, 2 };"), "'auto' needs one value");
  refuse(KERNEL("return 1;"), "'k' returns nothing");
  refuse("__device__ int f() { return; }" KERNEL("n = f();"), "give 'return' a value");
  refuse("__device__ int v = 3;\n__device__ int w = v;",
         "t.cu:2:20: error: 'w' is a variable of the device: its initialiser must be a constant");
  refuse("__device__ int v; __device__ int *w = &v + 2;", "'w' is a variable of the device: its initialiser must be");
  refuse("__managed__ int v; __device__ int *w = &v;", "'w' is a variable of the device: its initialiser must be");
  refuse("__device__ int v; __managed__ int *w = &v;", "'w' is a variable of the device: its initialiser must be");
  refuse("__device__ int v; constexpr int *w = &v;" KERNEL("n = *w;"), "'w' is constexpr");
  refuse("__global__ int k() { return 1; }", "a __global__ function returns void");
  refuse("__global__ void k(int &r) { }", "cannot be a reference");
  refuse("__device__ int f() { return 1; } __device__ int f() { return 2; }" KERNEL("n = f();"),
         "'f' is defined already");
  refuse(KERNEL("constexpr int c = 1 / 0;"), "'c' is constexpr: its initialiser must be a constant");
}
END_TEST

static Suite *types_suite(void) {
  Suite *suite = suite_create("types");
  TCase *cases = tcase_create("types");
  tcase_add_test(cases, random_expressions_have_the_types_of_the_host_compiler);
  tcase_add_test(cases, random_structs_are_laid_out_as_the_host_compiler_does);
  tcase_add_test(cases, constants_are_what_the_host_compiler_says);
  tcase_add_test(cases, initialisers_become_bytes);
  tcase_add_test(cases, what_kernels_write_is_accepted);
  tcase_add_test(cases, the_value_of_one_of_two_objects_is_one_of_two_values);
  tcase_add_test(cases, conversions_that_do_not_exist_are_refused_in_words);
  tcase_add_test(cases, operators_name_both_types);
  tcase_add_test(cases, what_cannot_be_written_to_is_refused);
  tcase_add_test(cases, calls_are_refused_with_names_and_places);
  tcase_add_test(cases, declarations_and_statements_are_judged);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(types_suite());
}
