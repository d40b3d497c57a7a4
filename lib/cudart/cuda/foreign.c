/* SPDX-License-Identifier: MIT */
/*
 * foreign - making a module's text of what NVIDIA's compiler made: choosing, unpacking and translating it (foreign.h).
 *
 * lib/cudart/nvidia does each step. No data, no locks. Called by binary.c when one of its binaries is first used, and
 * by loadable.c for images. It blocks for as long as a text takes to be read, some milliseconds for each megabyte.
 */
#include "cuda/foreign.h"

#include "base/error.h"
#include "base/memory.h"
#include "nvidia/cubin.h"
#include "nvidia/fat_binary.h"
#include "nvidia/ptx.h"
#include "nvidia/unpack.h"

#include <string.h>

static vptr_status text_of_ptx(const char *ptx, size_t size, char **text_out, size_t *length_out) {
  vptr_status status = vptr__ptx_translate(ptx, size == SIZE_MAX ? strlen(ptx) : strnlen(ptx, size), text_out);
  if (status == VPTR_SUCCESS)
    *length_out = strlen(*text_out);
  return status;
}

static vptr_status text_of_fat_binary(const vptr__device *device, const void *content, size_t size, char **text_out,
                                      size_t *length_out) {
  vptr__fat_entry entry;
  char *bytes;
  size_t count;
  vptr_status status = vptr__fat_binary_choose(content, size, device->ptx, &entry);
  if (status == VPTR_SUCCESS)
    status = vptr__unpack(&entry, &bytes, &count);
  if (status != VPTR_SUCCESS)
    return status;
  status = entry.is_ptx ? text_of_ptx(bytes, count, text_out, length_out)
                        : vptr__cubin_translate(bytes, count, device->ptx, text_out, length_out);
  vptr__memory_free(bytes);
  return status;
}

vptr_status vptr__cuda_foreign_text(const vptr__device *device, const void *content, size_t size, char **text_out,
                                    size_t *length_out) {
  if (device->ptx == 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s takes no PTX", device->name);
  switch (vptr__cuda_content_kind_of(content)) {
  case VPTR__CUDA_CONTENT_FAT_BINARY:
    return text_of_fat_binary(device, content, size, text_out, length_out);
  case VPTR__CUDA_CONTENT_PTX:
    return text_of_ptx(content, size, text_out, length_out);
  case VPTR__CUDA_CONTENT_CUBIN:
    return vptr__cubin_translate(content, size, device->ptx, text_out, length_out);
  default:
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "this is nothing of NVIDIA's compiler");
  }
}
