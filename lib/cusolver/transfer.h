/* SPDX-License-Identifier: MIT */
/*
 * transfer - copies and zeros that stay on the device, in the order of the handle's stream; nothing waits.
 *
 * Nothing is sent for a call that has failed. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_TRANSFER_H
#define VPTR_CUSOLVER_TRANSFER_H

#include "cusolver/call.h"

/* Rows by columns elements of the call's type, from one place of the device's to another. */
void vptr__solver_copy(vptr__solver_call *call, const void *from, int64_t from_ld, void *to, int64_t to_ld,
                       int64_t rows, int64_t columns);

/* Columns `first` to before `end` of the unit matrix, of `rows` rows; `ones`, on the host, are as many. It waits. */
void vptr__solver_unit(vptr__solver_call *call, const void *ones, void *a, int64_t lda, int64_t rows, int64_t first,
                       int64_t end);

/* So many elements that are 1, on the host, until the call finishes; NULL: noted. */
void *vptr__solver_ones(vptr__solver_call *call, int64_t count);

#endif
