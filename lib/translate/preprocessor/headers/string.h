/* SPDX-License-Identifier: MIT */
/* string.h - what kernels have of it (see doc/cuda-language.md) needs no declaration. */
#pragma once
#include <stddef.h>
