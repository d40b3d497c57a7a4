/* SPDX-License-Identifier: MIT */
/*
 * builtin_rounded - arithmetic rounded down (_rd), up (_ru) and to zero (_rz). OpenCL C has none of it: all of it is
 * written out, in integers (emit/prelude/rounded.cl). The forms rounded to nearest are in builtin_math.c.
 */
#include "translate/types/builtin.h"

#include <stddef.h>

const vptr__builtin vptr__builtin_rounded[] = {
  { "__dadd_rd", "ddd", "vptr_add_double_rd", "add_double_to", 0 },
  { "__dadd_ru", "ddd", "vptr_add_double_ru", "add_double_to", 0 },
  { "__dadd_rz", "ddd", "vptr_add_double_rz", "add_double_to", 0 },
  { "__ddiv_rd", "ddd", "vptr_divide_double_rd", "divide_double_to", 0 },
  { "__ddiv_ru", "ddd", "vptr_divide_double_ru", "divide_double_to", 0 },
  { "__ddiv_rz", "ddd", "vptr_divide_double_rz", "divide_double_to", 0 },
  { "__dmul_rd", "ddd", "vptr_mul_double_rd", "mul_double_to", 0 },
  { "__dmul_ru", "ddd", "vptr_mul_double_ru", "mul_double_to", 0 },
  { "__dmul_rz", "ddd", "vptr_mul_double_rz", "mul_double_to", 0 },
  { "__drcp_rd", "dd", "vptr_reciprocal_double_rd", "reciprocal_double_to", 0 },
  { "__drcp_ru", "dd", "vptr_reciprocal_double_ru", "reciprocal_double_to", 0 },
  { "__drcp_rz", "dd", "vptr_reciprocal_double_rz", "reciprocal_double_to", 0 },
  { "__dsqrt_rd", "dd", "vptr_sqrt_double_rd", "sqrt_double_to", 0 },
  { "__dsqrt_ru", "dd", "vptr_sqrt_double_ru", "sqrt_double_to", 0 },
  { "__dsqrt_rz", "dd", "vptr_sqrt_double_rz", "sqrt_double_to", 0 },
  { "__dsub_rd", "ddd", "vptr_sub_double_rd", "sub_double_to", 0 },
  { "__dsub_ru", "ddd", "vptr_sub_double_ru", "sub_double_to", 0 },
  { "__dsub_rz", "ddd", "vptr_sub_double_rz", "sub_double_to", 0 },
  { "__fadd_rd", "fff", "vptr_add_float_rd", "add_float_to", 0 },
  { "__fadd_ru", "fff", "vptr_add_float_ru", "add_float_to", 0 },
  { "__fadd_rz", "fff", "vptr_add_float_rz", "add_float_to", 0 },
  { "__fdiv_rd", "fff", "vptr_divide_float_rd", "divide_float_to", 0 },
  { "__fdiv_ru", "fff", "vptr_divide_float_ru", "divide_float_to", 0 },
  { "__fdiv_rz", "fff", "vptr_divide_float_rz", "divide_float_to", 0 },
  { "__fma_rd", "dddd", "vptr_fma_double_rd", "fma_double_to", 0 },
  { "__fma_ru", "dddd", "vptr_fma_double_ru", "fma_double_to", 0 },
  { "__fma_rz", "dddd", "vptr_fma_double_rz", "fma_double_to", 0 },
  { "__fmaf_ieee_rd", "ffff", "vptr_fma_float_rd", "fma_float_to", 0 },
  { "__fmaf_ieee_ru", "ffff", "vptr_fma_float_ru", "fma_float_to", 0 },
  { "__fmaf_ieee_rz", "ffff", "vptr_fma_float_rz", "fma_float_to", 0 },
  { "__fmaf_rd", "ffff", "vptr_fma_float_rd", "fma_float_to", 0 },
  { "__fmaf_ru", "ffff", "vptr_fma_float_ru", "fma_float_to", 0 },
  { "__fmaf_rz", "ffff", "vptr_fma_float_rz", "fma_float_to", 0 },
  { "__fmul_rd", "fff", "vptr_mul_float_rd", "mul_float_to", 0 },
  { "__fmul_ru", "fff", "vptr_mul_float_ru", "mul_float_to", 0 },
  { "__fmul_rz", "fff", "vptr_mul_float_rz", "mul_float_to", 0 },
  { "__frcp_rd", "ff", "vptr_reciprocal_float_rd", "reciprocal_float_to", 0 },
  { "__frcp_ru", "ff", "vptr_reciprocal_float_ru", "reciprocal_float_to", 0 },
  { "__frcp_rz", "ff", "vptr_reciprocal_float_rz", "reciprocal_float_to", 0 },
  { "__fsqrt_rd", "ff", "vptr_sqrt_float_rd", "sqrt_float_to", 0 },
  { "__fsqrt_ru", "ff", "vptr_sqrt_float_ru", "sqrt_float_to", 0 },
  { "__fsqrt_rz", "ff", "vptr_sqrt_float_rz", "sqrt_float_to", 0 },
  { "__fsub_rd", "fff", "vptr_sub_float_rd", "sub_float_to", 0 },
  { "__fsub_ru", "fff", "vptr_sub_float_ru", "sub_float_to", 0 },
  { "__fsub_rz", "fff", "vptr_sub_float_rz", "sub_float_to", 0 },
  { NULL, NULL, NULL, NULL, 0 },
};
