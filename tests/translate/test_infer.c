/* SPDX-License-Identifier: MIT */
/*
 * test_infer - where pointers point, which instances there are, and what is refused.
 */
#include <check.h>
#include <string.h>

#include "support/support.h"
#include "translate/planned.h"

#define POINTS(made, instance, variable, depth, space)                                                               \
  ck_assert_str_eq(planned_space(made, instance, variable, depth), space)
#define REFUSE(text, ...) planned_refuse(text, (const char *const[]){ __VA_ARGS__, NULL })

static const char sources_text[] =
    "__device__ int variable[4]; __constant__ int fixed[4]; __shared__ int outer[4];\n"
    "__global__ void k(int *a) {\n"
    "  __shared__ int tile[2][4]; int own[4]; int one = 0;\n"
    "  int *p = a + 1, *q = own, *r = &one, *s = tile[1], *t = variable;\n"
    "  const int *u = fixed, *w = outer; const char *x = \"text\";\n"
    "  int *y = &*(p + 1), *z = &s[2]; int *nothing = nullptr;\n"
    "  int (*row)[4] = tile;\n"
    "  *a = *p + *q + *r + *s + *t + *u + *w + *x + *y + *z + (nothing == 0) + row[1][0];\n"
    "}\n";

START_TEST(pointers_point_where_their_values_come_from) {
  planned *made = planned_make(sources_text);
  POINTS(made, "vptr_k_k", "a", 0, "global");
  POINTS(made, "vptr_k_k", "p", 0, "global");
  POINTS(made, "vptr_k_k", "q", 0, "private");
  POINTS(made, "vptr_k_k", "r", 0, "private");
  POINTS(made, "vptr_k_k", "s", 0, "shared");
  POINTS(made, "vptr_k_k", "t", 0, "global");
  POINTS(made, "vptr_k_k", "u", 0, "global");
  POINTS(made, "vptr_k_k", "w", 0, "shared");
  POINTS(made, "vptr_k_k", "x", 0, "constant");
  POINTS(made, "vptr_k_k", "y", 0, "global");
  POINTS(made, "vptr_k_k", "z", 0, "shared");
  POINTS(made, "vptr_k_k", "nothing", 0, "private");
  POINTS(made, "vptr_k_k", "row", 0, "shared");
  planned_free(made);
}
END_TEST

START_TEST(what_is_assigned_later_counts_as_well) {
  planned *made = planned_make("__global__ void k(float *a, int n) {\n"
                               "  __shared__ float s[4]; float *p = nullptr, *q = 0, *r; const void *v;\n"
                               "  p = a; q = n ? s : q; r = (float *)(char *)a; v = s;\n"
                               "  float *t = n > 2 ? a : nullptr; bool b = t == p;\n"
                               "  *p = *r + *q + *t + b + (v != nullptr);\n"
                               "}\n");
  POINTS(made, "vptr_k_k", "p", 0, "global");
  POINTS(made, "vptr_k_k", "q", 0, "shared");
  POINTS(made, "vptr_k_k", "r", 0, "global");
  POINTS(made, "vptr_k_k", "v", 0, "shared");
  POINTS(made, "vptr_k_k", "t", 0, "global");
  planned_free(made);
}
END_TEST

START_TEST(functions_are_made_once_for_each_combination_of_spaces) {
  planned *made = planned_make("__device__ void copy(int *to, const int *from) { *to = *from; }\n"
                               "__global__ void k(int *a, int *b) {\n"
                               "  __shared__ int s[4]; int own[2];\n"
                               "  copy(a, b); copy(s, a); copy(b, a); copy(a, s); copy(own, s); copy(own + 1, s);\n"
                               "}\n");
  ck_assert_ptr_nonnull(planned_instance(made, "vptr_k_k"));
  ck_assert_int_eq(made->inference->count, 5);
  POINTS(made, "copy", "to", 0, "global");
  POINTS(made, "copy", "from", 0, "global");
  POINTS(made, "copy__2", "to", 0, "shared");
  POINTS(made, "copy__2", "from", 0, "global");
  POINTS(made, "copy__3", "to", 0, "global");
  POINTS(made, "copy__3", "from", 0, "shared");
  POINTS(made, "copy__4", "to", 0, "private");
  POINTS(made, "copy__4", "from", 0, "shared");
  planned_free(made);
}
END_TEST

START_TEST(callees_are_listed_before_callers_and_calls_know_theirs) {
  planned *made = planned_make("__device__ int inner(const int *p) { return *p; }\n"
                               "__device__ int middle(const int *p) { return inner(p) + 1; }\n"
                               "__global__ void k(int *a) { *a = middle(a + 1); }\n");
  vptr__instance *instance = planned_instance(made, "inner");
  ck_assert_ptr_eq(made->inference->instances, instance);
  ck_assert_str_eq(instance->next->name, "middle");
  ck_assert_str_eq(instance->next->next->name, "vptr_k_k");
  ck_assert_ptr_eq(instance->next->calls->instance, instance);
  ck_assert_ptr_eq(vptr__infer_callee(instance->next, instance->next->calls->call), instance);
  planned_free(made);
}
END_TEST

START_TEST(what_functions_return_comes_back) {
  planned *made = planned_make("__device__ float *at(float *p, int i) { return p + i; }\n"
                               "__device__ float &ref(float *p, int i) { return p[i]; }\n"
                               "__global__ void k(float *a) {\n"
                               "  __shared__ float s[4];\n"
                               "  float *p = at(a, 1), *q = at(s, 1), *r = at(at(s, 1), 2), *t = &ref(s, 0);\n"
                               "  float &u = ref(a, 2); *p = *q + *r + *t + u; at(s, 1)[0] = 1;\n"
                               "}\n");
  POINTS(made, "vptr_k_k", "p", 0, "global");
  POINTS(made, "vptr_k_k", "q", 0, "shared");
  POINTS(made, "vptr_k_k", "r", 0, "shared");
  POINTS(made, "vptr_k_k", "t", 0, "shared");
  POINTS(made, "vptr_k_k", "u", 0, "global");
  ck_assert_int_eq(made->inference->count, 5);
  planned_free(made);
}
END_TEST

START_TEST(references_are_pointers) {
  planned *made =
      planned_make("__device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }\n"
                   "__device__ void next(int *&p) { p = p + 1; }\n"
                   "__global__ void k(int *a) {\n"
                   "  __shared__ int s[4]; int x = 1; int &y = s[1]; int *p = a;\n"
                   "  swap(x, s[0]); swap(a[0], a[1]); swap(y, s[2]); next(p); const int &c = 3; *a = c;\n"
                   "}\n");
  POINTS(made, "swap", "a", 0, "private");
  POINTS(made, "swap", "b", 0, "shared");
  POINTS(made, "swap__2", "a", 0, "global");
  POINTS(made, "swap__3", "a", 0, "shared");
  POINTS(made, "next", "p", 0, "private");
  POINTS(made, "next", "p", 1, "global");
  POINTS(made, "vptr_k_k", "y", 0, "shared");
  POINTS(made, "vptr_k_k", "c", 0, "private");
  planned_free(made);
}
END_TEST

START_TEST(bodies_say_what_they_want_of_open_pointers) {
  planned *made =
      planned_make("__shared__ int table[8];\n"
                   "__device__ void find(int **out, int i) { *out = table + i; }\n"
                   "__device__ void first(int **out) { find(out, 1); }\n"
                   "__device__ int maybe(const int *p, const int *q) { return p == nullptr ? 1 : p == q; }\n"
                   "__device__ int any(const int *p) { return p == nullptr; }\n"
                   "__global__ void k(int *a) {\n"
                   "  int *p, *n = nullptr; first(&p); *a = *p + maybe(n, a) + any(nullptr);\n"
                   "}\n");
  POINTS(made, "vptr_k_k", "p", 0, "shared");
  POINTS(made, "vptr_k_k", "n", 0, "global");
  POINTS(made, "first", "out", 0, "private");
  POINTS(made, "first", "out", 1, "shared");
  POINTS(made, "find", "out", 1, "shared");
  POINTS(made, "maybe", "p", 0, "global");
  POINTS(made, "any", "p", 0, "private");
  ck_assert_ptr_null(planned_instance(made, "find__2"));
  planned_free(made);
}
END_TEST

START_TEST(pointers_inside_of_arguments_are_levels_too) {
  planned *made = planned_make("__device__ int sum(int *const *rows) { return *rows[0] + *rows[1]; }\n"
                               "__global__ void k(int *a) {\n"
                               "  __shared__ int s[4]; int *g[2] = { a, a + 1 }; int *l[2]; l[0] = s; l[1] = s + 1;\n"
                               "  int **h = g; int **w = (int **)h;\n"
                               "  *a = sum(g) + sum(l) + sum(h) + (w == h);\n"
                               "}\n");
  POINTS(made, "sum", "rows", 0, "private");
  POINTS(made, "sum", "rows", 1, "global");
  POINTS(made, "sum__2", "rows", 1, "shared");
  POINTS(made, "vptr_k_k", "g", 0, "global");
  POINTS(made, "vptr_k_k", "l", 0, "shared");
  POINTS(made, "vptr_k_k", "h", 0, "private");
  POINTS(made, "vptr_k_k", "h", 1, "global");
  ck_assert_ptr_null(planned_instance(made, "sum__3"));
  planned_free(made);
}
END_TEST

START_TEST(fields_have_one_space_in_the_whole_translation) {
  planned *made =
      planned_make("struct span { float *data; int count; };\n"
                   "struct local { float *data; struct span inner; };\n"
                   "struct scratch { float *data; };\n"
                   "__device__ float first(span s) { return s.data[0]; }\n"
                   "__device__ float *of(const scratch *s) { return s->data; }\n"
                   "__global__ void k(local l, float *a) {\n"
                   "  __shared__ float s[4]; scratch t = { s }; scratch u = { .data = s + 1 };\n"
                   "  float *p = l.data, *q = t.data, *r = of(&u); const span v = l.inner; float *w = v.data;\n"
                   "  *a = *p + *q + *r + *w + first(v);\n"
                   "}\n");
  POINTS(made, "vptr_k_k", "p", 0, "global");
  POINTS(made, "vptr_k_k", "q", 0, "shared");
  POINTS(made, "vptr_k_k", "r", 0, "shared");
  POINTS(made, "vptr_k_k", "w", 0, "global");
  planned_free(made);
}
END_TEST

START_TEST(names_are_readable_and_unique) {
  planned *made =
      planned_make("namespace a { namespace b { __device__ int f() { return 1; } } }\n"
                   "__device__ int f() { return 2; } __device__ int f(int x) { return x; }\n"
                   "struct v { int x; }; __device__ v operator+(v l, v r) { return { l.x + r.x }; }\n"
                   "__global__ void k(int *p) { v one = { 1 }; *p = a::b::f() + f() + f(1) + (one + one).x; }\n");
  ck_assert_ptr_nonnull(planned_instance(made, "a__b__f"));
  ck_assert_ptr_nonnull(planned_instance(made, "f"));
  ck_assert_ptr_nonnull(planned_instance(made, "f__2"));
  ck_assert_ptr_nonnull(planned_instance(made, "operator_add"));
  planned_free(made);
}
END_TEST

START_TEST(a_pointer_into_two_memories_is_refused_with_both_places) {
  REFUSE("__global__ void k(int *a) {\n"
         "  __shared__ int s[4];\n"
         "  int *p = s;\n"
         "  p = a;\n"
         "  *p = 1;\n"
         "}\n",
         "t.cu:4:5: error: this pointer would point into global memory here and into shared memory elsewhere",
         "t.cu:3:12: note: it points into shared memory because of this");
  REFUSE("__global__ void k(int *a, int n) { int x; int *p = n ? a : &x; *p = 1; }\n",
         "t.cu:1:", "error: this pointer");
  REFUSE("struct s { int *p; };\n"
         "__global__ void k(s a) { int x = 0; a.p = &x; }\n",
         "t.cu:2:", "error: this pointer would point into a thread's own memory here");
}
END_TEST

START_TEST(an_error_in_a_body_is_said_once_for_all_instances) {
  planned *made = planned_make(
      "__device__ void f(int *a, int *q) { int x = 0; int *p = &x; __shared__ int s; p = &s; *a = *p + *q; }\n"
      "__global__ void k(int *a) { __shared__ int s[2]; f(a, a); f(s, a); f(a, s); }\n");
  ck_assert_ptr_null(made->inference);
  ck_assert_ptr_nonnull(strstr(made->log, "error: this pointer"));
  ck_assert_ptr_null(strstr(strstr(made->log, "error: this pointer") + 1, "error: this pointer"));
  planned_free(made);
}
END_TEST

/* ---- pointers in device memory --------------------------------------------------------------------------- */

START_TEST(pointers_in_device_memory_point_into_global_memory) {
  planned *made = planned_make(
      "struct node { int v; node *next; int *rows[2]; };\n"
      "__device__ node *find(node *n) { node *own = n->next; int *row = own->rows[1]; return row ? own : n; }\n"
      "__device__ int *head;\n"
      "__global__ void k(int ***deep, node *n, void *raw) {\n"
      "  int **row = deep[1]; int *item = *row; int *first = head; node *found = find(n), copy = *found;\n"
      "  int *inner = copy.rows[0]; int **places = (int **)raw; int *place = places[1];\n"
      "  *item = *first + *inner + *place;\n"
      "}\n");
  POINTS(made, "vptr_k_k", "deep", 2, "global");
  POINTS(made, "vptr_k_k", "row", 1, "global");
  POINTS(made, "vptr_k_k", "item", 0, "global");
  POINTS(made, "vptr_k_k", "first", 0, "global");
  POINTS(made, "vptr_k_k", "found", 0, "global");
  POINTS(made, "vptr_k_k", "inner", 0, "global");
  POINTS(made, "vptr_k_k", "place", 0, "global");
  POINTS(made, "find", "own", 0, "global");
  POINTS(made, "find", "row", 0, "global");
  planned_free(made);
}
END_TEST

/* Where a pointer is seen to be in device memory only behind its use, by what is assigned later. */
START_TEST(what_is_known_late_holds_for_what_was_loaded_before) {
  planned *made =
      planned_make("__device__ void f(int **p) { int *q = *p; *q = 1; }\n"
                   "__global__ void k(int **n) { int **late; int *q = late[0]; late = n; f(late); *q = 2; }\n");
  POINTS(made, "vptr_k_k", "q", 0, "global");
  POINTS(made, "f", "q", 0, "global");
  planned_free(made);
}
END_TEST

static const char stored[] = "and one that it is stored to, or loaded from, lies in device memory";

START_TEST(other_pointers_are_not_stored_in_device_memory) {
  REFUSE("__global__ void k(int **a) {\n  __shared__ int s[4];\n  a[0] = s;\n}\n",
         "t.cu:3:", "error: this pointer would point into shared memory, ", stored,
         "t.cu:1:25: note: it lies in device memory because of this");
  REFUSE("__global__ void k(int **a) {\n  int x = 0;\n  *a = &x;\n}\n", "t.cu:3:", "a thread's own memory", stored);
  REFUSE("__device__ int *head;\n__global__ void k() {\n  int x; head = &x;\n}\n", "t.cu:3:", stored);
  REFUSE("struct node { int v; node *next; };\n__global__ void k(node *n) {\n  node own = { 1, 0 };\n  n->next = "
         "&own;\n}\n",
         "t.cu:4:", stored);
  REFUSE("struct node { int v; node *next; };\n__global__ void k(node *n) {\n  __shared__ node s[2];\n"
         "  s[0].next = &s[1];\n  s[1] = *n;\n}\n",
         "t.cu:4:", stored);
  REFUSE("struct part { int *p; };\n__device__ void f(part *t, int *p) {\n  t->p = p;\n}\n"
         "__global__ void k(part *n) {\n  part own; __shared__ int s[4]; f(&own, s); *n = own;\n}\n",
         "t.cu:3:", stored);
}
END_TEST

START_TEST(bytes_of_pointers_are_bytes_only_in_device_memory) {
  const char *expected = "error: memory that holds pointers is seen as something else here";
  planned_accept("struct node { node *next; };\n__global__ void k(char *pool, void *more) { node *n = (node *)pool; "
                 "n->next = (node *)more; ((unsigned char *)n)[1] = 0; }\n");
  REFUSE("struct node { node *next; };\n__global__ void k() {\n  __shared__ char pool[64];\n"
         "  node *n = (node *)pool; n->next = 0;\n}\n",
         "t.cu:4:", expected);
  REFUSE("struct node { node *next; };\n__global__ void k(unsigned long long *pool) {\n"
         "  node *n = (node *)pool; n->next = 0;\n}\n",
         "t.cu:3:", expected);
  REFUSE(
      "__global__ void k(int **a) {\n  int *own[2] = { 0, 0 };\n  memcpy(own, a, sizeof own);\n  *a = own[0];\n}\n",
      "t.cu:3:", "error: pointers are copied as bytes here, from or to device memory");
  planned_accept("__global__ void k(int **a, int **b) { memcpy(a, b, 16); memset(b, 0, 16); }\n");
  planned_accept("struct node { int v; node *next; };\n__global__ void k(node *n) { node a; memcpy(&a, n, sizeof a); "
                 "n->v = a.v; }\n");
}
END_TEST

START_TEST(a_pointer_in_shared_memory_is_one_for_all_instances) {
  planned *made = planned_make(
      "__device__ int f(int *a) { __shared__ int *p; if (threadIdx.x == 0) p = a; __syncthreads(); return p[0]; }\n"
      "__global__ void k(int *a) { *a = f(a); }\n");
  POINTS(made, "f", "p", 0, "global");
  planned_free(made);
  REFUSE("__device__ int f(int *a) {\n  __shared__ int *p; p = a;\n  return p[0]; }\n"
         "__global__ void k(int *a) { __shared__ int s[4]; *a = f(a) + f(s); }\n",
         "t.cu:2:", "error: this pointer would point into shared memory here and into global memory elsewhere");
}
END_TEST

START_TEST(static_variables_in_functions_are_refused) {
  REFUSE("__global__ void k(int *a) {\n  static int n;\n  *a = n++;\n}\n", "t.cu:2:14: error: ", "static");
  planned_accept("__global__ void k(int *a) { static const int t[2] = { 1, 2 }; *a = t[*a]; }\n");
}
END_TEST

static Suite *infer_suite(void) {
  Suite *suite = suite_create("infer");
  TCase *points = tcase_create("spaces");
  tcase_add_test(points, pointers_point_where_their_values_come_from);
  tcase_add_test(points, what_is_assigned_later_counts_as_well);
  tcase_add_test(points, what_functions_return_comes_back);
  tcase_add_test(points, references_are_pointers);
  tcase_add_test(points, bodies_say_what_they_want_of_open_pointers);
  tcase_add_test(points, pointers_inside_of_arguments_are_levels_too);
  tcase_add_test(points, fields_have_one_space_in_the_whole_translation);
  suite_add_tcase(suite, points);
  TCase *instances = tcase_create("instances");
  tcase_add_test(instances, functions_are_made_once_for_each_combination_of_spaces);
  tcase_add_test(instances, callees_are_listed_before_callers_and_calls_know_theirs);
  tcase_add_test(instances, names_are_readable_and_unique);
  suite_add_tcase(suite, instances);
  TCase *memory = tcase_create("memory");
  tcase_add_test(memory, pointers_in_device_memory_point_into_global_memory);
  tcase_add_test(memory, what_is_known_late_holds_for_what_was_loaded_before);
  tcase_add_test(memory, other_pointers_are_not_stored_in_device_memory);
  tcase_add_test(memory, bytes_of_pointers_are_bytes_only_in_device_memory);
  suite_add_tcase(suite, memory);
  TCase *refused = tcase_create("refused");
  tcase_add_test(refused, a_pointer_into_two_memories_is_refused_with_both_places);
  tcase_add_test(refused, an_error_in_a_body_is_said_once_for_all_instances);
  tcase_add_test(refused, a_pointer_in_shared_memory_is_one_for_all_instances);
  tcase_add_test(refused, static_variables_in_functions_are_refused);
  suite_add_tcase(suite, refused);
  return suite;
}

int main(void) {
  return support_run(infer_suite());
}
