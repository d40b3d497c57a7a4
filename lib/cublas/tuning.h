/* SPDX-License-Identifier: MIT */
/*
 * tuning - parameters of CLBlast's kernel of products for devices that it was not tuned for.
 *
 * With VPTR_TUNE the first large product in float, and in double, on a device tries some sets of them beside CLBlast's
 * own, for half a minute or so, and the quickest is kept on disk (base/binary.h). Without it, what was kept is in force
 * from the first product on.
 */
#ifndef VPTR_CUBLAS_TUNING_H
#define VPTR_CUBLAS_TUNING_H

#include "cublas/call.h"

/* Before a product is asked of CLBlast. Never fails: without a set CLBlast's own are in force. */
void vptr__blas_tuning_begin(const vptr__blas_call *call, double multiplications);

#endif
