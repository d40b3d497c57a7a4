/* SPDX-License-Identifier: MIT */
/*
 * builtin_special - special functions that OpenCL has not: Bessel functions, the scaled error function, the normal
 * distribution, and inverses. Unlike sin() they have no overload for integers: a call with one is ambiguous, as to
 * nvcc.
 */
#include "translate/types/builtin.h"

#include <stddef.h>

const vptr__builtin vptr__builtin_special[] = {
  { "cyl_bessel_i0", "ff", "vptr_i0_float", "i0_float", 0 },
  { "cyl_bessel_i0", "dd", "vptr_i0_double", "i0_double", 0 },
  { "cyl_bessel_i0f", "ff", "vptr_i0_float", "i0_float", 0 },
  { "cyl_bessel_i1", "ff", "vptr_i1_float", "i1_float", 0 },
  { "cyl_bessel_i1", "dd", "vptr_i1_double", "i1_double", 0 },
  { "cyl_bessel_i1f", "ff", "vptr_i1_float", "i1_float", 0 },
  { "erfcinv", "ff", "vptr_erfcinv_float", "erfcinv_float", 0 },
  { "erfcinv", "dd", "vptr_erfcinv_double", "erfcinv_double", 0 },
  { "erfcinvf", "ff", "vptr_erfcinv_float", "erfcinv_float", 0 },
  { "erfcx", "ff", "vptr_erfcx_float", "erfcx_float", 0 },
  { "erfcx", "dd", "vptr_erfcx_double", "erfcx_double", 0 },
  { "erfcxf", "ff", "vptr_erfcx_float", "erfcx_float", 0 },
  { "erfinv", "ff", "vptr_erfinv_float", "erfinv_float", 0 },
  { "erfinv", "dd", "vptr_erfinv_double", "erfinv_double", 0 },
  { "erfinvf", "ff", "vptr_erfinv_float", "erfinv_float", 0 },
  { "j0", "ff", "vptr_j0_float", "j0_float", 0 },
  { "j0", "dd", "vptr_j0_double", "j0_double", 0 },
  { "j0f", "ff", "vptr_j0_float", "j0_float", 0 },
  { "j1", "ff", "vptr_j1_float", "j1_float", 0 },
  { "j1", "dd", "vptr_j1_double", "j1_double", 0 },
  { "j1f", "ff", "vptr_j1_float", "j1_float", 0 },
  { "jn", "fif", "vptr_jn_float", "jn_float", 0 },
  { "jn", "did", "vptr_jn_double", "jn_double", 0 },
  { "jnf", "fif", "vptr_jn_float", "jn_float", 0 },
  { "normcdf", "ff", "vptr_normcdf_float", "normcdf_float", 0 },
  { "normcdf", "dd", "vptr_normcdf_double", "normcdf_double", 0 },
  { "normcdff", "ff", "vptr_normcdf_float", "normcdf_float", 0 },
  { "normcdfinv", "ff", "vptr_normcdfinv_float", "normcdfinv_float", 0 },
  { "normcdfinv", "dd", "vptr_normcdfinv_double", "normcdfinv_double", 0 },
  { "normcdfinvf", "ff", "vptr_normcdfinv_float", "normcdfinv_float", 0 },
  { "y0", "ff", "vptr_y0_float", "y0_float", 0 },
  { "y0", "dd", "vptr_y0_double", "y0_double", 0 },
  { "y0f", "ff", "vptr_y0_float", "y0_float", 0 },
  { "y1", "ff", "vptr_y1_float", "y1_float", 0 },
  { "y1", "dd", "vptr_y1_double", "y1_double", 0 },
  { "y1f", "ff", "vptr_y1_float", "y1_float", 0 },
  { "yn", "fif", "vptr_yn_float", "yn_float", 0 },
  { "yn", "did", "vptr_yn_double", "yn_double", 0 },
  { "ynf", "fif", "vptr_yn_float", "yn_float", 0 },
  { NULL, NULL, NULL, NULL, 0 },
};
