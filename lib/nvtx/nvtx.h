/* SPDX-License-Identifier: MIT */
/* nvtx - NVTX's types and prototypes for the files of lib/nvtx. Only export.c has the calls that look for a tool. */
#ifndef VPTR_NVTX_NVTX_H
#define VPTR_NVTX_NVTX_H

#define NVTX_NO_IMPL
#include <vptr/cuda/nvToolsExtCuda.h>
#include <vptr/cuda/nvToolsExtCudaRt.h>

#endif
