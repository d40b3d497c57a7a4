/* SPDX-License-Identifier: MIT */
/* nvtx3/nvToolsExt - the name under which NVTX 3 is included. */
#ifndef VPTR_CUDA_NVTX3_NVTOOLSEXT_H
#define VPTR_CUDA_NVTX3_NVTOOLSEXT_H

#include "../nvToolsExt.h"

#endif
