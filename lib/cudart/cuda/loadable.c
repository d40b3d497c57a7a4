/* SPDX-License-Identifier: MIT */
/*
 * loadable - reading images that programs hand over while they run (loadable.h).
 *
 * No data but constants, no locks. Called by library.c, driver/module.c and driver/link.c. Loading blocks while a file
 * is read and while CUDA text is translated or linked (cuda/jit.h), and touches no device, unless the image is of
 * NVIDIA's compiler, whose reading opens the current device.
 */
#include "cuda/loadable.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/content.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/foreign.h"
#include "cuda/jit.h"
#include "nvidia/fat_binary.h"
#include "nvidia/unpack.h"

static const char mark[] = VPTR__CUDA_MODULE_MARK;

/* As vptrcc writes them (tools/vptrcc/carried.h): one among the first lines, and one behind what is loaded. */
static const char head_line[] = "\n//vptr ", unlinked_line[] = "\n//vptr relocatable\n",
                  unit_line[] = "\n//vptr-unit ";

bool vptr__cuda_loadable_is_ours(const char *image) {
  return strncmp(image, mark, sizeof mark - 1) == 0;
}

bool vptr__cuda_loadable_is_unlinked(const char *image) {
  const char *line = vptr__cuda_loadable_is_ours(image) ? strchr(image, '\n') : NULL;
  for (; line != NULL && strncmp(line, head_line, sizeof head_line - 1) == 0; line = strchr(line + 1, '\n'))
    if (strncmp(line, unlinked_line, sizeof unlinked_line - 1) == 0)
      return true;
  return false;
}

bool vptr__cuda_loadable_has_unit(const char *image) {
  return vptr__cuda_loadable_is_ours(image) && strstr(image, unit_line) != NULL;
}

/* What is no text of ours, by how it begins. */
static cudaError_t refuse_image(vptr__cuda_content_kind kind) {
  if (kind == VPTR__CUDA_CONTENT_FAT_BINARY || kind == VPTR__CUDA_CONTENT_CUBIN) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "the image was built by NVIDIA's compiler for its own devices: build it with "
                                        "vptrcc, or at run time with nvrtcCompileProgram()");
    return cudaErrorNoKernelImageForDevice;
  }
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "the image is PTX of NVIDIA's compiler: give the CUDA text to nvrtcCompileProgram() of libvptr-nvrtc");
  return cudaErrorInvalidPtx;
}

cudaError_t vptr__cuda_loadable_text(const char *image, size_t size, char **text_out, size_t *length_out) {
  vptr_mapper *mapper;
  vptr__cuda_content_kind kind = vptr__cuda_content_kind_of(image);
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (mapper->device->ptx == 0 || !vptr__cuda_content_is_foreign(kind))
    return refuse_image(kind);
  if (kind == VPTR__CUDA_CONTENT_FAT_BINARY && vptr__fat_binary_has_packing(image, size, VPTR__FAT_ZSTD))
    vptr__unpack_open_zstd();
  vptr_status status = vptr__cuda_foreign_text(mapper->device, image, size, text_out, length_out);
  if (status == VPTR_ERROR_UNSUPPORTED)
    return cudaErrorNoKernelImageForDevice;
  if (status == VPTR_ERROR_INVALID_ARGUMENT)
    return kind == VPTR__CUDA_CONTENT_PTX ? cudaErrorInvalidPtx : cudaErrorInvalidKernelImage;
  return vptr__cuda_from_status(status);
}

/* Of a text that is vptr__memory_free()'s, and goes. */
static cudaError_t load_made(char *text, size_t length, vptr__module **module_out) {
  vptr_status status = vptr__module_load(text, length, module_out);
  vptr__memory_free(text);
  return vptr__cuda_from_status(status);
}

/* Of what lacks nothing, that is its module; what lacks something is invalid, as such PTX is to CUDA. */
static cudaError_t load_unlinked(const char *image, vptr__module **module_out) {
  const vptr__nvrtc_input input = { image, strlen(image), ".ptx" };
  char *text, *log;
  cudaError_t error = vptr__cuda_link(&input, 1, &text, &log);
  if (error == cudaSuccess || error == cudaErrorUnknown)
    vptr__memory_free(log);
  if (error == cudaSuccess)
    return load_made(text, strlen(text), module_out);
  return error == cudaErrorUnknown ? cudaErrorInvalidPtx : error;
}

static cudaError_t load_ours(const char *image, vptr__module **module_out) {
  const char *unit = strstr(image, unit_line);
  vptr_status status =
      vptr__module_load(image, unit != NULL ? (size_t)(unit + 1 - image) : strlen(image), module_out);
  return status == VPTR_ERROR_INVALID_ARGUMENT ? cudaErrorInvalidKernelImage : vptr__cuda_from_status(status);
}

cudaError_t vptr__cuda_loadable_load(const char *image, size_t size, vptr__module **module_out) {
  char *text;
  size_t length;
  if (vptr__cuda_content_is_foreign(vptr__cuda_content_kind_of(image))) {
    cudaError_t error = vptr__cuda_loadable_text(image, size, &text, &length);
    return error == cudaSuccess ? load_made(text, length, module_out) : error;
  }
  if (vptr__cuda_loadable_is_unlinked(image))
    return load_unlinked(image, module_out);
  if (vptr__cuda_loadable_is_ours(image))
    return load_ours(image, module_out);
  vptr__cuda_translator_open();
  cudaError_t error = vptr__cuda_translate(image, strlen(image), &text);
  return error == cudaSuccess ? load_made(text, strlen(text), module_out) : error;
}

char *vptr__cuda_loadable_read(const char *path, size_t *size_out) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (file == NULL)
    return NULL;
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
    text = vptr__memory_calloc((size_t)size + 4, 1); /* so that what is looked for at its start may be longer */
  if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
    vptr__memory_free(text);
    text = NULL;
  }
  fclose(file);
  *size_out = text != NULL ? (size_t)size : 0;
  return text;
}
