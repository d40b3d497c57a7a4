/* SPDX-License-Identifier: MIT */
/*
 * spill - parameters that are more than a device takes, in a buffer instead.
 *
 * The block is laid out as in CUDA, its pointers are device addresses; it is written before the kernel is sent, and
 * freed in the order of its stream behind it. No state, no locks.
 */
#include "module/state.h"

#include "base/error.h"
#include "stream/pool.h"

vptr_status vptr__spill(const vptr__kernel *kernel, const char *what, const vptr__image_kernel *image,
                        const void *block, void **memory_out, vptr__pointer_meaning *meaning_out) {
  vptr_mapper *mapper = kernel->mapper;
  if (!kernel->program->has_addresses)
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "%s: kernel %s has %u bytes of parameters; %s takes %zu, and more only where it tells addresses", what,
        image->name, image->parameter_bytes, mapper->device->name, mapper->device->parameter_bytes);
  void *memory;
  vptr_status status = vptr__mapper_allocate(mapper, image->parameter_bytes, NULL, &memory);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr_memcpy(mapper, memory, block, image->parameter_bytes);
  if (status == VPTR_SUCCESS)
    status = vptr__pointer_resolve(kernel->program, what, 0, memory, meaning_out);
  if (status != VPTR_SUCCESS) {
    vptr_free(mapper, memory);
    return status;
  }
  *memory_out = memory;
  return VPTR_SUCCESS;
}

void vptr__spill_end(vptr_mapper *mapper, void *memory, vptr__stream *stream) {
  vptr__error_try();
  if (vptr__pool_free(mapper, memory, stream, "a kernel's parameters") == VPTR_ERROR_NOT_OURS)
    vptr_free(mapper, memory);
  vptr__error_tried(VPTR_SUCCESS);
}
