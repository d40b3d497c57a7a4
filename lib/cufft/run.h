/* SPDX-License-Identifier: MIT */
/*
 * run - one transform on its way: checked first, then sent to the plan's stream.
 *
 *     a side as VkFFT takes it, in device memory           VkFFT reads or writes it where it lies
 *     elements apart, rows that overlap, transforms that
 *     lie between each other's elements; managed and
 *     pinned memory; what begins at no whole element       a kernel packs the input, or spreads the output
 *     in place, and the sides do not lie alike             the input is packed
 *     one dimension to reals, out of place, of a length
 *     that takes several kernels                           the same: cuFFT leaves such an input as it is
 *     reals of a length that VkFFT has not                 made complex, and taken out of the complex result
 *
 * What it works in comes from the program's work area, or from the device's pool in the stream's order.
 */
#ifndef VPTR_CUFFT_RUN_H
#define VPTR_CUFFT_RUN_H

#include "cufft/plan.h"

/* The plan is held, and has a shape. */
cufftResult vptr__fft_run(const char *call, vptr__fft_plan *plan, void *idata, void *odata, bool is_inverse);

/* Makes the engine that the plan most likely needs, in one direction, out of place, and finds out what it works in. */
cufftResult vptr__fft_run_prepare(const char *call, vptr__fft_plan *plan);

#endif
