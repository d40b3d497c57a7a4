/* SPDX-License-Identifier: MIT */
/* memory - how much memory a device has, and how much of it this process holds. */
#ifndef VPTR_ML_MEMORY_H
#define VPTR_ML_MEMORY_H

#include <stddef.h>

#include "ml/ml.h"

/* total and free, as cudaMemGetInfo() tells them. A device that the process has not opened stays so. */
nvmlReturn_t vptr__ml_memory_of(const char *call, int ordinal, size_t *total_out, size_t *free_out);

#endif
