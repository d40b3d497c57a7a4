/* SPDX-License-Identifier: MIT */
/*
 * opencl_span - makes buffers that lie one behind the other in the memory of kernels, for what is larger than a buffer
 * may be.
 *
 * Where a device's memory is the host's, a buffer can be over host memory that is there already (CL_MEM_USE_HOST_PTR).
 * So pages are reserved for all of it, and each buffer is over a part of them. That kernels then have the buffers one
 * behind the other is asked of the device, by the address of each: a driver is free to copy. Pages that nobody has
 * written take no memory.
 *
 * A buffer's pages go back to the system when the driver destroys it, whoever else held it until then. Its bytes are
 * counted as all buffers' are (opencl_buffer.c). The file's own data are a `part` for each buffer, which the driver's
 * callback frees; buffers are the caller's. No locks of its own: to share memory and to ask for an address takes
 * vptr__opencl.lock (opencl.h), of rank DEVICE (opencl_pin.c, opencl_address.c). Called through the device's table
 * (opencl.c) by heap/span.c; and by the driver, when a buffer is no more. Making them waits for the device.
 */
#include "device/opencl.h"

#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/memory.h"

/* What the driver's callback ends. */
typedef struct part {
  void *ticket; /* of counted bytes */
  unsigned char *pages;
  size_t bytes;
} part;

/* The buffers that are there, and what is left of the pages. */
typedef struct span {
  vptr__opencl *opencl;
  unsigned char *pages;
  size_t bytes, done;
  size_t count;
  cl_mem *buffers;
} span;

static void CL_CALLBACK on_part_destroyed(cl_mem buffer, void *context) {
  part *ended = context;
  (void)buffer;
  munmap(ended->pages, ended->bytes);
  vptr__opencl_count_give(ended->ticket);
  vptr__memory_free(ended);
}

/* The pages at the end of the last part are the part's from the moment that the callback is known to the driver. */
static vptr_status add_part(span *it, size_t bytes) {
  vptr__device *device = &it->opencl->device;
  cl_mem buffer = NULL;
  part *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  *made = (part){ vptr__opencl_count_ticket(it->opencl, bytes), it->pages + it->done, bytes };
  vptr_status status = device->ops->memory.share_host(device, made->pages, bytes, &buffer);
  if (status == VPTR_SUCCESS) {
    cl_int code = clSetMemObjectDestructorCallback(buffer, on_part_destroyed, made);
    if (code == CL_SUCCESS) {
      it->buffers[it->count++] = buffer;
      it->done += bytes;
      return VPTR_SUCCESS;
    }
    clReleaseMemObject(buffer);
    status = vptr__error_cl(code, "asking to be told of the end of a buffer of %zu bytes", bytes);
  }
  vptr__memory_free(made);
  return status;
}

static vptr_status check_address(const span *it, size_t index, size_t offset, uint64_t *first) {
  vptr__device *device = &it->opencl->device;
  uint64_t address = 0;
  vptr_status status = device->ops->memory.address(device, it->buffers[index], &address);
  if (status != VPTR_SUCCESS)
    return status;
  if (index == 0)
    *first = address;
  if (address == *first + offset)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s does not have the buffers of one allocation one behind the other, so kernels could not go "
                     "from one to the next",
                     device->name);
}

static vptr_status add_parts(span *it, size_t part_bytes) {
  vptr_status status = VPTR_SUCCESS;
  uint64_t first = 0;
  while (status == VPTR_SUCCESS && it->done < it->bytes) {
    const size_t offset = it->done, left = it->bytes - offset;
    status = add_part(it, left < part_bytes ? left : part_bytes);
    if (status == VPTR_SUCCESS)
      status = check_address(it, it->count - 1, offset, &first);
  }
  return status;
}

static void give_up(span *it) {
  while (it->count > 0)
    clReleaseMemObject(it->buffers[--it->count]);
  if (it->done == it->bytes)
    return;
  munmap(it->pages + it->done, it->bytes - it->done);
  vptr__opencl_count_give(vptr__opencl_count_ticket(it->opencl, it->bytes - it->done));
}

vptr_status vptr__opencl_span_create(vptr__device *device, size_t count, size_t part_bytes, size_t last_bytes,
                                     unsigned char byte, cl_mem *buffers_out) {
  span made = { .opencl = vptr__opencl_of(device), .bytes = (count - 1) * part_bytes + last_bytes };
  bool takes = false;
  vptr_status status = VPTR_SUCCESS;
  if (device->host_unified)
    status = device->ops->memory.takes_addresses(device, &takes);
  if (status != VPTR_SUCCESS)
    return status;
  if (!takes)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "%s has memory of its own, or tells no addresses, so an allocation is "
                       "one buffer",
                       device->name);
  if (!vptr__opencl_count_take(made.opencl, made.bytes))
    return vptr__device_refuse_full(device, made.bytes, vptr__opencl_count_used(made.opencl));
  made.buffers = vptr__memory_calloc(count, sizeof *made.buffers);
  made.pages = made.buffers == NULL ? MAP_FAILED
                                    : mmap(NULL, made.bytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made.pages == MAP_FAILED) {
    vptr__opencl_count_give(vptr__opencl_count_ticket(made.opencl, made.bytes));
    vptr__memory_free(made.buffers);
    return vptr__error_host_memory(made.bytes);
  }
  if (byte != 0)
    memset(made.pages, byte, made.bytes);
  status = add_parts(&made, part_bytes);
  if (status == VPTR_SUCCESS)
    memcpy(buffers_out, made.buffers, count * sizeof *buffers_out);
  else
    give_up(&made);
  vptr__memory_free(made.buffers);
  return status;
}
