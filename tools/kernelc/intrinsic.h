/* SPDX-License-Identifier: MIT */
/* intrinsic - LLVM's own functions, and NVPTX's: tables of what they are in kernel C. */
#ifndef KERNELC_INTRINSIC_H
#define KERNELC_INTRINSIC_H

#include "writer.h"

/* The template for the intrinsic; "" where nothing is to be written; NULL: it is not in the tables. A name in the table
 * that ends with '.' or '*' stands for all that begin so. The width is that of the result, 0 where it is no integer. */
const char *kc_intrinsic(const char *name, unsigned width);

#endif
