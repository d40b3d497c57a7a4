/* SPDX-License-Identifier: MIT */
/*
 * batch - matrices of one shape that lie at strides: those of a batch one by one.
 *
 * No state and no locks.
 */
#ifndef VPTR_CUSPARSE_BATCH_H
#define VPTR_CUSPARSE_BATCH_H

#include "cusparse/call.h"
#include "cusparse/descriptor.h"

/* The i-th of a batch, which is none itself; of a matrix that is no batch, itself. */
struct cusparseSpMatDescr vptr__sparse_matrix_at(const struct cusparseSpMatDescr *batch, int i);
struct cusparseDnMatDescr vptr__sparse_dense_at(const struct cusparseDnMatDescr *batch, int i);

/* A result is a batch of so many; operands are of as many, or one for all. */
void vptr__sparse_require_batches(vptr__sparse_call *call, int of_c, int of_a, int of_b);

#endif
