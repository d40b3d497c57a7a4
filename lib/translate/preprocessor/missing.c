/* SPDX-License-Identifier: MIT */
/*
 * missing - headers of a CUDA toolkit that are not here, and what to do without each.
 *
 * That a file was not found makes its reader look for the file; what is missing is the thing that it declares. Names
 * that end in a slash or in none stand for all that begin so.
 */
#include <string.h>

#include "translate/preprocessor/state.h"

static const char groups[] =
    "cooperative groups are not supported: use __syncthreads() inside a block, and a further "
    "launch where all blocks have to wait";
static const char narrow[] =
    "kernels in C have no floating-point numbers of 16 bits and less: compile as C++ by clang, or use float";
static const char copies[] = "asynchronous copies and barriers are not supported: load, store, and __syncthreads()";
static const char templates[] = "CUB and Thrust are not supported: they are templates; write the loop as a kernel";
static const char textures[] =
    "textures and surfaces are read where clang compiles the kernels (vptrcc --front-end=auto), without this header";
static const char libraries[] = "vptr has none of CUDA's libraries: use one of the host's, or write the kernel";
static const char graphics[] = "there are no ties to graphics: copy by way of the host";
static const char samples[] = "this is of CUDA's samples, and of no toolkit: name their folder Common with -I";

static const struct absent {
  const char *beginning, *advice;
} absents[] = {
  { "cooperative_groups", groups },
  { "cuda_fp4.", narrow },
  { "cuda_fp6.", narrow },
  { "curand_", "of cuRAND's headers for kernels there is curand_kernel.h, and what it includes" },
  { "mma.h", "tensor cores are not supported: write the product in float" },
  { "cuda_pipeline", copies },
  { "cuda_awbarrier", copies },
  { "cuda/", "libcu++ is not supported: use atomicAdd() and its kin, __threadfence() and __syncthreads()" },
  { "nv/target", "libcu++ is not supported: tell host and device apart by __CUDA_ARCH__" },
  { "cub/", templates },
  { "thrust/", templates },
  { "texture_fetch_functions.", textures },
  { "texture_indirect_functions.", textures },
  { "surface_functions.", textures },
  { "surface_indirect_functions.", textures },
  { "cublas", libraries },
  { "cudnn", libraries },
  { "cufft", libraries },
  { "curand.", libraries },
  { "cusolver", libraries },
  { "cusparse", libraries },
  { "cutensor", libraries },
  { "nccl.", libraries },
  { "npp", libraries },
  { "nvjpeg", libraries },
  { "nvml.", libraries },
  { "cudaEGL", graphics },
  { "cudaGL", graphics },
  { "cudaVDPAU", graphics },
  { "cuda_egl_interop.", graphics },
  { "cuda_gl_interop.", graphics },
  { "cuda_vdpau_interop.", graphics },
  { "helper_cuda", samples },
  { "helper_functions.", samples },
  { "helper_image.", samples },
  { "helper_math.", samples },
  { "helper_string.", samples },
  { "helper_timer.", samples },
};

const char *vptr__preprocessor_advice(const char *header) {
  for (size_t i = 0; i < sizeof absents / sizeof *absents; i++)
    if (strncmp(header, absents[i].beginning, strlen(absents[i].beginning)) == 0)
      return absents[i].advice;
  return NULL;
}
