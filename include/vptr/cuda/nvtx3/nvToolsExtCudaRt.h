/* SPDX-License-Identifier: MIT */
/* nvtx3/nvToolsExtCudaRt - the name under which NVTX 3 is included. */
#ifndef VPTR_CUDA_NVTX3_NVTOOLSEXTCUDART_H
#define VPTR_CUDA_NVTX3_NVTOOLSEXTCUDART_H

#include "../nvToolsExtCudaRt.h"

#endif
