/* SPDX-License-Identifier: MIT */
/*
 * builtin_value - every row of the tables of CUDA's functions computes what the host's reference says: programs in
 * CUDA, made here from the rows' names and signatures, go through the whole translator and run on the device with a
 * thousand arguments each; atomic operations on global and on shared memory, functions of "any arithmetic type" with
 * double and with int. What is no function of numbers has a body of its own below. A row that has neither a reference
 * nor a body is an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/builtin_value.h"
#include "translate/opencl.h"
#include "translate/translate.h"
#include "translate/types/builtin.h"

enum { ROWS_TOGETHER = 64, THREADS = 64, MOST_WRONG = 20 };

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

/* The kernel k of the text; the caller frees it. */
static opencl_program *program_of(const char *text) {
  vptr__reader reader = { .open = no_file };
  vptr__translate_options options = { .no_fma = true };
  vptr__translation translation = { 0 };
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  opencl_program *program = opencl_build(translation.module, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt "
                                                             "-DVPTR_ADDRESSES=0 -DVPTR_PARAMETER_LIMIT=1024");
  vptr__translate_free(&translation);
  return program;
}

/* ---- bodies of their own ---------------------------------------------------------------------------------- */

/* The body has `in`, `out` and `i`, the thread's number; `expected` is an expression of them too. Two threads in
 * three fail, if any. */
typedef struct body {
  const char *name, *text;
  int (*expected)(const int *in, int i);
  int status; /* what the launch's status becomes; -1: it has none; WITH_TABLE: it has a
                 translation table; WITH_TEXELS: one of textures; WITH_BLOCK: it is told how large
                 its block is, or where its grid's room */
} body;

enum { WITH_TABLE = -2, WITH_BLOCK = -3, WITH_TEXELS = -4 };
#define FAR (1ull << 50)

/* No windows; what the host knows lies FAR behind what the device does. */
static unsigned long long translation_table[] = { 0, 20, 0, 1, 0, 1, 1, ~0ull - 2, 0 - FAR, 1, ~0ull - 2, FAR };

/* Four entries of nobody's: what a texture reads through the handle of an object that has gone. What others read is
 * compared with a model by tests/kernels/cxx/textures_*.cu and surfaces_*.cu. */
static unsigned texel_table[4][20] = { { [6] = 4 } };

#define GONE "(1ull << 32 | 1), "
#define TEXTURE(name, arguments)                                                                                     \
  {                                                                                                                  \
    name,                                                                                                            \
        "unsigned w[4] = { 1, 1, 1, 1 }; " name "(" GONE arguments                                                   \
        ", w); out[i] = in[i] + w[0] + w[1] + w[2] + w[3];",                                                         \
        its_own, WITH_TEXELS                                                                                         \
  }

static int its_own(const int *in, int i) {
  return in[i];
}

static int its_neighbour(const int *in, int i) {
  return in[i ^ 1];
}

static int one(const int *in, int i) {
  (void)in, (void)i;
  return 1;
}

static int bytes_of_three(const int *in, int i) {
  (void)in, (void)i;
  return 0x030303;
}

static int bytes_moved(const int *in, int i) {
  (void)in, (void)i;
  return 1 * 1000 + 1 * 100 + 2 * 10 + 3;
}

static int threads_with_three(const int *in, int i) {
  (void)in, (void)i;
  return (THREADS + 2) / 3;
}

static int both_of_vote(const int *in, int i) {
  (void)in, (void)i;
  return 10;
}

static int block_of_launch(const int *in, int i) {
  (void)in, (void)i;
  return 2 * 100 + 4 * 10;
}

/* Thread i is lane l of its warp. */
#define WARP(name, call, expected)                                                                                   \
  {                                                                                                                  \
    name,                                                                                                            \
        "__shared__ unsigned s[64]; unsigned l = i & 31, v = 3u * l; unsigned long long w = (unsigned long long)v "  \
        "<< 32; "                                                                                                    \
        "s[i] = v; if (__vptr_native()) { out[i] = (" call ") == (" expected "); } else { out[i] = 1; }",            \
        one, -1                                                                                                      \
  }

static const body bodies[] = {
  { "__ldca", "out[i] = __ldca(in + i);", its_own, -1 },
  { "__ldcg", "out[i] = __ldcg(in + i);", its_own, -1 },
  { "__ldcs", "out[i] = __ldcs(in + i);", its_own, -1 },
  { "__ldcv", "out[i] = __ldcv(in + i);", its_own, -1 },
  { "__ldg", "out[i] = __ldg(&in[i]);", its_own, -1 },
  { "__ldlu", "out[i] = __ldlu(in + i);", its_own, -1 },
  { "__stcg", "__stcg(out + i, in[i]);", its_own, -1 },
  { "__stcs", "__stcs(&out[i], in[i]);", its_own, -1 },
  { "__stwb", "__stwb(out + i, in[i]);", its_own, -1 },
  { "__stwt", "__stwt(out + i, in[i]);", its_own, -1 },
  { "__builtin_expect", "out[i] = __builtin_expect(in[i], 0);", its_own, -1 },
  /* These compute nothing; what stands about them goes on. */
  { "__brkpt", "out[i] = in[i]; if (out[i] == 123456) __brkpt();", its_own, -1 },
  { "__builtin_unreachable", "if (i > 1000) __builtin_unreachable(); out[i] = in[i];", its_own, -1 },
  { "__nanosleep", "__nanosleep(100); out[i] = in[i];", its_own, -1 },
  /* One group runs on one core in PoCL, in whose loops no other order of memory can be seen: fences are only known to
   * change nothing. */
  { "__threadfence", "out[i] = 0; __threadfence(); out[i] = in[i];", its_own, -1 },
  { "__threadfence_block", "out[i] = 0; __threadfence_block(); out[i] = in[i];", its_own, -1 },
  { "__threadfence_system", "out[i] = 0; __threadfence_system(); out[i] = in[i];", its_own, -1 },
  { "__syncthreads", "__shared__ int s[64]; s[i] = in[i]; __syncthreads(); out[i] = s[i ^ 1];", its_neighbour, -1 },
  { "__syncthreads_count", "out[i] = __syncthreads_count(i % 3 == 0 ? 8 : 0);", threads_with_three, -1 },
  { "__syncthreads_and",
    "int all = __syncthreads_and(i + 1), most = __syncthreads_and(i); out[i] = (all != 0) * 10 + (most != 0);",
    both_of_vote, -1 },
  { "__syncthreads_or",
    "int some = __syncthreads_or(i == 63), none = __syncthreads_or(i == 64); out[i] = (some != 0) * 10 + (none != "
    "0);",
    both_of_vote, -1 },
  /* It goes on. */
  { "clock", "long t = clock(); int n = 0; while (clock() == t && n < 1000000) n++; out[i] = clock() - t > 0;", one,
    -1 },
  { "clock64",
    "long long t = clock64(); int n = 0; while (clock64() == t && n < 1000000) n++; out[i] = clock64() - t > 0;", one,
    -1 },
  { "__vptr_bits", "out[i] = __vptr_bits(in + i) - __vptr_number(in + i) == 1ull << 50;", one, WITH_TABLE },
  { "__vptr_pointer", "out[i] = *(const int *)__vptr_pointer(__vptr_bits(in) + i * 4);", its_own, WITH_TABLE },
  { "__vptr_block", "out[i] = (int)(__vptr_block() >> 32) * 100 + (int)(__vptr_block() >> 16 & 65535) * 10;",
    block_of_launch, WITH_BLOCK },
  TEXTURE("__vptr_texture", "2, 0.5f, 0.5f, 0.0f, 0"),
  TEXTURE("__vptr_texture_level", "2, 0.5f, 0.5f, 0.0f, 0, 0.0f"),
  TEXTURE("__vptr_texture_cube", "1.0f, 0.5f, 0.0f, 0"),
  TEXTURE("__vptr_texture_fetch", "0"),
  TEXTURE("__vptr_texture_gather", "0.5f, 0.5f, 0"),
  { "__vptr_texture_scale",
    "unsigned w[4]; __vptr_texture_scale(" GONE "w); out[i] = in[i] * (w[0] == 0x3f800000 && w[2] == w[0]);", its_own,
    WITH_TEXELS },
  { "__vptr_surface",
    "unsigned w[4] = { 1, 1, 1, 1 }; int n = __vptr_surface(" GONE "0, 4, 0, 0, 0, 2, w) + 2 * __vptr_surface(" GONE
    "1, 4, 0, 0, 0, 0, w); out[i] = n == 2 ? in[i] + w[0] + w[1] + w[2] + w[3] : 0;",
    its_own, WITH_TEXELS },
  { "__vptr_copy", "int own[2] = { 5, in[i] }, other[2]; __vptr_copy(other, own, sizeof own); out[i] = other[1];",
    its_own, -1 },
  { "__vptr_grid",
    "unsigned long long at = __vptr_number(__vptr_grid()); out[i] = (int)(at >> 32) * 100 + (int)(at >> 16 & 65535) "
    "* 10;",
    block_of_launch, WITH_BLOCK },
  { "__vptr_number", "__shared__ int s[64]; out[i] = __vptr_number(&s[i]) - __vptr_number(s) == i * 4;", one, -1 },
  { "__vptr_shared", "__shared__ int s[64]; s[i] = in[i]; out[i] = *(int *)__vptr_shared(__vptr_number(s) + i * 4);",
    its_own, -1 },
  { "__vptr_private", "int own = in[i]; out[i] = *(int *)__vptr_private(__vptr_number(&own));", its_own, -1 },
  { "__vptr_reach", "out[i] = *(int *)__vptr_reach((const char *)&in[i]);", its_own, WITH_TABLE },
  { "__vptr_stream",
    "out[i] = *(int *)((const char *)&in[i] + __vptr_stream(__vptr_number(in), __vptr_number(in) + 255, 1));",
    its_own, WITH_TABLE },
  { "memcpy", "int x = 0; memcpy(&x, in + i, sizeof x); memcpy(out + i, &x, 4);", its_own, -1 },
  { "memmove",
    "unsigned char b[4] = { 1, 2, 3, 4 }; memmove(b + 1, b, 3); "
    "out[i] = b[0] * 1000 + b[1] * 100 + b[2] * 10 + b[3];",
    bytes_moved, -1 },
  { "memset", "int x = 0; memset(&x, 0x103, 3); out[i] = x;", bytes_of_three, -1 },
  /* What is printed: tests/kernels/output.sh. */
  { "printf", "out[i] = i > 0 || printf(\"%d of %s\\n\", in[i], \"printf\") == 2;", one, -1 },
  { "__vptr_assert", "out[i] = in[i]; if (i == 5) __vptr_assert(\"x\", \"f.cu\", 1, \"k\", 1, 2, 3, i, 0, 0);",
    its_own, 710 },
  { "__vptr_stuck", "out[i] = in[i]; if (i == 5) __vptr_stuck(\"a.cu\", i, \"k\", 0, 0, 0, i, 0, 0);", its_own, 719 },
  { "__trap", "out[i] = in[i]; if (i == 5) __trap();", its_own, 719 },
  { "__assert_fail", "out[i] = in[i]; if (i == 5) __assert_fail(\"x\", \"f.cu\", 1, \"k\");", its_own, 710 },
  /* Computed where there is PTX; elsewhere known to be translated. */
  WARP("__vptr_native", "1u", "1u"),
  WARP("__vptr_warp_active", "__vptr_warp_active()", "~0u"),
  WARP("__vptr_warp_all", "__vptr_warp_all(~0u, v + 1u) * 10u + __vptr_warp_all(~0u, v)", "10u"),
  WARP("__vptr_warp_and", "__vptr_warp_and(~0u, v | 64u)", "64u"),
  WARP("__vptr_warp_any", "__vptr_warp_any(~0u, v == 93u) * 10u + __vptr_warp_any(~0u, v == 1u)", "10u"),
  WARP("__vptr_warp_ballot", "__vptr_warp_ballot(~0u, l & 1u)", "0xaaaaaaaau"),
  WARP("__vptr_warp_ballot_own", "__vptr_warp_ballot_own(~0u, l & 1u)", "(l & 1u ? 0xaaaaaaaau : 0x55555555u)"),
  WARP("__vptr_warp_barrier", "(__vptr_warp_barrier(), s[i ^ 33])", "3u * (l ^ 1u)"),
  WARP("__vptr_warp_barrier_and", "__vptr_warp_barrier_and(i + 1u) * 10u + __vptr_warp_barrier_and(i)", "10u"),
  WARP("__vptr_warp_barrier_arrive",
       "(i < 32 ? __vptr_warp_barrier_arrive(1u, 64u) : __vptr_warp_barrier_some(1u, 64u), i < 32 ? 0u : s[i ^ 33])",
       "(i < 32 ? 0u : 3u * (l ^ 1u))"),
  WARP("__vptr_warp_barrier_count", "__vptr_warp_barrier_count(i % 4 == 0)", "16u"),
  WARP("__vptr_warp_barrier_or", "__vptr_warp_barrier_or(i == 63) * 10u + __vptr_warp_barrier_or(i == 64)", "10u"),
  WARP("__vptr_warp_barrier_some", "(__vptr_warp_barrier_some(1u + i / 32, 32u), s[i ^ 1])", "3u * (l ^ 1u)"),
  WARP("__vptr_warp_bfly", "__vptr_warp_bfly(~0u, v, 5u, 31u)", "3u * (l ^ 5u)"),
  WARP("__vptr_warp_bfly_wide", "(unsigned)(__vptr_warp_bfly_wide(~0u, w, 5u, 31u) >> 31)", "6u * (l ^ 5u)"),
  WARP("__vptr_warp_down", "__vptr_warp_down(~0u, v, 4u, 31u)", "(l < 28u ? v + 12u : v)"),
  WARP("__vptr_warp_down_wide", "(unsigned)(__vptr_warp_down_wide(~0u, w, 4u, 31u) >> 31)",
       "2u * (l < 28u ? v + 12u : v)"),
  WARP("__vptr_warp_has_bfly", "__vptr_warp_has_bfly(16u, 0x100fu)", "(l >= 16u)"),
  WARP("__vptr_warp_has_down", "__vptr_warp_has_down(4u, 31u)", "(l < 28u)"),
  WARP("__vptr_warp_has_idx", "__vptr_warp_has_idx(9u, 0x1807u) * 10u + __vptr_warp_has_idx(5u, 0x1803u)", "10u"),
  WARP("__vptr_warp_has_up", "__vptr_warp_has_up(4u, 0u)", "(l >= 4u)"),
  WARP("__vptr_warp_idx", "__vptr_warp_idx(~0u, v, 3u, 0x181fu)", "3u * ((l & 24u) + 3u)"),
  WARP("__vptr_warp_idx_wide", "(unsigned)(__vptr_warp_idx_wide(~0u, w, 3u, 0x181fu) >> 31)",
       "6u * ((l & 24u) + 3u)"),
  WARP("__vptr_warp_least", "__vptr_warp_least(~0u, v - 3u)", "0u"),
  WARP("__vptr_warp_least_signed", "__vptr_warp_least_signed(~0u, v - 3u)", "~0u - 2u"),
  WARP("__vptr_warp_match_all", "__vptr_warp_match_all(~0u, 7u) + __vptr_warp_match_all(~0u, v)", "~0u"),
  WARP("__vptr_warp_match_all_wide",
       "__vptr_warp_match_all_wide(~0u, 7ull << 40) + __vptr_warp_match_all_wide(~0u, w)", "~0u"),
  WARP("__vptr_warp_match_any", "__vptr_warp_match_any(~0u, l >> 4)", "(l < 16u ? 0xffffu : 0xffff0000u)"),
  WARP("__vptr_warp_match_any_wide", "__vptr_warp_match_any_wide(~0u, (unsigned long long)(l >> 4) << 40)",
       "(l < 16u ? 0xffffu : 0xffff0000u)"),
  WARP("__vptr_warp_meet",
       "(i == 0 ? __vptr_warp_meet((unsigned *)&out[63], 0x80000000u) : (void)0, __vptr_warp_barrier(), v)",
       "3u * l"),
  WARP("__vptr_warp_most", "__vptr_warp_most(~0u, v - 3u)", "~0u - 2u"),
  WARP("__vptr_warp_most_signed", "__vptr_warp_most_signed(~0u, v - 3u)", "90u"),
  WARP("__vptr_warp_or", "__vptr_warp_or(~0u, 1u << l)", "~0u"),
  WARP("__vptr_warp_pause", "(__vptr_warp_pause(20u), v)", "3u * l"),
  WARP("__vptr_warp_same", "__vptr_warp_same(~0u, l < 32u) * 10u + __vptr_warp_same(~0u, l & 1u)", "10u"),
  WARP("__vptr_warp_sum", "__vptr_warp_sum(~0u, v)", "1488u"),
  WARP("__vptr_warp_sync", "(__vptr_warp_sync(~0u), s[i ^ 1])", "3u * (l ^ 1u)"),
  WARP("__vptr_warp_up", "__vptr_warp_up(~0u, v, 4u, 0u)", "(l >= 4u ? v - 12u : v)"),
  WARP("__vptr_warp_up_wide", "(unsigned)(__vptr_warp_up_wide(~0u, w, 4u, 0u) >> 31)",
       "2u * (l >= 4u ? v - 12u : v)"),
  WARP("__vptr_warp_xor", "__vptr_warp_xor(~0u, l == 31u ? 5u : 0u)", "5u"),
  { "nan", "double x = nan(\"1\"); out[i] = x != x && (__double2hiint(x) & 0x7ff80000) == 0x7ff80000;", one, -1 },
  { "nanf", "float x = nanf(\"\"); out[i] = x != x && (__float_as_int(x) & 0x7fc00000) == 0x7fc00000;", one, -1 },
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static const body *body_of(const char *name) {
  for (int i = 0; i < BODIES; i++)
    if (strcmp(bodies[i].name, name) == 0)
      return &bodies[i];
  return NULL;
}

enum { RING_WORDS = 1024 }; /* behind 16 of its own (cudart/module/print.c) */

/* Then it has a ring for that. */
static bool prints(const body *body) {
  static const char *const names[] = { "printf", "__vptr_assert", "__vptr_stuck", "__assert_fail" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(body->name, names[i]) == 0)
      return true;
  return false;
}

static void run_body(const body *body) {
  char text[1024];
  unsigned ring[16 + RING_WORDS] = { [3] = RING_WORDS };
  int count = body->status < -1 ? 5 : body->status < 0 ? 4 : 6;
  int in[THREADS], out[THREADS] = { 0 }, status = 0;
  unsigned long zero = 0, block = 8 | 4ul << 16 | 2ul << 32;
  for (int i = 0; i < THREADS; i++)
    in[i] = i * 7919 - 1000;
  snprintf(text, sizeof text, "__global__ void k(const int *in, int *out) { int i = threadIdx.x; %s }", body->text);
  opencl_program *program = program_of(text);
  opencl_argument arguments[8] = {
    { in, sizeof in, OPENCL_BUFFER },          { &zero, sizeof zero, OPENCL_VALUE },
    { out, sizeof out, OPENCL_BUFFER },        { &zero, sizeof zero, OPENCL_VALUE },
    { &status, sizeof status, OPENCL_BUFFER }, { &zero, sizeof zero, OPENCL_VALUE },
  };
  if (body->status == WITH_TABLE)
    arguments[4] = (opencl_argument){ translation_table, sizeof translation_table, OPENCL_BUFFER };
  if (body->status == WITH_TEXELS)
    arguments[4] = (opencl_argument){ texel_table, sizeof texel_table, OPENCL_BUFFER };
  if (body->status == WITH_BLOCK)
    arguments[4] = (opencl_argument){ &block, sizeof block, OPENCL_VALUE };
  if (prints(body)) {
    arguments[count++] = (opencl_argument){ ring, sizeof ring, OPENCL_BUFFER };
    arguments[count++] = (opencl_argument){ &zero, sizeof zero, OPENCL_VALUE };
  }
  opencl_run(program, "vptr_k_k", arguments, count, 1, THREADS);
  opencl_free(program);
  for (int i = 0; i < THREADS; i++)
    ck_assert_msg(out[i] == body->expected(in, i), "%s, thread %d: %d, not %d", body->name, i, out[i],
                  body->expected(in, i));
  if (body->status >= 0)
    ck_assert_int_eq(status, body->status);
  ck_assert_msg(!prints(body) || (ring[0] > 0 && ring[2] == 0), "%s: no record, or a lost one", body->name);
}

START_TEST(bodies_leave_what_they_should) {
  if (!support_has_opencl())
    return;
  for (int i = 0; i < BODIES; i++) {
    int count;
    ck_assert_msg(vptr__builtin_find(bodies[i].name, &count) != NULL, "there is no row %s", bodies[i].name);
    run_body(&bodies[i]);
  }
}
END_TEST

/* ---- functions of numbers --------------------------------------------------------------------------------- */

/* A row and one way to call it. */
typedef struct form {
  const vptr__builtin *row;
  const builtin_reference *reference;
  int rounding, ins, outs;
  char in[BUILTIN_MOST_INPUTS + 1], out[BUILTIN_MOST_OUTPUTS + 1];
  bool is_atomic, is_shared;
} form;

/* `way`: 1 is shared memory of an atomic operation, int for any arithmetic type. */
static form form_of(const vptr__builtin *row, int way) {
  form made = { .row = row, .is_atomic = (row->flags & VPTR__BUILTIN_ATOMIC) != 0 };
  made.is_shared = made.is_atomic && way == 1;
  made.reference = builtin_reference_find(row->name, row->signature, &made.rounding);
  const char *at = row->signature;
  if (*at++ != 'v')
    made.out[made.outs++] = row->signature[0];
  for (; *at != '\0'; at++) {
    bool is_pointer = *at == 'P';
    at += is_pointer;
    if (is_pointer)
      made.out[made.outs++] = *at;
    if (!is_pointer || made.is_atomic)
      made.in[made.ins++] = *at != 'a' ? *at : way == 1 ? 'i' : 'd';
  }
  return made;
}

static int ways_of(const vptr__builtin *row) {
  return (row->flags & VPTR__BUILTIN_ATOMIC) != 0 || strchr(row->signature, 'a') != NULL ? 2 : 1;
}

static const char *word_of(char type) {
  static const char *const words[] = { "bbool",          "cchar",      "sshort",
                                       "iint",           "junsigned",  "llong",
                                       "munsigned long", "xlong long", "yunsigned long long",
                                       "ffloat",         "ddouble",    "zsize_t" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == type)
      return words[i] + 1;
  ck_abort_msg("no word for the type %c", type);
  return NULL;
}

static void write_parameters(FILE *out, const form *form) {
  fputs("__global__ void k(", out);
  for (int i = 0; i < form->ins; i++)
    fprintf(out, "const %s *a%d, ", word_of(form->in[i]), i);
  for (int i = 0; i < form->outs; i++)
    fprintf(out, "%s%s *r%d", i > 0 ? ", " : "", word_of(form->out[i]), i);
  fputs(") {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n", out);
}

static void write_atomic_call(FILE *out, const form *form, int row) {
  const char *type = word_of(form->in[0]), *name = form->row->name;
  int first = row * BUILTIN_INPUTS;
  if (form->is_shared)
    fprintf(out, "  { __shared__ %s s[%d]; %s *c = &s[threadIdx.x]; *c = a0[i];\n", type, THREADS, type);
  else
    fprintf(out, "  { %s *c = &r1[%d + i]; *c = a0[i];\n", type, first);
  fprintf(out, "    r0[%d + i] = %s(c", first, name);
  for (int i = 1; i < form->ins; i++)
    fprintf(out, ", a%d[i]", i);
  fprintf(out, "); r1[%d + i] = *c; }\n", first);
}

static void write_call(FILE *out, const form *form, int row) {
  bool has_result = form->row->signature[0] != 'v';
  int first = row * BUILTIN_INPUTS;
  fputs("  { ", out);
  for (int i = has_result; i < form->outs; i++)
    fprintf(out, "%s x%d; ", word_of(form->out[i]), i);
  if (has_result)
    fprintf(out, "r0[%d + i] = ", first);
  fprintf(out, "%s(", form->row->name);
  for (int i = 0; i < form->ins; i++)
    fprintf(out, "%sa%d[i]", i > 0 ? ", " : "", i);
  for (int i = has_result; i < form->outs; i++)
    fprintf(out, ", &x%d", i);
  fputs(");", out);
  for (int i = has_result; i < form->outs; i++)
    fprintf(out, " r%d[%d + i] = x%d;", i, first, i);
  fputs(" }\n", out);
}

static char *text_of(const form *forms, int count) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  write_parameters(out, &forms[0]);
  for (int i = 0; i < count; i++)
    (forms[i].is_atomic ? write_atomic_call : write_call)(out, &forms[i], i);
  fputs("}\n", out);
  fclose(out);
  return text;
}

/* ---- running and comparing -------------------------------------------------------------------------------- */

static unsigned long nothing;

static builtin_value input_of(const form *form, int index, int argument) {
  builtin_value value = builtin_value_input(form->in[argument], index, argument, form->ins);
  if (form->reference->small_integers && !builtin_type_is_real(value.type))
    builtin_value_set_bits(&value, (uint64_t)((int64_t)value.bits % 12));
  return value;
}

static void *filled_input(const form *form, int argument) {
  int size = builtin_type_size(form->in[argument]);
  char *bytes = calloc(BUILTIN_INPUTS, (size_t)size);
  for (int i = 0; i < BUILTIN_INPUTS; i++) {
    builtin_value value = input_of(form, i, argument);
    builtin_value_write(&value, bytes + i * size);
  }
  return bytes;
}

static int arguments_of(const form *form, int rows, opencl_argument *arguments) {
  int count = 0;
  for (int i = 0; i < form->ins + form->outs; i++) {
    bool is_input = i < form->ins;
    char type = is_input ? form->in[i] : form->out[i - form->ins];
    size_t size = (size_t)builtin_type_size(type) * BUILTIN_INPUTS * (is_input ? 1 : (size_t)rows);
    void *bytes = is_input ? filled_input(form, i) : calloc(1, size);
    arguments[count++] = (opencl_argument){ bytes, size, OPENCL_BUFFER };
    arguments[count++] = (opencl_argument){ &nothing, sizeof nothing, OPENCL_VALUE };
  }
  return count;
}

static void show_value(const builtin_value *value) {
  if (builtin_type_is_real(value->type))
    printf(" %.17g (%La)", (double)value->real, value->real);
  else
    printf(" %lld (%#llx)", (long long)value->bits, (unsigned long long)value->bits);
}

static void show_wrong(const form *form, const builtin_value *in, const builtin_value *seen,
                       const builtin_value *expected) {
  printf("%s (%s%s) of", form->row->name, form->row->signature, form->is_shared ? ", shared" : "");
  for (int i = 0; i < form->ins; i++)
    show_value(&in[i]);
  printf(":");
  show_value(seen);
  printf(", not");
  show_value(expected);
  printf("\n");
}

/* Of one call; how many of its results are wrong. */
static int compare_call(const form *form, const opencl_argument *arguments, int row, int index) {
  builtin_value in[BUILTIN_MOST_INPUTS] = { 0 }, expected[BUILTIN_MOST_OUTPUTS] = { 0 };
  int wrong = 0;
  for (int i = 0; i < form->ins; i++)
    in[i] = input_of(form, index, i);
  for (int i = 0; i < form->outs; i++)
    expected[i].type = form->out[i];
  builtin_reference_call(form->reference, in, expected, form->rounding);
  for (int i = 0; i < form->outs; i++) {
    const char *bytes = arguments[2 * (form->ins + i)].bytes;
    size_t at = (size_t)(row * BUILTIN_INPUTS + index) * (size_t)builtin_type_size(form->out[i]);
    builtin_value seen = builtin_value_read(form->out[i], bytes + at);
    bool is_float = form->out[i] == 'f';
    if (builtin_value_agrees(&seen, &expected[i],
                             is_float ? &form->reference->of_float : &form->reference->of_double))
      continue;
    if (wrong++ == 0)
      show_wrong(form, in, &seen, &expected[i]);
  }
  return wrong;
}

/* Rows of one signature, in one kernel. */
static int run_together(const form *forms, int count) {
  opencl_argument arguments[2 * (BUILTIN_MOST_INPUTS + BUILTIN_MOST_OUTPUTS)];
  char *text = text_of(forms, count);
  opencl_program *program = program_of(text);
  int passed = arguments_of(&forms[0], count, arguments), wrong = 0;
  opencl_run(program, "vptr_k_k", arguments, passed, BUILTIN_INPUTS / THREADS, THREADS);
  opencl_free(program);
  free(text);
  for (int row = 0; row < count; row++)
    for (int index = 0, of_row = 0; index < BUILTIN_INPUTS && of_row < MOST_WRONG; index++)
      of_row += compare_call(&forms[row], arguments, row, index), wrong += of_row > 0;
  for (int i = 0; i < passed; i += 2)
    free(arguments[i].bytes);
  return wrong;
}

static bool is_first_of_its_signature(const vptr__builtin *table, const vptr__builtin *row) {
  for (; table < row; table++)
    if (body_of(table->name) == NULL && strcmp(table->signature, row->signature) == 0)
      return false;
  return true;
}

static int run_signature(const vptr__builtin *first, int way) {
  form forms[ROWS_TOGETHER];
  int count = 0, wrong = 0;
  for (const vptr__builtin *row = first; row->name != NULL; row++) {
    if (body_of(row->name) != NULL || strcmp(row->signature, first->signature) != 0)
      continue;
    forms[count++] = form_of(row, way);
    if (count == ROWS_TOGETHER) {
      wrong += run_together(forms, count);
      count = 0;
    }
  }
  return wrong + (count > 0 ? run_together(forms, count) : 0);
}

/* What takes the runtime's locks tests/kernels/locked.cu runs, whose launches bring them. */
static void run_table(const vptr__builtin *table) {
  int wrong = 0;
  if (!support_has_opencl())
    return;
  for (const vptr__builtin *row = table; row->name != NULL; row++)
    if (body_of(row->name) == NULL && (row->flags & VPTR__BUILTIN_LOCKED) == 0 &&
        is_first_of_its_signature(table, row))
      for (int way = 0; way < ways_of(row); way++)
        wrong += run_signature(row, way);
  ck_assert_msg(wrong == 0, "%d results are wrong", wrong);
}

START_TEST(a_table_computes_what_the_host_does) {
  run_table(vptr__builtin_tables[_i]);
}
END_TEST

/* ---- without a device ------------------------------------------------------------------------------------- */

START_TEST(every_row_has_a_value) {
  int rows = 0, rounding;
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++)
    for (const vptr__builtin *row = *table; row->name != NULL; row++, rows++)
      if (body_of(row->name) == NULL && builtin_reference_find(row->name, row->signature, &rounding) == NULL)
        ck_abort_msg("nothing here says what %s computes: it wants a row in tests/translate/builtin_*.c", row->name);
  ck_assert_int_gt(rows, 500);
}
END_TEST

/* That a reference, limits included, can fail at all. */
START_TEST(another_number_does_not_agree) {
  int rounding;
  const builtin_reference *reference = builtin_reference_find("__funnelshift_l", "jjjj", &rounding);
  builtin_value in[3], seen = { .type = 'j' }, expected = { .type = 'j' };
  for (int i = 0; i < 3; i++) {
    in[i] = (builtin_value){ .type = 'j' };
    builtin_value_set_bits(&in[i], 0x81234567u >> i);
  }
  builtin_reference_call(reference, in, &expected, rounding);
  builtin_value_set_bits(&seen, 42);
  ck_assert(!builtin_value_agrees(&seen, &expected, &reference->of_float));
  ck_assert(builtin_value_agrees(&expected, &expected, &reference->of_float));
  ck_assert_ptr_null(builtin_reference_find("__dp4b", "iiii", &rounding));
  builtin_value near = { .type = 'f', .real = 1.0000012f }, exact = { .type = 'f', .real = 1 };
  ck_assert(!builtin_value_agrees(&near, &exact, &(builtin_limit){ 8, 0 }));
  ck_assert(builtin_value_agrees(&near, &exact, &(builtin_limit){ 12, 0 }));
}
END_TEST

static Suite *builtin_value_suite(void) {
  Suite *suite = suite_create("builtin_value");
  TCase *host = tcase_create("host"), *device = tcase_create("device");
  int tables = 0;
  while (vptr__builtin_tables[tables] != NULL)
    tables++;
  tcase_add_test(host, every_row_has_a_value);
  tcase_add_test(host, another_number_does_not_agree);
  tcase_set_timeout(device, 300);
  tcase_add_test(device, bodies_leave_what_they_should);
  tcase_add_loop_test(device, a_table_computes_what_the_host_does, 0, tables);
  suite_add_tcase(suite, host);
  suite_add_tcase(suite, device);
  return suite;
}

int main(void) {
  return support_run(builtin_value_suite());
}
