/* SPDX-License-Identifier: MIT */
/* ptx_warp - PTX's shuffles, votes, matches, reductions and barriers, which are intrinsics of NVPTX's. */
#ifndef KERNELC_PTX_WARP_H
#define KERNELC_PTX_WARP_H

#include "ptx_value.h"

/* Each is of the instruction at work, and under no guard: the threads that it would leave out were waited for. */
void kc_ptx_shuffle(kc_ptx_work *work);
void kc_ptx_vote(kc_ptx_work *work);
void kc_ptx_match(kc_ptx_work *work);
void kc_ptx_reduction(kc_ptx_work *work);
void kc_ptx_barrier(kc_ptx_work *work);

#endif
