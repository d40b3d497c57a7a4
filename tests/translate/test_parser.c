/* SPDX-License-Identifier: MIT */
/*
 * test_parser - trees of what is understood, places and words of what is refused, and host code that must not disturb.
 *
 * Trees are compared as text (dump/tree.h). What the parser must never do, crash or hang, is tried with broken
 * pieces of a program that uses everything; the fuzzers go on from there.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/dump/tree.h"
#include "translate/preprocessor/preprocessor.h"
#include "translate/syntax/parser.h"

typedef struct parsed {
  char *tree, *log; /* NULL: the arena came to an end */
  int errors;
} parsed;

static char *keep(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  ck_assert_ptr_nonnull(copy);
  return strcpy(copy, text);
}

/* Errors in kernels, as types/ does. */
static void report_held(vptr__source *source, const vptr__unit *unit) {
  for (const vptr__declaration *each = unit->declarations; each != NULL; each = each->next)
    if (each->kind == VPTR__DECLARATION_FUNCTION && (each->flags & VPTR__GLOBAL) && each->held != NULL)
      vptr__source_report_held(source, each->held);
}

static parsed parse_as(const char *text, bool default_device) {
  parsed result = { NULL, NULL, 0 };
  parsed *volatile out = &result;
  vptr__arena arena;
  jmp_buf end;
  vptr__arena_init(&arena, &end);
  if (setjmp(end) == 0) {
    vptr__source *source = vptr__source_create(&arena);
    vptr__preprocessor *preprocessor = vptr__preprocessor_create(source, NULL);
    vptr__preprocessor_push(preprocessor, vptr__source_add(source, "a.cu", text, strlen(text), 0));
    vptr__preprocessor_push_built_in(preprocessor, "cuda_runtime.h");
    vptr__unit *unit = vptr__parser_run(source, preprocessor, default_device);
    report_held(source, unit);
    out->tree = keep(vptr__tree_text(unit, 0));
    out->log = keep(vptr__source_log(source));
    out->errors = vptr__source_errors(source);
  }
  vptr__arena_free(&arena);
  return *out;
}

static void forget(parsed *parsed) {
  free(parsed->tree);
  free(parsed->log);
}

static void check_tree(const char *text, const char *tree) {
  parsed parsed = parse_as(text, false);
  ck_assert_msg(parsed.errors == 0 && parsed.log != NULL, "%s\n%s", text, parsed.log);
  ck_assert_str_eq(parsed.tree, tree);
  forget(&parsed);
}

/* The body of a function, without its first line. */
static void check_body(const char *body, const char *tree) {
  char text[2000];
  snprintf(text, sizeof text, "__device__ void f(int a, int b, float *p) { %s }", body);
  parsed parsed = parse_as(text, false);
  ck_assert_msg(parsed.errors == 0 && parsed.log != NULL, "%s\n%s", text, parsed.log);
  const char *found = strchr(parsed.tree, '\n');
  ck_assert_str_eq(found == NULL ? "" : found + 1, tree);
  forget(&parsed);
}

static void check_value(const char *expression, const char *tree) {
  char body[1000], wanted[1000];
  snprintf(body, sizeof body, "%s;", expression);
  snprintf(wanted, sizeof wanted, "  do %s", tree);
  check_body(body, wanted);
}

/* The first error: its place, and words of it. */
static void check_error(const char *text, const char *place, const char *words) {
  parsed parsed = parse_as(text, false);
  ck_assert_ptr_nonnull(parsed.log);
  char *end = strchr(parsed.log, '\n');
  if (end != NULL)
    *end = '\0';
  char begin[100];
  snprintf(begin, sizeof begin, "a.cu:%s: error: ", place);
  ck_assert_msg(strncmp(parsed.log, begin, strlen(begin)) == 0, "%s\nwanted at %s: %s\ngot: %s", text, place, words,
                parsed.log);
  ck_assert_msg(strstr(parsed.log, words) != NULL, "%s\nwanted: %s\ngot: %s", text, words, parsed.log);
  forget(&parsed);
}

/* In a kernel's body, on line 2 from column 1. */
static void check_refused(const char *body, const char *column, const char *words) {
  char text[1000], place[40];
  snprintf(text, sizeof text, "__global__ void k(int *p, int n) {\n%s\n}", body);
  snprintf(place, sizeof place, "2:%s", column);
  check_error(text, place, words);
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

START_TEST(operators_bind_as_in_cpp) {
  check_value("a + b * 2 - a / b % 3", "(- (+ a (* b 2)) (% (/ a b) 3))");
  check_value("a = b = 3", "(= a (= b 3))");
  check_value("a << 1 < b == a > b", "(== (< (<< a 1) b) (> a b))");
  check_value("a & b ^ a | b && a || b", "(|| (&& (| (^ (& a b) a) b) a) b)");
  check_value("a ? b : a ? 1 : 2", "(?: a b (?: a 1 2))");
  check_value("a, b += 1, -a", "(, (, a (+= b 1)) (- a))");
  check_value("-a++ + !--b", "(+ (- (post++ a)) (! (-- b)))");
  check_value("*p++ = ~a", "(= (* (post++ p)) (~ a))");
  check_value("a and not b or a", "(|| (&& a (! b)) a)");
}
END_TEST

START_TEST(operands_are_read) {
  check_value("p[a][1](2, b).x->y", "(->y (.x (call ([] ([] p a) 1) 2 b)))");
  check_value("0x10u + 'a' + 1.5f + 2e3 + 7LL", "(+ (+ (+ (+ 16:unsigned 97:char) 1.5f) 2e3) 7:longlong)");
  check_value("true, nullptr, \"a\" \"b\\n\"", "(, (, true nullptr) \"ab\\0a\")");
  check_value("__func__", "\"f\"");
  check_value("std::min(a, ::b) + c", "(+ (call std::min? a ::b?) c?)");
  check_value("threadIdx.x + warpSize", "(+ (.x threadIdx) warpSize)");
}
END_TEST

START_TEST(casts_are_told_from_parentheses) {
  check_value("(float)a + (a) + b", "(+ (+ (cast float a) a) b)");
  check_value("(a) - 1", "(- a 1)");
  check_value("a < int(b)", "(< a (functional int b))");
  check_value("(float2){1, 2}.x", "(.x (make{ float2 1 2))");
  check_value("(unsigned)-1", "(cast unsigned (- 1))");
  check_value("float(a) + int{b}", "(+ (functional float a) (functional int b))");
  check_value("(float(a))", "(functional float a)");
  check_value("(float *)p", "(cast *float p)");
  check_value("(const float (*)[4])p", "(cast *[4]const float p)");
  check_value("static_cast<int>(*p), reinterpret_cast<uint3 *>(p)", "(, (static int (* p)) (reinterpret *uint3 p))");
  check_value("const_cast<const float *>(p)", "(const *const float p)");
  check_value("float3{1, 2, 3}, dim3(1, 2), (int2){a, b}, int()",
              "(, (, (, (make{ float3 1 2 3) (make( dim3 1 2)) (make{ int2 a b)) (make( int))");
}
END_TEST

START_TEST(sizes_are_of_types_or_values) {
  check_value("sizeof(int) * sizeof a + sizeof(a) + alignof(float4)",
              "(+ (+ (* (sizeof int) (sizeof a)) (sizeof a)) (alignof float4))");
  check_value("sizeof(float[4]), sizeof(int (*)(float))", "(, (sizeof [4]float) (sizeof *fn(float _) int))");
  check_value("__builtin_offsetof(float4, y)", "(offsetof float4 (.y ?))");
}
END_TEST

/* ---- declarations ---------------------------------------------------------------------------------------- */

START_TEST(declarators_are_read_inside_out) {
  check_body("int x(1), y{2}, *q = &x, m[2][3], (*r)[4], *s[5];", "  declare\n"
                                                                  "    var x : int = 1\n"
                                                                  "    var y : int = (list 2)\n"
                                                                  "    var q : *int = (& x)\n"
                                                                  "    var m : [2][3]int\n"
                                                                  "    var r : *[4]int\n"
                                                                  "    var s : [5]*int");
  check_body("float (*g)(int, float *), *const *h, &i = *p;", "  declare\n"
                                                              "    var g : *fn(int _, *float _) float\n"
                                                              "    var h : *const *float\n"
                                                              "    var i : &float = (* p)");
}
END_TEST

START_TEST(types_are_words_in_any_order) {
  check_body("long unsigned int long u; const unsigned char v = 1; short int c; signed char d;",
             "  declare\n    var u : ulonglong\n  declare\n    var v : const uchar = 1\n"
             "  declare\n    var c : short\n  declare\n    var d : schar");
  check_body("auto x = a; decltype(b) y; constexpr int z = 3; using T = float; T w;",
             "  declare\n    var x : auto = a\n  declare\n    var y : decltypeb\n  declare\n"
             "    var z constexpr : const int = 3\n  declare\n    typedef T : float\n  declare\n    var w : float");
}
END_TEST

START_TEST(shared_memory_may_be_anywhere) {
  check_body(
      "{ __shared__ float t[16][17]; extern __shared__ int s[]; }",
      "  block\n    declare\n      var t shared : [16][17]float\n    declare\n      var s shared extern : []int");
}
END_TEST

START_TEST(functions_have_words_bounds_and_defaults) {
  check_tree("__global__ void __launch_bounds__(256, 2) k(const float *__restrict__ a, int n = 3, float m[4]);",
             "function k global bounds 256, 2 : fn(restrict *const float a, int n = 3, *float m) void");
  check_tree("extern \"C\" __host__ __device__ inline int g(void) { return 1; }",
             "function g device host inline C : fn() int\n  return 1");
  check_tree("__device__ auto h(int x) -> float { return x; }", "function h device : fn(int x) float\n  return x");
}
END_TEST

START_TEST(variables_of_the_module_are_read) {
  check_tree("__constant__ float c[2] = { 1, 2 }; __device__ __managed__ int m; const int n = 4; int host;",
             "var c constant : [2]float = (list 1 2)\nvar m device managed : int\nvar n : const int = 4\n"
             "var host host-only : int");
}
END_TEST

START_TEST(records_and_enums_are_read) {
  check_tree(
      "struct __align__(16) P { float x, y[2]; int b : 3; union { int i; float f; }; static const int N = 2; };",
      "record P align 16\n  field x : float\n  field y : [2]float\n  field b : int bits 3\n  field _ : _");
  check_tree("typedef struct { int a; } Q; enum E { A, B = 4 }; enum class C : char { X };",
             "record Q\n  field a : int\ntypedef Q : Q\nenum E\n  enumerator A\n  enumerator B = 4\n"
             "enum C class\n  enumerator C::X");
  check_tree("struct S; struct N { S *next; struct N *self; }; struct S { int v; };",
             "record S\n  field v : int\nrecord N\n  field next : *S\n  field self : *N");
  check_tree("#pragma pack(push, 1)\n#pragma pack(push)\n#pragma pack(16)\nstruct A { int a; };\n#pragma pack(pop)\n"
             "struct B { int b; };\n#pragma pack(pop)\nstruct C { int c; };",
             "record A\n  field a : int\nrecord C\n  field c : int");
  /* behind a declarator an alignment is its own, behind the members the struct's */
  check_tree(
      "struct A { int a __attribute__((aligned(16))), b; }; typedef struct { char c; } __align__(8) B;",
      "record A\n  field a align 16 : int\n  field b : int\nrecord B align 8\n  field c : char\ntypedef B : B");
}
END_TEST

START_TEST(names_are_found_through_scopes) {
  check_tree("namespace a { const int n = 1; namespace b { __device__ int f() { return n; } } }\n"
             "__device__ int g() { return a::b::f() + a::n; }",
             "var a::n : const int = 1\nfunction a::b::f device : fn() int\n  return n\n"
             "function g device : fn() int\n  return (+ (call a::b::f) a::n)");
  check_tree("enum class C { X }; struct S { enum { Y = 2 }; static constexpr int Z = 3; };\n"
             "using namespace std;\n__device__ int g() { return (int)C::X + S::Y + S::Z; }",
             "enum C class\n  enumerator C::X\nrecord S\nfunction g device : fn() int\n"
             "  return (+ (+ (cast int C::X) S::Y) S::Z)");
  check_tree("namespace a { typedef int T; }\nnamespace a { struct U { T t; }; }\nusing a::T; namespace z = a;\n"
             "__device__ T x; __device__ z::U y;",
             "typedef a::T : int\nrecord a::U\n  field t : int\nvar x device : int\nvar y device : U");
  check_body("int a2 = a; { float a2; a2; } a2;", "  declare\n    var a2 : int = a\n  block\n    declare\n"
                                                  "      var a2 : float\n    do a2\n  do a2");
}
END_TEST

START_TEST(names_of_two_namespaces_are_ambiguous) {
  check_error("namespace a { __device__ int f(int); }\nnamespace b { __device__ int f(int); }\n"
              "using namespace a; using namespace b;\n__global__ void g(int *p) { *p = f(1); }",
              "4:34", "write which");
  check_tree("namespace a { const int n = 1; }\nusing namespace a;\nnamespace b { const int n = 2;\n"
             "__device__ int g() { return n; } }",
             "var a::n : const int = 1\nvar b::n : const int = 2\nfunction b::g device : fn() int\n  return n");
}
END_TEST

START_TEST(operator_functions_are_one_chain) {
  parsed parsed = parse_as("__device__ float3 operator+(float3 a, float3 b);\nnamespace v { struct S { int i; };\n"
                           "__device__ S operator+(S a, S b); __device__ S &operator+=(S &a, S b) { return a; } }",
                           false);
  ck_assert_msg(parsed.errors == 0, "%s", parsed.log);
  ck_assert_ptr_nonnull(strstr(parsed.tree, "function v::operator+= device : fn(&S a, S b) &S"));
  forget(&parsed);
}
END_TEST

/* ---- statements ------------------------------------------------------------------------------------------ */

START_TEST(statements_nest) {
  check_body("for (int i = 0, j = 1; i < a; ++i, --j) if (i) continue; else break;",
             "  for (< i a) step (, (++ i) (-- j))\n    first\n      declare\n        var i : int = 0\n"
             "        var j : int = 1\n    if i\n      continue\n      else\n        break");
  check_body("for (;;) ; do a++; while (a < 3); while (a) { }",
             "  for\n    empty\n  do-while (< a 3)\n    do (post++ a)\n  while a\n    block");
  check_body("switch (a) { case 1: case 2: b = 1; break; default: ; }",
             "  switch a\n    block\n      case 1\n        case 2\n          do (= b 1)\n      break\n"
             "      default\n        empty");
  check_body("again: if (a) goto again; return;", "  label again\n    if a\n      goto again\n  return");
  check_body("\n#pragma unroll 8\nfor (;;) break;", "  for unroll(8)\n    break");
  check_body("if (int c = a; c > 1) b = c; if (float d = b) a = d; while (int e = a) b = e;",
             "  if (> c 1)\n    first\n      declare\n        var c : int = a\n    do (= b c)\n"
             "  if\n    var d : float = b\n    do (= a d)\n  while\n    var e : int = a\n    do (= b e)");
  check_body("static_assert(sizeof(int) == 4, \"four\"); [[maybe_unused]] int u;",
             "  declare\n    assert _ = (== (sizeof int) 4)\n  declare\n    var u : int");
}
END_TEST

/* ---- the host's ------------------------------------------------------------------------------------------ */

static const char host_code[] =
    "#include <vector>\n#include <iostream>\n"
    "template <typename T, int N = (3 > 2)> struct Box : Base<T> { T v[N]; T get() const { return v[0]; } };\n"
    "template <class T> T add(T a, T b) { return a + b; }\ntemplate class Box<int>;\n"
    "class Foo final : public Base { public: Foo() : a(1), b{2} { } ~Foo(); int get() const noexcept { return a; }\n"
    "  Foo &operator=(const Foo &) = default; private: int a = 1, b; friend class Bar; };\n"
    "Foo::Foo(int x) : Base<int>(x), a{x}, b(x) { if (x) { } }\nFoo::~Foo() try { } catch (...) { }\n"
    "std::vector<std::map<int, std::string>> table = { { 1, \"}{\" } };\nstatic std::string names[] = { \"a\", \"b\" "
    "};\n"
    "auto lambda = [](int x) { return x; };\nusing Map = std::map<int, float>;\nint operator\"\"_x(unsigned long "
    "long);\n"
    "std::ostream &operator<<(std::ostream &o, const Foo &f) { return o << f.get(); }\n"
    "bool operator==(const Foo &a, const Foo &b) { return true; }\nextern std::vector<int> all;\n"
    "static inline int helper(const std::string &s, int (*f)(int) = nullptr) { return (int)s.size(); }\n"
    "namespace { struct Hidden { Hidden(); int x; }; Hidden hidden{}; }\nnamespace fs = std::filesystem;\n"
    "__attribute__((noinline)) void c_function(void) { }\nextern \"C\" { int puts(const char *); void q(); }\n"
    "struct WithCtor { int x; WithCtor(int v) : x(v) {} operator int() const { return x; } };\n"
    "constexpr double pi = 3.14; thread_local int t; enum { LIMIT = 8 };\n"
    "int main(int argc, char **argv) {\n  std::vector<float> v(10, 1.f);\n  for (auto &x : v) x *= 2;\n"
    "  auto f = [&](int i) -> float { return v[i]; };\n  try { throw std::runtime_error(R\"(}}} \" )\"); } catch "
    "(...) { }\n"
    "  kernel<<<dim3(1), 256, 0, 0>>>(v.data());\n  std::cout << \"a\" << '}' << std::endl;\n}\n";

START_TEST(host_code_is_left_alone) {
  char text[sizeof host_code + 200];
  snprintf(text, sizeof text, "%s__global__ void kernel(float *p) { p[0] = pi + LIMIT; }", host_code);
  parsed parsed = parse_as(text, false);
  ck_assert_msg(parsed.errors == 0 && parsed.log != NULL, "%s", parsed.log);
  ck_assert_ptr_nonnull(
      strstr(parsed.tree, "function kernel global : fn(*float p) void\n  do (= ([] p 0) (+ pi LIMIT))"));
  ck_assert_ptr_nonnull(strstr(parsed.tree, "function main host-only"));
  ck_assert_ptr_nonnull(strstr(parsed.tree, "enumerator LIMIT = 8"));
  ck_assert_ptr_null(strstr(parsed.tree, "Hidden"));
  forget(&parsed);
}
END_TEST

START_TEST(names_of_the_host_are_refused_in_kernels) {
  check_error("struct W { int x; W(int v); };\n__global__ void k(W w) { }", "2:19",
              "'W' (a.cu:1) belongs to the host");
  check_error("struct W { int x; W(int v); };\n__global__ void k() {\n  W w;\n}", "3:3", "functions in structs");
  check_error("template <class T> T add(T a) { return a; }\n__global__ void k() { add<int>(1); }", "2:23",
              "templates");
  check_error("typedef struct { virtual int get() { return 1; } } T;\n__global__ void k(T t) { }", "2:19",
              "'T' (a.cu:1)");
  check_error("std::vector<int> v;\n__global__ void k() { v[0]; }", "2:23", "belongs to the host");
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------------------- */

START_TEST(device_templates_and_classes_are_refused) {
  check_error("template <class T>\n__global__ void k(T *p) { }", "1:1", "templates are not supported yet");
  check_error("struct S {\n  __device__ S(int v) { }\n};\n__global__ void k() { S s; }", "4:23",
              "write a function outside");
  parsed parsed = parse_as("template <class T> __device__ T f(T x) { return x; }\n__device__ int g() { return 1; }\n"
                           "struct S { __device__ S(int v) { } __device__ int get() { return x; } int x; };",
                           false);
  ck_assert_int_eq(parsed.errors, 0);
  ck_assert_ptr_nonnull(strstr(parsed.tree, "function g device"));
  forget(&parsed);
}
END_TEST

START_TEST(statements_are_refused_with_words) {
  check_refused("static int x;", "12", "write __shared__");
  check_refused("for (int x : p) n++;", "1", "count with an index");
  check_refused("try { } catch (...) { }", "1", "exceptions");
  check_refused("asm(\"nop\");", "1", "CUDA's functions");
  check_refused("__shared__ int s = 1;", "16", "__syncthreads");
  check_refused("int x = 1; int x;", "16", "declared twice: the first time at a.cu:2");
  check_refused("thread_local int x;", "1", "thread_local");
  check_refused("case 1 ... 3: ;", "8", "case for each value");
  check_refused("__constant__ int c;", "18", "outside of functions");
  check_refused("int f(int);", "5", "function");
}
END_TEST

START_TEST(expressions_are_refused_with_words) {
  check_refused("q<<<1, 1>>>(p, n);", "1", "'q' is no kernel that is known here");
  check_refused("p[0]<<<1, 1>>>(n);", "2", "pointers to kernels");
  check_refused("k<<<1>>>(p, n);", "1", "1 is given");
  check_refused("k<<<1, 1, 0, 0, 0>>>(p, n);", "1", "5 are given");
  check_refused("k<<<1, 1>(p, n);", "16", ">>> behind the configuration");
  check_refused("n = [](int x) { return x; }(1);", "5", "lambdas");
  check_refused("int *q = new int;", "10", "cudaMalloc");
  check_refused("delete p;", "1", "cudaMalloc");
  check_refused("throw 1;", "1", "exceptions");
  check_refused("this->x = 1;", "1", "this");
  check_refused("n = ({ 1; });", "5", "__device__ function");
  check_refused("dynamic_cast<int *>(p);", "1", "enum");
  check_refused("n = std::numeric_limits<int>::max();", "10", "template");
  check_refused("long double x;", "6", "use double");
  check_refused("__int128 x;", "1", "128-bit");
  check_refused("int &&r = n;", "5", "rvalue");
  check_refused("Unknown x;", "1", "'Unknown' is no type");
  check_refused("n = ;", "5", "expected an expression before ';'");
  check_refused("n = (1;", "7", "expected ')'");
  check_refused("float4 f; f.;", "13", "member");
  check_refused("p->*n;", "4", "pointers to members");
}
END_TEST

START_TEST(declarations_are_refused_with_words) {
  check_error("__global__ int k() { return 1; }", "1:16", "returns void");
  check_error("__global__ __device__ void k() { }", "1:28", "neither");
  check_error("__global__ void f() __launch_bounds__(3);", "1:21", "expected");
  check_error("__global__ void f() = delete;", "1:21", "classes");
  check_error("struct __attribute__((packed)) S { char c; int i; };\n__device__ S s;", "2:12", "packed");
  check_error("#pragma pack(push, 1)\nstruct S { char c; int i; };\n#pragma pack(pop)\n__device__ S s;", "4:12",
              "packed");
  check_error("#pragma pack(2)\nstruct S { char c; int i; };\n#pragma pack()\n__device__ S s;", "4:12", "packed");
  check_error("struct [[gnu::packed]] S { char c; int i; };\n__device__ S s;", "2:12", "packed");
  check_error("__device__ int x;\n__device__ int x;", "2:16", "declared twice");
  check_error("__device__ int threadIdx;", "1:16", "the first time at <built in>");
  check_error("struct S { int a; };\n__device__ union S *p;", "2:18", "'S' is no union");
  check_error("typedef float F __attribute__((aligned(16)));\n__device__ F f;", "2:12", "no alignment of its own");
  check_error("using F __attribute__((aligned(16))) = float;\n__device__ F f;", "2:12", "no alignment of its own");
  check_error("namespace a { void f(); }\n__global__ void a::f() { }", "2:17", "namespace name { ... }");
  check_error("__global__ void f(int x", "1:24", "expected ')'");
  check_error("}", "1:1", "closes nothing");
  check_error("namespace a { __device__ int f(int);", "1:37", "expected '}'");
}
END_TEST

START_TEST(errors_do_not_hide_each_other) {
  parsed parsed =
      parse_as("__global__ void f() {\n  int x = ;\n  x + ;\n  for (int i = 0; i < ; ++i) { x; }\n  return 1 +;\n}\n"
               "__global__ void g() { return +; }\n__device__ int h() { return 1; }",
               false);
  ck_assert_int_eq(parsed.errors, 5);
  ck_assert_ptr_nonnull(strstr(parsed.tree, "function h device : fn() int\n  return 1"));
  forget(&parsed);
}
END_TEST

START_TEST(the_device_may_be_the_default) {
  parsed parsed = parse_as("float f(float x) { return x; }\n__host__ int h() { return +; }\nint v;", true);
  ck_assert_msg(parsed.errors == 0, "%s", parsed.log);
  ck_assert_str_eq(parsed.tree, "function f device : fn(float x) float\n  return x\n"
                                "function h host host-only : fn() int\nvar v device : int");
  forget(&parsed);
}
END_TEST

/* ---- robustness ------------------------------------------------------------------------------------------ */

static void check_repeated(const char *begin, const char *piece, const char *end) {
  enum { TIMES = 3000 };
  size_t step = strlen(piece), length = 0;
  char *text = malloc(strlen(begin) + TIMES * step + strlen(end) + 1);
  ck_assert_ptr_nonnull(text);
  length = (size_t)sprintf(text, "%s", begin);
  for (int i = 0; i < TIMES; ++i, length += step)
    memcpy(text + length, piece, step);
  sprintf(text + length, "%s", end);
  parsed parsed = parse_as(text, false);
  forget(&parsed);
  free(text);
}

START_TEST(deep_nesting_ends) {
  static const char *const pieces[] = { "(",       "[",
                                        "{",       "-",
                                        "*",       "a+",
                                        "a=",      "a?",
                                        "a?b:",    "if(1)",
                                        "{{",      "f(",
                                        "(int)",   "sizeof ",
                                        "int(",    "int x[",
                                        "struct{", "for(;;)",
                                        "x:",      "case 1:",
                                        "a.b.",    "a,",
                                        "int*",    "else ",
                                        "do ",     "#pragma unroll\n",
                                        "::a",     "a::",
                                        "(*",      "T(" };
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; ++i) {
    check_repeated("__device__ void f() { ", pieces[i], "");
    check_repeated("__device__ int ", pieces[i], "");
    check_repeated("", pieces[i], ";");
  }
  check_repeated("", "namespace a {", "");
  check_repeated("", "extern \"C\" {", "");
  check_repeated("", "template <", "");
  check_repeated("__device__ int f(", "int(*)(", "");
  check_repeated("typedef int T;", "typedef T *T;", "__device__ T x;");
}
END_TEST

static const char everything[] =
    "struct P { float x : 3, y; enum { A }; static const int N = 1; } ; typedef float R[4];\n"
    "namespace a { enum class C : int { X = 1 }; } using namespace a; template <class T> T g(T x) { return x; }\n"
    "extern \"C\" __global__ void __launch_bounds__(1, 2) k(const float *__restrict__ p, R &r, int (*f)(int) = 0) {\n"
    "  extern __shared__ int s[]; auto i = threadIdx.x; P q = { .x = 1 }; static_assert(sizeof(P) > 1, \"\");\n"
    "#pragma unroll 2\n  for (int j = 0; j < 3; ++j) { if (int z = j; z) s[j] += (float)(i ? j : 2) * -p[1]; else "
    "break; }\n"
    "  switch (i) { case (int)a::C::X: do i--; while (i); default: goto e; } e: return; float3 v{1, 2, int(3)}; "
    "using U = int; }\n";

START_TEST(broken_programs_end) {
  static const char bytes[] = "(){}[];:,<>*&=+-.\"'#?~!/aZ0 \n";
  uint64_t state = 7;
  for (int round = 0; round < 1500; ++round) {
    char text[sizeof everything];
    memcpy(text, everything, sizeof everything);
    for (int change = 0; change < 1 + round % 4; ++change) {
      size_t at = (size_t)(support_random(&state) >> 8) % (sizeof everything - 1);
      size_t from = (size_t)(support_random(&state) >> 8) % (sizeof everything - 1);
      size_t most = sizeof everything - 1 - (at > from ? at : from);
      size_t length = (size_t)(support_random(&state) >> 8) % 20;
      if (round % 2)
        text[at] = bytes[from % (sizeof bytes - 1)];
      else
        memmove(text + at, text + from, length < most ? length : most);
    }
    parsed parsed = parse_as(text, round % 8 == 0);
    forget(&parsed);
  }
}
END_TEST

static Suite *parser_suite(void) {
  Suite *suite = suite_create("parser");
  TCase *trees = tcase_create("trees");
  tcase_add_test(trees, operators_bind_as_in_cpp);
  tcase_add_test(trees, operands_are_read);
  tcase_add_test(trees, casts_are_told_from_parentheses);
  tcase_add_test(trees, sizes_are_of_types_or_values);
  tcase_add_test(trees, declarators_are_read_inside_out);
  tcase_add_test(trees, types_are_words_in_any_order);
  tcase_add_test(trees, shared_memory_may_be_anywhere);
  tcase_add_test(trees, functions_have_words_bounds_and_defaults);
  tcase_add_test(trees, variables_of_the_module_are_read);
  tcase_add_test(trees, records_and_enums_are_read);
  tcase_add_test(trees, names_are_found_through_scopes);
  tcase_add_test(trees, names_of_two_namespaces_are_ambiguous);
  tcase_add_test(trees, operator_functions_are_one_chain);
  tcase_add_test(trees, statements_nest);
  tcase_add_test(trees, host_code_is_left_alone);
  tcase_add_test(trees, the_device_may_be_the_default);
  suite_add_tcase(suite, trees);
  TCase *refusals = tcase_create("refusals");
  tcase_add_test(refusals, names_of_the_host_are_refused_in_kernels);
  tcase_add_test(refusals, device_templates_and_classes_are_refused);
  tcase_add_test(refusals, statements_are_refused_with_words);
  tcase_add_test(refusals, expressions_are_refused_with_words);
  tcase_add_test(refusals, declarations_are_refused_with_words);
  tcase_add_test(refusals, errors_do_not_hide_each_other);
  suite_add_tcase(suite, refusals);
  TCase *robust = tcase_create("robustness");
  tcase_add_test(robust, deep_nesting_ends);
  tcase_add_test(robust, broken_programs_end);
  suite_add_tcase(suite, robust);
  return suite;
}

int main(void) {
  return support_run(parser_suite());
}
