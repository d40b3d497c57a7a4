/* SPDX-License-Identifier: MIT */
/*
 * foreign - see foreign.h.
 *
 * No state, no locks. Called by binary.c when one of its binaries is first used, and by driver/module.c for
 * images. It blocks for as long as a text takes to be read, some milliseconds for each megabyte.
 */
#include "cuda/foreign.h"

#include "base/error.h"
#include "base/memory.h"
#include "nvidia/fat_binary.h"
#include "nvidia/ptx.h"
#include "nvidia/unpack.h"

#include <string.h>

static vptr_status text_of_entry(const vptr__device *device, const vptr__fat_entry *entry, char **text_out) {
  char *bytes;
  size_t size;
  if (!entry->is_ptx)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "the fat binary has machine code for %s and no PTX: compile it with -arch=compute_%u, or "
                       "rebuild it with vptrcc",
                       device->name, entry->arch / 10);
  vptr_status status = vptr__unpack(entry, &bytes, &size);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__ptx_translate(bytes, strnlen(bytes, size), text_out);
  vptr__memory_free(bytes);
  return status;
}

static vptr_status text_of_fat_binary(const vptr__device *device, const void *content, size_t size, char **text_out) {
  vptr__fat_entry entry;
  vptr_status status = vptr__fat_binary_choose(content, size, device->ptx, &entry);
  return status == VPTR_SUCCESS ? text_of_entry(device, &entry, text_out) : status;
}

vptr_status vptr__cuda_foreign_text(const vptr__device *device, const void *content, size_t size, char **text_out) {
  vptr__cuda_content_kind kind = vptr__cuda_content_kind_of(content);
  if (device->ptx == 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s takes no PTX", device->name);
  if (kind == VPTR__CUDA_CONTENT_FAT_BINARY)
    return text_of_fat_binary(device, content, size, text_out);
  if (kind == VPTR__CUDA_CONTENT_PTX)
    return vptr__ptx_translate(content, size == SIZE_MAX ? strlen(content) : strnlen(content, size), text_out);
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "machine code without PTX is for NVIDIA's own driver");
}
