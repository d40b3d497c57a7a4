/* SPDX-License-Identifier: MIT */
/* written - a parameter is said to be only read where nothing is written through it, by whatever way; in doubt it is
 * not. */
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "translate/planned.h"

static const char head[] = "struct span { float *p; int n; };\n"
                           "__device__ float *kept;\n"
                           "__device__ float get(const float *a) { return a[1]; }\n"
                           "__device__ void set(float *a) { *a = 1; }\n"
                           "__device__ float *pass(float *a, int n) { return n ? a + n : a; }\n"
                           "__device__ const float &pick(const float *a) { return a[2]; }\n"
                           "__device__ float &pick_any(float *a) { return a[2]; }\n"
                           "__device__ void add(float &x) { x += 1; }\n"
                           "__device__ float look(const float &x) { return x; }\n"
                           "__device__ float deep(float *a, int n) { float *b = pass(a, n); return get(b); }\n"
                           "__device__ void deep_set(float *a, int n) { float *b = pass(a, n); set(b); }\n"
                           "__device__ float sum(span s) { return s.p[0]; }\n";

/* Of a kernel with this body: whether something may be written through a. */
static bool is_written(const char *body) {
  char text[4096];
  snprintf(text, sizeof text, "%s__global__ void k(float *a, float *out, int n) { %s }\n", head, body);
  planned *made = planned_make(text);
  if (made->plan == NULL)
    ck_abort_msg("%s\n%s", body, made->log);
  const vptr__declaration *parameter = planned_kernel(made, "k")->instance->function->type->parameters;
  bool result = vptr__mod_ref_writes_through(&made->plan->mod_ref, parameter);
  planned_free(made);
  return result;
}

static const char *const readers[] = {
  "out[n] = a[n];",
  "out[n] = *a + *(a + 2) + 3[a];",
  "out[n] = get(a) + get(a + n) + deep(a, n);",
  "float *b = a; b++; b += 2; --b; out[0] = *b++ + b[1];",
  "const float *end = a + n; for (const float *at = a; at != end; ++at) *out += *at;",
  "float *b; b = n ? a : out + 1; float c = *b; out[0] = c;",
  "float4 four = reinterpret_cast<const float4 *>(a)[n]; out[0] = four.x + ((float2 *)a)[1].y;",
  "out[0] = __ldg(a + n) + __ldcg(&a[1]);",
  "const float &first = a[0]; out[0] = first + look(a[3]) + pick(a);",
  "if (a == out || !a) return; out[0] = (float)(a - out);",
  "memcpy(out, a, 16);",
  "float own[4]; memcpy(own, a + n, sizeof own); own[0]++; set(own); out[0] = own[0] + own[1];",
  "printf(\"%p %f\", a, a[0]);",
  "out[0] = pass(a, n)[1]; set(out); *out = a[1] ? a[2] : 3;",
  "float x = a[0]; x += 1; float *y = &x; *y = 2; set(y); out[0] = x;",
  "__shared__ float tile[4]; tile[threadIdx.x & 3] = a[threadIdx.x]; out[0] = tile[0];",
  "atomicAdd(out, a[n]); out[(int)a[1]] = 0;",
  "while (n-- > 0) { switch ((int)a[n]) { case 1: out[n] = 2; break; default: out[n] = a[0]; } }",
  "a = out; float b = a[1]; out[1] = b;",
};

static const char *const writers[] = {
  "a[n] = 1;",
  "*a++ = 1;",
  "*++a = 1;",
  "a[1] += 1;",
  "a[1]++;",
  "--*a;",
  "(*a = 1) += 2;",
  "set(a);",
  "set(a + n);",
  "set(&a[3]);",
  "deep_set(a, n);",
  "add(a[1]);",
  "pick_any(a) = 2;",
  "const_cast<float &>(pick(a)) = 2;",
  "float *b = a; *b = 1;",
  "float *b, *c; b = c = a + 1; c[1] = 2;",
  "float *b = out; for (int i = 0; i < n; i++) { *b = 1; b = a; }",
  "float *b = n ? a : out; *b = 1;",
  "*(n ? out : a) = 1;",
  "(n ? *out : *a) = 1;",
  "const float *b = a; *(float *)b = 1;",
  "reinterpret_cast<float4 *>(a)[n].x = 1;",
  "float &r = a[1]; r = 2;",
  "float *&r = a; *r = 2;",
  "float **b = &a; **b = 2;",
  "float *b[2] = { out, a }; *b[n] = 1;",
  "float *b[2]; b[0] = a; *b[0] = 1;",
  "span s = { a, n }; s.p[0] = 1;",
  "span s; s.p = a; s.p[0] = 1;",
  "out[0] = sum(span{ a, n });", /* it is not known what becomes of what is in a struct */
  "kept = a;",
  "atomicAdd(&a[n], 1.0f);",
  "memset(a, 0, 4);",
  "memcpy(a, out, 4);",
  "float *b; memcpy(&b, &a, sizeof b); *b = 1;",
  "__stcg(a, 1.0f);",
  "float s, c; sincosf(1.0f, &s, a);",
  "pass(a, n)[1] = 2;",
  "float *b = (n++, a); *b = 1;",
  "*((float *)(void *)a + 1) = 3;",
  "float *b = pass(pass(a, 1), 2); out = b; out[0] = 1;",
  "__shared__ float *b; if (threadIdx.x == 0) b = a; __syncthreads(); b[threadIdx.x] = 1;",
};

START_TEST(what_is_only_read_is_said_to_be) {
  if (is_written(readers[_i]))
    ck_abort_msg("may be written through: %s", readers[_i]);
}
END_TEST

START_TEST(what_may_be_written_is_not) {
  if (!is_written(writers[_i]))
    ck_abort_msg("only read: %s", writers[_i]);
}
END_TEST

static Suite *mod_ref_suite(void) {
  Suite *suite = suite_create("written");
  TCase *ways = tcase_create("ways");
  tcase_add_loop_test(ways, what_is_only_read_is_said_to_be, 0, sizeof readers / sizeof *readers);
  tcase_add_loop_test(ways, what_may_be_written_is_not, 0, sizeof writers / sizeof *writers);
  suite_add_tcase(suite, ways);
  return suite;
}

int main(void) {
  return support_run(mod_ref_suite());
}
