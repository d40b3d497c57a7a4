/* SPDX-License-Identifier: MIT */
/*
 * library - from nvmlInit() to nvmlShutdown().
 *
 * Both are counted, in an atomic number: a program's parts begin and end NVML each for itself.
 */
#ifndef VPTR_ML_LIBRARY_H
#define VPTR_ML_LIBRARY_H

#include "ml/ml.h"

/* UNINITIALIZED, said in words, if call comes before nvmlInit() or after the last nvmlShutdown(). */
nvmlReturn_t vptr__ml_begun(const char *call);

#endif
