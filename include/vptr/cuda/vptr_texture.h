/* SPDX-License-Identifier: MIT */
/*
 * vptr_texture - texture and surface objects as arguments of OpenCL kernels.
 *
 * Kernels in CUDA read texture objects by themselves (doc/kernels.md). For a kernel in OpenCL C an object is an image
 * and a sampler, and the kernel has an argument for each:
 *
 *     kernel void resize(read_only image2d_t image, sampler_t how, global float *out) {
 *       float2 at = (float2)((get_global_id(0) + 0.5f) / get_global_size(0), (get_global_id(1) + 0.5f) /
 *       get_global_size(1)); out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(image, how,
 *       at).x;
 *     }
 *
 *     vptr_cuda_set_texture_arg(kernel, 0, 1, texture);
 *     vptr_set_kernel_arg(NULL, kernel, 2, out);
 *
 *     CUDA                               OpenCL
 *     array 1D, 2D, 3D                   image1d_t, image2d_t, image3d_t
 *     array 1D, 2D layered               image1d_array_t, image2d_array_t
 *     linear memory                      image1d_buffer_t, without a sampler
 *     pitched memory                     image2d_t
 *     float elements, or integers with   read_imagef()
 *       cudaReadModeNormalizedFloat
 *     signed, unsigned integers          read_imagei(), read_imageui()
 *
 * Which image and sampler that is, is settled by the first of these calls for an object. From then on, until the
 * object is destroyed, its array is an image, and launches of CUDA kernels that read textures or surfaces are
 * refused. An object may be destroyed once the kernel that uses it is queued.
 */
#ifndef VPTR_CUDA_TEXTURE_H
#define VPTR_CUDA_TEXTURE_H

#include <vptr/vptr.h>

#include "surface_types.h"
#include "texture_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In place of an index: the kernel has no sampler argument, but one of its own or none. */
#define VPTR_CUDA_NO_SAMPLER ((cl_uint)-1)

/* Sets two arguments of a kernel: the image, and the sampler that the texture's description asks for. Linear memory
 * has no sampler: VPTR_CUDA_NO_SAMPLER. Not thread-safe for one kernel, like clSetKernelArg(). Errors:
 * cudaErrorInvalidValue (no texture object; a sampler of linear memory), cudaErrorNotSupported (no such image or
 * sampler in OpenCL, or another object has the array read its integers otherwise), cudaErrorUnknown (OpenCL refuses).
 * */
VPTR_CUDA_API cudaError_t vptr_cuda_set_texture_arg(cl_kernel kernel, cl_uint image_index, cl_uint sampler_index,
                                                    cudaTextureObject_t texture);

/* Sets one argument, a write_only or read_write image. Errors: as above. */
VPTR_CUDA_API cudaError_t vptr_cuda_set_surface_arg(cl_kernel kernel, cl_uint index, cudaSurfaceObject_t surface);

#ifdef __cplusplus
}
#endif

#endif
