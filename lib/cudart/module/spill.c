/* SPDX-License-Identifier: MIT */
/*
 * spill - parameters that are more than a device takes, in a buffer instead.
 *
 * The block is laid out as in CUDA, its pointers are device addresses. It travels as patterns of fills, which drivers
 * copy when they are queued: so sending waits for nothing, and no memory of the host has to stay. The buffer is freed
 * in the order of its stream behind the kernel. To allocate it may wait, on a full device. It has no data and no locks
 * of its own: the buffer is noted in the launch, a vptr__preparation of the calling thread's, and freed by the pool of
 * its mapper, which takes its lock, of rank POOL. Called by prepare.c, which lays out, and launch.c, which sends and
 * ends; and by child.c, grid.c and room.c, whose memory ends in the same way.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/number.h"
#include "mapper/ledger.h"
#include "module/room.h"
#include "pool/pool.h"

enum { PATTERN = 128 };

vptr_status vptr__spill(vptr__preparation *it) {
  const vptr__kernel *kernel = it->kernel;
  const vptr__image_kernel *image = it->function->image;
  vptr_mapper *mapper = kernel->mapper;
  vptr__managed_use none;
  if (!kernel->program->has_addresses)
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "%s: kernel %s has %u bytes of parameters; %s takes %zu, and more only where it tells addresses",
        it->launch->what, image->name, image->parameter_bytes, mapper->device->name, mapper->device->parameter_bytes);
  void *memory;
  size_t size = vptr__align_up(image->parameter_bytes, PATTERN);
  vptr_status status = vptr__mapper_allocate(mapper, size > 0 ? size : PATTERN, NULL, &memory);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__ledger_own(mapper, memory);
  status =
      vptr__pointer_resolve(kernel->program, VPTR_ACCESS_READ_WRITE, it->launch->what, 0, memory, &it->spill, &none);
  if (status != VPTR_SUCCESS) {
    vptr_free(mapper, memory);
    return status;
  }
  it->spill_memory = memory;
  return VPTR_SUCCESS;
}

vptr_status vptr__spill_send(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr__device *device = mapper->device;
  vptr_location location;
  vptr_status status = vptr__heap_retain(mapper->heap, it->spill_memory, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  for (size_t at = 0; at < it->function->image->parameter_bytes && status == VPTR_SUCCESS; at += PATTERN) {
    cl_event event = NULL;
    status = vptr__stream_expect(stream);
    if (status == VPTR_SUCCESS)
      status = device->ops->transfer.enqueue_fill(device, queue, location.buffer, location.buffer_offset + at,
                                                  PATTERN, it->block + at, PATTERN, &event);
    vptr__stream_note(stream, event);
  }
  device->ops->memory.release(device, location.buffer);
  return status;
}

/* Where nothing can be freed, what uses the memory is waited for, and it is kept. */
void vptr__spill_end(vptr_mapper *mapper, void *memory, vptr__stream *stream) {
  if (vptr__stream_in_host_function()) {
    if (vptr__stream_synchronize(stream) != VPTR_SUCCESS)
      vptr__stream_fail(stream, vptr_last_cl_error()); /* for who asks next */
    vptr__room_give(mapper, memory);
    return;
  }
  vptr__error_try();
  if (vptr__pool_free(mapper, memory, stream, "a kernel's parameters") == VPTR_ERROR_UNKNOWN_ADDRESS)
    vptr_free(mapper, memory);
  vptr__error_tried(VPTR_SUCCESS);
}
