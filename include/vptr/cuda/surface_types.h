/* SPDX-License-Identifier: MIT */
/* surface_types - what kernels write elements of arrays through. Values are CUDA's. */
#ifndef VPTR_CUDA_SURFACE_TYPES_H
#define VPTR_CUDA_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__

#include "driver_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

enum cudaSurfaceFormatMode {
  cudaFormatModeForced = 0,
  cudaFormatModeAuto = 1
};

/* A surface reference of CUDA up to 11, `surface<void, 2> image;` at file scope (cuda_surface_types.h). */
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

/* A number that means a surface object; 0 means none. */
typedef vptr_unsigned_long_long cudaSurfaceObject_t;

#endif
