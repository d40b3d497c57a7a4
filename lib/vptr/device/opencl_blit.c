/* SPDX-License-Identifier: MIT */
/*
 * opencl_blit - fills and copies by kernels of our own, whose work-items move 16 bytes at a time.
 *
 * A driver's own commands need not be what its device can do: on an H200 (580 driver) clEnqueueFillBuffer() with a byte
 * reaches 419 GB/s, and a kernel of 16-byte stores 3,940. Which is the quicker one, and how many units of 16 bytes a
 * work-item should have, a trial tells (opencl_trial.c): it begins with the first large fill, copy or rect, and until
 * it is over the command is taken, as it is for good where the device has no compiler or the trial fails. So nothing
 * here can fail but into "not by this way", and nothing waits but for the compiler, once, and for a trial of which only
 * a part could be sent (opencl_trial.c).
 *
 *     a group of 256     | unit 0 .. 255 | 256 .. 511 | ...     each item takes one of each: neighbours, neighbours
 *
 * Not on CPUs: PoCL's commands are memset() and memcpy() there, and its compiler takes seconds.
 *
 * Kernels and trials are vptr__opencl.blit (opencl.h). vptr__opencl.lock, of rank DEVICE, guards the kernels, whose
 * arguments are one thread's at a time, and the trials; it is held while the compiler runs and while a kernel or a
 * trial is sent. The static `source`, `names` and `units_each` are constant. Called by opencl_fill.c, opencl_command.c
 * and opencl_transfer.c for fills and copies that are large enough; by opencl_blit_rect.c and opencl_blit_set.c, which
 * send their kernels by it; and by opencl.c, when a device is closed, which waits for a trial that is under way.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/log.h"

#include <string.h>

static const char source[] =
    "#define FILL(EACH)\\\n"
    "__kernel void fill_##EACH(__global uint4 *to, ulong first, ulong count, uint4 value) {\\\n"
    "  ulong at = (ulong)get_group_id(0) * get_local_size(0) * EACH + get_local_id(0);\\\n"
    "  to += first;\\\n"
    "  for (int i = 0; i < EACH; i++, at += get_local_size(0)) if (at < count) to[at] = value;\\\n"
    "}\n"
    "#define COPY(EACH)\\\n"
    "__kernel void copy_##EACH(__global uint4 *to, ulong to_first, __global const uint4 *from, ulong from_first,\\\n"
    "                          ulong count) {\\\n"
    "  ulong at = (ulong)get_group_id(0) * get_local_size(0) * EACH + get_local_id(0);\\\n"
    "  uint4 unit[EACH];\\\n"
    "  to += to_first; from += from_first;\\\n"
    "  for (int i = 0; i < EACH; i++) if (at + i * get_local_size(0) < count) unit[i] = from[at + i * "
    "get_local_size(0)];\\\n"
    "  for (int i = 0; i < EACH; i++) if (at + i * get_local_size(0) < count) to[at + i * get_local_size(0)] = "
    "unit[i];\\\n"
    "}\n"
    "#define RECT(NAME, UNIT)\\\n"
    "__kernel void NAME(__global UNIT *to, ulong to_at, ulong to_row, ulong to_slice, __global const UNIT *from,\\\n"
    "                   ulong from_at, ulong from_row, ulong from_slice, uint width, uint rows, uint count) {\\\n"
    "  uint at = (uint)get_global_id(0), x = at % width, row = at / width, y = row % rows, z = row / rows;\\\n"
    "  if (at < count)\\\n"
    "    to[to_at + z * to_slice + y * to_row + x] = from[from_at + z * from_slice + y * from_row + x];\\\n"
    "}\n"
    "FILL(1) FILL(4) FILL(8) COPY(1) COPY(4) COPY(8)\n"
    "RECT(rect_1, uchar) RECT(rect_4, uint) RECT(rect_16, uint4)\n"
    "__kernel void set(__global uchar *to, ulong at, ulong row, ulong slice, ulong width, uint units, uint rows,\n"
    "                  uint count, uint4 a, uint4 b, uint4 c) {\n"
    "  uint item = (uint)get_global_id(0), x = item % units, line = item / units, turn = x % 3;\n"
    "  ulong first = at + line / rows * slice + line % rows * row, unit = (first & ~15UL) + 16UL * x;\n"
    "  ulong from = max(unit, first), end = min(unit + 16, first + width);\n"
    "  uint4 value = turn == 0 ? a : turn == 1 ? b : c;\n"
    "  if (item >= count) return;\n"
    "  if (from + 16 == end) { *(__global uint4 *)(to + unit) = value; return; }\n"
    "  for (ulong step; from < end; from += step) {\n"
    "    uint k = from & 15, word = k < 4 ? value.x : k < 8 ? value.y : k < 12 ? value.z : value.w;\n"
    "    step = k % 4 == 0 && from + 4 <= end ? 4 : 1;\n"
    "    if (step == 4) *(__global uint *)(to + from) = word; else to[from] = (uchar)(word >> 8 * (k % 4));\n"
    "  }\n"
    "}\n";

static const char *const names[VPTR__OPENCL_BLIT_KERNELS] = { "fill_1", "fill_4", "fill_8", "copy_1",  "copy_4",
                                                              "copy_8", "rect_1", "rect_4", "rect_16", "set" };
enum { FILL = 0, COPY = 3, SHAPES = 3 /* of each: the command beside them makes four ways */ };
static const size_t units_each[SHAPES] = { 1, 4, 8 };

enum { UNIT = 16, GROUP = 256 };

/* What a trial has is so many times the least that goes by kernels: 64 MiB, which is beyond a large GPU's caches. */
enum { TRIAL_TIMES = 64 };

/* ---- the kernels ---------------------------------------------------------------------------------------- */

static void drop_program(vptr__opencl_blit *blit) {
  for (int i = 0; i < VPTR__OPENCL_BLIT_KERNELS; i++)
    if (blit->kernels[i] != NULL)
      clReleaseKernel(blit->kernels[i]);
  if (blit->program != NULL)
    clReleaseProgram(blit->program);
  memset(blit->kernels, 0, sizeof blit->kernels);
  blit->program = NULL;
}

static cl_int make_program(vptr__device *device, vptr__opencl_blit *blit) {
  cl_int code = vptr__opencl_helper_build(device, source, &blit->program);
  for (int i = 0; i < VPTR__OPENCL_BLIT_KERNELS && code == CL_SUCCESS; i++)
    blit->kernels[i] = clCreateKernel(blit->program, names[i], &code);
  return code;
}

/* Under the lock. What fails now is not tried again: it would take the compiler's time again. */
bool vptr__opencl_blit_ready(vptr__opencl *opencl) {
  vptr__opencl_blit *blit = &opencl->blit;
  if (blit->verdict != VPTR__OPENCL_UNKNOWN)
    return blit->verdict == VPTR__OPENCL_YES;
  cl_int code = opencl->device.max_group >= GROUP ? make_program(&opencl->device, blit) : CL_INVALID_WORK_GROUP_SIZE;
  blit->verdict = code == CL_SUCCESS ? VPTR__OPENCL_YES : VPTR__OPENCL_NO;
  if (code == CL_SUCCESS)
    return true;
  drop_program(blit);
  vptr__log(VPTR__LOG_DECISION, "%s has no kernels for fills and copies (OpenCL error %d): its commands do them",
            opencl->device.name, code);
  return false;
}

void vptr__opencl_blit_fini(vptr__opencl_blit *blit) {
  vptr__opencl_trial_fini(&blit->fill);
  vptr__opencl_trial_fini(&blit->copy);
  vptr__opencl_trial_fini(&blit->rect);
  drop_program(blit);
}

cl_int vptr__opencl_blit_send(cl_command_queue queue, cl_kernel kernel, const vptr__opencl_blit_arg *args,
                              unsigned count, size_t items, cl_event *event_out) {
  const size_t group = GROUP, all = (items + GROUP - 1) / GROUP * GROUP;
  cl_int code = CL_SUCCESS;
  for (unsigned i = 0; i < count && code == CL_SUCCESS; i++)
    code = clSetKernelArg(kernel, i, args[i].size, args[i].value);
  return code == CL_SUCCESS ? clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &group, 0, NULL, event_out) : code;
}

/* ---- fills and lines ------------------------------------------------------------------------------------ */

/* A fill, or a copy: then pattern is NULL. */
typedef struct line {
  vptr__opencl_blit *blit;
  cl_mem to, from;
  size_t to_offset, from_offset, size;
  const void *pattern; /* of UNIT bytes */
} line;

static cl_int send_shape(const line *work, unsigned shape, cl_command_queue queue, cl_event *event_out) {
  const cl_ulong to_first = work->to_offset / UNIT, from_first = work->from_offset / UNIT, count = work->size / UNIT;
  const size_t items = (work->size / UNIT + units_each[shape] - 1) / units_each[shape];
  const vptr__opencl_blit_arg fill[] = {
    { sizeof(cl_mem), &work->to }, { sizeof to_first, &to_first }, { sizeof count, &count }, { UNIT, work->pattern }
  };
  const vptr__opencl_blit_arg copy[] = { { sizeof(cl_mem), &work->to },
                                         { sizeof to_first, &to_first },
                                         { sizeof(cl_mem), &work->from },
                                         { sizeof from_first, &from_first },
                                         { sizeof count, &count } };
  return work->pattern != NULL
             ? vptr__opencl_blit_send(queue, work->blit->kernels[FILL + shape], fill, 4, items, event_out)
             : vptr__opencl_blit_send(queue, work->blit->kernels[COPY + shape], copy, 5, items, event_out);
}

static cl_int send_command(const line *work, cl_command_queue queue, cl_event *event_out) {
  return work->pattern != NULL ? clEnqueueFillBuffer(queue, work->to, work->pattern, UNIT, work->to_offset,
                                                     work->size, 0, NULL, event_out)
                               : clEnqueueCopyBuffer(queue, work->from, work->to, work->from_offset, work->to_offset,
                                                     work->size, 0, NULL, event_out);
}

/* Way 0 is the command, the others are the kernel's shapes. */
static cl_int try_way(void *context, unsigned way, cl_command_queue queue, cl_event *event_out) {
  const line *work = context;
  return way == 0 ? send_command(work, queue, event_out) : send_shape(work, way - 1, queue, event_out);
}

/* The driver keeps both buffers until the trial is over. */
static void begin_trial(vptr__device *device, vptr__opencl_trial *trial, const line *like) {
  static const unsigned char zeros[UNIT];
  const size_t bytes = TRIAL_TIMES * device->tuning.blit_bytes;
  line work = { .blit = like->blit, .size = bytes, .pattern = like->pattern != NULL ? zeros : NULL };
  cl_int code, second = CL_SUCCESS;
  work.to = clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE, bytes, NULL, &code);
  if (work.pattern == NULL)
    work.from = clCreateBuffer(device->cl_context, CL_MEM_READ_WRITE, bytes, NULL, &second);
  if (code == CL_SUCCESS && second == CL_SUCCESS)
    vptr__opencl_trial_begin(device, trial, SHAPES + 1, try_way, &work);
  else
    trial->state = VPTR__OPENCL_TRIAL_FAILED;
  if (work.to != NULL)
    clReleaseMemObject(work.to);
  if (work.from != NULL)
    clReleaseMemObject(work.from);
}

static unsigned quickest_way(const vptr__opencl_trial *trial) {
  unsigned best = 0;
  for (unsigned i = 1; i < trial->ways; i++)
    if (trial->ns[i] < trial->ns[best])
      best = i;
  return best;
}

static void log_line_trial(const vptr__device *device, const char *what, const vptr__opencl_trial *trial) {
  if (trial->state != VPTR__OPENCL_TRIAL_OVER) {
    vptr__log(VPTR__LOG_DECISION, "%s: no trial of %s, so the command does them", device->name, what);
    return;
  }
  vptr__log(VPTR__LOG_DECISION,
            "%s: %s of %zu bytes take %llu ns by the command, %llu, %llu, %llu by kernels of %zu, %zu, "
            "%zu units an item",
            device->name, what, TRIAL_TIMES * device->tuning.blit_bytes, (unsigned long long)trial->ns[0],
            (unsigned long long)trial->ns[1], (unsigned long long)trial->ns[2], (unsigned long long)trial->ns[3],
            units_each[0], units_each[1], units_each[2]);
}

/* Which way is to be taken just now; 0: the command. Under the lock. */
static unsigned choose_way(vptr__device *device, vptr__opencl_trial *trial, const line *work) {
  const char *what = work->pattern != NULL ? "fills" : "copies";
  if (device->test.blit_untried)
    return 1 + (unsigned)(work->size / UNIT % SHAPES);
  if (trial->state == VPTR__OPENCL_TRIAL_NONE) {
    begin_trial(device, trial, work);
    if (trial->state == VPTR__OPENCL_TRIAL_FAILED)
      log_line_trial(device, what, trial);
  }
  if (vptr__opencl_trial_look(trial))
    log_line_trial(device, what, trial);
  return trial->state == VPTR__OPENCL_TRIAL_OVER ? quickest_way(trial) : 0;
}

static bool send_blit_line(vptr__device *device, line *work, cl_command_queue queue, cl_event *event_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  work->blit = &opencl->blit;
  vptr__lock_take(&opencl->lock);
  unsigned way = vptr__opencl_blit_ready(opencl)
                     ? choose_way(device, work->pattern != NULL ? &opencl->blit.fill : &opencl->blit.copy, work)
                     : 0;
  bool sent = way > 0 && send_shape(work, way - 1, queue, event_out) == CL_SUCCESS;
  vptr__lock_give(&opencl->lock);
  return sent;
}

VPTR__HOT bool vptr__opencl_blit_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                      size_t size, const void *pattern, size_t pattern_size, cl_event *event_out) {
  unsigned char unit[UNIT];
  if (size < device->tuning.blit_bytes || (offset | size) % UNIT != 0 || pattern_size > UNIT)
    return false;
  for (size_t at = 0; at < UNIT; at += pattern_size)
    memcpy(unit + at, pattern, pattern_size);
  line work = { .to = buffer, .to_offset = offset, .size = size, .pattern = unit };
  return send_blit_line(device, &work, queue, event_out);
}

bool vptr__opencl_blit_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset, cl_mem to,
                            size_t to_offset, size_t size, cl_event *event_out) {
  if (size < device->tuning.blit_bytes || (from_offset | to_offset | size) % UNIT != 0)
    return false;
  line work = { .to = to, .from = from, .to_offset = to_offset, .from_offset = from_offset, .size = size };
  return send_blit_line(device, &work, queue, event_out);
}
