/* SPDX-License-Identifier: MIT */
/*
 * half - cuda_fp16.h's conversions: all 65,536 numbers, and the floats around each and around the middle to the next,
 * against distances in double and, where the compiler has it, _Float16.
 */
#include <math.h>
#include <string.h>

#include "support/support.h"
#include <cuda_fp16.h>

enum { INFINITE = 0x7c00 };

/* By the definition, from its parts. */
static double value_of(unsigned half) {
  int exponent = (int)(half >> 10 & 0x1f), fraction = (int)(half & 0x3ff);
  double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
  return half & 0x8000 ? -value : value;
}

static float float_of(unsigned bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#ifdef __FLT16_MANT_DIG__
static unsigned compilers(float value) {
  __extension__ typedef _Float16 narrow;
  narrow half = (narrow)value;
  unsigned short bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}
#else
static unsigned compilers(float value) {
  return vptr_cuda_half_of(value);
}
#endif

/* low is the finite half at or next below x in magnitude. Beyond the largest, the next would be 65536. */
static unsigned nearest(unsigned low, double x) {
  double below = fabs(x) - fabs(value_of(low));
  double above = fabs(value_of(low + 1)) - fabs(x);
  return below < above || (below == above && low % 2 == 0) ? low : low + 1;
}

static void check_float(unsigned low, float x) {
  unsigned half = vptr_cuda_half_of(x);
  ck_assert_msg(half == nearest(low, x), "%a is 0x%04x, not 0x%04x", x, half, nearest(low, x));
  ck_assert_msg(half == compilers(x), "%a is 0x%04x, the compiler's is 0x%04x", x, half, compilers(x));
}

START_TEST(all_halves_are_the_floats_that_they_say) {
  for (unsigned half = 0; half < 65536; half++) {
    float value = vptr_cuda_half_to((unsigned short)half);
    if ((half & 0x7fff) > INFINITE) {
      ck_assert_msg(isnan(value) && vptr_cuda_half_of(value) == 0x7fff, "0x%04x", half);
      continue;
    }
    if ((half & 0x7fff) == INFINITE)
      ck_assert(isinf(value));
    else
      ck_assert_msg((double)value == value_of(half), "0x%04x is %a", half, value);
    ck_assert_msg(!!signbit(value) == (int)(half >> 15), "0x%04x has a sign of its own", half);
    ck_assert_msg(vptr_cuda_half_of(value) == half, "0x%04x comes back as 0x%04x", half, vptr_cuda_half_of(value));
    ck_assert_uint_eq(compilers(value), half);
  }
}
END_TEST

START_TEST(floats_go_to_the_nearest_half_and_in_the_middle_to_the_even_one) {
  for (unsigned half = 0; half < 65536; half++) {
    if ((half & 0x7fff) >= INFINITE)
      continue;
    float own = (float)value_of(half), next = (float)value_of(half + 1), middle = (own + next) / 2;
    check_float(half, own);
    check_float(half, nextafterf(own, next));
    check_float(half, nextafterf(middle, own));
    check_float(half, middle);
    check_float(half, nextafterf(middle, next));
    check_float(half, nextafterf(next, own));
  }
}
END_TEST

START_TEST(what_is_too_large_or_too_small_keeps_its_sign) {
  static const float large[] = { 65536.0f, 1e10f, 3.4e38f, INFINITY };
  static const float small[] = { 1e-8f, 1e-30f, 1e-45f, 0.0f };
  for (int i = 0; i < 4; i++) {
    ck_assert_uint_eq(vptr_cuda_half_of(large[i]), INFINITE);
    ck_assert_uint_eq(vptr_cuda_half_of(-large[i]), 0x8000 | INFINITE);
    ck_assert_uint_eq(vptr_cuda_half_of(small[i]), 0);
    ck_assert_uint_eq(vptr_cuda_half_of(-small[i]), 0x8000);
  }
  for (unsigned bits = 0x7f800001; bits < 0x80000000; bits += 0x1357)
    ck_assert(vptr_cuda_half_of(float_of(bits)) == 0x7fff && vptr_cuda_half_of(float_of(bits | 1u << 31)) == 0x7fff);
}
END_TEST

static Suite *half_suite(void) {
  Suite *suite = suite_create("half");
  TCase *tests = tcase_create("half");
  tcase_add_test(tests, all_halves_are_the_floats_that_they_say);
  tcase_add_test(tests, floats_go_to_the_nearest_half_and_in_the_middle_to_the_even_one);
  tcase_add_test(tests, what_is_too_large_or_too_small_keeps_its_sign);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(half_suite());
}
