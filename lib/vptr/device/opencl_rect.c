/* SPDX-License-Identifier: MIT */
/*
 * opencl_rect - queues commands that move rects: rows and slices with gaps between them.
 *
 * OpenCL wants the distance of slices to be a multiple of that of rows, and refuses distances too short even where
 * there is but one row or slice. So a rect is put into its simplest form first: one slice with other rows, one row
 * with nothing around it, where it is that.
 *
 * Within one buffer OpenCL copies rects only if both sides have the same distances, and refuses what it takes to
 * overlap, which drivers check more strictly than the bytes do. In either case the rect goes through a buffer of its
 * own; if there is no memory for that, row by row. Each command then waits for the one before, so that the event of
 * the last tells of a failure in any.
 *
 * No data, and no locks of its own: queues are the driver's to guard. A copy within the device may go by
 * opencl_blit_rect.c, which takes vptr__opencl.lock (opencl.h), of rank DEVICE, and waits for the compiler once, and
 * for a trial that fails (opencl_trial.c). Called through the device's table (opencl.c) by transfer/pack.c, set.c,
 * shift.c and strategy.c, cudart/cuda/array_copy.c, plain_image.c, proxy_apart.c and proxy_transfer.c; and by
 * joint_move.c. Nothing else waits for the device.
 */
#include "device/opencl.h"

#include "base/error.h"

enum { FEW_ROWS = 16 /* copied one by one rather than with a buffer in between: no dearer, and needs no memory */ };

/* The shape of what is moved, and the distances on both sides. */
typedef struct rect_shape {
  size_t region[3];
  size_t to_row, to_slice;
  size_t from_row, from_slice;
} rect_shape;

/* ---- shapes --------------------------------------------------------------------------------------------- */

static bool is_empty(const size_t region[3]) {
  return region[0] == 0 || region[1] == 0 || region[2] == 0;
}

static bool is_one_row(const rect_shape *shape) {
  return shape->region[1] == 1 && shape->region[2] == 1;
}

/* Slices of one row each are rows of one slice. */
static void slices_as_rows(rect_shape *shape) {
  if (shape->region[1] != 1)
    return;
  shape->region[1] = shape->region[2];
  shape->region[2] = 1;
  shape->to_row = shape->to_slice;
  shape->from_row = shape->from_slice;
}

/* Rows without gaps are one row. */
static void join_rows(rect_shape *shape) {
  if (shape->to_row != shape->region[0] || shape->from_row != shape->region[0])
    return;
  shape->region[0] *= shape->region[1];
  shape->region[1] = 1;
}

static rect_shape simplest_shape(const size_t region[3], size_t to_row, size_t to_slice, size_t from_row,
                                 size_t from_slice) {
  rect_shape shape = { { region[0], region[1], region[2] }, to_row, to_slice, from_row, from_slice };
  slices_as_rows(&shape);
  join_rows(&shape);
  slices_as_rows(&shape);
  join_rows(&shape);
  if (shape.region[2] == 1) /* OpenCL then finds a distance itself that it likes */
    shape.to_slice = shape.from_slice = 0;
  return shape;
}

typedef struct rect_origin {
  size_t of[3];
} rect_origin;

/* OpenCL adds up x + y * row + z * slice, so that all could go into x; but drivers check overlap by x within the
   row. */
static rect_origin origin_of(size_t offset, size_t row, size_t slice) {
  rect_origin origin = { { offset, 0, 0 } };
  if (slice > 0) {
    origin.of[2] = origin.of[0] / slice;
    origin.of[0] %= slice;
  }
  if (row > 0) {
    origin.of[1] = origin.of[0] / row;
    origin.of[0] %= row;
  }
  return origin;
}

/* ---- between host and device ---------------------------------------------------------------------------- */

static vptr_status rect_status(cl_int code, const char *what, const size_t region[3]) {
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "queueing a %s of %zu bytes x %zu rows x %zu slices", what,
                                             region[0], region[1], region[2]);
}

vptr_status vptr__opencl_enqueue_write_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                                            const void *from, size_t from_row, size_t from_slice,
                                            const size_t region[3], cl_event *event_out) {
  if (is_empty(region))
    return vptr__opencl_enqueue_nothing(queue, event_out);
  const rect_shape shape = simplest_shape(region, to->row, to->slice, from_row, from_slice);
  if (is_one_row(&shape))
    return vptr__opencl_enqueue_write(device, queue, to->buffer, to->offset, from, shape.region[0], event_out);
  const rect_origin origin = origin_of(to->offset, shape.to_row, shape.to_slice), host = { { 0, 0, 0 } };
  cl_int code = clEnqueueWriteBufferRect(queue, to->buffer, CL_FALSE, origin.of, host.of, shape.region, shape.to_row,
                                         shape.to_slice, shape.from_row, shape.from_slice, from, 0, NULL, event_out);
  return rect_status(code, "write", region);
}

vptr_status vptr__opencl_enqueue_read_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                           void *to, size_t to_row, size_t to_slice, const size_t region[3],
                                           cl_event *event_out) {
  if (is_empty(region))
    return vptr__opencl_enqueue_nothing(queue, event_out);
  const rect_shape shape = simplest_shape(region, to_row, to_slice, from->row, from->slice);
  if (is_one_row(&shape))
    return vptr__opencl_enqueue_read(device, queue, from->buffer, from->offset, to, shape.region[0], event_out);
  const rect_origin origin = origin_of(from->offset, shape.from_row, shape.from_slice), host = { { 0, 0, 0 } };
  cl_int code =
      clEnqueueReadBufferRect(queue, from->buffer, CL_FALSE, origin.of, host.of, shape.region, shape.from_row,
                              shape.from_slice, shape.to_row, shape.to_slice, to, 0, NULL, event_out);
  return rect_status(code, "read", region);
}

/* ---- within the device ---------------------------------------------------------------------------------- */

/* One copy behind `*last`, whose place its own event takes. */
static cl_int copy_behind(cl_command_queue queue, const vptr__rect *from, const vptr__rect *to,
                          const rect_shape *shape, cl_event *last) {
  const rect_origin from_origin = origin_of(from->offset, shape->from_row, shape->from_slice);
  const rect_origin to_origin = origin_of(to->offset, shape->to_row, shape->to_slice);
  cl_uint waits = *last != NULL ? 1 : 0;
  cl_event next;
  cl_int code;
  if (is_one_row(shape))
    code = clEnqueueCopyBuffer(queue, from->buffer, to->buffer, from->offset, to->offset, shape->region[0], waits,
                               waits > 0 ? last : NULL, &next);
  else
    code = clEnqueueCopyBufferRect(queue, from->buffer, to->buffer, from_origin.of, to_origin.of, shape->region,
                                   shape->from_row, shape->from_slice, shape->to_row, shape->to_slice, waits,
                                   waits > 0 ? last : NULL, &next);
  if (code != CL_SUCCESS)
    return code;
  if (*last != NULL)
    clReleaseEvent(*last);
  *last = next;
  return CL_SUCCESS;
}

static cl_int copy_rows(cl_command_queue queue, const vptr__rect *from, const vptr__rect *to, const rect_shape *shape,
                        cl_event *last) {
  const rect_shape row = { { shape->region[0], 1, 1 }, 0, 0, 0, 0 };
  cl_int code = CL_SUCCESS;
  for (size_t z = 0; z < shape->region[2] && code == CL_SUCCESS; z++)
    for (size_t y = 0; y < shape->region[1] && code == CL_SUCCESS; y++) {
      vptr__rect from_row = *from, to_row = *to;
      from_row.offset += z * shape->from_slice + y * shape->from_row;
      to_row.offset += z * shape->to_slice + y * shape->to_row;
      code = copy_behind(queue, &from_row, &to_row, &row, last);
    }
  return code;
}

/* The driver keeps the buffer in between until the commands are done with it. */
static cl_int copy_through(cl_mem between, cl_command_queue queue, const vptr__rect *from, const vptr__rect *to,
                           const rect_shape *shape, cl_event *last) {
  const vptr__rect middle = { between, 0, 0, 0 };
  const size_t row = shape->region[0], slice = shape->region[2] > 1 ? row * shape->region[1] : 0;
  rect_shape in = *shape, out = *shape;
  in.to_row = out.from_row = row;
  in.to_slice = out.from_slice = slice;
  cl_int code = copy_behind(queue, from, &middle, &in, last);
  return code == CL_SUCCESS ? copy_behind(queue, &middle, to, &out, last) : code;
}

static cl_int copy_within(vptr__device *device, cl_command_queue queue, const vptr__rect *from, const vptr__rect *to,
                          const rect_shape *shape, cl_event *last) {
  bool few = shape->region[1] <= FEW_ROWS && shape->region[1] * shape->region[2] <= FEW_ROWS;
  cl_int code = CL_OUT_OF_RESOURCES;
  if (!few) {
    size_t bytes = shape->region[0] * shape->region[1] * shape->region[2];
    cl_mem between = clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS) {
      code = copy_through(between, queue, from, to, shape, last);
      clReleaseMemObject(between);
    }
  }
  bool nothing_queued = code != CL_SUCCESS && *last == NULL;
  return nothing_queued ? copy_rows(queue, from, to, shape, last) : code;
}

vptr_status vptr__opencl_enqueue_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                           const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  if (is_empty(region))
    return vptr__opencl_enqueue_nothing(queue, event_out);
  const rect_shape shape = simplest_shape(region, to->row, to->slice, from->row, from->slice);
  const vptr__rect near = { from->buffer, from->offset, shape.from_row, shape.from_slice };
  const vptr__rect far = { to->buffer, to->offset, shape.to_row, shape.to_slice };
  if (vptr__opencl_blit_copy_rect(device, queue, &near, &far, shape.region, event_out))
    return VPTR_SUCCESS;
  bool differ = shape.to_row != shape.from_row || shape.to_slice != shape.from_slice;
  cl_event last = NULL;
  cl_int code = CL_MEM_COPY_OVERLAP;
  if (from->buffer != to->buffer || !differ || is_one_row(&shape))
    code = copy_behind(queue, from, to, &shape, &last);
  if (code == CL_MEM_COPY_OVERLAP)
    code = copy_within(device, queue, from, to, &shape, &last);
  if (code == CL_SUCCESS && event_out != NULL)
    *event_out = last;
  else if (last != NULL)
    clReleaseEvent(last);
  return rect_status(code, "copy", region);
}
