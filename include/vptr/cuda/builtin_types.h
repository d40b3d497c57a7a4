/* SPDX-License-Identifier: MIT */
/* builtin_types - every type of the CUDA runtime, no function: for headers that only pass them on. */
#ifndef VPTR_CUDA_BUILTIN_TYPES_H
#define VPTR_CUDA_BUILTIN_TYPES_H

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
