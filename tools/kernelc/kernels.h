/* SPDX-License-Identifier: MIT */
/* kernels - which functions of the module are kernels, and the passes that bring them into the form that is written. */
#ifndef KERNELC_KERNELS_H
#define KERNELC_KERNELS_H

#include "writer.h"

/* Fills writer->kernels, in the module's order. */
void kc_kernels_find(kc_writer *writer);

/* Inlines all calls into the kernels, finds address spaces, and takes values apart. False: LLVM refused; it has said
 * why. */
bool kc_kernels_prepare(kc_writer *writer);

#endif
