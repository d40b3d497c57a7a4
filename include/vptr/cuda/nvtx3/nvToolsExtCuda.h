/* SPDX-License-Identifier: MIT */
/* nvtx3/nvToolsExtCuda - the name under which NVTX 3 is included. */
#ifndef VPTR_CUDA_NVTX3_NVTOOLSEXTCUDA_H
#define VPTR_CUDA_NVTX3_NVTOOLSEXTCUDA_H

#include "../nvToolsExtCuda.h"

#endif
