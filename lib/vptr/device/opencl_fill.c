/* SPDX-License-Identifier: MIT */
/*
 * opencl_fill - filling buffers with patterns.
 *
 * NVIDIA's driver (580.159, H100) counts a fill's patterns in 32 bits, from the beginning of the buffer. Asked for 4
 * GiB by bytes it does nothing, and reports success; asked for a few bytes at 4 GiB it fills those at 0, and at 2 GiB
 * the kernel that it is strikes a bad address, which takes the whole context along. So fills are cut into pieces, and
 * a piece that ends far from its buffer's beginning (device->quirk.fill_reach) is a fill of a sub-buffer that begins
 * nearby.
 *
 * No data, and no locks of its own: the queue is the driver's to guard. A large fill may go by opencl_blit.c, which
 * takes vptr__opencl.lock (opencl.h), of rank DEVICE, and waits for the compiler once, and for a trial that fails
 * (opencl_trial.c). Called through the device's table (opencl.c) by heap/packing.c, transfer/fill.c and set.c, and
 * cudart/module/spill.c, child.c, grid.c and print.c; and by opencl_buffer.c and proxy_transfer.c; and by joint_move.c.
 * The form without a queue of the caller's waits until it is done.
 */
#include "device/opencl.h"

#include <string.h>

#include "base/error.h"
#include "base/hot.h"

static const size_t PIECE = (size_t)1 << 30; /* a multiple of every pattern */

typedef struct filling {
  const vptr__device *device;
  cl_command_queue queue;
  cl_mem buffer;
  const void *pattern;
  size_t pattern_size;
} filling;

VPTR__HOT static cl_int fill_near(const filling *fill, cl_mem buffer, size_t offset, size_t size,
                                  cl_event *event_out) {
  return clEnqueueFillBuffer(fill->queue, buffer, fill->pattern, fill->pattern_size, offset, size, 0, NULL,
                             event_out);
}

/* The command keeps the sub-buffer. */
static cl_int fill_far(const filling *fill, size_t offset, size_t size, cl_event *event_out) {
  size_t alignment = fill->device->alignment;
  size_t inside = offset % (alignment > fill->pattern_size ? alignment : fill->pattern_size);
  cl_mem part;
  cl_int code = vptr__opencl_part(fill->buffer, offset - inside, inside + size, &part);
  if (code != CL_SUCCESS)
    return code;
  code = fill_near(fill, part, inside, size, event_out);
  clReleaseMemObject(part);
  return code;
}

/* The event is the last piece's. */
VPTR__HOT static cl_int send_fill(const filling *fill, size_t offset, size_t size, cl_event *event_out) {
  cl_int code = CL_SUCCESS;
  for (size_t done = 0; done < size && code == CL_SUCCESS;) {
    size_t piece = size - done < PIECE ? size - done : PIECE, at = offset + done;
    done += piece;
    cl_event *event = done == size ? event_out : NULL;
    code = at + piece <= fill->device->quirk.fill_reach ? fill_near(fill, fill->buffer, at, piece, event)
                                                        : fill_far(fill, at, piece, event);
  }
  return code;
}

cl_int vptr__opencl_set_whole(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t bytes,
                              unsigned char byte, cl_event *event_out) {
  unsigned char pattern[16];
  memset(pattern, byte, sizeof pattern);
  const filling fill = { device, queue, buffer, pattern, bytes % sizeof pattern == 0 ? sizeof pattern : 1 };
  return send_fill(&fill, 0, bytes, event_out);
}

VPTR__HOT vptr_status vptr__opencl_enqueue_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer,
                                                size_t offset, size_t size, const void *pattern, size_t pattern_size,
                                                cl_event *event_out) {
  const filling fill = { device, queue, buffer, pattern, pattern_size };
  if (size == 0)
    return vptr__opencl_enqueue_nothing(queue, event_out);
  if (vptr__opencl_blit_fill(device, queue, buffer, offset, size, pattern, pattern_size, event_out))
    return VPTR_SUCCESS;
  cl_int code = send_fill(&fill, offset, size, event_out);
  return code == CL_SUCCESS
             ? VPTR_SUCCESS
             : vptr__error_cl(code, "queueing a fill of %zu bytes at offset %zu of a buffer", size, offset);
}

VPTR__HOT static vptr_status fill_status(cl_int code, size_t size, size_t offset) {
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "filling %zu bytes at offset %zu of a buffer", size, offset);
}

/* Piece by piece, each waited for by its event and not by clFinish(), as copies are (opencl_transfer.c). */
VPTR__HOT vptr_status vptr__opencl_fill(vptr__device *device, cl_mem buffer, size_t offset, size_t size,
                                        const void *pattern, size_t pattern_size) {
  const filling fill = { device, device->cl_queue, buffer, pattern, pattern_size };
  cl_event whole;
  if (vptr__opencl_blit_fill(device, fill.queue, buffer, offset, size, pattern, pattern_size, &whole))
    return fill_status(vptr__opencl_await(whole), size, offset);
  for (size_t done = 0; done < size;) {
    size_t piece = size - done < PIECE ? size - done : PIECE;
    cl_event event;
    cl_int code = send_fill(&fill, offset + done, piece, &event);
    if (code == CL_SUCCESS)
      code = vptr__opencl_await(event);
    if (code != CL_SUCCESS)
      return fill_status(code, piece, offset + done);
    done += piece;
  }
  return VPTR_SUCCESS;
}
