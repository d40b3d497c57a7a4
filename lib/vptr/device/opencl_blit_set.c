/* SPDX-License-Identifier: MIT */
/*
 * opencl_blit_set - sets rects to a pattern of 48 bytes by a kernel, since OpenCL has no command for it.
 *
 * OpenCL fills lines, with 1, 2, 4 ... 128 bytes. Without this, rows with gaps are fills and copies, ten to twenty
 * commands (transfer/set.c): on an H200 16 MiB of rows of 4 KiB take 174 us so, and NVIDIA's own runtime 13. A pattern
 * of 3, 6, 12, 24 or 48 bytes is a write and copies (transfer/fill.c). Since one kernel stands against many commands,
 * there is no trial.
 *
 *     row     |    aaaa|bbbbbbbbbbbbbbbb|cccccccccccccccc|aa|       an item for each unit of 16 bytes that the row
 *                  ^ first byte                                     has a part of; whole ones are one store
 *
 * vptr__opencl.lock (opencl.h), of rank DEVICE, guards the kernel, which is in vptr__opencl.blit and made by
 * opencl_blit.c; it is held while the kernel is sent. Called through the device's table (opencl.c) by transfer/set.c
 * and fill.c, and proxy_transfer.c; nothing waits but for the compiler, once.
 */
#include "device/opencl.h"

#include <limits.h>

enum { SET = 9, UNIT = 16 };

/* Below it a few fills are no dearer, and a program that sets no more than this need not wait for a compiler. */
static const size_t LEAST_BYTES = 4096;

/* How many units a row has a part of, at most: its ends may lie anywhere within theirs. */
static size_t units_of(const vptr__rect *to, const size_t region[3]) {
  size_t starts = to->offset | (region[1] > 1 ? to->row : 0) | (region[2] > 1 ? to->slice : 0);
  return starts % UNIT == 0 ? (region[0] - 1) / UNIT + 1 : (region[0] - 1) / UNIT + 2;
}

static cl_int send_kernel(vptr__opencl_blit *blit, cl_command_queue queue, const vptr__rect *to,
                          const size_t region[3], const unsigned char *pattern, cl_event *event_out) {
  const cl_ulong at = to->offset, row = to->row, slice = to->slice, width = region[0];
  const cl_uint units = (cl_uint)units_of(to, region), rows = (cl_uint)region[1];
  const cl_uint count = units * rows * (cl_uint)region[2];
  const vptr__opencl_blit_arg args[] = {
    { sizeof(cl_mem), &to->buffer }, { sizeof at, &at },           { sizeof row, &row },
    { sizeof slice, &slice },        { sizeof width, &width },     { sizeof units, &units },
    { sizeof rows, &rows },          { sizeof count, &count },     { UNIT, pattern },
    { UNIT, pattern + UNIT },        { UNIT, pattern + 2 * UNIT },
  };
  return vptr__opencl_blit_send(queue, blit->kernels[SET], args, sizeof args / sizeof *args, count, event_out);
}

/* Items are counted in 32 bits, as those of rects that are copied. */
static bool fits_unit_count(const vptr__rect *to, const size_t region[3]) {
  const size_t units = units_of(to, region), most = UINT_MAX / 2;
  return units <= most && region[1] <= most / units && region[2] <= most / units / region[1];
}

bool vptr__opencl_enqueue_set(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                              const size_t region[3], const unsigned char *pattern, cl_event *event_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  if (device->tuning.blit_bytes == SIZE_MAX || !fits_unit_count(to, region) ||
      (!device->test.blit_untried && region[0] * region[1] * region[2] < LEAST_BYTES))
    return false;
  vptr__lock_take(&opencl->lock);
  bool sent = vptr__opencl_blit_ready(opencl) &&
              send_kernel(&opencl->blit, queue, to, region, pattern, event_out) == CL_SUCCESS;
  vptr__lock_give(&opencl->lock);
  return sent;
}
