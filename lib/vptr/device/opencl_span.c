/* SPDX-License-Identifier: MIT */
/*
 * opencl_span - makes buffers that lie one behind the other in the memory of kernels, for what is larger than a buffer
 * may be.
 *
 * Where a device's memory is the host's, a buffer can be over host memory that is there already (CL_MEM_USE_HOST_PTR).
 * So pages are reserved for all of it (row.h), and each buffer is over a part of them. That kernels then have the
 * buffers one behind the other is asked of the device, by the address of each: a driver is free to copy. What it
 * answers for the first and the last page is found out when the row is made, so that nobody gets an allocation that
 * could not be used. Pages that nobody has written take no memory.
 *
 * A buffer's pages go back to the system when the driver destroys it, whoever else held it until then. Its bytes are
 * counted as all buffers' are (opencl_buffer.c). The file's own data are a `part` for each buffer, which the driver's
 * callback frees; rows and buffers are the caller's. No locks of its own: to share memory and to ask for an address
 * takes vptr__opencl.lock (opencl.h), of rank DEVICE (opencl_pin.c, opencl_address.c). Called through the device's
 * table (opencl.c) by heap/span.c; and by the driver, when a buffer is no more. Making a row or a
 * buffer waits for the device.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"
#include "device/row.h"

/* What the driver's callback ends. */
typedef struct part {
  void *ticket; /* of counted bytes */
  vptr__row *row;
  size_t index;
} part;

static void CL_CALLBACK on_part_destroyed(cl_mem buffer, void *context) {
  part *ended = context;
  (void)buffer;
  vptr__row_give(ended->row, ended->index);
  vptr__opencl_count_give(ended->ticket);
  vptr__memory_free(ended);
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static vptr_status refuse_order(const vptr__device *device) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s does not have the buffers of one allocation one behind the other, so kernels could not go "
                     "from one to the next",
                     device->name);
}

/* Where kernels have a page of the row. */
static vptr_status ask_page(vptr__device *device, const vptr__row *row, size_t at, uint64_t *address_out) {
  enum { PAGE = 4096 };
  cl_mem buffer = NULL;
  vptr_status status = device->ops->memory.share_host(device, row->pages + at, PAGE, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->memory.address(device, buffer, address_out);
  clReleaseMemObject(buffer);
  return status;
}

static vptr_status check_row(vptr__device *device, vptr__row *row) {
  const size_t last = (row->bytes - 1) / row->part_bytes * row->part_bytes;
  uint64_t behind = 0;
  vptr_status status = ask_page(device, row, 0, &row->first);
  if (status == VPTR_SUCCESS)
    status = ask_page(device, row, last, &behind);
  if (status == VPTR_SUCCESS && behind - row->first != last)
    return refuse_order(device);
  return status;
}

static vptr_status check_device(vptr__device *device) {
  bool takes = false;
  vptr_status status = VPTR_SUCCESS;
  if (device->host_unified && vptr__option_number(VPTR__OPTION_BUFFER_ROWS, 1) != 0)
    status = device->ops->memory.takes_addresses(device, &takes);
  if (status != VPTR_SUCCESS || takes)
    return status;
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s has memory of its own, or tells no addresses, so the buffers of one allocation do not lie one "
      "behind the other",
      device->name);
}

vptr_status vptr__opencl_row_create(vptr__device *device, size_t bytes, size_t part_bytes, vptr__row **row_out) {
  vptr__row *row = NULL;
  vptr_status status = check_device(device);
  if (status == VPTR_SUCCESS)
    status = vptr__row_make(bytes, part_bytes, false, &row);
  if (status != VPTR_SUCCESS)
    return status;
  status = check_row(device, row);
  if (status == VPTR_SUCCESS)
    *row_out = row;
  else
    vptr__row_drop(row);
  return status;
}

void vptr__opencl_row_release(vptr__device *device, vptr__row *row) {
  (void)device;
  vptr__row_drop(row);
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

/* The part is the driver's callback's from the moment that the driver knows of it. */
static vptr_status make_over(vptr__device *device, part *made, cl_mem *buffer_out) {
  const vptr__row *row = made->row;
  const size_t bytes = vptr__row_part_bytes(row, made->index);
  cl_mem buffer = NULL;
  vptr_status status =
      device->ops->memory.share_host(device, row->pages + made->index * row->part_bytes, bytes, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  cl_int code = clSetMemObjectDestructorCallback(buffer, on_part_destroyed, made);
  if (code != CL_SUCCESS) {
    clReleaseMemObject(buffer);
    return vptr__error_cl(code, "asking to be told of the end of a buffer of %zu bytes", bytes);
  }
  *buffer_out = buffer;
  return VPTR_SUCCESS;
}

static vptr_status begin_part(vptr__device *device, part *made, unsigned char byte) {
  const vptr__opencl *opencl = vptr__opencl_of(device);
  const size_t bytes = vptr__row_part_bytes(made->row, made->index);
  if (!vptr__opencl_count_take(opencl, bytes))
    return vptr__device_refuse_full(device, bytes, vptr__opencl_count_used(opencl));
  made->ticket = vptr__opencl_count_ticket(opencl, bytes);
  if (vptr__row_take(made->row, made->index, byte))
    return VPTR_SUCCESS;
  vptr__opencl_count_give(made->ticket);
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                     "%s has not given up the buffer of %zu bytes that was at %p before: wait for what uses it",
                     device->name, bytes, (void *)(made->row->pages + made->index * made->row->part_bytes));
}

static vptr_status check_part(vptr__device *device, const vptr__row *row, size_t index, cl_mem buffer) {
  uint64_t address = 0;
  vptr_status status = device->ops->memory.address(device, buffer, &address);
  if (status == VPTR_SUCCESS && address != row->first + index * row->part_bytes)
    return refuse_order(device);
  return status;
}

vptr_status vptr__opencl_row_part(vptr__device *device, vptr__row *row, size_t index, unsigned char byte,
                                  cl_mem *buffer_out) {
  cl_mem buffer = NULL;
  part *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  *made = (part){ NULL, row, index };
  vptr_status status = begin_part(device, made, byte);
  if (status == VPTR_SUCCESS && (status = make_over(device, made, &buffer)) != VPTR_SUCCESS) {
    vptr__row_give(row, index);
    vptr__opencl_count_give(made->ticket);
  }
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(made);
    return status;
  }
  status = check_part(device, row, index, buffer);
  if (status == VPTR_SUCCESS)
    *buffer_out = buffer;
  else
    clReleaseMemObject(buffer);
  return status;
}
