/* SPDX-License-Identifier: MIT */
/*
 * native - the form of a kernel with states (states.h) for devices that have warps themselves: its threads are the
 * device's, and what they do together is one of the translator's __vptr_warp_...() (types/builtin_warp.c).
 *
 * Both forms are arms of one `if (__vptr_native())`, which is decided where the text is built for a device.
 */
#ifndef KERNELC_NATIVE_H
#define KERNELC_NATIVE_H

#include "writer.h"

/* A place where threads meet, as a statement; false: the call is none, or the form at work is not this one. */
bool kc_native_stop(kc_writer *writer, LLVMValueRef call);

#endif
