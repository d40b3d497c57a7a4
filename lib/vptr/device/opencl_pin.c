/* SPDX-License-Identifier: MIT */
/*
 * opencl_pin - host memory for the device's use: pinned for fast copies, or shared for kernels.
 *
 * Pinning. OpenCL knows no pinned memory by name. What drivers of discrete devices do is: they pin the memory under a
 * CL_MEM_USE_HOST_PTR buffer while it is mapped, and then recognise the address in clEnqueueRead/WriteBuffer (NVIDIA:
 * 55 GB/s instead of 11). So the buffer stays mapped for as long as the memory shall be pinned, and no command ever
 * uses it. Where the host's memory is the device's there is nothing to pin.
 *
 * Sharing. The same kind of buffer, not mapped, is what kernels get. A driver may keep a copy of it on the device, and
 * then the two sides see each other's writes at map and unmap only, which is not what CUDA's mapped memory is. Whether
 * it does cannot be asked; it is tried once, on memory of our own, in both directions. There are drivers that share
 * whole pages and copy the rest, so what is tried is as odd as what callers may bring. A discrete device is not even
 * tried: one that passes once may move the next.
 *
 * Reaching. NVIDIA's driver copies what is under such a buffer. But its kernels reach pinned memory at the host's own
 * address, given as a number, and both sides see each other's writes (580.159, H100): device->reaches_pinned. That
 * cannot be tried, since a kernel that does not reach it takes the context along.
 *
 * vptr__opencl.lock (opencl.h), of rank DEVICE, guards the verdict (vptr__opencl.shares), the one datum; the trial is
 * made without it, so two threads may both try and agree. Memory is its caller's, who unpins it before it goes.
 * Pinning and unpinning block. Called through the device's table (opencl.c) by the files of lib/cudart/pinned, for
 * host memory; by cudart/usm/usm.c and cudart/cuda/property_table.c, which ask whether it is shared; by
 * cudart/virtual/virtual_range.c, for pages that come and go; by mirror/backing.c, for a mirror's host pages; by
 * opencl_span.c; by transfer/bulk.c and pack.c, for their stages; and by proxy_buffer.c, proxy_copy.c, proxy_move.c,
 * proxy_plan.c and proxy_stock.c; and by proxy_apart.c and joint_buffer.c.
 */
#include <sys/mman.h>

#include "device/opencl.h"

#include "base/error.h"

enum { PAGE_BYTES = 4096, ODD_BYTES = 1001 };

/* ---- pinning -------------------------------------------------------------------------------------------- */

vptr_status vptr__opencl_pin_host(vptr__device *device, void *host, size_t size, cl_mem *pin_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  cl_int code;
  if (device->host_unified) {
    *pin_out = NULL;
    return VPTR_SUCCESS;
  }
  cl_mem pin = clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, host, &code);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "pinning %zu bytes of host memory at %p", size, host);
  clEnqueueMapBuffer(opencl->service, pin, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &code);
  if (code != CL_SUCCESS) {
    clReleaseMemObject(pin);
    return vptr__error_cl(code, "mapping %zu bytes of host memory at %p to pin them", size, host);
  }
  *pin_out = pin;
  return VPTR_SUCCESS;
}

/* The memory may go as soon as this returns, so the driver has to be done with it. An error would be about memory that
 * nobody asks for any more. */
void vptr__opencl_unpin_host(vptr__device *device, cl_mem pin, void *host) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  cl_event event;
  if (pin == NULL)
    return;
  if (clEnqueueUnmapMemObject(opencl->service, pin, host, 0, NULL, &event) == CL_SUCCESS)
    vptr__opencl_await(event);
  clReleaseMemObject(pin);
}

/* ---- sharing -------------------------------------------------------------------------------------------- */

static cl_int share_memory(vptr__device *device, void *host, size_t size, cl_mem *buffer_out) {
  cl_int code;
  *buffer_out = clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, host, &code);
  return code;
}

/* The device reads what the host wrote after the buffer was made, and the other way round. */
static cl_int try_both_ways(vptr__opencl *opencl, cl_mem buffer, volatile unsigned char *host, bool *holds_out) {
  const unsigned char theirs = 0x5a;
  unsigned char seen = 0;
  cl_int code = clEnqueueWriteBuffer(opencl->service, buffer, CL_TRUE, 1, 1, &theirs, 0, NULL, NULL);
  bool holds = host[1] == theirs;
  host[2] = 0xa5;
  if (code == CL_SUCCESS)
    code = clEnqueueReadBuffer(opencl->service, buffer, CL_TRUE, 2, 1, &seen, 0, NULL, NULL);
  *holds_out = holds && seen == 0xa5;
  return code;
}

static vptr__opencl_verdict try_sharing(vptr__opencl *opencl) {
  if (!opencl->device.host_unified)
    return VPTR__OPENCL_NO;
  unsigned char *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return VPTR__OPENCL_UNKNOWN;
  vptr__opencl_verdict verdict = VPTR__OPENCL_UNKNOWN;
  cl_mem buffer;
  bool holds = false;
  if (share_memory(&opencl->device, page + VPTR__SHARE_ALIGNMENT, ODD_BYTES, &buffer) == CL_SUCCESS) {
    if (try_both_ways(opencl, buffer, page + VPTR__SHARE_ALIGNMENT, &holds) == CL_SUCCESS)
      verdict = holds ? VPTR__OPENCL_YES : VPTR__OPENCL_NO;
    clReleaseMemObject(buffer);
  }
  munmap(page, PAGE_BYTES);
  return verdict;
}

static vptr__opencl_verdict sharing_verdict(vptr__opencl *opencl) {
  vptr__lock_take(&opencl->lock);
  vptr__opencl_verdict verdict = opencl->shares;
  vptr__lock_give(&opencl->lock);
  if (verdict != VPTR__OPENCL_UNKNOWN)
    return verdict;
  verdict = try_sharing(opencl);
  vptr__lock_take(&opencl->lock);
  opencl->shares = verdict;
  vptr__lock_give(&opencl->lock);
  return verdict;
}

vptr_status vptr__opencl_share_host(vptr__device *device, void *host, size_t size, cl_mem *buffer_out) {
  if (device->test.keeps_apart || sharing_verdict(vptr__opencl_of(device)) != VPTR__OPENCL_YES)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "%s does not work on host memory in place, so it has no address for it; copy to device memory",
                       device->name);
  cl_mem buffer;
  cl_int code = share_memory(device, host, size, &buffer);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "sharing %zu bytes of host memory at %p", size, host);
  *buffer_out = buffer;
  return VPTR_SUCCESS;
}
