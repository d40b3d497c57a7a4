/* SPDX-License-Identifier: MIT */
/*
 * both_sizes - includes the file VPTR_CUBLAS_CALLS, cuBLAS's functions of a source, for both types of sizes: int, and
 * int64_t, whose functions end in _64. VPTR_CUBLAS_V2() makes the names of functions in a second version.
 */
#ifdef VPTR_CUBLAS_CALLS

#define VPTR_CUBLAS_INT int
#define VPTR_CUBLAS_NAME(name) name
#define VPTR_CUBLAS_V2(name) name##_v2
#include VPTR_CUBLAS_CALLS
#undef VPTR_CUBLAS_INT
#undef VPTR_CUBLAS_NAME
#undef VPTR_CUBLAS_V2

#define VPTR_CUBLAS_INT int64_t
#define VPTR_CUBLAS_NAME(name) name##_64
#define VPTR_CUBLAS_V2(name) name##_v2_64
#include VPTR_CUBLAS_CALLS
#undef VPTR_CUBLAS_INT
#undef VPTR_CUBLAS_NAME
#undef VPTR_CUBLAS_V2
#undef VPTR_CUBLAS_CALLS

#endif
