/* SPDX-License-Identifier: MIT */
/* cuda_pipeline - see cuda_pipeline_primitives.h; cuda::pipeline is in cuda/pipeline. */
#ifndef VPTR_CUDA_CLANG_PIPELINE_H
#define VPTR_CUDA_CLANG_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
