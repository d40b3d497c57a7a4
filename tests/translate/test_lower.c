/* SPDX-License-Identifier: MIT */
/*
 * test_lower - records, members and layouts of the plan.
 */
#include <check.h>
#include <string.h>

#include "support/support.h"
#include "translate/planned.h"

static int member_count(vptr__context_member *const *members) {
  int count = 0;
  while (members[count] != NULL)
    count++;
  return count;
}

static const vptr__record_plan *record_at(const planned *made, int index) {
  const vptr__record_plan *record = made->plan->records;
  while (record != NULL && index-- > 0)
    record = record->next;
  return record;
}

START_TEST(shared_variables_of_all_scopes_become_members) {
  planned *made = planned_make(
      "__shared__ char mark;\n"
      "__device__ void f(int i) { __shared__ double cell; { __shared__ int tile[3]; tile[i] = 1; } cell = i; }\n"
      "__global__ void k(int n) { if (n) { __shared__ int tile[2]; tile[0] = n; } mark = 1; f(n); }\n"
      "__global__ void other(int n) { mark = n; }\n"
      "__global__ void none(int *p) { *p = 1; }\n");
  const vptr__kernel_plan *kernel = planned_kernel(made, "k");
  ck_assert_int_eq(member_count(kernel->members), 4);
  ck_assert_ptr_nonnull(planned_member(made, "tile"));
  ck_assert_ptr_nonnull(planned_member(made, "tile__2"));
  /* whatever the order: 8 + 12 + 8 + 1, and gaps */
  ck_assert_uint_ge(kernel->shared_bytes, 29);
  ck_assert_uint_le(kernel->shared_bytes, 40);
  ck_assert_uint_eq(planned_kernel(made, "other")->shared_bytes, 1);
  ck_assert_int_eq(member_count(planned_kernel(made, "none")->members), 0);
  ck_assert(!planned_kernel(made, "none")->instance->needs_context);
  ck_assert(planned_instance(made, "f")->needs_context);
  planned_free(made);
}
END_TEST

START_TEST(dynamic_shared_variables_are_one_member) {
  planned *made = planned_make(
      "extern __shared__ float one[];\n"
      "__device__ float get(int i) { extern __shared__ float other[]; return other[i]; }\n"
      "__global__ void k(float *a) { one[0] = 1; extern __shared__ int bytes[]; *a = get(1) + bytes[2]; }\n");
  const vptr__kernel_plan *kernel = planned_kernel(made, "k");
  ck_assert_int_eq(member_count(kernel->members), 1);
  ck_assert_int_eq(kernel->members[0]->kind, VPTR__MEMBER_DYNAMIC_SHARED);
  ck_assert(kernel->uses_dynamic_shared);
  ck_assert_uint_eq(kernel->shared_bytes, 0);
  planned_free(made);
}
END_TEST

START_TEST(variables_of_the_module_are_members_of_who_reaches_them) {
  planned *made = planned_make(
      "__device__ int counter; __constant__ float table[4]; __managed__ int total; __device__ int unused;\n"
      "__device__ float look(int i) { return table[i]; }\n"
      "__global__ void k(float *a) { *a = look(counter); }\n"
      "__global__ void sum(int n) { total += n; }\n");
  const vptr__kernel_plan *kernel = planned_kernel(made, "k");
  ck_assert_int_eq(member_count(kernel->members), 2);
  ck_assert_int_eq(kernel->members[0]->kind, VPTR__MEMBER_VARIABLE);
  ck_assert_int_eq(member_count(planned_kernel(made, "sum")->members), 1);
  ck_assert_ptr_null(planned_member(made, "unused"));
  planned_free(made);
}
END_TEST

START_TEST(assert_needs_the_status) {
  planned *made = planned_make("#include <assert.h>\n"
                               "__device__ void check(int n) { assert(n > 0); }\n"
                               "__global__ void k(int n) { check(n); }\n"
                               "__global__ void quiet(int *n) { *n = 0; }\n");
  ck_assert(planned_kernel(made, "k")->uses_status);
  ck_assert(planned_kernel(made, "k")->instance->asserts);
  ck_assert(!planned_kernel(made, "quiet")->uses_status);
  planned_free(made);
}
END_TEST

START_TEST(records_come_after_what_they_contain) {
  planned *made = planned_make(
      "struct node; struct inner { float *p; int *owner; };\n"
      "struct node { inner in[2]; float *next; };\n"
      "__global__ void k(node n, float *a) { struct inner { int x; } own; own.x = 3; *a = n.in[1].p[0] + own.x; }\n");
  ck_assert_ptr_nonnull(made->plan);
  ck_assert_str_eq(record_at(made, 0)->name, "inner");
  ck_assert(record_at(made, 0)->as_passed);
  ck_assert_str_eq(record_at(made, 1)->name, "node");
  ck_assert(record_at(made, 1)->as_passed);
  ck_assert_str_eq(record_at(made, 2)->name, "inner__2");
  ck_assert(!record_at(made, 2)->as_passed);
  ck_assert_ptr_null(record_at(made, 3));
  planned_free(made);
}
END_TEST

/* One of them lies in device memory, so all of the type have the host's addresses, and need no other form to be
 * passed. */
START_TEST(records_in_memory_are_passed_as_they_are) {
  planned *made =
      planned_make("struct node; struct inner { float *p; node *owner; };\n"
                   "struct node { inner in[2]; };\n"
                   "struct list { node *first; };\n"
                   "__global__ void k(node n, list l, float *a) { *a = n.in[1].p[0] + l.first->in[0].p[1]; }\n");
  ck_assert_ptr_nonnull(made->plan);
  for (const vptr__record_plan *record = made->plan->records; record != NULL; record = record->next)
    ck_assert_int_eq(record->as_passed, strcmp(record->name, "list") == 0);
  planned_free(made);
}
END_TEST

START_TEST(parameters_are_laid_out_as_cuda_does) {
  planned *made = planned_make(
      "struct odd { char c[3]; };\n"
      "__global__ void k(char a, double b, odd c, int d, float *e, bool f) { if (f) *e = a + b + c.c[0] + d; }\n"
      "__global__ void empty() {}\n");
  ck_assert_uint_eq(planned_kernel(made, "k")->parameter_bytes, 33);
  ck_assert_uint_eq(planned_kernel(made, "empty")->parameter_bytes, 0);
  planned_free(made);
}
END_TEST

START_TEST(barriers_are_known_through_calls) {
  planned *made = planned_make("__device__ void wait() { __syncthreads(); }\n"
                               "__device__ void twice() { wait(); wait(); }\n"
                               "__global__ void k(int *a) { twice(); *a = 1; }\n"
                               "__global__ void plain(int *a) { *a = 1; }\n");
  ck_assert(planned_instance(made, "vptr_k_k")->has_barrier);
  ck_assert(!planned_instance(made, "vptr_k_plain")->has_barrier);
  planned_free(made);
}
END_TEST

static Suite *lower_suite(void) {
  Suite *suite = suite_create("lower");
  TCase *plan = tcase_create("plan");
  tcase_add_test(plan, shared_variables_of_all_scopes_become_members);
  tcase_add_test(plan, dynamic_shared_variables_are_one_member);
  tcase_add_test(plan, variables_of_the_module_are_members_of_who_reaches_them);
  tcase_add_test(plan, assert_needs_the_status);
  tcase_add_test(plan, records_come_after_what_they_contain);
  tcase_add_test(plan, records_in_memory_are_passed_as_they_are);
  tcase_add_test(plan, parameters_are_laid_out_as_cuda_does);
  tcase_add_test(plan, barriers_are_known_through_calls);
  suite_add_tcase(suite, plan);
  return suite;
}

int main(void) {
  return support_run(lower_suite());
}
