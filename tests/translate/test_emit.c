/* SPDX-License-Identifier: MIT */
/*
 * emit - what is written is OpenCL C that computes what C computes: bodies are compiled here as C and, from the very
 * same text, as kernels on the device, in each form of their parameters; and what OpenCL cannot do is refused with
 * words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bodies are about what these warn of. */
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

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

static void must_have(const char *text, const char *part) {
  vptr__translation translation = translate_well(text);
  if (strstr(translation.module, part) == NULL)
    ck_abort_msg("no '%s' in\n%s", part, translation.module);
  vptr__translate_free(&translation);
}

static void must_lack(const char *text, const char *part) {
  vptr__translation translation = translate_well(text);
  ck_assert_msg(strstr(translation.module, part) == NULL, "'%s' is in\n%s", part, translation.module);
  vptr__translate_free(&translation);
}

static void must_refuse(const char *text, const char *words) {
  vptr__translation translation = translate(text);
  ck_assert_msg(translation.module == NULL, "not refused: %s", text);
  ck_assert_msg(strstr(translation.log, words) != NULL, "'%s' is not in: %s", words, translation.log);
  vptr__translate_free(&translation);
}

/* ---- the same body as C ------------------------------------------------------------------------------------ */

enum { COUNT = 64 };

/* in[COUNT] to out[COUNT]; i is the element. */
#define BODY(name, ...)                                                                                              \
  static void name##_in_c(const int *in, int *out, int i) __VA_ARGS__ static const char name##_text[] =              \
      "__device__ void body(const int *in, int *out, int i) " #__VA_ARGS__                                           \
      "__global__ void k(const int *in, int *out) {"                                                                 \
      "  body(in, out, blockIdx.x * blockDim.x + threadIdx.x); }"

static const char *const forms[] = {
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PARAMETER_LIMIT=1024",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=0 -DVPTR_PARAMETER_LIMIT=1024",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PACKED=1 -DVPTR_PARAMETER_LIMIT=1024",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=1 -DVPTR_PARAMETER_LIMIT=8",
};

enum { ADDRESSES, PAIRS, PACKED, SPILLED, FORMS };

static void fill(int *in) {
  static const int edges[] = { 0, 1, -1, 2147483647, -2147483647 - 1, 255, 256, -128, 65535, 1000000 };
  uint64_t state = 7;
  for (int i = 0; i < COUNT; i++)
    in[i] = i < 10 ? edges[i] : (int)support_random(&state) >> i % 24;
}

static void run_form(const char *module, int form, int *in, int *out) {
  unsigned long zero = 0;
  opencl_program *program = opencl_build(module, forms[form]);
  opencl_passing passing = form == PACKED ? OPENCL_PACKED : OPENCL_ADDRESS;
  opencl_argument addresses[] = { { in, COUNT * 4, passing }, { out, COUNT * 4, passing } };
  opencl_argument pairs[] = { { in, COUNT * 4, OPENCL_BUFFER },
                              { &zero, 8, OPENCL_VALUE },
                              { out, COUNT * 4, OPENCL_BUFFER },
                              { &zero, 8, OPENCL_VALUE } };
  opencl_run(program, "vptr_k_k", form != PAIRS ? addresses : pairs, form != PAIRS ? 2 : 4, 2, COUNT / 2);
  opencl_free(program);
}

static void compare(const char *text, void (*in_c)(const int *in, int *out, int i), int form) {
  int in[COUNT], out[COUNT] = { 0 }, expected[COUNT] = { 0 };
  vptr__translation translation = translate_well(text);
  fill(in);
  for (int i = 0; i < COUNT; i++)
    in_c(in, expected, i);
  if (support_has_opencl())
    run_form(translation.module, form, in, out);
  for (int i = 0; i < COUNT && support_has_opencl(); i++)
    if (out[i] != expected[i])
      ck_abort_msg("element %d: %d, not %d, of\n%s", i, out[i], expected[i], translation.module);
  vptr__translate_free(&translation);
}

BODY(integers, {
  int x = in[i];
  unsigned u = x;
  long long w = x;
  unsigned char b = x;
  short s = x;
  signed char c = x;
  unsigned r = u / 3u ^ (int)(w * 65539ll >> 16);
  r += b << 3 | (s & 0x7f);
  r -= c >> 1;
  r ^= -1 > 0u ? 5 : 9;
  r += (unsigned char)(b + 200) + (x < u) + (w == x ? -2147483647 - 1 : 2147483647);
  r ^= ~b + - -s - !x;
  b += 300;
  s *= 3;
  u >>= 5;
  r = r * 31 + b + s + (int)u % 7;
  out[i] = r;
});

BODY(control, {
  int n = in[i] & 15, r = 0;
  for (int k = 0, j = 9; k < n; k++, --j) {
    if (k == 3)
      continue;
    r += k * j;
    if (r > 50)
      break;
  }
  do
    r++;
  while (r < 5);
  while (n-- > 4)
    r ^= n;
  switch (r & 3) {
  case 0:
    r += 1;
  case 1: {
    int q = r;
    r = q * 2;
    break;
  }
  default:
    r = -r;
  }
  if (r > 100)
    goto end;
  else if (r < -100)
    r = 0;
  r += 1000;
end:
  out[i] = r;
});

BODY(records, {
  struct inner {
    int a;
    short b[3];
  };
  struct outer {
    struct inner first;
    char c;
    struct inner rest[2];
  };
  struct outer o = { { 1, { 2, 3 } }, 'x', { { 4, { 0 } }, { 5, { 6 } } } };
  int local[2][3] = { { 1, 2, 3 }, { 4 } };
  struct outer p = o;
  struct outer *q = &p;
  q->rest[1].b[1] = (short)in[i];
  o = in[i] & 1 ? p : o;
  int *row = local[in[i] & 1];
  int *end = row + 3;
  int r = 0;
  while (row != end)
    r = r * 10 + *row++;
  const int *which = in[i] > 5 ? &local[0][1] : &o.first.a;
  out[i] = r + o.rest[1].b[1] + q->first.b[1] + o.c + *which + (int)sizeof(struct outer) + (int)(end - local[0]);
});

BODY(floats, {
  float f = in[i] * 0.37f;
  double d = f;
  float g = 1e-3f + f;
  d = d * 1.1 - 3;
  f = f / 7 + (float)(in[i] & 3);
  unsigned char flag = f > g || d != d;
  int r = flag ? (int)(f < 1e6f && f > -1e6f ? f : 1.5f) : -3;
  r += (d > 0.1) + (f == 0.0f) * 2 + (!f) * 4;
  out[i] = r + (int)(0x1.8p3 + 1.0e-2);
});

BODY(names, {
  int global = in[i] % 1000;
  int kernel = 3;
  int half = global / 2;
  int uint = kernel + half;
  int float4 = uint ^ 5;
  int vptr = float4;
  int dot = vptr + 1;
  int get_local_id = dot;
  int clamp = get_local_id * 2;
  int global_ = 7;
  out[i] = clamp + global + global_;
});

START_TEST(integers_are_those_of_c) {
  compare(integers_text, integers_in_c, 0);
}
END_TEST

START_TEST(control_flow_is_that_of_c) {
  compare(control_text, control_in_c, PAIRS);
}
END_TEST

START_TEST(records_and_pointers_are_those_of_c) {
  compare(records_text, records_in_c, PACKED);
}
END_TEST

START_TEST(floats_are_those_of_c) {
  compare(floats_text, floats_in_c, PAIRS);
}
END_TEST

START_TEST(names_that_opencl_has_are_free) {
  compare(names_text, names_in_c, ADDRESSES);
}
END_TEST

/* ---- C++ and CUDA ------------------------------------------------------------------------------------------ */

static const char cuda_text[] =
    "__constant__ int table[4] = { 1, 2, 3, 4 };\n"
    "struct pair { int a; float b; };\n"
    "__device__ int &pick(int &a, int &b, bool first) { return first ? a : b; }\n"
    "__device__ int sum(const int &a, const int &b) { return a + b; }\n"
    "__device__ int at(const int *p, int i) { return p[i]; }\n"
    "__device__ pair operator+(const pair &x, const pair &y) { return pair{ x.a + y.a, x.b + y.b }; }\n"
    "__global__ void k(const int *in, int *out) {\n"
    "  __shared__ int tile[2][16];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n"
    "  tile[t / 16][t % 16] = in[i];\n"
    "  __syncthreads();\n"
    "  int a = 1, b = 2, local[2] = { 10, 20 };\n"
    "  pick(a, b, in[i] > 0) += 5;\n"
    "  (a = b) += 1;\n"
    "  bool flag = in[i];\n"
    "  flag &= a > 2;\n"
    "  pair p = pair{ 1, 2 } + pair{ 3, 4.5f };\n"
    "  auto q = static_cast<unsigned char>(in[i]);\n"
    "  out[i] = tile[1 - t / 16][15 - t % 16] + sum(a, 100) * 1000 + at(local, t & 1) + at(in, i) * 3 + at(tile[0], "
    "0)\n"
    "         + flag + (p.a + (int)p.b) * 7 + q + table[t & 3] + (int)blockDim.x + __syncthreads_count(t & 1);\n"
    "}\n";

static int expected_of_cuda(const int *in, int i) {
  int t = i % 32, base = i - t, b = in[i] > 0 ? 2 : 7;
  int flag = in[i] != 0 && b + 1 > 2;
  unsigned r =
      (unsigned)in[base + (1 - t / 16) * 16 + 15 - t % 16] + (unsigned)(b + 1 + 100) * 1000u + (t & 1 ? 20u : 10u);
  r += (unsigned)in[i] * 3u + (unsigned)in[base] + (unsigned)flag + (4u + 6u) * 7u + (unsigned char)in[i];
  return (int)(r + (unsigned)(t & 3) + 1u + 32u + 16u);
}

START_TEST(cuda_is_what_it_says) {
  int in[COUNT], out[COUNT] = { 0 }, table[4] = { 1, 2, 3, 4 };
  unsigned long zero = 0;
  vptr__translation translation = translate_well(cuda_text);
  fill(in);
  for (int form = 0; form < SPILLED && support_has_opencl(); form++) {
    opencl_program *program = opencl_build(translation.module, forms[form]);
    opencl_passing passing = form == PACKED ? OPENCL_PACKED : OPENCL_ADDRESS;
    opencl_argument addresses[] = { { in, COUNT * 4, passing }, { out, COUNT * 4, passing }, { table, 16, passing } };
    opencl_argument pairs[] = { { in, COUNT * 4, OPENCL_BUFFER },  { &zero, 8, OPENCL_VALUE },
                                { out, COUNT * 4, OPENCL_BUFFER }, { &zero, 8, OPENCL_VALUE },
                                { table, 16, OPENCL_BUFFER },      { &zero, 8, OPENCL_VALUE } };
    opencl_run(program, "vptr_k_k", form != PAIRS ? addresses : pairs, form != PAIRS ? 3 : 6, 2, COUNT / 2);
    opencl_free(program);
    for (int i = 0; i < COUNT; i++)
      ck_assert_msg(out[i] == expected_of_cuda(in, i), "element %d: %d, not %d, of\n%s", i, out[i],
                    expected_of_cuda(in, i), translation.module);
  }
  vptr__translate_free(&translation);
}
END_TEST

START_TEST(lowered_names_are_the_abi_s) {
  must_have("__global__ void f(int n, const float *a, float *b) {}", "lowered=_Z1fiPKfPf ");
  must_have("__global__ void f() {}", "lowered=_Z1fv ");
  must_have("extern \"C\" __global__ void f(int *a) {}", "lowered=f ");
  must_have("namespace a { namespace b { struct S { int x; }; __global__ void f(S s, S *p, const S *q) {} } }",
            "lowered=_ZN1a1b1fENS0_1SEPS1_PKS1_ ");
  must_have("static __global__ void f(unsigned char a, long long b, unsigned long *c, unsigned long *d) {}",
            "lowered=_ZL1fhxPmS_ ");
  must_have("__global__ void f(float4 a, float4 *b) {}", "lowered=_Z1f6float4PS_ ");
  must_have("namespace a { __device__ int table[4]; }", "lowered=_ZN1a5tableE ");
}
END_TEST

/* By its number, whatever it is declared before; and the room is a variable of modules that launch, alone. */
START_TEST(launches_are_records) {
  static const char text[] = "__global__ void late(int *a, double d);"
                             "__global__ void first(int *a) { late<<<1, 32>>>(a, 2); }"
                             "__global__ void first(float *a) {}"
                             "__device__ void help(float *a) { first<<<1, 1, 0, cudaStreamTailLaunch>>>(a); }"
                             "__global__ void late(int *a, double d) { help((float *)a); }";
  must_have(text, "//vptr variable name=vptr_children lowered=vptr_children size=64 align=64 kind=device extern=1\n");
  must_have(text, "//vptr hidden kind=variable name=vptr_children\n");
  must_have(text, "vptr_f_vptr_child_take(vptr, 2u, grid, block, shared, stream)");
  must_have(text, "vptr_f_vptr_child_take(vptr, 1u, grid, block, shared, stream)");
  must_have(text, "at = vptr_f_vptr_child_place(at, 8UL); *(__global double *)(record + at) = argument1;");
  must_have(text, "*(__global ulong *)(record + at) = vptr_out(&vptr->m_translation, (ulong)argument0);");
  must_lack("__global__ void f(int *a) { *a = 1; }", "vptr_children");
  must_refuse("__global__ void f(int *a); __global__ void g(int *a) { f<<<1, 1>>>(a); }", "not defined in this file");
  must_refuse("__global__ void g(int *a) { __shared__ int s; g<<<1, 1>>>(&s); }", "shared");
}
END_TEST

START_TEST(names_that_c_keeps_for_itself_are_set_apart) {
  static const char text[] = "__global__ void f(int *a) { int _Able = a[0], _Zone = a[1], _low = 3;"
                             " a[2] = _Able + _Zone + _low; }";
  must_have(text, "vptr_n__Able + vptr_n__Zone + _low;");
}
END_TEST

START_TEST(lines_say_what_is_in_the_module) {
  must_have("__global__ void __launch_bounds__(128, 2) f(int *a) {}", " max_threads=128 min_blocks=2 fast=0\n");
  must_have(
      "struct S { int a[100]; };\n"
      "__device__ int one(int i) { int own[64]; own[i] = i; { double more[32]; more[i] = i; } return own[0]; }\n"
      "__device__ int two(int i) { char few[255]; S s; few[i] = 1; return one(i) + one(few[0]) + s.a[i]; }\n"
      "__global__ void f(int *a) { const int fixed[100] = { 1 }; __shared__ int s[100]; int own[1000];\n"
      "  s[0] = own[0]; *a = two(1) + two(2) + one(fixed[1] + s[0]); }",
      " fast=0 private=7360\n"); /* 4000 + 2 * (400 + 2 * 512) + 512, and one() has 256 + 256 */
  must_have("__device__ void tell(int n) { printf(\"%d\", n); } __global__ void f(int *a) { if (*a) tell(*a); }",
            " fast=0 prints=1\n");
  must_have("__device__ void tell(int n) { printf(\"%d\", n); } __global__ void g(int *a) { if (*a) tell(*a); }"
            "__global__ void f(int *a) { *a = 1; }",
            "name=f lowered=_Z1fPi entry=vptr_k_f shared=0 max_threads=0 min_blocks=0 fast=0\n");
  must_have("struct S { int *a; int n; int *b; }; __global__ void f(S s) { s.a[0] = s.b[0]; }",
            "//vptr param size=24 align=8 kind=value pointers=0,16\n");
  must_have("__global__ void f(cudaPitchedPtr p, cudaExtent e, cudaPos o) {\n"
            "  char *row = (char *)p.ptr + (o.z * e.height + o.y) * p.pitch;\n"
            "  ((float *)row)[o.x] = 1;\n}",
            "//vptr param size=32 align=8 kind=value pointers=0\n");
  must_have("#if defined(__DRIVER_TYPES_H__) && defined(__CUDA_RUNTIME_H__)\n__global__ void f(int *a) {}\n#endif",
            "//vptr kernel name=f ");
  must_have("__device__ int a = 258;", "name=a lowered=a size=4 align=4 kind=device initial=02010000\n");
  must_have("__constant__ int a[3]; struct s { int n; const int *p; }; __device__ s b[2] = { {}, { 7, a + 2 } };",
            "initial=00000000000000000000000000000000"
            "07000000000000000000000000000000\n"
            "//vptr address variable=b at=24 of=a plus=8\n");
  must_have("struct s { int n; s *next; }; extern __device__ s b; __device__ s a = { 1, &b }, b = { 2, &a };",
            "//vptr address variable=a at=8 of=b\n//vptr address variable=b at=8 of=a\n");
  must_have("__constant__ float a[2];", "name=a lowered=a size=8 align=4 kind=constant\n");
  must_have("#include <assert.h>\n__global__ void f(int *a) { assert(a[0] > 0); }", "//vptr hidden kind=status\n");
}
END_TEST

/* C takes numbers of two types for different memory, CUDA does not. */
START_TEST(numbers_alias_where_they_are_seen_as_others) {
  static const char any[] = "#define int vptr_any_int\n";
  must_have("__global__ void f(float *a) { *(int *)a = 1; }", any);
  must_have("__global__ void f(float *a) { (int &)a[1] = 1; }", any);
  must_have("struct s { int a, b[2]; }; __global__ void f(float *a) { ((s *)a)->b[1] = 1; }", any);
  must_have("__global__ void f(double *a) { *(long long *)a = 1; }", "#define double vptr_any_double\n");
  must_lack("__global__ void f(float *a) { *(int *)a = 1; }", "double");
  must_lack("__global__ void f(int *a) { *(unsigned *)a = 1; }", any);
  must_lack("__global__ void f(long *a) { *(unsigned long long *)a = 1; }", any);
  must_lack("__global__ void f(char *a) { *(int *)a = 1; }", any);
  must_lack("struct s { float a, b[3]; }; __global__ void f(float *a) { ((s *)a)->b[1] = 1; }", any);
}
END_TEST

/* A driver that keeps kernels in files by their names takes 255 bytes. */
START_TEST(long_names_of_kernels_are_cut) {
  char text[1200], name[301] = "", entry[160];
  memset(name, 'n', sizeof name - 1);
  snprintf(text, sizeof text, "__global__ void %s(int *a) { *a = 1; }\n__global__ void %s_(int *a) { *a = 2; }", name,
           name);
  snprintf(entry, sizeof entry, " entry=vptr_k_%.120s shared=", name);
  must_have(text, entry);
  snprintf(entry, sizeof entry, " entry=vptr_k_%.120s__2 shared=", name);
  must_have(text, entry);
}
END_TEST

/* However parameters are called, what they are passed as is called otherwise. */
START_TEST(names_of_parameters_never_collide) {
  static const char text[] =
      "struct S { int *p; }; __device__ int g;\n"
      "__global__ void k(int *x, long x_address, int x_offset, int x_base, S s, int s_passed, "
      "long vptr_a_x, int vptr_h_g,\n"
      "                  int vptr_b_x, int vptr_o_x, int vptr_p_s, int vptr_parameters, int vptr_packed) {\n"
      "  x[0] = (int)x_address + x_offset + x_base + s.p[0] + s_passed + (int)vptr_a_x + "
      "vptr_h_g + vptr_b_x + vptr_o_x +\n"
      "         vptr_p_s + vptr_parameters + vptr_packed + g; }\n";
  vptr__translation translation = translate_well(text);
  for (int form = 0; form < FORMS && support_has_opencl(); form++)
    opencl_free(opencl_build(translation.module, forms[form]));
  vptr__translate_free(&translation);
}
END_TEST

/* As lib/cudart/module passes them: as numbers, or where kernels take no addresses, with the offset of each. */
START_TEST(hidden_pointers_are_passed_as_the_others_are) {
  static const char *const texts[] = { "__device__ int a; __global__ void f(int *b) { b[0] = a; }",
                                       "__device__ int a; __global__ void f(void) { a = 1; }" };
  for (int i = 0; i < 2; i++) {
    must_have(texts[i], "__global uchar *vptr_b_vptr_h_a, ulong vptr_o_vptr_h_a) {");
    must_have(texts[i], "  __global uchar *vptr_h_a = (__global uchar *)(vptr_b_vptr_h_a + vptr_o_vptr_h_a);\n");
    must_have(texts[i], "ulong vptr_a_vptr_h_a) {");
    must_have(texts[i], "  __global uchar *vptr_h_a = (__global uchar *)vptr_a_vptr_h_a;\n");
    for (int form = 0; form < FORMS && support_has_opencl(); form++) {
      vptr__translation translation = translate_well(texts[i]);
      opencl_free(opencl_build(translation.module, forms[form]));
      vptr__translate_free(&translation);
    }
  }
}
END_TEST

/* One parameter is an argument as it is; with more, of which hidden addresses are some, all are one struct, local
 * memory apart, and lib/cudart/module/program.c counts the same bytes. */
static void must_pack(const char *parameters, const char *members, const char *values) {
  char kernel[256], type[256];
  snprintf(kernel, sizeof kernel, "__global__ void f(%s) {}", parameters);
  snprintf(type, sizeof type, "struct vptr_k_f__packed {\n%s};\n", members);
  must_have(kernel, type);
  must_have(kernel, values);
}

/* Else a number is widened beside its load, and kernels are slower. */
START_TEST(values_of_32_bits_are_packed_by_two) {
  must_pack("int n, const float *p", "  uint2 vptr_w_n;\n  ulong vptr_a_p;\n",
            "  int n = as_int(vptr_packed.vptr_w_n.x);\n");
  must_pack("float a, unsigned n, int *p", "  uint2 vptr_w_a;\n  ulong vptr_a_p;\n",
            "  float a = as_float(vptr_packed.vptr_w_a.x);\n  uint n = as_uint(vptr_packed.vptr_w_a.y);\n");
  must_pack("int *p, int a, int b, int c", "  ulong vptr_a_p;\n  uint2 vptr_w_a;\n  uint2 vptr_w_c;\n",
            "  int b = as_int(vptr_packed.vptr_w_a.y);\n  int c = as_int(vptr_packed.vptr_w_c.x);\n");
  must_pack("int a, int b, int c", "  int a;\n  int b;\n  int c;\n", "  int c = vptr_packed.c;\n");
  must_pack("int a, short b, int *p", "  int a;\n  short b;\n  ulong vptr_a_p;\n", "  int a = vptr_packed.a;\n");
  must_pack("char c, int a, int b, double d", "  char c;\n  int a;\n  uint2 vptr_w_b;\n  double d;\n",
            "  int b = as_int(vptr_packed.vptr_w_b.x);\n");
}
END_TEST

START_TEST(parameters_are_packed_in_one_struct) {
  static const char one[] = "__global__ void f(int *a) { extern __shared__ int s[]; s[0] = 1; a[0] = s[0]; }";
  static const char with_hidden[] = "__device__ int g; __global__ void f(int *a) { a[0] = g; }";
  static const char wide[] = "__global__ void f(float4 v, char c, const float *__restrict__ p, short s, int *q) {\n"
                             "  extern __shared__ int t[]; t[0] = c + s; q[0] = t[0] + (int)(v.x + p[0]); }";
  vptr__translation translation = translate_well(one);
  ck_assert_ptr_null(strstr(translation.module, "packed"));
  ck_assert_ptr_null(strstr(translation.module, "VPTR_PACKED"));
  vptr__translate_free(&translation);
  must_have(with_hidden, " entry=vptr_k_f packed=1 ");
  must_have(with_hidden, "#elif VPTR_PACKED && VPTR_PARAMETER_LIMIT >= 16\n"
                         "struct vptr_k_f__packed {\n  ulong vptr_a_a;\n  ulong vptr_a_vptr_h_g;\n};\n");
  must_have(wide, "#if VPTR_PARAMETER_LIMIT < 56\n");
  must_have(wide, "#elif VPTR_PACKED && VPTR_PARAMETER_LIMIT >= 56\n");
  must_have(wide, "[sizeof(struct vptr_k_f__packed) == 48 ? 1 : -1];\n"
                  "__kernel void vptr_k_f(struct vptr_k_f__packed vptr_packed, __local uint4 *vptr_dynamic) {\n");
  must_have(wide, "  __global const float *p = (__global const float *)vptr_packed.vptr_a_p;\n");
  must_have(wide,
            "vptr_b_f(const struct vptr_context *vptr, struct float4_ v, char c, __global const float *restrict p,");
  must_have("__global__ void f(float4 v, int n) {}", "#if VPTR_PARAMETER_LIMIT < 24\n");
  must_have("__global__ void f(float4 v, int n) {}", "#elif VPTR_PACKED && VPTR_PARAMETER_LIMIT >= 32\n");
  translation = translate_well(wide);
  for (int form = 0; form < FORMS && support_has_opencl(); form++)
    opencl_free(opencl_build(translation.module, forms[form]));
  vptr__translate_free(&translation);
}
END_TEST

/* By which lib/cudart/module cuts one kernel out. */
START_TEST(functions_say_whose_they_are) {
  static const char three[] = "__device__ int one(int x) { return x + 1; }\n"
                              "__device__ int two(int x) { return one(x) * 2; }\n"
                              "__device__ int own(int x) { return x * x; }\n"
                              "__global__ void a(int *p) { *p = two(*p); }\n"
                              "__global__ void b(int *p) { *p = own(*p); }\n"
                              "__global__ void c(int *p) { *p = one(*p) + two(*p); }\n"
                              "__global__ void d(int *p) { *p = two(*p) + 3; }\n";
  must_have(three, "\n//vptr-for 0,2-3\n\nstatic int vptr_f_one");
  must_have(three, "\n//vptr-for 0,2-3\n\nstatic int vptr_f_two");
  must_have(three, "\n//vptr-for 1\n\nstatic int vptr_f_own");
  must_have(three, "\n//vptr-for 3\n\nstatic void vptr_b_d");
  must_have(three, "\n//vptr-for 3\n#line 7 ");
  must_have("__device__ void all() {} __global__ void a() { all(); } __global__ void b() { all(); }",
            "\n//vptr-for *\n\nstatic void vptr_f_all");
  vptr__translation translation = translate_well("__device__ void f() {} __global__ void only() { f(); }");
  ck_assert_ptr_null(strstr(translation.module, "//vptr-for"));
  vptr__translate_free(&translation);
}
END_TEST

/* A helper of every second of 2,000 kernels: the list would be longer than the helper. */
START_TEST(a_list_that_would_be_long_is_all) {
  enum { KERNELS = 2000, ROOM = 80 * KERNELS };
  char *text = malloc(ROOM);
  size_t length = (size_t)sprintf(text, "__device__ int help(int x) { return x + 1; }\n");
  for (int i = 0; i < KERNELS; i++)
    length +=
        (size_t)sprintf(text + length, "__global__ void k%d(int *p) { *p = %s(*p); }\n", i, i % 2 ? "help" : "abs");
  must_have(text, "\n//vptr-for *\n\nstatic int vptr_f_help");
  must_have(text, "\n//vptr-for 1999\n\nstatic void vptr_b_k1999");
  free(text);
}
END_TEST

START_TEST(formats_are_rewritten) {
  must_have("__global__ void f(long long a) { printf(\"%5lld%%\\n\", a); }",
            "vptr_t1[0] = (ulong)(long)a, vptr_print(vptr->m_prints, 0, \"%5d%%\\n\", \"w\", vptr_t1), 1)");
  must_have("__global__ void f(size_t a, float b) { printf(\"%zu %lf\", a, b); }",
            "vptr_t1[1] = as_uint(b), vptr_print(vptr->m_prints, 0, \"%u %hf\", \"ww\", vptr_t1), 2)");
  must_have("__global__ void f(long a) { printf(\"%d %s\", a, \"x\"); }",
            "vptr_t1[0] = (ulong)(int)a, vptr_t1[1] = (ulong)(__constant const char *)\"x\", "
            "vptr_print(vptr->m_prints, 0, \"%d %s\", \"wc\", vptr_t1)");
}
END_TEST

START_TEST(what_opencl_cannot_is_refused) {
  must_refuse("__global__ void f(int n) { printf(\"%n\", &n); }", "test.cu:1:");
  must_refuse("__global__ void f(float x) { printf(\"%*d\", x, 1); }", "needs an integer");
  must_refuse("__global__ void f() { printf(\"%.*\", 1); }", "not supported");
  must_have("__global__ void f(int n) { printf(\"%*d %.*f\", 6, n, -1, 1.0); }",
            "vptr_print(vptr->m_prints, 0, \"%*d %.*f\", \"wwww\", vptr_t1), 4)");
  must_have("__global__ void f(int n) { printf(\"a%*db\", n, n); }",
            "(vptr_t1[0] = (ulong)(int)n, vptr_t1[1] = (ulong)(int)n, "
            "vptr_print(vptr->m_prints, 0, \"a%*db\", \"ww\", vptr_t1), 2)");
  must_have("__global__ void f(int n, float x) { printf(\"%+*.*f%.*G\", n, n, x, n, 1.0); }",
            "vptr_t1[4] = as_ulong(1.0), vptr_print(vptr->m_prints, 0, \"%+*.*hf%.*G\", \"wwwww\", vptr_t1), 5)");
  must_have("__global__ void f(const char *s) { printf(s); }",
            "(vptr_print_any(vptr->m_prints, 'g', (ulong)(__global const char *)s, \"\", vptr_t2, vptr_t1))");
  must_have("__global__ void f(int n, float x) { printf(n ? \"%d\" : \"%f\", n, x); }",
            "(vptr_t2[0] = (ulong)n, vptr_t2[1] = as_uint(x), vptr_print_any(vptr->m_prints, 'c', ");
  must_refuse("__global__ void f(const int *s) { printf(\"%s\", s); }", "pointer to characters");
  must_have(
      "__global__ void f(const char *s) { printf(\"%-9s\", s); }",
      "(vptr_t1[0] = (ulong)(__global const char *)s, vptr_print(vptr->m_prints, 0, \"%-9s\", \"g\", vptr_t1), 1)");
  must_have("__global__ void f(const char *s, int n) { printf(\"%.3s%.*s\", s, n, s); }",
            "vptr_t1[0] = 3, vptr_t1[1] = (ulong)(__global const char *)s, vptr_t1[2] = (ulong)(int)n, "
            "vptr_t1[3] = (ulong)(__global const char *)s, "
            "vptr_print(vptr->m_prints, 0, \"%.*s%.*s\", \"wGwG\", vptr_t1), 3)");
  must_refuse("__global__ void f(int *a) { printf(\"%d\"); }", "no more");
  must_refuse("__global__ void f(int *a) { int n = 0; atomicAdd(&n, 1); a[0] = n; }", "global and shared memory");
  must_refuse("__global__ void f(int *a) { static int n; a[0] = n++; }", "static");
}
END_TEST

static Suite *emit_suite(void) {
  Suite *suite = suite_create("emit");
  TCase *same = tcase_create("as C"), *cuda = tcase_create("as CUDA");
  tcase_add_test(same, integers_are_those_of_c);
  tcase_add_test(same, control_flow_is_that_of_c);
  tcase_add_test(same, records_and_pointers_are_those_of_c);
  tcase_add_test(same, floats_are_those_of_c);
  tcase_add_test(same, names_that_opencl_has_are_free);
  tcase_add_test(cuda, cuda_is_what_it_says);
  tcase_add_test(cuda, lowered_names_are_the_abi_s);
  tcase_add_test(cuda, launches_are_records);
  tcase_add_test(cuda, names_that_c_keeps_for_itself_are_set_apart);
  tcase_add_test(cuda, lines_say_what_is_in_the_module);
  tcase_add_test(cuda, hidden_pointers_are_passed_as_the_others_are);
  tcase_add_test(cuda, long_names_of_kernels_are_cut);
  tcase_add_test(cuda, numbers_alias_where_they_are_seen_as_others);
  tcase_add_test(cuda, names_of_parameters_never_collide);
  tcase_add_test(cuda, values_of_32_bits_are_packed_by_two);
  tcase_add_test(cuda, parameters_are_packed_in_one_struct);
  tcase_add_test(cuda, functions_say_whose_they_are);
  tcase_add_test(cuda, a_list_that_would_be_long_is_all);
  tcase_add_test(cuda, formats_are_rewritten);
  tcase_add_test(cuda, what_opencl_cannot_is_refused);
  suite_add_tcase(suite, same);
  suite_add_tcase(suite, cuda);
  return suite;
}

int main(void) {
  return support_run(emit_suite());
}
