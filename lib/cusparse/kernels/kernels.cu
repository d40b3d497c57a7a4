/* SPDX-License-Identifier: MIT */
/*
 * kernels - the kernels of libvptr-cusparse, in CUDA C; vptrcc makes a module of it when the library is built, which the
 * library carries as a text and loads when it is first needed. A name begins with the letter of the type of values.
 */
#include "../tile.h"

#include "arithmetic.cuh"

#include "index.cuh"
#include "pattern.cuh"
#include "narrow.cuh"
#include "union.cuh"
#include "places.cuh"

#define T float
#define R float
#define NAME(name) s_##name
#define ZERO 0.0f
#include "multiply.cuh"
#include "blocks.cuh"
#include "blocked.cuh"
#include "reblock.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "moves.cuh"
#include "triangle.cuh"
#include "incomplete.cuh"
#include "tridiagonal.cuh"
#include "accumulate.cuh"
#include "sum.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO

#define T double
#define R double
#define NAME(name) d_##name
#define ZERO 0.0
#include "multiply.cuh"
#include "blocks.cuh"
#include "blocked.cuh"
#include "reblock.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "moves.cuh"
#include "triangle.cuh"
#include "incomplete.cuh"
#include "tridiagonal.cuh"
#include "accumulate.cuh"
#include "sum.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO

#define T float2
#define R float
#define NAME(name) c_##name
#define ZERO make_float2(0, 0)
#include "multiply.cuh"
#include "blocks.cuh"
#include "blocked.cuh"
#include "reblock.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "moves.cuh"
#include "triangle.cuh"
#include "incomplete.cuh"
#include "tridiagonal.cuh"
#include "accumulate.cuh"
#include "sum.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO

#define T double2
#define R double
#define NAME(name) z_##name
#define ZERO make_double2(0, 0)
#include "multiply.cuh"
#include "blocks.cuh"
#include "blocked.cuh"
#include "reblock.cuh"
#include "vector.cuh"
#include "dense.cuh"
#include "moves.cuh"
#include "triangle.cuh"
#include "incomplete.cuh"
#include "tridiagonal.cuh"
#include "accumulate.cuh"
#include "sum.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO

/* Half and bfloat16, which are moved. */
#define T unsigned short
#define NAME(name) h_##name
#define ZERO 0
#include "moves.cuh"
#undef T
#undef NAME
#undef ZERO
