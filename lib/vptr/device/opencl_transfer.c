/* SPDX-License-Identifier: MIT */
/*
 * opencl_transfer - reads, writes, copies and mappings that block until they are done.
 *
 * Reading, writing and mapping block in the driver. Copies have no blocking form: they are waited for by their event
 * and not by clFinish(), since only the event tells the error of this command and no other, and since other threads
 * may go on filling the queue. A size of 0, which OpenCL refuses, is nothing to do.
 *
 * No data, and no locks of its own: the queue is the driver's to guard. A large copy may go by opencl_blit.c, which
 * takes vptr__opencl.lock (opencl.h), of rank DEVICE, and waits for the compiler once. Called through the device's
 * table (opencl.c) by the files of lib/vptr/transfer, by heap/packing.c and residence_move.c, by proxy_buffer.c,
 * proxy_plan.c, proxy_rescue.c and proxy_transfer.c, by checkpoint/restore.c and taker.c, and by
 * cudart/cuda/array_content.c; everything here blocks until it is done.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/hot.h"

VPTR__HOT vptr_status vptr__opencl_write(vptr__device *device, cl_mem buffer, size_t offset, const void *from,
                                         size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  cl_int code = clEnqueueWriteBuffer(device->cl_queue, buffer, CL_TRUE, offset, size, from, 0, NULL, NULL);
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "writing %zu bytes at offset %zu of a buffer", size, offset);
}

VPTR__HOT vptr_status vptr__opencl_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  cl_int code = clEnqueueReadBuffer(device->cl_queue, buffer, CL_TRUE, offset, size, to, 0, NULL, NULL);
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "reading %zu bytes at offset %zu of a buffer", size, offset);
}

vptr_status vptr__opencl_copy(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                              size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  cl_command_queue queue = device->cl_queue;
  cl_event event;
  cl_int code = CL_SUCCESS;
  if (!vptr__opencl_blit_copy(device, queue, from, from_offset, to, to_offset, size, &event))
    code = clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, 0, NULL, &event);
  if (code == CL_SUCCESS)
    code = vptr__opencl_await(event);
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "copying %zu bytes from offset %zu to offset %zu of buffers", size,
                                             from_offset, to_offset);
}

/* OpenCL allows invalidation with writing alone. A host that reads back what it wrote itself is served all the
 * same, as the memory is the device's own. */
static cl_map_flags map_flags(vptr_access access) {
  switch (access) {
  case VPTR_ACCESS_READ:
    return CL_MAP_READ;
  case VPTR_ACCESS_WRITE:
    return CL_MAP_WRITE;
  case VPTR_ACCESS_DISCARD_WRITE:
  case VPTR_ACCESS_DISCARD_READ_WRITE:
    return CL_MAP_WRITE_INVALIDATE_REGION;
  case VPTR_ACCESS_READ_WRITE:
    break;
  }
  return CL_MAP_READ | CL_MAP_WRITE;
}

vptr_status vptr__opencl_map(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                             void **host_out) {
  if (!device->host_unified)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s has memory of its own: map by copies", device->name);
  cl_int code;
  void *host =
      clEnqueueMapBuffer(device->cl_queue, buffer, CL_TRUE, map_flags(access), offset, size, 0, NULL, NULL, &code);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "mapping %zu bytes at offset %zu of a buffer", size, offset);
  *host_out = host;
  return VPTR_SUCCESS;
}

/* Once the command is queued the mapping is as good as gone and cannot be unmapped again, so a wait that fails is
 * not the end: the queue is waited for instead. */
vptr_status vptr__opencl_unmap(vptr__device *device, cl_mem buffer, void *host) {
  cl_event event;
  cl_int code = clEnqueueUnmapMemObject(device->cl_queue, buffer, host, 0, NULL, &event);
  if (code == CL_SUCCESS && vptr__opencl_await(event) != CL_SUCCESS)
    code = clFinish(device->cl_queue);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "unmapping a buffer from %p", host);
}
