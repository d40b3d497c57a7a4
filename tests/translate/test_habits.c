/* SPDX-License-Identifier: MIT */
/*
 * habits - what programs in the wild do, each found in code that was written for nvcc: small texts, translated, run,
 * and their numbers compared; or refused, where the numbers could not be CUDA's.
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

static vptr__translation translate(const char *text) {
  vptr__reader reader = { .open = no_file };
  vptr__translate_options options = { .no_fma = true };
  vptr__translation translation = { 0 };
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, &options, &translation));
  return translation;
}

static void must_refuse(const char *text, const char *words) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module == NULL, "not refused: %s", text);
  ck_assert_msg(strstr(translation.log, words) != NULL, "'%s' is not in: %s", words, translation.log);
  vptr__translate_free(&translation);
}

static void must_translate(const char *text) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  vptr__translate_free(&translation);
}

enum { COUNT = 8 };

static void run(const char *module, int addresses, int *out) {
  static const char *const forms[] = { "-cl-std=CL1.2 -DVPTR_ADDRESSES=0 -DVPTR_PARAMETER_LIMIT=1024",
                                       "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PARAMETER_LIMIT=1024" };
  unsigned long zero = 0;
  opencl_argument arguments[] = { { out, COUNT * sizeof *out, addresses ? OPENCL_ADDRESS : OPENCL_BUFFER },
                                  { &zero, sizeof zero, OPENCL_VALUE } };
  opencl_program *program = opencl_build(module, forms[addresses]);
  opencl_run(program, "vptr_k_k", arguments, addresses ? 1 : 2, 1, 1);
  opencl_free(program);
}

/* `k(int *o)` is run by one thread, and leaves these numbers. */
static void must_give(const char *text, const int *expected) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  for (int addresses = 0; addresses < 2 && support_has_opencl(); addresses++) {
    int out[COUNT] = { 0 };
    run(translation.module, addresses, out);
    for (int i = 0; i < COUNT; i++)
      ck_assert_msg(out[i] == expected[i], "o[%d] is %d, not %d, of\n%s", i, out[i], expected[i], text);
  }
  vptr__translate_free(&translation);
}

START_TEST(first_parameters_may_be_pointers_and_references_to_arrays) {
  must_give("__device__ int rec(int (*m)[4], int v[], int n) { return m[1][n] + v[n]; }\n"
            "__device__ int sum(const int (&a)[3]) { return a[0] + a[1] + a[2]; }\n"
            "__device__ int at(int (*const p), int n) { return p[n]; }\n"
            "__global__ void k(int *o) {\n"
            "  int m[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, v[4] = {10, 20, 30, 40}, t[3] = {1, 2, 3};\n"
            "  int (*p)[4] = m; int x(int(t[2]));\n"
            "  o[0] = rec(m, v, 2); o[1] = sum(t); o[2] = at(v, 1); o[3] = p[1][0]; o[4] = x; }",
            (int[COUNT]){ 37, 6, 20, 5, 3 });
}
END_TEST

START_TEST(constants_of_the_host_are_numbers_in_kernels) {
  must_give("const float pi = 3.25f; const int n = 4; static const double e = 2.5; const unsigned m = n * 2u;\n"
            "const float twice = 2 * pi; static const float most = INFINITY;\n"
            "__global__ void k(int *o) {\n"
            "  int a[n]; a[3] = 7; o[0] = pi * 4; o[1] = e * 2; o[2] = m; o[3] = twice * 2; o[4] = a[n - 1]; o[5] = "
            "most > pi; }",
            (int[COUNT]){ 13, 5, 8, 13, 7, 1 });
}
END_TEST

START_TEST(functions_of_c_are_found_by_name) {
  must_give("extern \"C\" __device__ int twice(int x);\n"
            "__global__ void k(int *o) { o[0] = twice(4); }\n"
            "namespace n { extern \"C\" __device__ int twice(int y) { return 2 * y; } }\n",
            (int[COUNT]){ 8 });
  must_refuse("extern \"C\" __device__ int twice(int x); __global__ void k(int *o) { o[0] = twice(4); }\n"
              "extern \"C\" __device__ int twice(float x) { return 2; }",
              "not defined");
  must_refuse("__device__ int twice(int x); __global__ void k(int *o) { o[0] = twice(4); }\n"
              "namespace n { extern \"C\" __device__ int twice(int x) { return 2; } }",
              "not defined");
}
END_TEST

/* Whether a module leaves the only variable that it names to another module. */
static bool leaves_variable_open(const char *text) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  const char *line = strstr(translation.module, "//vptr variable "), *end = line != NULL ? strchr(line, '\n') : NULL;
  ck_assert_ptr_nonnull(end);
  const char *mark = strstr(line, " extern=1");
  bool is_open = mark != NULL && mark < end;
  vptr__translate_free(&translation);
  return is_open;
}

START_TEST(variables_of_c_are_defined_where_nothing_else_defines_them) {
  ck_assert(!leaves_variable_open("extern \"C\" __device__ int calls; extern \"C\" __device__ int calls;\n"
                                  "__global__ void k(int *o) { calls += 3; o[0] = calls; }"));
  ck_assert(!leaves_variable_open("extern \"C\" __device__ int table[2];\n"
                                  "__global__ void k(int *o) { o[1] = table[1]; }\n"
                                  "extern \"C\" { __device__ int table[2] = { 1, 5 }; }"));
  ck_assert(leaves_variable_open("extern \"C\" { extern __device__ int calls; }\n"
                                 "__global__ void k(int *o) { o[0] = calls; }"));
}
END_TEST

START_TEST(infinity_is_a_constant) {
  must_give("__constant__ float most = INFINITY; __constant__ double wide = HUGE_VAL; __device__ float none = NAN;\n"
            "__constant__ float given = __int_as_float(0x40400000);\n"
            "__global__ void k(int *o) { const float local = -INFINITY; o[0] = local < -1e30f; }",
            (int[COUNT]){ 1 });
}
END_TEST

START_TEST(builtins_give_and_take_what_cuda_says) {
  must_give("#include <limits.h>\n"
            "__device__ int low(unsigned x) { return __popc(x) - 5 < 0; }\n"
            "__global__ void k(int *o) {\n"
            "  bool yes = o[7] == 0; unsigned three = o[7] + 7u; double whole = ULLONG_MAX;\n"
            "  o[0] = low(three); o[1] = -__popc(three) / 2; o[2] = (float)(__popc(three) - 4) * 2;\n"
            "  o[3] = max((int)yes, o[7] - 3); o[4] = min(yes ? (int)yes : 0, 4);\n"
            "  o[5] = whole > 1e19 && (float)18446744073709551615ull > 1e19f; o[6] = (double)ULLONG_MAX > 0; }",
            (int[COUNT]){ 1, -1, -2, 1, 1, 1, 1, 0 });
}
END_TEST

START_TEST(dim3_is_made_of_numbers_and_vectors) {
  must_give(
      "__device__ dim3 add(dim3 a, dim3 b, dim3 c) { return dim3(a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z); "
      "}\n"
      "__device__ unsigned last(uint3 v) { return v.z; }\n"
      "__constant__ dim3 four(4);\n"
      "__global__ void k(int *o) {\n"
      "  dim3 d = 7, e(threadIdx), f(2, 3), g, h = blockDim; uint3 u = gridDim;\n"
      "  o[0] = d.x * 100 + d.y * 10 + d.z; o[1] = e.x; o[2] = f.x * 100 + f.y * 10 + f.z; o[3] = g.x + g.y + g.z;\n"
      "  o[4] = u.x + h.y; dim3 s = add(threadIdx, blockDim, blockIdx); o[5] = s.x * 100 + s.y * 10 + s.z;\n"
      "  o[6] = last(blockDim); d = threadIdx; o[7] = d.x + d.y + d.z; }",
      (int[COUNT]){ 711, 0, 231, 3, 2, 111, 1, 0 });
  must_refuse("__device__ dim3 make(void) { return dim3(1); } __device__ int take(uint3 v) { return v.x; }\n"
              "__global__ void k(int *o) { o[0] = take(make()); }",
              "keep it in one first");
  must_refuse("struct A { int x, y, z; }; __global__ void k(int *o) { A a; dim3 d = a; o[0] = d.x; }",
              "member by member");
}
END_TEST

START_TEST(complex_numbers_are_vectors) {
  must_give(
      "#include <cuComplex.h>\n"
      "__global__ void k(int *o) {\n"
      "  cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuComplex(1, -2);\n"
      "  cuComplex p = cuCmulf(a, b), q = cuCdivf(p, b);\n"
      "  o[0] = cuCrealf(p); o[1] = cuCimagf(p); o[2] = (int)(q.x * 8 + .5f) * 100 + (int)(q.y * 8 + .5f);\n"
      "  o[3] = cuCabsf(a) + .5f; cuDoubleComplex c = cuComplexFloatToDouble(cuConjf(a)); o[4] = c.y;\n"
      "  c = cuCdiv(cuCadd(c, c), make_cuDoubleComplex(2, 0)); o[5] = c.x; o[6] = cuCimag(cuCsub(c, cuConj(c)));\n"
      "  o[7] = cuCreal(cuCfma(c, c, c)); }",
      (int[COUNT]){ 11, -2, 2432, 5, -4, 3, -8, -4 });
}
END_TEST

START_TEST(headers_of_the_host_may_be_quoted) {
  must_translate(
      "#include \"cuda_runtime.h\"\n#include \"cublas_v2.h\"\n#include \"curand.h\"\n#include \"sys/time.h\"\n"
      "#include \"time.h\"\n#include \"unistd.h\"\n#include \"iostream\"\n#include \"thrust/sort.h\"\n"
      "clock_t begun; __global__ void k(int *o) { clock_t now = clock(); o[0] = sizeof now; }");
  must_refuse("#include \"mine.h\"\n__global__ void k(int *o) { o[0] = 1; }", "\"mine.h\" was not found");
  must_refuse("#include \"sub/mine.h\"\n__global__ void k(int *o) { o[0] = 1; }", "\"sub/mine.h\" was not found");
}
END_TEST

START_TEST(static_assert_in_a_struct_is_judged) {
  must_refuse("struct T { int a; static_assert(sizeof(int) == 5, \"int is five\"); }; __global__ void k(T t) {}",
              "int is five");
  must_translate("struct T { int a; static_assert(sizeof(int) == 4, \"int is four\"); }; __global__ void k(T t) {}");
}
END_TEST

START_TEST(anonymous_unions_are_passed_member_by_member) {
  must_give("struct S { int *p; union { int n; float f; struct { short low, high; }; }; int z; };\n"
            "__device__ int sum(S s) { return s.n + s.z; }\n"
            "__global__ void k(int *o) { S s; s.p = o; s.n = 3; s.z = 4; o[0] = sum(s); s.p[1] = s.low; }\n"
            "__global__ void passed(S s) { s.p[0] = s.n + s.high; }",
            (int[COUNT]){ 7, 3 });
}
END_TEST

START_TEST(the_bytes_of_pointers_are_not_looked_at) {
  static const char words[] = "memory that holds pointers";
  must_refuse("__global__ void k(float *p, unsigned long *o) { o[0] = *(unsigned long *)&p; }", words);
  must_refuse("__global__ void k(float *p, unsigned long *o) { o[0] = reinterpret_cast<unsigned long &>(p); }",
              words);
  must_refuse("__global__ void k(float *p, unsigned long *o) { void *v = &p; o[0] = *(unsigned long *)v; }", words);
  must_refuse("__global__ void k(int *a) { int *g[2] = {a, a}; void *v = g; int **w = (int **)v; *a = *w[1]; }",
              words);
  must_refuse("struct S { float *p; int n; }; struct T { long a, b; };\n"
              "__global__ void k(S s, long *o) { o[0] = ((T *)&s)->a; }",
              words);
  must_refuse("__global__ void k(unsigned long n, float *o) { o[0] = **(float **)&n; }", words);
  must_refuse(
      "__global__ void k(float *p, unsigned long *o) { unsigned long n; memcpy(&n, &p, sizeof n); o[0] = n; }",
      words);
  must_refuse("union U { float *p; unsigned long n; }; __global__ void k(float *p, unsigned long *o) { U u; u.p = p; "
              "o[0] = u.n; }",
              "a union with pointers");
  must_refuse("struct S { int *p; union { float *q; long n; }; }; __global__ void k(S s) { s.p[0] = s.n; }",
              "a union with pointers");
  must_give("struct S { int *p; int n; };\n"
            "__global__ void k(int *o) { S s = {o, 4}, t; memset(&t, 0, sizeof t); memcpy(&t, &s, sizeof t); "
            "t.p[t.n] = 9; }",
            (int[COUNT]){ 0, 0, 0, 0, 9 });
  must_refuse("__global__ void k(float *p, unsigned long *o) { unsigned long n; memcpy((void *)&n, (void *)&p, 8); "
              "o[0] = n; }",
              words);
  must_refuse("__global__ void k(float *o) { float *p = o, **q = &p; ***(float ***)q = 1; }", words);
  must_give("__global__ void k(int *o) { __shared__ int s[2]; int *p = s, *q; memcpy(&q, &p, sizeof q); *q = 5; "
            "o[0] = s[0]; }",
            (int[COUNT]){ 5 });
}
END_TEST

START_TEST(references_to_const_may_be_to_values) {
  must_give(
      "__device__ unsigned first(const unsigned &a, const uint3 &b) { "
      "return a + b.x; }\n"
      "__global__ void k(int *o) { o[0] = first(blockDim.x, threadIdx); const dim3 &d = gridDim; o[1] = d.x + 1;\n"
      "  const int fixed[2] = {3, 4}; const int (&f)[2] = fixed; o[2] = f[1]; int n = 5; float x = 2.5f;\n"
      "  o[3] = 2 * (const float &)n; o[4] = (const int &)x; o[5] = static_cast<const double &>(n) / 2 * 2; }",
      (int[COUNT]){ 1, 2, 4, 10, 2, 5 });
  must_translate(
      "__constant__ int fixed[2] = {3, 4}; __global__ void k(int *o) { const int (&f)[2] = fixed; *o = f[1]; }");
}
END_TEST

START_TEST(a_load_by_ldg_is_as_uniform_as_its_address) {
  must_translate("__global__ void k(const int *n, int *o) { __shared__ int s[64];\n"
                 "  for (int i = 0; i < __ldg(n); i++) { s[threadIdx.x] = i; __syncthreads(); o[threadIdx.x] += "
                 "s[0]; __syncthreads(); } }");
  must_refuse(
      "__global__ void k(const int *n, int *o) { __shared__ int s[64];\n"
      "  for (int i = 0; i < __ldg(n + threadIdx.x); i++) { s[threadIdx.x] = i; __syncthreads(); o[i] = s[0]; } }",
      "__syncthreads()");
}
END_TEST

START_TEST(mixed_arguments_of_mathematics_are_those_of_cpp) {
  must_translate("__global__ void k(int *o) {\n"
                 "  static_assert(sizeof(pow(1.f, 2)) == 8); static_assert(sizeof(pow(1.f, 2.f)) == 4); "
                 "static_assert(sizeof(pow(2, 3)) == 8);\n"
                 "  static_assert(sizeof(sqrt(2)) == 8); static_assert(sizeof(fmax(1.f, 2)) == 8); "
                 "static_assert(sizeof(fabs(1.f)) == 4);\n"
                 "  static_assert(sizeof(max(1.f, 2.0)) == 8); static_assert(sizeof(min(1, 2ll)) == 8); "
                 "static_assert(sizeof(atan2(1.f, 1)) == 8);\n"
                 "  o[0] = pow(2.f, 3); }");
}
END_TEST

START_TEST(arrays_without_inner_lengths_are_refused) {
  must_refuse("__global__ void k(int *o) { __shared__ int a[4][]; o[0] = a[0][1]; }", "only the first length");
}
END_TEST

static void must_warn(const char *text, const char *words) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  ck_assert_msg(words != NULL ? strstr(translation.log, words) != NULL : translation.log[0] == '\0', "'%s' of: %s",
                translation.log, text);
  vptr__translate_free(&translation);
}

START_TEST(counting_on_warps_in_step_is_warned_of) {
  must_warn("__global__ void k(int *o) { __shared__ int s[64]; int t = threadIdx.x; s[t] = o[t]; __syncthreads();\n"
            "  if (t < 32) { volatile int *v = s; v[t] += v[t + 32]; v[t] += v[t + 16]; } o[t] = s[0]; }",
            "test.cu:2:65: warning: 'v' is read here");
  must_warn("__device__ void last(volatile float *v, int t) { v[t] = v[t] + v[t + 2]; v[t] = v[t] + v[t + 1]; }\n"
            "__global__ void k(float *o) { __shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads(); last(s, "
            "threadIdx.x); o[0] = s[0]; }",
            "test.cu:1:88: warning: 'v' is read here");
  must_warn("__global__ void k(volatile int *o) { o[0] += o[1]; o[2] += o[3]; }", NULL);
  must_warn("__global__ void k(int *o) { volatile __shared__ int s[64]; int t = threadIdx.x; s[t] = o[t]; "
            "__syncthreads();\n"
            "  int a = s[t + 32]; __syncthreads(); s[t] += s[63 - t]; __syncthreads(); s[t] += s[a]; }",
            NULL);
}
END_TEST

START_TEST(what_is_missing_is_called_by_its_name) {
  must_translate("texture<float, 1> t; __global__ void k(float *o) { o[0] = tex1Dfetch(t, 0); }");
  must_translate(
      "#include <curand_kernel.h>\n__global__ void k(curandState *s, float *o) { *o = curand_normal(s); }");
  must_refuse("__global__ void k(curandState *s) {}", "include that");
  must_refuse("#include <curand_kernel.h>\n__global__ void k(curandStateMtgp32 *s) {}", "MTGP32 is not there");
  must_refuse("#include <cuda_fp16.h>\n__global__ void k(__half *h, half2 *g) {}", "half precision");
  must_refuse("#include \"cooperative_groups.h\"\n__global__ void k(int *o) {}",
              "1:1: error: \"cooperative_groups.h\" was not found: cooperative groups are not supported: use "
              "__syncthreads()");
  must_refuse("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
              "__global__ void k(int *o) { cg::thread_block b = cg::this_thread_block(); }",
              "cooperative groups");
  must_refuse("__global__ void k(halfway *h) {}", "no type that is known");
}
END_TEST

/* One text, three functions: what the parser cannot read hides nothing that later passes refuse. */
START_TEST(errors_of_the_parser_and_of_types_are_told_together) {
  static const char *const texts[] = {
    "__device__ int bad(int x) { return x + ; }\n"
    "__global__ void k(int *p) { auto f = [](int x) { return x; }; *p = f(1); }\n"
    "__global__ void l(int *p) { *p = bad(1); }\n"
    "__global__ void m(float *p) { *p = undefined_thing; }\n"
    "__global__ void n(int *p) { *p = __shfl_down_sync(~0u, 1, 2); }\n",
    "__global__ void m(float *p) { *p = undefined_thing; }\n"
    "__global__ void n(int *p) { *p = __shfl_down_sync(~0u, 1, 2); }\n"
    "__device__ int bad(int x) { return x + ; }\n"
    "__global__ void l(int *p) { *p = bad(1); }\n"
    "__global__ void k(int *p) { auto f = [](int x) { return x; }; *p = f(1); }\n",
  };
  for (int i = 0; i < 2; i++) {
    must_refuse(texts[i], "lambdas are not supported");
    must_refuse(texts[i], "'undefined_thing' is not declared");
    must_refuse(texts[i], "'__shfl_down_sync'");
    must_refuse(texts[i], i == 0 ? "1:40: error:" : "3:40: error:");
  }
}
END_TEST

START_TEST(assert_needs_no_header) {
  must_translate("__global__ void k(int *o) { assert(o != nullptr && o[0] > 2); }");
}
END_TEST

static Suite *habits_suite(void) {
  Suite *suite = suite_create("habits");
  TCase *tests = tcase_create("habits");
  tcase_add_test(tests, first_parameters_may_be_pointers_and_references_to_arrays);
  tcase_add_test(tests, constants_of_the_host_are_numbers_in_kernels);
  tcase_add_test(tests, functions_of_c_are_found_by_name);
  tcase_add_test(tests, variables_of_c_are_defined_where_nothing_else_defines_them);
  tcase_add_test(tests, infinity_is_a_constant);
  tcase_add_test(tests, dim3_is_made_of_numbers_and_vectors);
  tcase_add_test(tests, builtins_give_and_take_what_cuda_says);
  tcase_add_test(tests, complex_numbers_are_vectors);
  tcase_add_test(tests, headers_of_the_host_may_be_quoted);
  tcase_add_test(tests, static_assert_in_a_struct_is_judged);
  tcase_add_test(tests, anonymous_unions_are_passed_member_by_member);
  tcase_add_test(tests, the_bytes_of_pointers_are_not_looked_at);
  tcase_add_test(tests, references_to_const_may_be_to_values);
  tcase_add_test(tests, a_load_by_ldg_is_as_uniform_as_its_address);
  tcase_add_test(tests, mixed_arguments_of_mathematics_are_those_of_cpp);
  tcase_add_test(tests, arrays_without_inner_lengths_are_refused);
  tcase_add_test(tests, counting_on_warps_in_step_is_warned_of);
  tcase_add_test(tests, what_is_missing_is_called_by_its_name);
  tcase_add_test(tests, errors_of_the_parser_and_of_types_are_told_together);
  tcase_add_test(tests, assert_needs_no_header);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(habits_suite());
}
