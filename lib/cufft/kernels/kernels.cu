/* SPDX-License-Identifier: MIT */
/*
 * kernels - the kernels of libvptr-cufft, in CUDA C; vptrcc makes a module of them when the library is built, which the
 * library carries as a text and loads when it is first needed. A name begins with s for float, d for double.
 */
#define R float
#define C float2
#define COMPLEX(x, y) make_float2(x, y)
#define NAME(name) s_##name
#include "layout.cuh"
#undef R
#undef C
#undef COMPLEX
#undef NAME

#define R double
#define C double2
#define COMPLEX(x, y) make_double2(x, y)
#define NAME(name) d_##name
#include "layout.cuh"
