/* SPDX-License-Identifier: MIT */
/*
 * program - VkFFT's kernels, built, and kept on disk as those of modules are (base/binary.h).
 *
 * VkFFT can write what it built into one string and read it again, but takes binaries for text that ends at the first
 * zero, which PoCL's are not. So each kernel is a file of its own, by its text.
 */
#ifndef VPTR_CUFFT_PROGRAM_H
#define VPTR_CUFFT_PROGRAM_H

#include "device/device.h"

/* From disk, or by the driver's compiler, which takes its time. The program is the caller's to release. */
vptr_status vptr__fft_program_build(vptr__device *device, const char *text, size_t length, cl_program *program_out);

#endif
