/* SPDX-License-Identifier: MIT */
/*
 * frame - how much private memory a thread takes: drivers for CPUs have it on the stack of the thread that runs a
 * block, once for each thread of the block, and nobody tells a kernel that is larger than that.
 *
 * Such drivers put all functions into the kernel, each call anew, and its arrays with it. So the arrays of a function
 * and of all its calls are added up. Those below VPTR__FRAME_LEAST bytes, which may be in registers, are not counted,
 * nor are constants.
 */
#ifndef VPTR_TRANSLATE_LOWER_FRAME_H
#define VPTR_TRANSLATE_LOWER_FRAME_H

#include "translate/infer/infer.h"

enum { VPTR__FRAME_LEAST = 256 };

/* Sets private_bytes of all instances. */
void vptr__frame_measure(vptr__inference *inference);

#endif
