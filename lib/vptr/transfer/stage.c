/* SPDX-License-Identifier: MIT */
/*
 * stage - making, leaving and dropping blocks of host memory on their way to a device (stage.h).
 *
 * A stage is its caller's until it is dropped, or left to the command that reads it: then the driver's callback frees
 * it. No other data, and no locks: one thread at a time has a stage. Called by strategy.c, which makes and sends
 * stages, and copies rects from host to host; by pack.c, which packs rows and unpacks them; and by the driver, when the
 * command is over. vptr__stage_leave() waits for the command where the driver takes no callback; nothing else does.
 */
#include "transfer/stage.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/completion.h"

void vptr__stage_copy(const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memmove(to->memory.host + z * to->slice + y * to->row, from->memory.host + z * from->slice + y * from->row,
              region[0]);
}

vptr_status vptr__stage_make(const vptr__pitched_endpoint *from, const size_t region[3],
                             vptr__pitched_endpoint *stage_out) {
  size_t bytes = vptr__rect_bytes(region);
  unsigned char *block = vptr__memory_calloc(1, bytes);
  if (block == NULL)
    return vptr__error_host_memory(bytes);
  *stage_out = (vptr__pitched_endpoint){ { .host = block }, region[0], region[0] * region[1], true };
  vptr__stage_copy(stage_out, from, region);
  return VPTR_SUCCESS;
}

void vptr__stage_drop(vptr__pitched_endpoint *stage) {
  vptr__memory_free(stage->memory.host);
}

/* A command that failed has no use for its bytes either; a thread that waits for the stream is told. */
static void CL_CALLBACK free_arrived_bytes(cl_event event, cl_int state, void *context) {
  (void)event, (void)state;
  vptr__memory_free(context);
}

void vptr__stage_leave(vptr__pitched_endpoint *stage, vptr__device *device, cl_event event) {
  if (device->ops->event.notify(device, event, free_arrived_bytes, stage->memory.host) == VPTR_SUCCESS) {
    device->ops->event.release(device, event);
    return;
  }
  vptr__completion_await(device, NULL, event);
  vptr__stage_drop(stage);
}
