/* SPDX-License-Identifier: MIT */
/*
 * What kernels do not reach is not refused, and what they reach is, with the reason; and where a function is not known
 * that a call may mean, no other is chosen for it.
 */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "translate/translate.h"

#define KERNEL "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"

static vptr__translation translate(const char *text) {
  static const vptr__reader nothing = { 0 };
  vptr__translation translation;
  ck_assert(vptr__translate("a.cu", text, strlen(text), &nothing, NULL, &translation));
  return translation;
}

static void accept(const char *text, const char *words) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module != NULL, "%s\nis refused: %s", text, translation.log);
  ck_assert_str_eq(translation.log, "");
  ck_assert_msg(strstr(translation.module, words) != NULL, "%s\nis without '%s':\n%s", text, words,
                translation.module);
  vptr__translate_free(&translation);
}

static void refuse(const char *text, const char *message) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module == NULL, "%s\nis taken", text);
  ck_assert_msg(strstr(translation.log, message) != NULL, "%s\nsays:\n%snot: %s", text, translation.log, message);
  vptr__translate_free(&translation);
}

START_TEST(what_no_kernel_reaches_may_be_anything) {
  static const char *const texts[] = {
    "template <class T> __device__ T f(T x) { return x; }\n",
    "template <class T> __host__ __device__ inline bool (isnan)(const T &x) { return x != x; }\n",
    "template <class T> struct S { __device__ T get() const { return x; } T x; };\n",
    "template <class T> template <class U> __device__ void S<T>::set(U x) { this->x = x; }\n",
    "template <> __device__ inline int f<int>(int x) { return x; }\n",
    "template <class T> __device__ T operator+(T a, T b);\n",
    "template <class T> using P = __device__ T *;\n",
    "struct S { __device__ S() : x(1) { } __device__ ~S() { } virtual int f(); int x; };\n",
    "struct S : Unknown { __device__ int get() { return 1; } };\n",
    "__host__ __device__ int f(int x) { auto g = [x](int y) { return x + y; }; return g(x); }\n",
    "__host__ __device__ Unknown f(Unknown x) { return x; }\n",
    "__host__ __device__ int f(std::vector<int> &x) { throw x; }\n",
    "__device__ int f(int x) { return g<int>(x); }\n",
    "__device__ Unknown::Unknown(int x) : a(x) { }\n",
    "inline __host__ __device__ Unknown operator*(Unknown a, float b) { return a; }\n",
    "struct S { friend __device__ int f(S s) { return 1; } };\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char text[1000];
    snprintf(text, sizeof text, "%s" KERNEL "namespace n { %s }", texts[i], texts[i]);
    accept(text, "vptr_k_k");
  }
}
END_TEST

START_TEST(what_a_kernel_reaches_is_refused_with_the_reason) {
  refuse("template <class T> __device__ T f(T x) { return x; }\n__global__ void k(int *a) { *a = f(1); }",
         "a.cu:2:34: error: 'f' (a.cu:1) cannot be used in device code; as device code: templates are not");
  refuse("template <class T> __device__ T f(T x) { return x; }\n__global__ void k(int *a) { *a = f<int>(1); }",
         "a.cu:2:34: error: 'f<...>' is a template");
  refuse("__device__ int f(int x) {\n  auto g = [](int y) { return y; };\n  return +;\n}\n"
         "__global__ void k(int *a) { *a = f(1); }",
         "a.cu:2:12: error: lambdas are not supported yet");
  refuse("__device__ int f(int x) {\n  auto g = [](int y) { return y; };\n  return +;\n}\n"
         "__device__ int h(int x) { return f(x); }\n__global__ void k(int *a) { *a = h(1); }",
         "a.cu:3:11: error: expected an expression");
  refuse("__device__ int f(Unknown x);\n__global__ void k(int *a) { *a = f(1); }",
         "'f' (a.cu:1) cannot be used in device code; as device code: 'Unknown' is no type");
  refuse("struct S { __device__ S(int x); };\n__global__ void k(S *a) { }",
         "a.cu:2:19: error: 'S' (a.cu:1) cannot be used in device code; as device code: functions in structs");
  refuse("struct S { int x; __device__ int f() const; static int g(); };\n__global__ void k(S *a) { a->x = a->f(); }",
         "a.cu:2:37: error: 'f' is called as a member: functions in structs");
  refuse("struct S { int x; static __device__ int g(); };\n__global__ void k(S *a) { a->x = S::g(); }",
         "'g' (a.cu:1) cannot be used in device code; as device code: functions in structs");
}
END_TEST

/* One "as device code", and the name that is at the bottom of it. */
START_TEST(a_reason_is_given_once) {
  refuse("struct A { A(int); };\nstruct B { A a; };\nstruct C { B b; };\n__global__ void k(C *c) { }",
         "'C' (a.cu:3) belongs to the host, since it uses 'A' (a.cu:1); as device code: functions in structs");
}
END_TEST

START_TEST(no_other_function_is_chosen_for_one_that_is_not_known) {
  refuse("__device__ int f(Unknown x);\n__device__ int f(double x) { return 1; }\n"
         "__global__ void k(int *a) { *a = f(1); }",
         "'f' (a.cu:1) cannot be used in device code");
  refuse("__device__ int f(double x) { return 1; }\ntemplate <class T> __device__ int f(T x) { return 2; }\n"
         "__global__ void k(int *a) { *a = f(1); }",
         "'f' (a.cu:2) cannot be used in device code");
  accept("__device__ int f(double x) { return 1; }\ntemplate <class T> __device__ int f(T x) { return 2; }\n"
         "__global__ void k(int *a) { *a = f(1.0); }",
         "vptr_f_f");
  refuse("struct V { float x; };\n__device__ V operator*(V a, float b) { return a; }\n"
         "template <class T> __device__ V operator*(V a, T b) { return a; }\n"
         "__global__ void k(V *a) { *a = *a * 2; }",
         "'operator*' (a.cu:3) cannot be used in device code");
  refuse("struct V { float x; __device__ V operator+(int b) const; };\n"
         "__device__ V operator+(V a, double b) { return a; }\n__global__ void k(V *a) { *a = *a + 1; }",
         "'operator+' (a.cu:1) cannot be used in device code");
  refuse("namespace n { struct V { float x; }; __device__ int f(V v, double x) { return 1; }\n"
         "template <class T> __device__ int f(V v, T x) { return 2; } }\n"
         "__global__ void k(n::V *v, int *a) { *a = f(*v, 1); }",
         "'f' (a.cu:2) cannot be used in device code");
}
END_TEST

/* A struct is its data; who says how it is made, copied or left is not understood without that. */
START_TEST(functions_of_structs_do_not_hide_the_data) {
  accept(
      "struct S { int x; S() = default; S(const S &) = default; S &operator=(const S &) = default; ~S() = default;\n"
      "int get() const { return x; } __host__ __device__ explicit operator bool() const { return x != 0; }\n"
      "template <class T> T as() const; static S made(int x); bool operator==(const S &o) const { return x == o.x; "
      "}\n"
      "private: friend void swap(S &a, S &b); };\n"
      "__global__ void k(S *a, S b) { S c = b; c.x++; *a = c; }",
      "vptr_k_k");
  static const char *const members[] = { "S(int x);",
                                         "~S() { }",
                                         "S &operator=(const S &s);",
                                         "virtual int f();",
                                         "S *operator&();",
                                         "S(const S &s) : x(s.x) { }",
                                         "template <class T> S(T x);",
                                         "friend int f(S s) { return 1; }" };
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    char text[300];
    snprintf(text, sizeof text, "struct S { int x; %s };\n__global__ void k(S *a) { a->x = 1; }", members[i]);
    refuse(text, "functions in structs");
  }
}
END_TEST

START_TEST(one_type_of_two_namespaces_is_not_ambiguous) {
  accept("namespace std { typedef unsigned long size_t; typedef unsigned char uint8_t; struct V { int x; }; }\n"
         "typedef unsigned char uint8_t;\nnamespace n { typedef std::V W; }\ntypedef std::V W;\n"
         "using namespace std;\nusing namespace n;\n"
         "__global__ void k(size_t *a, W *w) { uint8_t y = 2; *a = y * sizeof(size_t); w->x = 1; }",
         "vptr_k_k");
  accept("namespace std { using ::size_t; }\nusing namespace std;\n" KERNEL, "vptr_k_k");
  refuse("namespace n { typedef int T; }\ntypedef float T;\nusing namespace n;\n__global__ void k(T *a) { *a = 1; }",
         "'T' may be the one of namespace");
}
END_TEST

static Suite *reached_suite(void) {
  Suite *suite = suite_create("reached");
  TCase *all = tcase_create("all");
  tcase_add_test(all, what_no_kernel_reaches_may_be_anything);
  tcase_add_test(all, what_a_kernel_reaches_is_refused_with_the_reason);
  tcase_add_test(all, a_reason_is_given_once);
  tcase_add_test(all, no_other_function_is_chosen_for_one_that_is_not_known);
  tcase_add_test(all, functions_of_structs_do_not_hide_the_data);
  tcase_add_test(all, one_type_of_two_namespaces_is_not_ambiguous);
  suite_add_tcase(suite, all);
  return suite;
}

int main(void) {
  return support_run(reached_suite());
}
