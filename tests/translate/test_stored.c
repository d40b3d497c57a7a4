/* SPDX-License-Identifier: MIT */
/*
 * stored - pointers in memory: each load and each store of one is translated, once, and nothing else is. A body that
 * is compiled here as C computes the same on the device, with a translation table that moves every address far away:
 * what was not translated when it was stored, or not when it was loaded, would lead nowhere.
 */
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/opencl.h"
#include "translate/translate.h"

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

/* The caller frees the result. */
static vptr__translation translate(const char *text) {
  vptr__reader reader = { .open = no_file };
  vptr__translate_options options = { .no_fma = true };
  vptr__translation translation = { 0 };
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, &options, &translation));
  return translation;
}

static vptr__translation translate_well(const char *text) {
  vptr__translation translation = translate(text);
  if (translation.module == NULL)
    ck_abort_msg("%s\n%s", text, translation.log);
  return translation;
}

static const char *const forms[] = {
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PARAMETER_LIMIT=1024",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=0 -DVPTR_PARAMETER_LIMIT=1024",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PARAMETER_LIMIT=8",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PACKED=1 -DVPTR_PARAMETER_LIMIT=1024",
};

static void must_build(const char *module) {
  for (int form = 0; form < 4 && support_has_opencl(); form++)
    opencl_free(opencl_build(module, forms[form]));
}

static void must_have(const char *text, const char *part) {
  vptr__translation translation = translate_well(text);
  if (strstr(translation.module, part) == NULL)
    ck_abort_msg("no '%s' in\n%s", part, translation.module);
  must_build(translation.module);
  vptr__translate_free(&translation);
}

static void must_not_have(const char *text, const char *part) {
  vptr__translation translation = translate_well(text);
  if (strstr(translation.module, part) != NULL)
    ck_abort_msg("'%s' in\n%s", part, translation.module);
  vptr__translate_free(&translation);
}

static void must_refuse(const char *text, const char *words) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module == NULL, "not refused: %s", text);
  ck_assert_msg(strstr(translation.log, words) != NULL, "'%s' is not in: %s", words, translation.log);
  vptr__translate_free(&translation);
}

/* ---- the same body as C ---------------------------------------------------------------------------------- */

enum { COUNT = 16, CELLS = 8 };

#define CELL                                                                                                         \
  struct cell {                                                                                                      \
    struct cell *next;                                                                                               \
    int value;                                                                                                       \
    int *at[2];                                                                                                      \
    struct {                                                                                                         \
      int *deep;                                                                                                     \
    } inner;                                                                                                         \
  };
#define TEXT(...) TEXT_AGAIN(__VA_ARGS__)
#define TEXT_AGAIN(...) #__VA_ARGS__

CELL

/* Each item has its cells, with values, and pointers that point nowhere as yet, and places for pointers. */
#define BODY(name, ...)                                                                                              \
  static int name##_in_c(struct cell *c, int **p, int i) __VA_ARGS__ static const char name##_text[] =               \
      TEXT(CELL) "\n__device__ int body(struct cell *c, int **p, int i) " #__VA_ARGS__                               \
                 "\n__global__ void k(struct cell *c, int **p, int *out) {"                                          \
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = body(c + 8 * i, p + 8 * i, i); }"

    BODY(assignments, {
      struct cell *a = c + 1;
      c->next = a;
      c->next->next = &c[2];
      a->next->next = c->next;
      c[3].at[0] = &c[4].value;
      c[3].at[1] = c[3].at[0];
      *c[3].at[1] += 5;
      c[5].inner.deep = c[3].at[i % 2];
      p[0] = p[1] = c[5].inner.deep;
      int *q = (p[2] = &c[6].value);
      *p[0] += 7;
      *q += 11;
      int same = p[0] == p[1] && p[1] == &c[4].value && c->next->next->next == c->next;
      return c[4].value * 100 + *p[2] + same;
    });

BODY(steps, {
  int *base = &c[0].value;
  p[0] = base;
  p[1] = base + (c[1].value - c[1].value);
  int *was = p[0]++;
  int *is = ++p[0];
  p[0] += 3;
  p[0] -= i % 3;
  int long_way = (int)(p[0] - base);
  p[0]--;
  --p[0];
  int *back = p[0]--;
  c[0].at[1] = base;
  int *again = c[0].at[1]++;
  c[0].at[1] += -2;
  int r = (was == base) + 2 * (is == base + 2) + 4 * (back == base + 3 - i % 3) + 8 * (p[0] == back - 1);
  return r + 16 * (again == base) + 32 * (c[0].at[1] == base - 1) + 64 * long_way + 1000 * (*p[1] == *base);
});

BODY(copies, {
  struct cell own = { &c[1], 3, { &c[2].value, &c[3].value }, { 0 } };
  struct cell other = own;
  struct cell many[2] = { own, { own.next, 4, { 0, 0 }, { 0 } } };
  c[0] = other;
  c[4] = many[1];
  other.next = other.next->next ? other.next : &c[5];
  own.at[0] = own.at[1];
  own.at[1]++;
  int *kept = own.at[1]--;
  *own.at[0] += 2;
  *c[0].at[0] += i;
  p[0] = own.next->at[0];
  struct cell *which = &own;
  *which->at[1] += 100;
  many[i & 1].inner.deep = &c[6].value;
  *many[i & 1].inner.deep = 9;
  int r = (c[4].inner.deep == 0) + 2 * (c[4].at[1] == NULL) + 4 * (kept == &c[3].value + 1);
  return r + c[2].value * 10 + c[3].value * 1000 + (other.next == &c[5]) * 7 + c[6].value;
});

BODY(choices, {
  int local = 5;
  p[0] = &c[0].value;
  p[1] = &c[1].value;
  int *q = i & 1 ? p[0] : p[1];
  *(i & 2 ? p[0] : q) += 3;
  struct cell *at = c + 2;
  at->next = i & 4 ? at : NULL;
  while (at->next && local-- > 0)
    at = at->next;
  c[3].next = at;
  c[3].next->value += !c[2].next;
  p[2] = i & 1 ? p[1] : &c[2].value;
  p[2] = (local++, p[2]);
  *p[2] += local;
  int **place = i & 1 ? &p[0] : p + 1;
  *place = *place == q ? p[2] : q;
  **place -= 4;
  int *const *rows = p;
  return *rows[0] + 3 * *rows[1] + 7 * *rows[2] + (int)(rows[1] - rows[2] == 0);
});

static void fill(struct cell *cells, int **places) {
  memset(cells, 0, COUNT * CELLS * sizeof *cells);
  memset(places, 0, COUNT * CELLS * sizeof *places);
  for (int i = 0; i < COUNT * CELLS; i++)
    cells[i].value = i * 13 % 50;
}

/* No windows; inwards everything but NULL comes back from where outwards it went. */
#define FAR (1ull << 50)
static unsigned long long table[] = { 0, 20, 0, 1, 0, 1, 1, ~0ull - 2, 0 - FAR, 1, ~0ull - 2, FAR };

static void compare(const char *text, int (*in_c)(struct cell *c, int **p, int i)) {
  static struct cell cells[COUNT * CELLS];
  static int *places[COUNT * CELLS];
  int out[COUNT] = { 0 };
  vptr__translation translation = translate_well(text);
  fill(cells, places);
  if (support_has_opencl()) {
    opencl_program *program = opencl_build(translation.module, forms[0]);
    opencl_argument arguments[] = { { cells, sizeof cells, OPENCL_ADDRESS },
                                    { places, sizeof places, OPENCL_ADDRESS },
                                    { out, sizeof out, OPENCL_ADDRESS },
                                    { table, sizeof table, OPENCL_BUFFER } };
    opencl_run(program, "vptr_k_k", arguments, 4, 1, COUNT);
    opencl_free(program);
  }
  must_build(translation.module);
  fill(cells, places);
  for (int i = 0; i < COUNT; i++) {
    int expected = in_c(cells + CELLS * i, places + CELLS * i, i);
    if (support_has_opencl() && out[i] != expected)
      ck_abort_msg("element %d: %d, not %d, of\n%s", i, out[i], expected, translation.module);
  }
  vptr__translate_free(&translation);
}

START_TEST(what_is_assigned_is_what_is_loaded) {
  compare(assignments_text, assignments_in_c);
}
END_TEST

START_TEST(pointers_are_stepped_where_they_lie) {
  compare(steps_text, steps_in_c);
}
END_TEST

START_TEST(structs_are_copied_with_what_is_in_them) {
  compare(copies_text, copies_in_c);
}
END_TEST

START_TEST(either_side_of_a_choice_is_what_it_is) {
  compare(choices_text, choices_in_c);
}
END_TEST

/* ---- what is written ------------------------------------------------------------------------------------- */

#define NODE "struct node { int v; node *next; int *rows[2]; };\n"

START_TEST(a_load_looks_inwards_and_a_store_outwards) {
  must_have("__global__ void k(float **a) { a[0][1] = 2; }",
            "((__global float *)vptr_in(&vptr->m_translation, a[0]))[1] = 2.0f");
  must_have(
      "__global__ void k(float **a) { a[0] = a[1] + 1; }",
      "a[0] = vptr_out(&vptr->m_translation, (ulong)(((__global float *)vptr_in(&vptr->m_translation, a[1])) + 1))");
  must_have(
      NODE "__global__ void k(node *n) { n->next->next->v = 1; }",
      "((__global struct node *)vptr_in(&vptr->m_translation, ((__global struct node *)vptr_in(&vptr->m_translation, "
      "n->next))->next))->v = 1");
  must_have("__device__ int *p; __global__ void k(int *a) { p = a; }",
            "(*vptr->m_p) = vptr_out(&vptr->m_translation, (ulong)a)");
  must_have(NODE "__device__ node make(node *n) { return node{ 1, n, { n->rows[0], 0 } }; }\n"
                 "__global__ void k(node *n) { *n = make(n); make(n).next->v = 3; }",
            "{ 1, vptr_out(&vptr->m_translation, (ulong)n), { n->rows[0], 0 } }");
  must_have(
      "__global__ void k(int *volatile *a, const int *const *b, int *c) { a[0] = c; a[1] = a[0]; *c = *__ldg(b); }",
      "__global volatile ulong *a, __global const ulong *b");
  must_have("__global__ void k(int **a, int *b) { __stcg(&a[1], b); }", "vptr_out(&vptr->m_translation, (ulong)b)");
  must_have("__device__ void put(int *&at, int *p) { at = p; at++; }\n"
            "__global__ void k(int **a, int *b) { int *own = b; put(own, b); put(a[1], own); }",
            "vptr_pointer_step_global(&(*at), 4ul)");
}
END_TEST

START_TEST(what_only_moves_or_is_null_needs_no_translation) {
  must_not_have("__global__ void k(float **a) { a[0] = a[1]; a[2] = nullptr; a[3] = 0; }", "kind=translation");
  must_not_have(NODE "__global__ void k(node *n) { node own = *n; own.next = n[1].next; n[2] = own; n->v++; }",
                "kind=translation");
  must_not_have(
      "struct span { int *p; }; __global__ void k(span s) { *s.p = 1; int *own[2] = { s.p, s.p }; own[1]++; }",
      "kind=translation");
  must_not_have("__global__ void k(int **a) { a[1] += 3; --a[2]; }", "kind=translation");
}
END_TEST

/* What tools/kernelc writes: memory is bytes, and pointers in it are numbers. */
START_TEST(kernel_c_sees_bytes_by_types_that_may_alias) {
  static const char text[] = "__global__ void k(char *p) { *(float *)(p + 4) = *(volatile float *)p;"
                             "  *(unsigned long long *)(p + 8) = __vptr_bits(p);"
                             "  *__vptr_pointer(*(unsigned long long *)(p + 8)) = 1; }";
  vptr__reader reader = { .open = no_file };
  vptr__translate_options options = { .is_kernel_c = true };
  vptr__translation translation = { 0 };
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  ck_assert_ptr_nonnull(strstr(translation.module, "*(__global vptr_any_float *)(p + 4)"));
  ck_assert_ptr_nonnull(strstr(translation.module, "*(__global volatile vptr_any_float *)p"));
  ck_assert_ptr_nonnull(strstr(translation.module, "__attribute__((may_alias)) vptr_any_ulong"));
  must_build(translation.module);
  vptr__translate_free(&translation);
  must_have("__global__ void k(char *p) { __shared__ char s[8]; char own[8] = { 0 };"
            "  unsigned long long bits = __vptr_number(s + *p), its = __vptr_number(own);"
            "  if (threadIdx.x & 1) *__vptr_private(its) = *__vptr_shared(bits);"
            "  __syncthreads(); *p = own[*p] + *__vptr_shared(bits); }",
            "barrier(");
  must_refuse("__global__ void k(char *p) { char *q = __vptr_shared(8); q = __vptr_private(8); *p = *q; }", "shared");
  must_not_have("__global__ void k(char *p) { *(float *)(p + 4) = 1; }", "vptr_any");
  must_refuse("__global__ void k(char *p) { __shared__ char s[8]; *p = (char)__vptr_bits(s); }", "shared");
  must_refuse("__global__ void k(char *p) { char own[8], *q = own; q = __vptr_pointer(8); *p = *q; }",
              "thread's own");
}
END_TEST

START_TEST(only_kernels_that_look_up_are_given_the_translation) {
  must_have(NODE "__device__ int get(node *n) { return n->next->v; }\n"
                 "__global__ void a(int *x) { *x = 1; }\n__global__ void b(node *n) { n->v = get(n); }",
            "//vptr kernel name=a lowered=_Z1aPi entry=vptr_k_a shared=0 max_threads=0 min_blocks=0 fast=0\n"
            "//vptr param size=8 align=8 kind=pointer\n"
            "//vptr kernel name=b lowered=_Z1bP4node entry=vptr_k_b shared=0 max_threads=0 min_blocks=0 fast=0\n"
            "//vptr param size=8 align=8 kind=pointer\n//vptr hidden kind=translation\n");
  must_have("__device__ int *p; __global__ void k() { *p = 1; }",
            "//vptr hidden kind=variable name=p\n//vptr hidden kind=translation\n");
}
END_TEST

/* The host leaves in it what the kernel translates. */
START_TEST(a_struct_by_value_has_the_form_that_it_has_in_memory) {
  must_have(NODE "__global__ void k(node n) { n.next->v = 1; }",
            "//vptr param size=32 align=8 kind=value\n//vptr hidden kind=translation\n");
  must_have("struct part { int *p; }; struct whole { part one; float *q; };\n"
            "__global__ void k(whole w) { *w.one.p = *w.q; }\n",
            "kind=value pointers=0,8\n");
  must_have("struct part { int *p; }; struct whole { part one; float *q; };\n"
            "__global__ void k(whole w, part *n) { *w.one.p = *w.q; *n[1].p = 0; }\n",
            "kind=value pointers=8\n");
}
END_TEST

START_TEST(such_a_pointer_in_a_local_struct_has_no_address) {
  static const char words[] = "error: the address of a pointer is taken that lies in a struct of the thread's own";
  must_refuse(NODE "__global__ void k(node *n) { node own = *n; int **p = own.rows; *p[1] = 2; }", words);
  must_refuse(NODE "__device__ void f(node *&p) { p = p->next; }\n"
                   "__global__ void k(node *n) { node own = *n; f(own.next); *n = own; }",
              words);
  must_refuse(NODE
              "__global__ void k(node *n) { node own = *n; *own.rows[0] = 1; (n->v ? own.next : n) = n; *n = own; }",
              words);
  must_have(NODE "__device__ void f(node *&p) { p = p->next; }\n__global__ void k(node *n) { f(n->next); }",
            "vptr_f_f(vptr, &n->next)");
}
END_TEST

static Suite *stored_suite(void) {
  Suite *suite = suite_create("stored");
  TCase *same = tcase_create("as C"), *written = tcase_create("written");
  tcase_add_test(same, what_is_assigned_is_what_is_loaded);
  tcase_add_test(same, pointers_are_stepped_where_they_lie);
  tcase_add_test(same, structs_are_copied_with_what_is_in_them);
  tcase_add_test(same, either_side_of_a_choice_is_what_it_is);
  tcase_add_test(written, a_load_looks_inwards_and_a_store_outwards);
  tcase_add_test(written, what_only_moves_or_is_null_needs_no_translation);
  tcase_add_test(written, kernel_c_sees_bytes_by_types_that_may_alias);
  tcase_add_test(written, only_kernels_that_look_up_are_given_the_translation);
  tcase_add_test(written, a_struct_by_value_has_the_form_that_it_has_in_memory);
  tcase_add_test(written, such_a_pointer_in_a_local_struct_has_no_address);
  suite_add_tcase(suite, same);
  suite_add_tcase(suite, written);
  return suite;
}

int main(void) {
  return support_run(stored_suite());
}
