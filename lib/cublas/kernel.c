/* SPDX-License-Identifier: MIT */
/*
 * kernel - the module of the library's own kernels; see kernel.h.
 *
 * The module has its own lock (library/kernel.h). Called by the other files of this folder that send kernels. The first
 * call of a kernel on a device waits for the driver's compiler.
 */
#include "cublas/kernel.h"

#include "cublas/kernel_text.h"
#include "library/captured.h"
#include "library/kernel.h"

#include <stdatomic.h>
#include <stdio.h>

enum { LINE_BLOCK = 256, LINE_MOST = 4096, PLANE_X = 32, PLANE_Y = 8, PLANE_MOST = 65535 };

static const char *const names[] = {
  [VPTR__BLAS_SCAL] = "scal",         [VPTR__BLAS_RSCAL] = "rscal",
  [VPTR__BLAS_AXPY] = "axpy",         [VPTR__BLAS_COPY] = "copy",
  [VPTR__BLAS_SWAP] = "swap",         [VPTR__BLAS_ROT] = "rot",
  [VPTR__BLAS_ROTM] = "rotm",         [VPTR__BLAS_ROTG] = "rotg",
  [VPTR__BLAS_ROTMG] = "rotmg",       [VPTR__BLAS_DOT] = "dot",
  [VPTR__BLAS_SUM] = "sum",           [VPTR__BLAS_ASUM] = "asum",
  [VPTR__BLAS_NRM2] = "nrm2",         [VPTR__BLAS_ROOT] = "root",
  [VPTR__BLAS_AMAX] = "amax",         [VPTR__BLAS_PLACE] = "place",
  [VPTR__BLAS_FACTOR] = "factor_of",  [VPTR__BLAS_GEMV_N] = "gemv_n",
  [VPTR__BLAS_GEMV_T] = "gemv_t",     [VPTR__BLAS_MATVEC] = "matvec",
  [VPTR__BLAS_SOLVE] = "solve",       [VPTR__BLAS_RANK] = "rank",
  [VPTR__BLAS_GEAM] = "geam",         [VPTR__BLAS_DGMM] = "dgmm",
  [VPTR__BLAS_EXPAND] = "expand",     [VPTR__BLAS_PACK] = "pack",
  [VPTR__BLAS_TRSM] = "trsm",         [VPTR__BLAS_TRSM_BATCHED] = "trsm_batched",
  [VPTR__BLAS_GEMM] = "gemm",         [VPTR__BLAS_GEMM_BATCHED] = "gemm_batched",
  [VPTR__BLAS_GETRF] = "getrf",       [VPTR__BLAS_GETRS] = "getrs",
  [VPTR__BLAS_GETRI] = "getri",       [VPTR__BLAS_MATINV] = "matinv",
  [VPTR__BLAS_EPILOGUE] = "epilogue", [VPTR__BLAS_RELU_MASK] = "relu_mask",
  [VPTR__BLAS_GRADIENT] = "gradient", [VPTR__BLAS_COPY_BATCHED] = "copy_batched",
};

static const char *const families[] = {
  [VPTR__BLAS_OF_S] = "s",
  [VPTR__BLAS_OF_D] = "d",
  [VPTR__BLAS_OF_C] = "c",
  [VPTR__BLAS_OF_Z] = "z",
  [VPTR__BLAS_OF_H] = "h",
  [VPTR__BLAS_OF_HALF] = "half",
  [VPTR__BLAS_OF_HALF_FLOAT] = "half_float",
  [VPTR__BLAS_OF_BFLOAT16] = "bfloat16",
  [VPTR__BLAS_OF_BFLOAT16_FLOAT] = "bfloat16_float",
  [VPTR__BLAS_OF_BYTE_FLOAT] = "byte_float",
  [VPTR__BLAS_OF_BYTE_INT] = "byte_int",
};

static vptr__library_kernels kernels = VPTR__LIBRARY_KERNELS("cublas", vptr__blas_kernel_text);
static _Atomic(vptr__function *) functions[VPTR__BLAS_FAMILIES][VPTR__BLAS_KERNELS];

static vptr_status find_function(vptr__blas_family family, vptr__blas_kernel kernel, vptr__function **function_out) {
  char name[64];
  snprintf(name, sizeof name, "%s_%s", families[family], names[kernel]);
  vptr_status status = vptr__library_kernel(&kernels, name, function_out);
  if (status == VPTR_SUCCESS)
    atomic_store_explicit(&functions[family][kernel], *function_out, memory_order_release);
  return status;
}

void vptr__blas_launch_of(vptr__blas_call *call, vptr__blas_family family, vptr__blas_kernel kernel,
                          vptr__blas_shape shape, void *const *arguments) {
  if (call->status != CUBLAS_STATUS_SUCCESS)
    return;
  vptr__function *function = atomic_load_explicit(&functions[family][kernel], memory_order_acquire);
  vptr_status status = function != NULL ? VPTR_SUCCESS : find_function(family, kernel, &function);
  vptr__launch launch = { .what = call->name,
                          .grid = { shape.grid[0], shape.grid[1], shape.grid[2] },
                          .block = { shape.block[0], shape.block[1], shape.block[2] },
                          .arguments = arguments };
  if (status == VPTR_SUCCESS)
    status = call->captures ? vptr__library_capture_launch(function, call->stream, &launch)
                            : vptr__function_launch(function, call->stream, &launch);
  vptr__blas_fail(call, vptr__blas_status_of(status));
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static uint32_t pieces_of(int64_t count, int64_t piece, int64_t most) {
  int64_t pieces = (count - 1) / piece + 1;
  return (uint32_t)(pieces > most ? most : pieces);
}

vptr__blas_shape vptr__blas_line(int64_t count) {
  return (vptr__blas_shape){ { pieces_of(count, LINE_BLOCK, LINE_MOST), 1, 1 }, { LINE_BLOCK, 1, 1 } };
}

vptr__blas_shape vptr__blas_plane(int64_t rows, int64_t columns) {
  return (vptr__blas_shape){ { pieces_of(rows, PLANE_X, PLANE_MOST), pieces_of(columns, PLANE_Y, PLANE_MOST), 1 },
                             { PLANE_X, PLANE_Y, 1 } };
}

vptr__blas_shape vptr__blas_single(void) {
  return (vptr__blas_shape){ { 1, 1, 1 }, { 1, 1, 1 } };
}
