/* SPDX-License-Identifier: MIT */
/*
 * kernel - the library's own kernels (lib/cublas/kernels), found and sent.
 *
 * They are one module, whose text the library carries; it is read when the first kernel is wanted, and a kernel is
 * built when it is first sent, as those of programs are, and kept on disk. Where a kernel was found is remembered:
 * functions live as long as the process.
 *
 * The lock is that of library/kernel.h, of rank UNIT, while the module is read.
 */
#ifndef VPTR_CUBLAS_KERNEL_H
#define VPTR_CUBLAS_KERNEL_H

#include "cublas/call.h"

typedef enum vptr__blas_kernel {
  VPTR__BLAS_SCAL,
  VPTR__BLAS_RSCAL,
  VPTR__BLAS_AXPY,
  VPTR__BLAS_COPY,
  VPTR__BLAS_SWAP,
  VPTR__BLAS_ROT,
  VPTR__BLAS_ROTM,
  VPTR__BLAS_ROTG,
  VPTR__BLAS_ROTMG,
  VPTR__BLAS_DOT,
  VPTR__BLAS_SUM,
  VPTR__BLAS_ASUM,
  VPTR__BLAS_NRM2,
  VPTR__BLAS_ROOT,
  VPTR__BLAS_AMAX,
  VPTR__BLAS_PLACE,
  VPTR__BLAS_FACTOR,
  VPTR__BLAS_GEMV_N,
  VPTR__BLAS_GEMV_T,
  VPTR__BLAS_MATVEC,
  VPTR__BLAS_SOLVE,
  VPTR__BLAS_RANK,
  VPTR__BLAS_GEAM,
  VPTR__BLAS_DGMM,
  VPTR__BLAS_EXPAND,
  VPTR__BLAS_PACK,
  VPTR__BLAS_TRSM,
  VPTR__BLAS_TRSM_BATCHED,
  VPTR__BLAS_GEMM,
  VPTR__BLAS_GEMM_BATCHED,
  VPTR__BLAS_GETRF,
  VPTR__BLAS_GETRS,
  VPTR__BLAS_GETRI,
  VPTR__BLAS_MATINV,
  VPTR__BLAS_EPILOGUE,
  VPTR__BLAS_RELU_MASK,
  VPTR__BLAS_GRADIENT,
  VPTR__BLAS_COPY_BATCHED,
  VPTR__BLAS_KERNELS
} vptr__blas_kernel;

/* Which of the kernels of one name: those of the four types, as they are; then products that read and write other types
 * than they add up. */
typedef enum vptr__blas_family {
  VPTR__BLAS_OF_S = VPTR__BLAS_S,
  VPTR__BLAS_OF_D = VPTR__BLAS_D,
  VPTR__BLAS_OF_C = VPTR__BLAS_C,
  VPTR__BLAS_OF_Z = VPTR__BLAS_Z,
  VPTR__BLAS_OF_H,      /* half, factors too */
  VPTR__BLAS_OF_HALF,   /* half, factors are float */
  VPTR__BLAS_OF_HALF_FLOAT,
  VPTR__BLAS_OF_BFLOAT16,
  VPTR__BLAS_OF_BFLOAT16_FLOAT,
  VPTR__BLAS_OF_BYTE_FLOAT,
  VPTR__BLAS_OF_BYTE_INT,
  VPTR__BLAS_FAMILIES
} vptr__blas_family;

typedef struct vptr__blas_shape {
  uint32_t grid[3], block[3];
} vptr__blas_shape;

/* Of `count` elements in a line, one thread; of rows by columns elements; and of one thread. Kernels go on behind the
 * last thread of a grid. */
vptr__blas_shape vptr__blas_line(int64_t count);
vptr__blas_shape vptr__blas_plane(int64_t rows, int64_t columns);
vptr__blas_shape vptr__blas_single(void);

/* The address of each argument. */
#define VPTR__BLAS_ARGUMENTS(...) ((void *[]){ __VA_ARGS__ })

/* Nothing is sent for a call that has failed. */
void vptr__blas_launch_of(vptr__blas_call *call, vptr__blas_family family, vptr__blas_kernel kernel,
                          vptr__blas_shape shape, void *const *arguments);

static inline void vptr__blas_launch(vptr__blas_call *call, vptr__blas_kernel kernel, vptr__blas_shape shape,
                                     void *const *arguments) {
  vptr__blas_launch_of(call, (vptr__blas_family)call->type, kernel, shape, arguments);
}

#endif
