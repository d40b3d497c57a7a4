/* SPDX-License-Identifier: MIT */
/*
 * narrow - copies of operands of 16 bits in floats, and back; see narrow.h.
 *
 * Copies cost memory and a pass over it, and no product has a kernel for each pair of types.
 *
 * No state and no locks. Called by combine.c, multiply.c, product.c and sample.c. Nothing waits.
 */
#include "cusparse/narrow.h"

#include "cusparse/kernel.h"

static void convert(vptr__sparse_call *call, vptr__sparse_kernel kernel, cudaDataType type, const void *from,
                    const void *to, const vptr__sparse_extent *extent) {
  int is_bfloat = type == CUDA_R_16BF;
  vptr__sparse_launch(call, kernel, vptr__sparse_line(extent->n * extent->count),
                      VPTR__SPARSE_ARGUMENTS(&extent->n, &extent->count, &extent->distance, &is_bfloat, &from, &to));
}

void *vptr__sparse_widen(vptr__sparse_call *call, cudaDataType type, const void *from, vptr__sparse_extent extent) {
  if (!vptr__sparse_is_narrow(type) || extent.n * extent.count == 0)
    return vptr__sparse_address(from);
  void *copy = vptr__sparse_work(call, (extent.count - 1) * extent.distance + extent.n, sizeof(float));
  convert(call, VPTR__SPARSE_WIDEN, type, from, copy, &extent);
  return copy;
}

void vptr__sparse_narrow(vptr__sparse_call *call, cudaDataType type, const void *copy, void *to,
                         vptr__sparse_extent extent) {
  if (vptr__sparse_is_narrow(type))
    convert(call, VPTR__SPARSE_NARROW, type, copy, to, &extent);
}
