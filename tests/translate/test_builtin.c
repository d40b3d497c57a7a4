/* SPDX-License-Identifier: MIT */
/*
 * builtin - the table of CUDA's functions and the prelude behind it: the table is well-formed; every row that becomes a
 * plain call can be built by an OpenCL compiler with arguments of exactly its types; what the prelude computes is what
 * C computes, at the edges too.
 */
#include "translate/types/builtin.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/emit/emitter.h"
#include "translate/opencl.h"
#include "translate/source/text.h"

static const char *const letters = "vbcsijlmxyfdzaQT";

/* Behind the type that begins there; NULL: there is none. */
static const char *skip_type(const char *at) {
  while (*at == 'P' || *at == 'C')
    at++;
  return *at != '\0' && strchr(letters, *at) != NULL ? at + 1 : NULL;
}

static const vptr__builtin *row_after(const vptr__builtin *row) {
  return row[1].name != NULL ? row + 1 : NULL;
}

START_TEST(tables_are_sorted_and_names_stand_in_one) {
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++)
    for (const vptr__builtin *row = *table; row->name != NULL; row++) {
      const vptr__builtin *next = row_after(row);
      support_must(next == NULL || strcmp(row->name, next->name) <= 0);
      int count = 0;
      const vptr__builtin *found = vptr__builtin_find(row->name, &count);
      support_must(found != NULL && found <= row && row < found + count);
    }
}
END_TEST

START_TEST(overloads_of_a_name_differ) {
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++)
    for (const vptr__builtin *row = *table; row->name != NULL; row++)
      for (const vptr__builtin *other = row + 1; other->name != NULL && strcmp(other->name, row->name) == 0; other++)
        if (strcmp(skip_type(row->signature), skip_type(other->signature)) == 0)
          ck_abort_msg("%s has two rows that take %s", row->name, row->signature);
}
END_TEST

START_TEST(signatures_are_made_of_types) {
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++)
    for (const vptr__builtin *row = *table; row->name != NULL; row++) {
      const char *at = row->signature;
      while (at != NULL && *at != '\0' && *at != '*')
        at = skip_type(at);
      if (at == NULL || (*at == '*' && at[1] != '\0'))
        ck_abort_msg("%s: signature %s", row->name, row->signature);
    }
}
END_TEST

START_TEST(units_are_pieces_of_the_prelude) {
  const char *text, *needs;
  size_t length, needs_length;
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++)
    for (const vptr__builtin *row = *table; row->name != NULL; row++) {
      if (row->unit == NULL)
        continue;
      if (!vptr__prelude_find(row->unit, &text, &length, &needs, &needs_length))
        ck_abort_msg("%s: no piece %s", row->name, row->unit);
      bool by_space = (row->flags & VPTR__BUILTIN_BY_SPACE) != 0;
      ck_assert_msg((memchr(text, '@', length) != NULL) == by_space, "%s: %s and spaces", row->name, row->unit);
      ck_assert_msg(memmem(text, length, row->lowered, strlen(row->lowered)) != NULL, "%s is not in %s", row->lowered,
                    row->unit);
    }
}
END_TEST

static bool takes_double(const vptr__builtin *row) {
  return strpbrk(row->signature, "da") != NULL;
}

/* The piece, and all that it needs, say nothing of double. */
static void must_be_without_double(const char *name) {
  const char *text, *needs;
  size_t length, needs_length;
  ck_assert_msg(vptr__prelude_find(name, &text, &length, &needs, &needs_length), "no piece %s", name);
  ck_assert_msg(memmem(text, length, "double", 6) == NULL, "%s needs double", name);
  char *names = strndup(needs, needs_length), *rest = NULL;
  for (char *need = strtok_r(names, " ", &rest); need != NULL; need = strtok_r(NULL, " ", &rest))
    must_be_without_double(need);
  free(names);
}

/* There are devices that have none. */
START_TEST(functions_of_float_need_no_double) {
  int count = 0;
  for (const vptr__builtin *row = vptr__builtin_special; row->name != NULL; row++)
    if (!takes_double(row)) {
      must_be_without_double(row->unit);
      count++;
    }
  ck_assert_int_gt(count, 0);
}
END_TEST

START_TEST(what_is_missing_is_said_and_nothing_else) {
  ck_assert_ptr_nonnull(vptr__builtin_missing("__shfl_down_sync"));
  ck_assert_ptr_nonnull(vptr__builtin_missing("malloc"));
  ck_assert_ptr_null(vptr__builtin_missing("my_function"));
  ck_assert_ptr_null(vptr__builtin_missing("mallocate"));
  int count;
  ck_assert_ptr_null(vptr__builtin_find("no_such_function", &count));
  ck_assert_ptr_null(vptr__builtin_find("", &count));
}
END_TEST

/* ---- on a device ------------------------------------------------------------------------------------------ */

static const char *const spaces[] = { "global", "local" };

enum { PIECES_MOST = 1000 };

/* Those that are there, by where their texts begin. */
typedef struct pieces {
  const char *written[PIECES_MOST];
  int count;
} pieces;

static bool is_written(const pieces *pieces, const char *text) {
  for (int i = 0; i < pieces->count; i++)
    if (pieces->written[i] == text)
      return true;
  return false;
}

/* By every space, and behind what it needs. */
static void write_piece(FILE *out, pieces *pieces, const char *name) {
  char needed[64];
  const char *text, *needs;
  size_t length, needs_length;
  int used;
  ck_assert(vptr__prelude_find(name, &text, &length, &needs, &needs_length));
  if (is_written(pieces, text))
    return;
  ck_assert_int_lt(pieces->count, PIECES_MOST);
  pieces->written[pieces->count++] = text;
  for (const char *at = needs; at < needs + needs_length && sscanf(at, " %63[a-z0-9_]%n", needed, &used) == 1;
       at += used)
    if ((size_t)(at + used - needs) <= needs_length)
      write_piece(out, pieces, needed);
  bool by_space = memchr(text, '@', length) != NULL;
  for (int space = 0; space < (by_space ? 2 : 1); space++)
    for (size_t i = 0; i < length; i++)
      if (text[i] == '@')
        fputs(spaces[space], out);
      else
        fputc(text[i], out);
}

/* Every piece of a file (NULL: of all), by every space. */
static void write_prelude(FILE *out, const char *only) {
  pieces pieces = { .count = 0 };
  fputs("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n", out);
  for (const vptr__text *file = vptr__prelude_texts; file->name != NULL; file++)
    for (const char *piece = strstr(file->text, "\n//: "); piece != NULL; piece = strstr(piece + 1, "\n//: ")) {
      char name[64];
      if (only != NULL && strcmp(only, file->name) != 0)
        break;
      ck_assert_int_eq(sscanf(piece, "\n//: %63s", name), 1);
      write_piece(out, &pieces, name);
    }
}

static const char *type_word(char letter) {
  static const char *const words[] = { "vvoid",  "buchar",  "cchar",  "sshort", "iint",   "juint",
                                       "llong",  "mulong",  "xlong",  "yulong", "ffloat", "ddouble",
                                       "zulong", "adouble", "Qint *", "Tint" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == letter)
      return words[i] + 1;
  return "?";
}

/* One call of the row, its arguments parameters of a function of their own. */
static void write_call(FILE *out, const vptr__builtin *row, int number, const char *space) {
  bool by_space = (row->flags & VPTR__BUILTIN_BY_SPACE) != 0;
  bool is_common = (row->flags & VPTR__BUILTIN_COMMON) != 0;
  const char *at = row->signature;
  char result = *at++;
  fprintf(out, "static %s try_%d(", type_word(result), number);
  int count = 0;
  for (; *at != '\0'; at++, count++) {
    bool is_pointer = *at == 'P' || *at == 'C', is_string = *at == 'C';
    at += is_pointer;
    fprintf(out, "%s%s%s %s %sa%d", count > 0 ? ", " : "",
            is_string    ? "__constant "
            : is_pointer ? "__"
                         : "",
            is_pointer && !is_string ? space : "", type_word(*at), is_pointer ? "*" : "", count);
  }
  fprintf(out, "%s) { %s%s%s%s(", count == 0 ? "void" : "", result == 'v' ? "" : "return ", row->lowered,
          by_space ? "_" : "", by_space ? space : "");
  for (int i = 0; i < count; i++)
    fprintf(out, "%s%s%s%sa%d", i > 0 ? ", " : "", is_common ? "(" : "", is_common ? type_word(result) : "",
            is_common ? ")" : "", i);
  fputs("); }\n", out);
}

START_TEST(every_row_builds) {
  char *text = NULL;
  size_t length;
  int number = 0;
  if (!support_has_opencl())
    return;
  FILE *out = open_memstream(&text, &length);
  write_prelude(out, NULL);
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++) {
    if (*table == vptr__builtin_warps) /* for devices that have warps alone */
      fputs("#if VPTR_PTX\n", out);
    for (const vptr__builtin *row = *table; row->name != NULL; row++) {
      if (row->flags & (VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_LOCKED)) /* the latter take one argument more */
        continue;
      write_call(out, row, number++, spaces[0]);
      if (row->flags & (VPTR__BUILTIN_ATOMIC | VPTR__BUILTIN_BY_SPACE))
        write_call(out, row, number++, spaces[1]);
    }
    if (*table == vptr__builtin_warps)
      fputs("#endif\n", out);
  }
  fputs("__kernel void nothing(__global int *out) { out[0] = 1; }\n", out);
  fclose(out);
  opencl_program *program = opencl_build(text, "-cl-std=CL1.2");
  opencl_free(program);
  free(text);
}
END_TEST

/* Runs `body` over pairs of 32-bit values: out[i] = body of x and y. */
static void compute(const char *file, const char *type, const char *result, const char *body, const void *x,
                    const void *y, void *out, size_t count, size_t size, size_t result_size) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  write_prelude(stream, file);
  fprintf(stream,
          "__kernel void k(__global const %s *xs, __global const %s *ys, __global %s *out) {\n"
          "  size_t i = get_global_id(0);\n  %s x = xs[i], y = ys[i];\n  out[i] = %s;\n}\n",
          type, type, result, type, body);
  fclose(stream);
  opencl_program *program = opencl_build(text, "-cl-std=CL1.2");
  void *xs = malloc(count * size), *ys = malloc(count * size); /* buffers are read back */
  memcpy(xs, x, count * size);
  memcpy(ys, y, count * size);
  opencl_argument arguments[] = { { xs, count * size, 0 }, { ys, count * size, 0 }, { out, count * result_size, 0 } };
  opencl_run(program, "k", arguments, 3, count, 1);
  free(xs);
  free(ys);
  opencl_free(program);
  free(text);
}

enum { EDGES = 12 };
static const int32_t edges[EDGES] = { 0,       1,        -1,       2,         INT_MAX,    INT_MIN,
                                      0x12345, 0x800000, 0x7fffff, -0x123456, 0x55aa55aa, 31 };
static int32_t left[EDGES * EDGES], right[EDGES * EDGES];

static void fill_pairs(void) {
  for (int i = 0; i < EDGES * EDGES; i++) {
    left[i] = edges[i / EDGES];
    right[i] = edges[i % EDGES];
  }
}

static uint32_t reversed(uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; i < 32; i++)
    result |= (x >> i & 1u) << (31 - i);
  return result;
}

static int32_t low24(int32_t x) {
  return (int32_t)((uint32_t)x << 8) >> 8;
}

static uint32_t shifted(uint32_t low, uint32_t high, uint32_t shift) {
  return shift == 0 ? high : high << shift | low >> (32 - shift);
}

/* Several results mixed into one number, so that one program tries them all. */
static uint32_t expected_bits(int32_t x, int32_t y) {
  uint32_t a = (uint32_t)x, b = (uint32_t)y, shift = b & 31u;
  uint32_t sum = reversed(a);
  sum = sum * 31 + (uint32_t)ffs(x);
  sum = sum * 31 + (uint32_t)low24(x) * (uint32_t)low24(y);
  sum = sum * 31 + shifted(a, b, shift);
  sum = sum * 31 + (b >= 32u ? a : shifted(a, b, b));
  sum = sum * 31 + (uint32_t)((((uint64_t)b << 32) | a) >> shift);
  sum = sum * 31 + (uint32_t)llabs((long long)x - y) + 7u;
  return sum;
}

START_TEST(bits_are_those_of_c) {
  static uint32_t out[EDGES * EDGES];
  if (!support_has_opencl())
    return;
  fill_pairs();
  compute("integer.cl", "int", "uint",
          "((((((vptr_brev(x) * 31u + (uint)vptr_ffs(x)) * 31u + (uint)vptr_mul24(x, y)) * 31u + "
          "vptr_funnelshift_l(x, y, y)) * 31u + vptr_funnelshift_lc(x, y, y)) * 31u + vptr_funnelshift_r(x, y, y)) * "
          "31u + vptr_sad(x, y, 7u))",
          left, right, out, EDGES * EDGES, 4, 4);
  for (int i = 0; i < EDGES * EDGES; i++)
    ck_assert_msg(out[i] == expected_bits(left[i], right[i]), "%x and %x: %x, not %x", (unsigned)left[i],
                  (unsigned)right[i], out[i], expected_bits(left[i], right[i]));
}
END_TEST

START_TEST(bytes_are_chosen_as_cuda_says) {
  static uint32_t out[4];
  static const uint32_t selectors[4] = { 0x3210, 0x7654, 0x0123, 0xbf8c };
  static const uint32_t expected[4] = { 0x11223384, 0x55667788, 0x84332211, 0x11558488 };
  if (!support_has_opencl())
    return;
  compute("integer.cl", "uint", "uint", "vptr_byte_perm(0x11223384u, 0x55667788u, x)", selectors, selectors, out, 4,
          4, 4);
  for (int i = 0; i < 4; i++)
    ck_assert_uint_eq(out[i], expected[i]);
}
END_TEST

START_TEST(conversions_saturate_and_round) {
  static const float values[8] = { 1.5f, 2.5f, -1.5f, 3e9f, -3e9f, NAN, 1e30f, -0.25f };
  static const int nearest[8] = { 2, 2, -2, INT_MAX, INT_MIN, 0, INT_MAX, 0 };
  static const int down[8] = { 1, 2, -2, INT_MAX, INT_MIN, 0, INT_MAX, -1 };
  int out[8];
  if (!support_has_opencl())
    return;
  compute("convert.cl", "float", "int", "vptr_float_to_int_rn(x)", values, values, out, 8, 4, 4);
  for (int i = 0; i < 8; i++)
    ck_assert_int_eq(out[i], nearest[i]);
  compute("convert.cl", "float", "int", "vptr_float_to_int_rd(x)", values, values, out, 8, 4, 4);
  for (int i = 0; i < 8; i++)
    ck_assert_int_eq(out[i], down[i]);
}
END_TEST

START_TEST(rounding_to_long_is_that_of_c) {
  static const double values[6] = { 0.5, 1.5, -2.5, 1e15 + 0.5, -0.49999999999999994, 4503599627370497.0 };
  long out[6];
  if (!support_has_opencl())
    return;
  compute("math.cl", "double", "long", "vptr_lround_double(x)", values, values, out, 6, 8, 8);
  for (int i = 0; i < 6; i++)
    ck_assert_int_eq(out[i], lround(values[i]));
  compute("math.cl", "double", "long", "vptr_lrint_double(x)", values, values, out, 6, 8, 8);
  for (int i = 0; i < 6; i++)
    ck_assert_int_eq(out[i], lrint(values[i]));
}
END_TEST

START_TEST(functions_of_the_math_library_are_near) {
  static const double values[5] = { 0.125, 1.0, 3.7, 1000.0, 1e-5 };
  double out[5];
  if (!support_has_opencl())
    return;
  compute("math.cl", "double", "double", "vptr_rcbrt_double(x)", values, values, out, 5, 8, 8);
  for (int i = 0; i < 5; i++)
    ck_assert_double_eq_tol(out[i], 1 / cbrt(values[i]), 1e-14 * out[i]);
  compute("math.cl", "double", "double", "vptr_norm3d_double(x, 2 * x, -2 * x)", values, values, out, 5, 8, 8);
  for (int i = 0; i < 5; i++)
    ck_assert_double_eq_tol(out[i], 3 * values[i], 1e-14 * out[i]);
  compute("math.cl", "double", "double", "vptr_scalbln_double(x, 100000L)", values, values, out, 5, 8, 8);
  for (int i = 0; i < 5; i++)
    ck_assert(isinf(out[i]));
}
END_TEST

/* 64 threads on one number: each old value is given once, whatever the type. */
static void write_atomic_kernel(FILE *out, const char *type, const char *space) {
  fprintf(out,
          "__kernel void %s_%s(__global %s *sum, __global int *seen, __local %s *scratch) {\n"
          "  *scratch = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  int old = (int)vptr_atomic_add_%s_%s(%s, 1);\n  atomic_inc(seen + old);\n}\n",
          type, space, type, type, type, space, strcmp(space, "global") == 0 ? "sum" : "scratch");
}

static void run_atomic_kernel(opencl_program *program, const char *type, const char *space) {
  char name[64];
  int seen[64] = { 0 };
  uint64_t sum = 0;
  snprintf(name, sizeof name, "%s_%s", type, space);
  opencl_argument arguments[] = { { &sum, 8, 0 }, { seen, sizeof seen, 0 }, { NULL, 8, 0 } };
  opencl_run(program, name, arguments, 3, 1, 64);
  for (int i = 0; i < 64; i++)
    ck_assert_int_eq(seen[i], 1);
}

START_TEST(atomics_give_back_what_was_there) {
  static const char *const types[] = { "float", "double", "ulong" };
  if (!support_has_opencl())
    return;
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  write_prelude(stream, "atomic.cl");
  for (int type = 0; type < 3; type++)
    for (int space = 0; space < 2; space++)
      write_atomic_kernel(stream, types[type], spaces[space]);
  fclose(stream);
  opencl_program *program = opencl_build(text, "-cl-std=CL1.2");
  for (int type = 0; type < 3; type++)
    for (int space = 0; space < 2; space++)
      run_atomic_kernel(program, types[type], spaces[space]);
  opencl_free(program);
  free(text);
}
END_TEST

START_TEST(inc_and_dec_wrap_at_their_limit) {
  static const uint32_t values[4] = { 0, 5, 6, 7 };
  uint32_t out[4], expected_inc[4] = { 1, 6, 0, 0 }, expected_dec[4] = { 6, 4, 5, 6 };
  if (!support_has_opencl())
    return;
  compute("atomic.cl", "uint", "uint", "(vptr_atomic_inc_uint_global((__global uint *)&xs[i], 6u) * 0u) + xs[i]",
          values, values, out, 4, 4, 4);
  for (int i = 0; i < 4; i++)
    ck_assert_uint_eq(out[i], expected_inc[i]);
  compute("atomic.cl", "uint", "uint", "(vptr_atomic_dec_uint_global((__global uint *)&xs[i], 6u) * 0u) + xs[i]",
          values, values, out, 4, 4, 4);
  for (int i = 0; i < 4; i++)
    ck_assert_uint_eq(out[i], expected_dec[i]);
}
END_TEST

START_TEST(barriers_count) {
  if (!support_has_opencl())
    return;
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  write_prelude(stream, "thread.cl");
  fputs("__kernel void k(__global int *out, __local int *scratch) {\n  int i = get_local_id(0);\n"
        "  int n = vptr_barrier_count(scratch, i % 3 == 0), a = vptr_barrier_and(scratch, i < 64), b = "
        "vptr_barrier_or(scratch, i == 70);\n"
        "  out[i] = n * 100 + a * 10 + b;\n}\n",
        stream);
  fclose(stream);
  int out[64];
  opencl_program *program = opencl_build(text, "-cl-std=CL1.2");
  opencl_argument arguments[] = { { out, sizeof out, 0 }, { NULL, 4, 0 } };
  opencl_run(program, "k", arguments, 2, 1, 64);
  opencl_free(program);
  free(text);
  for (int i = 0; i < 64; i++)
    ck_assert_int_eq(out[i], 2210);
}
END_TEST

static Suite *builtin_suite(void) {
  Suite *suite = suite_create("builtin");
  TCase *table = tcase_create("table"), *device = tcase_create("device");
  tcase_add_test(table, tables_are_sorted_and_names_stand_in_one);
  tcase_add_test(table, overloads_of_a_name_differ);
  tcase_add_test(table, signatures_are_made_of_types);
  tcase_add_test(table, units_are_pieces_of_the_prelude);
  tcase_add_test(table, functions_of_float_need_no_double);
  tcase_add_test(table, what_is_missing_is_said_and_nothing_else);
  tcase_add_test(device, every_row_builds);
  tcase_add_test(device, bits_are_those_of_c);
  tcase_add_test(device, bytes_are_chosen_as_cuda_says);
  tcase_add_test(device, conversions_saturate_and_round);
  tcase_add_test(device, rounding_to_long_is_that_of_c);
  tcase_add_test(device, functions_of_the_math_library_are_near);
  tcase_add_test(device, atomics_give_back_what_was_there);
  tcase_add_test(device, inc_and_dec_wrap_at_their_limit);
  tcase_add_test(device, barriers_count);
  suite_add_tcase(suite, table);
  suite_add_tcase(suite, device);
  return suite;
}

int main(void) {
  return support_run(builtin_suite());
}
