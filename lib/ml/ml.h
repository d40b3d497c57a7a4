/* SPDX-License-Identifier: MIT */
/* ml - NVML's types and prototypes for the files of lib/ml, the older versions of functions with them. */
#ifndef VPTR_ML_ML_H
#define VPTR_ML_ML_H

#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <vptr/cuda/nvml.h>

#endif
