/* SPDX-License-Identifier: MIT */
/*
 * copy - vptr_memcpy(): bytes between any two of host memory and this mapper's device memory.
 *
 * Both ranges are checked and held before a byte moves, and managed memory, which counts as the device's here, is
 * acquired for the device (transfer/held_copy.h); then it is a line in the mode OWN of the table in strategy.c. Where
 * device memory takes part, the call waits for named queues, and the copy comes behind what blocking streams have to
 * do; it has no order with other streams, and a host function gets NOT_READY. From host to host it waits for nothing.
 *
 * Blocks until done. The file has no data, and no lock of its own: endpoint.h names those that holding takes, and
 * strategy.c those that moving takes. Called by programs; by cudart/module/variable.c, for a variable's first bytes;
 * by cudart/record/reach.c, which reads; by curand/discrete.c and cusparse/triangle.c, for a table; by
 * cudart/replay/condition_step.c, for a condition's word; and by cudart/usm/transfer.c, for all of its copies.
 */
#include <vptr/vptr.h>

#include "base/hot.h"
#include "transfer/strategy.h"

VPTR__HOT vptr_status vptr_memcpy(vptr_mapper *mapper, void *dst, const void *src, size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  vptr__held_copy copy;
  copy.mapper = vptr__mapper_of(mapper, &status);
  if (copy.mapper == NULL)
    return status;
  copy.stream = NULL;
  copy.mode = VPTR__COPY_OWN;
  copy.region[0] = size;
  copy.region[1] = copy.region[2] = 1;
  vptr__operand to = { .what = "vptr_memcpy, destination", .ptr = dst };
  vptr__operand from = { .what = "vptr_memcpy, source", .ptr = (void *)(uintptr_t)src };
  vptr__operand_classify(&to);
  vptr__operand_classify(&from);
  status = vptr__held_copy_begin(&copy, &to, size, &from, size);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__strategy_of(&copy)(&copy);
  vptr__held_copy_end(&copy, status);
  return status;
}
