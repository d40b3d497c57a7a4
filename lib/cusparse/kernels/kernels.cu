/* SPDX-License-Identifier: MIT */
/*
 * kernels - the kernels of libvptr-cusparse, in CUDA C; vptrcc makes a module of it when the library is built, which the
 * library carries as a text and loads when it is first needed. A name begins with the letter of the type of values.
 */
#include "../tile.h"

#include "arithmetic.cuh"

#include "index.cuh"

#define T float
#define R float
#define NAME(name) s_##name
#define ZERO 0.0f
#define FROM_REAL(real) (real)
#include "multiply.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "triangle.cuh"
#include "square.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef FROM_REAL

#define T double
#define R double
#define NAME(name) d_##name
#define ZERO 0.0
#define FROM_REAL(real) (real)
#include "multiply.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "triangle.cuh"
#include "square.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef FROM_REAL

#define T float2
#define R float
#define NAME(name) c_##name
#define ZERO make_float2(0, 0)
#define FROM_REAL(real) make_float2(real, 0)
#include "multiply.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "triangle.cuh"
#include "square.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef FROM_REAL

#define T double2
#define R double
#define NAME(name) z_##name
#define ZERO make_double2(0, 0)
#define FROM_REAL(real) make_double2(real, 0)
#include "multiply.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "triangle.cuh"
#include "square.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef FROM_REAL
