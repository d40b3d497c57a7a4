/* SPDX-License-Identifier: MIT */
/*
 * copy - vptr_memcpy(): bytes between any two of host memory and this mapper's device memory.
 *
 * Both ranges are checked and held before a byte moves, and managed memory, which counts as the device's here, is
 * acquired for the device (transfer/held_copy.h); then it is a line in the mode OWN of the table in strategy.c. Where
 * device memory takes part, the call waits for named queues, and the copy comes behind what blocking streams have to
 * do; it has no order with other streams, and a host function gets NOT_READY. From host to host it waits for nothing
 * but the start of the driver, if it makes the default mapper.
 *
 * Blocks until done. The file has no data, and no lock of its own: to hold both ranges takes the locks that
 * transfer/held_copy.h names; to move them mapper->stream_lock, of rank STREAM, those of bulk.c, and on a full device
 * vptr__heap.lock, of rank HEAP (strategy.c). Called by programs; by fill.c; by cudart/module/group.c, for a variable's
 * first bytes; by checkpoint/restore.c and taker.c, for managed memory; by cudart/record/reach.c, which reads; by
 * curand/discrete.c and cusparse/triangle.c, for a table; by cudart/replay/condition_step.c, for a condition's word;
 * and by cudart/usm/transfer.c, for all of its copies.
 */
#include <vptr/vptr.h>

#include "base/hot.h"
#include "transfer/seam.h"
#include "transfer/strategy.h"

VPTR__HOT static vptr_status copy_line(vptr_mapper *mapper, const vptr__operand *to, const vptr__operand *from,
                                       size_t size) {
  vptr__held_copy copy;
  copy.mapper = mapper;
  copy.stream = NULL;
  copy.mode = VPTR__COPY_OWN;
  copy.region[0] = size;
  copy.region[1] = copy.region[2] = 1;
  vptr_status status = vptr__held_copy_begin(&copy, to, size, from, size);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__strategy_of(&copy)(&copy);
  vptr__held_copy_end(&copy, status);
  return status;
}

static vptr_status copy_piece(void *context, const vptr__operand *to, const vptr__operand *from,
                              const size_t region[3]) {
  return copy_line(context, to, from, region[0]);
}

/* Memory of another mapper has to be refused, and is so as a whole. */
static bool has_seam(const vptr_mapper *mapper, const vptr__operand *operand, size_t size) {
  return operand->owner == mapper && vptr__seam_is_in(operand, size);
}

VPTR__HOT vptr_status vptr_memcpy(vptr_mapper *mapper, void *dst, const void *src, size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    return status;
  vptr__operand to = { .what = "vptr_memcpy, destination", .ptr = dst };
  vptr__operand from = { .what = "vptr_memcpy, source", .ptr = (void *)(uintptr_t)src };
  vptr__operand_classify(&to);
  vptr__operand_classify(&from);
  if (has_seam(mapper, &to, size) || has_seam(mapper, &from, size))
    return vptr__seam_cut(&to, size, &from, size, (size_t[3]){ size, 1, 1 }, copy_piece, mapper);
  return copy_line(mapper, &to, &from, size);
}
