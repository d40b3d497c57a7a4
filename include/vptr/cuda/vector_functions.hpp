/* SPDX-License-Identifier: MIT */
/* vector_functions.hpp - another name of vector_functions.h, which has the definitions itself. */
#ifndef VPTR_CUDA_VECTOR_FUNCTIONS_HPP
#define VPTR_CUDA_VECTOR_FUNCTIONS_HPP
#define __VECTOR_FUNCTIONS_HPP__

#include "vector_functions.h"

#endif
