/* SPDX-License-Identifier: MIT */
/* warp - shuffles, votes, matches and reductions of a warp: calls of the prelude's functions. */
#ifndef KERNELC_WARP_H
#define KERNELC_WARP_H

#include "writer.h"

/* A statement; false: the intrinsic is none of a warp's. */
bool kc_warp_call(kc_writer *writer, LLVMValueRef call, const char *name);

#endif
