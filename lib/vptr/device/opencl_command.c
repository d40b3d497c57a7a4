/* SPDX-License-Identifier: MIT */
/*
 * opencl_command - queues reads, writes and copies of plain ranges, and barriers, without waiting.
 *
 * OpenCL refuses commands of no bytes. Here they are markers where an event is asked for, and nothing at all where
 * none is: both are complete when what was queued before them is.
 *
 * No data, and no locks of its own: queues are the driver's to guard. A large copy may go by opencl_blit.c, which
 * takes vptr__opencl.lock (opencl.h), of rank DEVICE, and waits for the compiler once, and for a trial that fails
 * (opencl_trial.c). A command retains the buffers that it uses, by OpenCL's own rules. Called through the device's
 * table (opencl.c) by the files of lib/vptr/transfer and lib/vptr/stream, mirror/copy_queue.c, cudart/module/assert.c,
 * child.c, managed.c and print.c, cudart/cuda/lost.c, proxy_apart.c, proxy_copy.c, proxy_event.c, proxy_merge.c,
 * proxy_queue.c, proxy_quiet.c and proxy_transfer.c, and cufft/run.c; and by opencl_rect.c and opencl_fill.c; and by
 * joint_carry.c, joint_move.c and joint_use.c. Nothing else waits.
 */
#include "device/opencl.h"

#include "base/error.h"

vptr_status vptr__opencl_enqueue_nothing(cl_command_queue queue, cl_event *event_out) {
  if (event_out == NULL)
    return VPTR_SUCCESS;
  cl_event event;
  cl_int code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "queueing a command of no bytes");
  *event_out = event;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_enqueue_write(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                       const void *from, size_t size, cl_event *event_out) {
  (void)device;
  if (size == 0)
    return vptr__opencl_enqueue_nothing(queue, event_out);
  cl_int code = clEnqueueWriteBuffer(queue, buffer, CL_FALSE, offset, size, from, 0, NULL, event_out);
  return code == CL_SUCCESS
             ? VPTR_SUCCESS
             : vptr__error_cl(code, "queueing a write of %zu bytes at offset %zu of a buffer", size, offset);
}

vptr_status vptr__opencl_enqueue_read(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                      void *to, size_t size, cl_event *event_out) {
  (void)device;
  if (size == 0)
    return vptr__opencl_enqueue_nothing(queue, event_out);
  cl_int code = clEnqueueReadBuffer(queue, buffer, CL_FALSE, offset, size, to, 0, NULL, event_out);
  return code == CL_SUCCESS
             ? VPTR_SUCCESS
             : vptr__error_cl(code, "queueing a read of %zu bytes at offset %zu of a buffer", size, offset);
}

vptr_status vptr__opencl_enqueue_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset,
                                      cl_mem to, size_t to_offset, size_t size, cl_event *event_out) {
  if (size == 0)
    return vptr__opencl_enqueue_nothing(queue, event_out);
  if (vptr__opencl_blit_copy(device, queue, from, from_offset, to, to_offset, size, event_out))
    return VPTR_SUCCESS;
  cl_int code = clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, 0, NULL, event_out);
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "queueing a copy of %zu bytes from offset %zu to offset %zu", size,
                                             from_offset, to_offset);
}

/* A marker and not a barrier: the queue is in order, so what is behind a marker waits as well, and NVIDIA's driver
 * (580) has no times for the event of a barrier. */
vptr_status vptr__opencl_enqueue_barrier(vptr__device *device, cl_command_queue queue, cl_uint count,
                                         const cl_event *events, cl_event *event_out) {
  (void)device;
  cl_int code = clEnqueueMarkerWithWaitList(queue, count, count > 0 ? events : NULL, event_out);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "queueing a barrier for %u events", count);
}
