/* SPDX-License-Identifier: MIT */
/*
 * place - where a product's operands lie, for kernels that take buffers and offsets: CLBlast's, and those for tensor
 * cores.
 *
 * Such kernels count in int, so each operand has to end before element 2^31 of its buffer, and begin at a whole
 * element. Its buffer is leased until the commands are sent, which then hold it.
 */
#ifndef VPTR_CUBLAS_PLACE_H
#define VPTR_CUBLAS_PLACE_H

#include "cublas/product.h"
#include "heap/lease.h"

typedef struct vptr__blas_place {
  cl_mem buffer;
  size_t offset, ld; /* in elements */
  vptr__lease lease;
} vptr__blas_place;

typedef struct vptr__blas_places {
  vptr__blas_place a, b, c;
} vptr__blas_places;

/* Whether the device has buffers that such kernels may be given, and both scalars are known to the host. */
bool vptr__blas_places_can_be(const vptr__blas_call *call, const vptr__blas_product *product);

/* All three, or none and false: an operand is out of reach. */
bool vptr__blas_places_take(const vptr__blas_call *call, const vptr__blas_product *product,
                            vptr__blas_places *places_out);
void vptr__blas_places_give(vptr__blas_places *places);

#endif
