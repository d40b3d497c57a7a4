/* SPDX-License-Identifier: MIT */
/* kernel - one kernel, as a function of kernel C. */
#ifndef KERNELC_KERNEL_H
#define KERNELC_KERNEL_H

#include "writer.h"

/* Appends it to writer->out, the structs of its parameters before it; nothing if it is refused. */
void kc_kernel_write(kc_writer *writer, const kc_kernel *kernel);

#endif
