/* SPDX-License-Identifier: MIT */
/* entry_reference - rows of the runtime: texture and surface references, which CUDA had up to version 11. */
#include "entry.h"

#include <vptr_kernel.h>

enum { WIDTH = 8, HEIGHT = 4 };

static struct textureReference image;
static struct surfaceReference sheet;
static struct cudaChannelFormatDesc bytes;
static cudaArray_t array;

static void bound(void) {
  static struct textureReference stranger;
  const struct textureReference *found = NULL;
  size_t offset = 9;
  void *p = NULL;
  NEED(cudaMalloc(&p, BYTES) == cudaSuccess);
  ENTRY(cudaGetTextureReference, (&found, &image), cudaSuccess, found == &image, (&found, &stranger),
        cudaErrorInvalidTexture);
  ENTRY(cudaBindTexture, (&offset, &image, p, &bytes, BYTES), cudaSuccess, offset == 0,
        (&offset, &stranger, p, &bytes, BYTES), cudaErrorInvalidTexture);
  offset = 9;
  ENTRY(cudaBindTexture2D, (&offset, &image, p, &bytes, WIDTH, HEIGHT, 32), cudaSuccess, offset == 0,
        (&offset, &image, p, &bytes, WIDTH, HEIGHT, 1), cudaErrorInvalidValue);
  ENTRY(cudaBindTextureToArray, (&image, array, &bytes), cudaSuccess, 1, (&image, array, NULL),
        cudaErrorInvalidValue);
  offset = 9;
  ENTRY(cudaGetTextureAlignmentOffset, (&offset, &image), cudaSuccess, offset == 0, (&offset, &stranger),
        cudaErrorInvalidTexture);
  ENTRY(cudaUnbindTexture, (&image), cudaSuccess,
        cudaGetTextureAlignmentOffset(&offset, &image) == cudaErrorInvalidTextureBinding, (&stranger),
        cudaErrorInvalidTexture);
  ENTRY_HOLDS(cudaBindTextureToMipmappedArray,
              cudaBindTextureToMipmappedArray(&image, NULL, &bytes) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  NEED(cudaFree(p) == cudaSuccess);
}

static void bound_surface(void) {
  const struct surfaceReference *found = NULL;
  ENTRY(cudaGetSurfaceReference, (&found, &sheet), cudaSuccess, found == &sheet, (&found, &image),
        cudaErrorInvalidSurface);
  ENTRY(cudaBindSurfaceToArray, (&sheet, array, &bytes), cudaSuccess, 1, (&sheet, array, NULL),
        cudaErrorInvalidValue);
}

void entry_runtime_references(void) {
  static const vptr_cuda_variable variables[] = { { &image, "image", 8, VPTR_CUDA_VARIABLE_TEXTURE },
                                                  { &sheet, "sheet", 8, VPTR_CUDA_VARIABLE_SURFACE } };
  vptr_cuda_module module;
  void *handle = NULL;
  memset(&module, 0, sizeof module);
  module.struct_size = sizeof module;
  module.text = entry_image(&module.length);
  module.length = strlen(module.text);
  module.variables = variables;
  module.variable_count = 2;
  bytes = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  NEED(vptr_cuda_register_module(&module, &handle) == cudaSuccess);
  NEED(cudaMallocArray(&array, &bytes, WIDTH, HEIGHT, cudaArraySurfaceLoadStore) == cudaSuccess);
  bound();
  bound_surface();
  NEED(cudaFreeArray(array) == cudaSuccess);
  NEED(vptr_cuda_unregister_module(handle) == cudaSuccess);
}
