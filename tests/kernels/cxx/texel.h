/* SPDX-License-Identifier: MIT */
/*
 * texel - what the programs about textures share: arrays and objects made in a line, and a model on the host of what a
 * texture reads, from the chapter on texture fetching of CUDA's programming guide. It computes in doubles; weights are
 * rounded to 256ths, since a GPU's have 8 bits of fraction.
 */
#ifndef TEXEL_H
#define TEXEL_H

#include "check.h"

#include <math.h>

/* ---- on the device --------------------------------------------------------------------------------------- */

inline cudaArray_t array_of(const cudaChannelFormatDesc &desc, const void *texels, int element, int width, int height,
                            int depth, unsigned int flags = 0) {
  cudaArray_t array;
  CALL(cudaMalloc3DArray(&array, &desc, make_cudaExtent(width, height, depth), flags));
  if (texels == nullptr)
    return array;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void *>(texels), width * element, width, height > 0 ? height : 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height > 0 ? height : 1, depth > 0 ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  return array;
}

template <class T>
cudaArray_t array_of(const T *texels, int width, int height = 0, int depth = 0, unsigned int flags = 0) {
  return array_of(cudaCreateChannelDesc<T>(), texels, (int)sizeof(T), width, height, depth, flags);
}

inline void bring_back(void *texels, cudaArray_t array, int element, int width, int height, int depth) {
  cudaMemcpy3DParms copy = {};
  copy.dstPtr = make_cudaPitchedPtr(texels, width * element, width, height);
  copy.srcArray = array;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&copy));
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

inline cudaTextureObject_t texture_of(const cudaResourceDesc &resource, const cudaTextureDesc &how) {
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

inline cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc &how) {
  return texture_of(resource_of(array), how);
}

inline cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaSurfaceObject_t surface = 0;
  const cudaResourceDesc resource = resource_of(array);
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

inline cudaTextureDesc how_of(cudaTextureAddressMode mode = cudaAddressModeClamp,
                              cudaTextureFilterMode filter = cudaFilterModePoint, bool normalized = false,
                              cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc how = {};
  for (int i = 0; i < 3; i++)
    how.addressMode[i] = mode;
  how.filterMode = filter;
  how.normalizedCoords = normalized;
  how.readMode = read;
  return how;
}

/* ---- the model ------------------------------------------------------------------------------------------- */

/* Along one axis: which two elements (-1: the border), and the weight of the second. */
struct between {
  int at[2];
  double weight;
};

inline int wrapped(int i, int size) { return ((i % size) + size) % size; }

inline int addressed(int i, int size, cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeBorder)
    return i < 0 || i >= size ? -1 : i;
  if (mode == cudaAddressModeWrap)
    return wrapped(i, size);
  if (mode == cudaAddressModeMirror) {
    int turn = wrapped(i, 2 * size);
    return turn < size ? turn : 2 * size - 1 - turn;
  }
  return i < 0 ? 0 : i >= size ? size - 1 : i;
}

inline between between_of(double x, int size, const cudaTextureDesc &how, int axis) {
  cudaTextureAddressMode mode = how.addressMode[axis];
  if (!how.normalizedCoords && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
    mode = cudaAddressModeClamp;
  if (how.normalizedCoords)
    x *= size;
  if (how.filterMode == cudaFilterModePoint) {
    int i = addressed((int)floor(x), size, mode);
    return { { i, i }, 0 };
  }
  double low = floor(x - 0.5);
  return { { addressed((int)low, size, mode), addressed((int)low + 1, size, mode) },
           floor((x - 0.5 - low) * 256 + 0.5) / 256 };
}

/* A texture of one channel, whose elements at(x, y, z) gives as numbers. */
template <class At>
double model(At at, const int *size, int axes, const double *x, const cudaTextureDesc &how, double border = 0) {
  between along[3];
  for (int axis = 0; axis < 3; axis++)
    along[axis] = axis < axes ? between_of(x[axis], size[axis], how, axis) : between{ { 0, 0 }, 0 };
  double sum = 0;
  for (int corner = 0; corner < 8; corner++) {
    double part = 1;
    int i[3];
    for (int axis = 0; axis < 3; axis++) {
      int second = corner >> axis & 1;
      part *= second ? along[axis].weight : 1 - along[axis].weight;
      i[axis] = along[axis].at[second];
    }
    if (part > 0)
      sum += part * (i[0] < 0 || i[1] < 0 || i[2] < 0 ? border : (double)at(i[0], i[1], i[2]));
  }
  return sum;
}

inline bool is_near(double a, double b, double scale = 1) { return fabs(a - b) <= 1e-4 * scale; }

/* What a filter mixed of two axes or more. A GPU rounds the product of their weights, too. */
inline bool is_mixed(double a, double b) {
#ifdef __VPTRCC__
  return is_near(a, b, 100);
#else
  return is_near(a, b, 5000);
#endif
}

#endif
