/* SPDX-License-Identifier: MIT */
/*
 * opencl_blit_rect - copies rects inside the device by a kernel: a work-item for each unit of a row.
 *
 * A rectangle of rows of 16 bytes is a descriptor for each of them to an engine that was made for long ones. A kernel
 * does not mind where its units lie. Which is quicker depends on the length of rows, so the trial (opencl_trial.c) has
 * a few lengths, each by the command and by the kernel, and a rect goes the way of the next longer one. The kernel
 * does what the command refuses, too: other distances on both sides within one buffer.
 *
 * Units are as large as lengths, distances and offsets have in common; with single bytes only narrow rows.
 *
 * vptr__opencl.lock (opencl.h), of rank DEVICE, guards the kernels and the trial, which are in vptr__opencl.blit, as in
 * opencl_blit.c. Called by opencl_rect.c alone, for copies within the device. Nothing waits but for the compiler, once,
 * and for a trial of which only a part could be sent (opencl_trial.c).
 */
#include "device/opencl.h"

#include "base/log.h"

#include <limits.h>
#include <stdio.h>

enum { RECT_1 = 6, RECT_4, RECT_16 };

enum {
  ROWS = 1024, /* of the trial: not more, since each may cost a command some 100 ns */
  LENGTHS = 4,
  WIDEST_OF_BYTES = 64
};
static const size_t lengths[LENGTHS] = { 16, 128, 1024, 8192 };

/* From here on a rect is worth a look: fewer rows are done before a kernel has begun. */
static const size_t LEAST_ROWS = 16;

typedef struct unit {
  size_t bytes;
  unsigned kernel;
} unit;

static unit unit_of(const vptr__rect *from, const vptr__rect *to, const size_t region[3]) {
  size_t common = region[0] | from->offset | to->offset | from->row | to->row;
  if (region[2] > 1)
    common |= from->slice | to->slice;
  if (common % 16 == 0)
    return (unit){ 16, RECT_16 };
  return common % 4 == 0 ? (unit){ 4, RECT_4 } : (unit){ 1, RECT_1 };
}

static cl_int send_kernel(vptr__opencl_blit *blit, cl_command_queue queue, const vptr__rect *from,
                          const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  const unit each = unit_of(from, to, region);
  const cl_ulong to_at = to->offset / each.bytes, to_row = to->row / each.bytes, to_slice = to->slice / each.bytes;
  const cl_ulong from_at = from->offset / each.bytes, from_row = from->row / each.bytes,
                 from_slice = from->slice / each.bytes;
  const cl_uint width = (cl_uint)(region[0] / each.bytes), rows = (cl_uint)region[1];
  const cl_uint count = width * rows * (cl_uint)region[2];
  const vptr__opencl_blit_arg args[] = {
    { sizeof(cl_mem), &to->buffer }, { sizeof to_at, &to_at },           { sizeof to_row, &to_row },
    { sizeof to_slice, &to_slice },  { sizeof(cl_mem), &from->buffer },  { sizeof from_at, &from_at },
    { sizeof from_row, &from_row },  { sizeof from_slice, &from_slice }, { sizeof width, &width },
    { sizeof rows, &rows },          { sizeof count, &count },
  };
  return vptr__opencl_blit_send(queue, blit->kernels[each.kernel], args, sizeof args / sizeof *args, count,
                                event_out);
}

/* ---- the trial ------------------------------------------------------------------------------------------ */

typedef struct pair {
  vptr__opencl_blit *blit;
  cl_mem from, to;
} pair;

/* Even ways are the command, odd ones the kernel, for one length after the other. */
static cl_int try_way(void *context, unsigned way, cl_command_queue queue, cl_event *event_out) {
  const pair *buffers = context;
  const size_t length = lengths[way / 2], pitch = 2 * length, origin[3] = { 0, 0, 0 };
  const size_t region[3] = { length, ROWS, 1 };
  if (way % 2 == 0)
    return clEnqueueCopyBufferRect(queue, buffers->from, buffers->to, origin, origin, region, pitch, 0, pitch, 0, 0,
                                   NULL, event_out);
  const vptr__rect from = { buffers->from, 0, pitch, 0 }, to = { buffers->to, 0, pitch, 0 };
  return send_kernel(buffers->blit, queue, &from, &to, region, event_out);
}

static void begin_trial(vptr__device *device, vptr__opencl_blit *blit) {
  const size_t bytes = 2 * ROWS * lengths[LENGTHS - 1];
  cl_int code, second;
  pair buffers = { blit, clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE, bytes, NULL, &code),
                   clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE, bytes, NULL, &second) };
  if (code == CL_SUCCESS && second == CL_SUCCESS)
    vptr__opencl_trial_begin(device, &blit->rect, 2 * LENGTHS, try_way, &buffers);
  else
    blit->rect.state = VPTR__OPENCL_TRIAL_FAILED;
  if (buffers.from != NULL)
    clReleaseMemObject(buffers.from);
  if (buffers.to != NULL)
    clReleaseMemObject(buffers.to);
}

static void log_rect_trial(const vptr__device *device, const vptr__opencl_trial *trial) {
  if (trial->state != VPTR__OPENCL_TRIAL_OVER)
    vptr__log(VPTR__LOG_DECISION, "%s: no trial of rects, so the command copies them", device->name);
  else
    for (int i = 0; i < LENGTHS; i++)
      vptr__log(VPTR__LOG_DECISION, "%s: %d rows of %zu bytes take %llu ns by the command, %llu by a kernel",
                device->name, ROWS, lengths[i], (unsigned long long)trial->ns[2 * i],
                (unsigned long long)trial->ns[2 * i + 1]);
}

static bool is_quicker(const vptr__opencl_trial *trial, size_t length) {
  int i = 0;
  while (i < LENGTHS - 1 && lengths[i] < length)
    i++;
  return trial->state == VPTR__OPENCL_TRIAL_OVER && trial->ns[2 * i + 1] < trial->ns[2 * i];
}

/* Under the lock. */
static bool by_kernel(vptr__device *device, vptr__opencl_blit *blit, size_t length) {
  if (device->test.blit_untried)
    return true;
  if (blit->rect.state == VPTR__OPENCL_TRIAL_NONE) {
    begin_trial(device, blit);
    if (blit->rect.state == VPTR__OPENCL_TRIAL_FAILED)
      log_rect_trial(device, &blit->rect);
  }
  if (vptr__opencl_trial_look(&blit->rect))
    log_rect_trial(device, &blit->rect);
  return is_quicker(&blit->rect, length);
}

/* Items are counted, and divided, in 32 bits: those of 64 cost more than the copy. */
static bool fits_item_count(const vptr__rect *from, const vptr__rect *to, const size_t region[3]) {
  const unit each = unit_of(from, to, region);
  const size_t width = region[0] / each.bytes, most = UINT_MAX / 2;
  return (each.bytes > 1 || region[0] <= WIDEST_OF_BYTES) && width <= most && region[1] <= most / width &&
         region[2] <= most / width / region[1];
}

bool vptr__opencl_blit_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                 const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  if (device->tuning.blit_bytes == SIZE_MAX || region[1] * region[2] < LEAST_ROWS ||
      !fits_item_count(from, to, region))
    return false;
  vptr__lock_take(&opencl->lock);
  bool sent = vptr__opencl_blit_ready(opencl) && by_kernel(device, &opencl->blit, region[0]) &&
              send_kernel(&opencl->blit, queue, from, to, region, event_out) == CL_SUCCESS;
  vptr__lock_give(&opencl->lock);
  return sent;
}
