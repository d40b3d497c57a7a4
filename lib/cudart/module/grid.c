/* SPDX-License-Identifier: MIT */
/*
 * grid - room for the blocks of a grid that wait for each other (kind=grid in image.h).
 *
 *     0   blocks in x, y and z      12  whether the launch is cooperative     16  bytes of dynamic shared memory
 *     20  a word of devices whose threads meet there (tools/kernelc/grid.c), and one that is free
 *     32  bytes of a block          128 the blocks' parts, where one work-item runs all of them (tools/kernelc/grid.h)
 *
 * A part has what the block's threads keep, and its shared memory. A thread's share of the former is its share of the
 * kernel's private arrays, which are made for as many threads as a block may have. The beginning travels as the pattern
 * of a fill, which drivers copy when it is queued. The room is freed in the order of its stream behind the kernel. It
 * has no state and no locks. Called by prepare.c, which allocates, and launch.c, which sends. To allocate it may wait,
 * on a full device.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/number.h"
#include "mapper/ledger.h"

#include <string.h>

enum { HEAD_BYTES = 128, MOST_THREADS = 1024, UNIT = 16 };

typedef struct grid_head {
  uint32_t blocks[3], is_cooperative, dynamic, come, phase, unused;
  uint64_t part;
  unsigned char rest[HEAD_BYTES - 40];
} grid_head;
_Static_assert(sizeof(grid_head) == HEAD_BYTES, "what kernels read");

static uint64_t count_blocks(const vptr__launch *launch) {
  return (uint64_t)launch->blocks[0] * launch->blocks[1] * launch->blocks[2];
}

/* Of one block; 0: blocks run by themselves. */
static uint64_t part_bytes(const vptr__preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  const uint32_t *threads = it->launch->threads;
  if (!it->kernel->runs_threads)
    return 0;
  uint64_t most = image->max_threads > 0 && image->max_threads < MOST_THREADS ? image->max_threads : MOST_THREADS;
  uint64_t each = (image->private_bytes + most - 1) / most;
  return vptr__align_up(each * threads[0] * threads[1] * threads[2] + image->shared + it->launch->shared, UNIT);
}

vptr_status vptr__grid(vptr__preparation *it) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr__managed_use none;
  void *memory;
  if (!it->kernel->program->has_addresses)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "%s: blocks of kernel %s wait for each other, and %s tells no addresses", it->launch->what,
                       it->function->image->name, mapper->device->name);
  vptr_status status =
      vptr__mapper_allocate(mapper, HEAD_BYTES + count_blocks(it->launch) * part_bytes(it), NULL, &memory);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__ledger_own(mapper, memory);
  status = vptr__pointer_resolve(it->kernel->program, it->launch->what, 0, memory, &it->grid, &none);
  if (status != VPTR_SUCCESS) {
    vptr_free(mapper, memory);
    return status;
  }
  it->grid_memory = memory;
  return VPTR_SUCCESS;
}

vptr_status vptr__grid_send(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr__device *device = mapper->device;
  grid_head head = { .is_cooperative = it->launch->is_cooperative, .dynamic = (uint32_t)it->launch->shared };
  vptr_location location;
  cl_event event = NULL;
  memcpy(head.blocks, it->launch->blocks, sizeof head.blocks);
  head.part = part_bytes(it);
  vptr_status status = vptr__heap_retain(mapper->heap, it->grid_memory, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.enqueue_fill(device, queue, location.buffer, location.buffer_offset, HEAD_BYTES,
                                                &head, HEAD_BYTES, &event);
  vptr__stream_note(stream, event);
  device->ops->memory.release(device, location.buffer);
  return status;
}
