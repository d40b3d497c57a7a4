/* SPDX-License-Identifier: MIT */
/*
 * status - what cuSPARSE's functions return.
 */
#ifndef VPTR_CUSPARSE_STATUS_H
#define VPTR_CUSPARSE_STATUS_H

#include <vptr/cuda/cusparse.h>
#include <vptr/vptr.h>

/* Of an error that has been said. */
cusparseStatus_t vptr__sparse_status_of(vptr_status status);

/* Says what is wrong with an argument, and returns INVALID_VALUE. */
cusparseStatus_t vptr__sparse_invalid(const char *call, const char *what);

#endif
