/* SPDX-License-Identifier: MIT */
/*
 * kernels - the kernels of libvptr-cublas, in CUDA C; vptrcc makes a module of it when the library is built, which the
 * library carries as a text and loads when it is first needed. A name begins with the letter of the type, as in BLAS.
 */
#include "arithmetic.cuh"

enum { REDUCERS = 256, LU_THREADS = 64 };

#include "narrow.cuh"
#include "rotation.cuh"

/* What products of one type read and write. */
#define IN T
#define OUT T
#define ACC T
#define SCALAR T
#define ACC_ZERO ZERO
#define READ(value) (value)
#define FETCH(value) (value)
#define WRITE(value) (value)
#define FROM_SCALAR(value) (value)

#define T float
#define R float
#define NAME(name) s_##name
#define ZERO 0.0f
#define ONE 1.0f
#define TANH tanhf
#define FROM_REAL(real) (real)
#include "level1.cuh"
#include "results.cuh"
#include "element.cuh"
#include "level2.cuh"
#include "level3.cuh"
#include "gemm.cuh"
#include "epilogue.cuh"
#include "gradient.cuh"
#include "lu.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef ONE
#undef TANH

#define T double
#define R double
#define NAME(name) d_##name
#define ZERO 0.0
#define ONE 1.0
#define TANH tanh
#include "level1.cuh"
#include "results.cuh"
#include "element.cuh"
#include "level2.cuh"
#include "level3.cuh"
#include "gemm.cuh"
#include "epilogue.cuh"
#include "gradient.cuh"
#include "lu.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef ONE
#undef TANH
#undef FROM_REAL

#define T float2
#define R float
#define NAME(name) c_##name
#define ZERO make_float2(0, 0)
#define ONE make_float2(1, 0)
#define FROM_REAL(real) make_float2(real, 0)
#include "level1.cuh"
#include "element.cuh"
#include "level2.cuh"
#include "level3.cuh"
#include "gemm.cuh"
#include "lu.cuh"
#undef T
#undef R
#undef NAME
#undef ZERO
#undef ONE
#undef FROM_REAL

#define T double2
#define R double
#define NAME(name) z_##name
#define ZERO make_double2(0, 0)
#define ONE make_double2(1, 0)
#define FROM_REAL(real) make_double2(real, 0)
#include "level1.cuh"
#include "element.cuh"
#include "level2.cuh"
#include "level3.cuh"
#include "gemm.cuh"
#include "lu.cuh"
#undef NAME

/* Products whose operands are narrower than what is added up: half and bfloat16 into themselves and into float, bytes
 * into int and into float. */
#undef IN
#undef OUT
#undef ACC
#undef ACC_ZERO
#undef SCALAR
#undef READ
#undef FETCH
#undef WRITE
#undef FROM_SCALAR
#define SCALAR float
#define FROM_SCALAR(value) (value)
#define TANH tanhf
#define ACC float
#define ACC_ZERO 0.0f
#define IN unsigned short
#define OUT unsigned short
#define READ(value) float_of_half(value)
#define FETCH(value) float_of_half(value)
#define WRITE(value) half_of_float(value)
#define NAME(name) half_##name
#include "gemm.cuh"
#include "epilogue.cuh"
#include "gradient.cuh"
#undef NAME

/* cublasHgemm(): the factors are of half precision, too. */
#undef SCALAR
#undef FROM_SCALAR
#define SCALAR unsigned short
#define FROM_SCALAR(value) float_of_half(value)
#define NAME(name) h_##name
#include "gemm.cuh"
#undef NAME
#undef SCALAR
#undef FROM_SCALAR
#define SCALAR float
#define FROM_SCALAR(value) (value)

#undef READ
#undef FETCH
#undef WRITE
#define READ(value) float_of_bfloat16(value)
#define FETCH(value) float_of_bfloat16(value)
#define WRITE(value) bfloat16_of_float(value)
#define NAME(name) bfloat16_##name
#include "gemm.cuh"
#include "epilogue.cuh"
#include "gradient.cuh"
#undef NAME

#undef OUT
#undef FETCH
#undef WRITE
#define OUT float
#define FETCH(value) (value)
#define WRITE(value) (value)
#define NAME(name) bfloat16_float_##name
#include "gemm.cuh"
#include "gradient.cuh"
#undef NAME

#undef READ
#define READ(value) float_of_half(value)
#define NAME(name) half_float_##name
#include "gemm.cuh"
#include "gradient.cuh"
#undef NAME

#undef IN
#undef READ
#define IN signed char
#define READ(value) (float)(value)
#define NAME(name) byte_float_##name
#include "gemm.cuh"
#include "gradient.cuh"
#undef NAME

#undef ACC
#undef ACC_ZERO
#undef OUT
#undef READ
#undef SCALAR
#define SCALAR int
#define ACC int
#define ACC_ZERO 0
#define OUT int
#define READ(value) (int)(value)
#define NAME(name) byte_int_##name
#include "gemm.cuh"
