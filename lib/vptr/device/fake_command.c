/* SPDX-License-Identifier: MIT */
/*
 * fake_command - commands of the fake device: what they are checked for, and the bytes they move.
 *
 * Each is one move between two rects; a plain range is a rect of one row, a fill has a pattern instead of a source, a
 * barrier moves nothing. What OpenCL forbids is checked here when a command is queued, and is misuse: ranges outside
 * of a buffer, sides that overlap, rows that reach into the next.
 *
 * A queued command holds a reference to its buffers and to the events that it waits for. Host memory it only points
 * to: that is for the caller to keep, and read or written when the command runs, not before.
 *
 * No data of its own: commands wait in queues (fake_queue.c) and are malloc's memory. The fake device's mutex
 * (fake_driver.h) guards all but the bytes that move: operations take it, the other functions are called with it, and
 * vptr__fake_command_do() and vptr__fake_move_do(), which move them, without. Called through the device's table
 * (fake.c) by the files of lib/vptr and lib/cudart, and cufft/run.c; by fake.c, for what blocks; by fake_kernel.c,
 * which queues calls of kernels; and by fake_queue.c, when a command's turn has come. No operation here waits.
 */
#include "device/fake_driver.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- plain ranges --------------------------------------------------------------------------------------- */

static void set_region(vptr__fake_move *move, size_t bytes, size_t rows, size_t slices) {
  move->region[0] = bytes;
  move->region[1] = rows;
  move->region[2] = slices;
}

void vptr__fake_move_write(vptr__fake_move *move, cl_mem buffer, size_t offset, const void *from, size_t size) {
  move->to = vptr__fake_buffer_reach(buffer, offset, size, "write");
  move->from = from;
  move->buffers[0] = buffer;
  move->counter = &vptr__fake_counted.written;
  set_region(move, size, 1, 1);
}

void vptr__fake_move_read(vptr__fake_move *move, cl_mem buffer, size_t offset, void *to, size_t size) {
  move->to = to;
  move->from = vptr__fake_buffer_reach(buffer, offset, size, "read");
  move->buffers[0] = buffer;
  move->counter = &vptr__fake_counted.read;
  set_region(move, size, 1, 1);
}

void vptr__fake_move_copy(vptr__fake_move *move, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                          size_t size) {
  move->from = vptr__fake_buffer_reach(from, from_offset, size, "copy");
  move->to = vptr__fake_buffer_reach(to, to_offset, size, "copy");
  if (move->from < move->to + size && move->to < move->from + size)
    vptr__fake_misused("copy of %zu bytes between ranges that overlap", size);
  move->buffers[0] = from;
  move->buffers[1] = to;
  move->counter = &vptr__fake_counted.copied;
  set_region(move, size, 1, 1);
}

void vptr__fake_move_fill(vptr__fake_move *move, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                          size_t pattern_size) {
  move->to = vptr__fake_buffer_reach(buffer, offset, size, "fill");
  if (pattern_size == 0 || pattern_size > VPTR__FAKE_LARGEST_PATTERN || (pattern_size & (pattern_size - 1)) != 0)
    vptr__fake_misused("fill with a pattern of %zu bytes", pattern_size);
  else if (offset % pattern_size != 0 || size % pattern_size != 0)
    vptr__fake_misused("fill of %zu bytes at offset %zu with a pattern of %zu bytes", size, offset, pattern_size);
  memcpy(move->pattern, pattern, pattern_size);
  move->pattern_size = pattern_size;
  move->buffers[0] = buffer;
  move->counter = &vptr__fake_counted.filled;
  set_region(move, size, 1, 1);
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

static bool is_empty(const size_t region[3]) {
  return region[0] == 0 || region[1] == 0 || region[2] == 0;
}

/* From the first byte of a rect to behind the last. */
static size_t rect_extent(size_t row, size_t slice, const size_t region[3]) {
  return is_empty(region) ? 0 : (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
}

static void check_distances(size_t row, size_t slice, const size_t region[3]) {
  if (is_empty(region))
    return;
  if (region[1] > 1 && row < region[0])
    vptr__fake_misused("rows of %zu bytes, %zu apart", region[0], row);
  if (region[2] > 1 &&
      (slice < rect_extent(row, slice, (size_t[]){ region[0], region[1], 1 }) || (region[1] > 1 && slice % row != 0)))
    vptr__fake_misused("slices of %zu rows %zu apart, %zu apart", region[1], row, slice);
}

static unsigned char *reach_rect(const vptr__rect *rect, const size_t region[3], const char *operation) {
  check_distances(rect->row, rect->slice, region);
  return vptr__fake_buffer_reach(rect->buffer, rect->offset, rect_extent(rect->row, rect->slice, region), operation);
}

/* Whether `bytes` bytes `at` bytes behind a rect's first byte (or before, if negative) meet a row of the rect. A row
 * reaches into two slices and, in each, into two rows at most. */
static bool meets_row(ptrdiff_t at, const vptr__fake_move *move) {
  ptrdiff_t bytes = (ptrdiff_t)move->region[0], row = (ptrdiff_t)move->from_row, slice = (ptrdiff_t)move->from_slice;
  ptrdiff_t rows = (ptrdiff_t)move->region[1], slices = (ptrdiff_t)move->region[2];
  ptrdiff_t near_slice = slices > 1 && at > 0 ? at / slice : 0;
  for (ptrdiff_t z = near_slice; z < slices && z <= near_slice + 1; z++) {
    ptrdiff_t in_slice = at - z * slice;
    ptrdiff_t near_row = rows > 1 && in_slice > 0 ? in_slice / row : 0;
    for (ptrdiff_t y = near_row; y < rows && y <= near_row + 1; y++) {
      ptrdiff_t apart = in_slice - y * row;
      if (apart < bytes && apart > -bytes)
        return true;
    }
  }
  return false;
}

static void check_apart(const vptr__fake_move *move) {
  for (size_t z = 0; z < move->region[2]; z++)
    for (size_t y = 0; y < move->region[1]; y++)
      if (meets_row(move->to + z * move->to_slice + y * move->to_row - move->from, move))
        vptr__fake_misused("copy between rects that overlap");
}

/* ---- moving --------------------------------------------------------------------------------------------- */

/* As a device does, a word is moved whole: another queue's command may look at it meanwhile, which then sees either the
 * old one or the new one. */
static void copy_bytes(void *to, const void *from, size_t size) {
  uintptr_t places = (uintptr_t)to | (uintptr_t)from;
  if (size == 4 && places % 4 == 0)
    __atomic_store_n((uint32_t *)to, __atomic_load_n((const uint32_t *)from, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  else if (size == 8 && places % 8 == 0)
    __atomic_store_n((uint64_t *)to, __atomic_load_n((const uint64_t *)from, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  else
    memcpy(to, from, size);
}

/* Also a part of such a word is. */
static void fill_part(unsigned char *to, unsigned char byte, size_t size) {
  for (size_t i = 0; i < size; i++)
    __atomic_store_n(to + i, byte, __ATOMIC_RELAXED);
}

static void fill_bytes(const vptr__fake_move *move) {
  size_t size = move->region[0];
  if (move->pattern_size == 1 && size < sizeof(uint64_t))
    fill_part(move->to, move->pattern[0], size);
  else if (move->pattern_size == 1)
    memset(move->to, move->pattern[0], size);
  else
    for (size_t i = 0; i < size; i += move->pattern_size)
      copy_bytes(move->to + i, move->pattern, move->pattern_size);
}

/* Each row has the pattern from the multiple of 16 bytes of the buffer on that is at its first byte or before it. */
static void set_rows(const vptr__fake_move *move) {
  for (size_t z = 0; z < move->region[2]; z++)
    for (size_t y = 0; y < move->region[1]; y++) {
      size_t first = z * move->to_slice + y * move->to_row, phase = (move->to_offset + first) % 16;
      for (size_t x = 0; x < move->region[0]; x++)
        move->to[first + x] = move->pattern[(phase + x) % VPTR__SET_BYTES];
    }
}

void vptr__fake_move_do(const vptr__fake_move *move) {
  if (is_empty(move->region))
    return;
  if (move->is_set) {
    set_rows(move);
    return;
  }
  if (move->pattern_size > 0) {
    fill_bytes(move);
    return;
  }
  for (size_t z = 0; z < move->region[2]; z++)
    for (size_t y = 0; y < move->region[1]; y++)
      copy_bytes(move->to + z * move->to_slice + y * move->to_row,
                 move->from + z * move->from_slice + y * move->from_row, move->region[0]);
}

void vptr__fake_command_do(const vptr__fake_command *command) {
  if (command->call != NULL)
    vptr__fake_call_do(command->call);
  else
    vptr__fake_move_do(&command->move);
}

/* ---- life of a command ---------------------------------------------------------------------------------- */

void vptr__fake_command_keep(vptr__fake_command *command) {
  for (int i = 0; i < 2; i++)
    if (command->move.buffers[i] != NULL)
      vptr__fake_buffer_keep(command->move.buffers[i]);
  if (command->call != NULL)
    vptr__fake_call_keep(command->call);
}

void vptr__fake_command_let_go(vptr__fake_command *command) {
  for (int i = 0; i < 2; i++)
    if (command->move.buffers[i] != NULL)
      vptr__fake_buffer_drop(command->move.buffers[i]);
  if (command->call != NULL)
    vptr__fake_call_let_go(command->call);
  for (cl_uint i = 0; i < command->wait_count; i++)
    vptr__fake_event_drop(command->waits[i]);
  if (command->event != NULL)
    vptr__fake_event_drop(command->event);
}

void vptr__fake_command_free(vptr__fake_command *command) {
  free(command->waits);
  vptr__fake_call_free(command->call);
  free(command->taken);
  free(command);
}

/* ---- queueing ------------------------------------------------------------------------------------------- */

/* An event for the command, which holds one reference to it, and the caller the other. */
static cl_int give_event(vptr__fake_command *command, vptr__fake_queue *queue) {
  vptr__fake_event *event = vptr__fake_event_new(CL_QUEUED);
  if (event == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  event->references++;
  event->queue = queue;
  command->event = event;
  return CL_SUCCESS;
}

/* The last step of queueing: under the mutex that begin_command() took, and lets go. Takes over the command, which is
 * NULL if there was no memory for it. */
static vptr_status enqueue_command(cl_int code, cl_command_queue handle, vptr__fake_command *command,
                                   const char *operation, cl_event *event_out) {
  vptr__fake_queue *queue = vptr__fake_queue_find(handle, operation);
  if (code == CL_SUCCESS)
    code = vptr__fake_pool_staff();
  if (code == CL_SUCCESS && event_out != NULL)
    code = give_event(command, queue);
  if (code == CL_SUCCESS) {
    vptr__fake_command_keep(command);
    for (cl_uint i = 0; i < command->wait_count; i++)
      command->waits[i]->references++;
    vptr__fake_queue_add(queue, command);
    if (event_out != NULL)
      *event_out = command->event->handle;
  }
  vptr__fake_unlock();
  if (code != CL_SUCCESS && command != NULL)
    vptr__fake_command_free(command);
  return vptr__fake_answer(code, operation);
}

/* The first step: takes the mutex. */
static cl_int begin_command(vptr__fake_command **command_out) {
  vptr__fake_command *command = calloc(1, sizeof *command);
  *command_out = command;
  cl_int code = vptr__fake_begin();
  return code == CL_SUCCESS && command == NULL ? CL_OUT_OF_HOST_MEMORY : code;
}

/* Where the bytes are that a write takes now; without memory, where they are anyway. */
static const void *snapshot_source(vptr__fake_command *command, const void *from, size_t size) {
  command->taken = malloc(size);
  return command->taken != NULL ? memcpy(command->taken, from, size) : from;
}

vptr_status vptr__fake_enqueue_write(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                     const void *from, size_t size, cl_event *event_out) {
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  if (command != NULL && device->quirk.takes_early)
    from = snapshot_source(command, from, size);
  if (command != NULL)
    vptr__fake_move_write(&command->move, buffer, offset, from, size);
  return enqueue_command(code, queue, command, "queueing a write", event_out);
}

vptr_status vptr__fake_enqueue_read(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                    void *to, size_t size, cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  if (command != NULL)
    vptr__fake_move_read(&command->move, buffer, offset, to, size);
  return enqueue_command(code, queue, command, "queueing a read", event_out);
}

vptr_status vptr__fake_enqueue_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset,
                                    cl_mem to, size_t to_offset, size_t size, cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  if (command != NULL)
    vptr__fake_move_copy(&command->move, from, from_offset, to, to_offset, size);
  return enqueue_command(code, queue, command, "queueing a copy", event_out);
}

vptr_status vptr__fake_enqueue_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                    size_t size, const void *pattern, size_t pattern_size, cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  if (command != NULL)
    vptr__fake_move_fill(&command->move, buffer, offset, size, pattern, pattern_size);
  return enqueue_command(code, queue, command, "queueing a fill", event_out);
}

/* As on OpenCL devices, where that is a kernel, less than this goes another way: callers have both to get right. */
enum { LEAST_SET_BYTES = 4096 };

/* It cannot fail before it is queued, since nothing may be said of that, and the caller would only go another way: so
 * it is no operation that vptr__fake_fail_nth() counts. */
bool vptr__fake_enqueue_set(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                            const size_t region[3], const unsigned char *pattern, cl_event *event_out) {
  if (!device->test.blit_untried && region[0] * region[1] * region[2] < LEAST_SET_BYTES)
    return false;
  vptr__fake_command *command = calloc(1, sizeof *command);
  if (command == NULL)
    return false;
  vptr__fake_lock();
  command->move = (vptr__fake_move){ .to = reach_rect(to, region, "setting a rect"),
                                     .to_offset = to->offset,
                                     .to_row = to->row,
                                     .to_slice = to->slice,
                                     .is_set = true,
                                     .buffers = { to->buffer },
                                     .counter = &vptr__fake_counted.filled };
  memcpy(command->move.pattern, pattern, VPTR__SET_BYTES);
  set_region(&command->move, region[0], region[1], region[2]);
  return enqueue_command(CL_SUCCESS, queue, command, "queueing the setting of a rect", event_out) == VPTR_SUCCESS;
}

vptr_status vptr__fake_enqueue_write_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                                          const void *from, size_t from_row, size_t from_slice,
                                          const size_t region[3], cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  check_distances(from_row, from_slice, region);
  unsigned char *memory = reach_rect(to, region, "write of a rect");
  if (command != NULL) {
    command->move = (vptr__fake_move){ .to = memory,
                                       .from = from,
                                       .to_row = to->row,
                                       .to_slice = to->slice,
                                       .from_row = from_row,
                                       .from_slice = from_slice,
                                       .buffers = { to->buffer },
                                       .counter = &vptr__fake_counted.written };
    set_region(&command->move, region[0], region[1], region[2]);
  }
  return enqueue_command(code, queue, command, "queueing a write of a rect", event_out);
}

vptr_status vptr__fake_enqueue_read_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                         void *to, size_t to_row, size_t to_slice, const size_t region[3],
                                         cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  check_distances(to_row, to_slice, region);
  const unsigned char *memory = reach_rect(from, region, "read of a rect");
  if (command != NULL) {
    command->move = (vptr__fake_move){ .to = to,
                                       .from = memory,
                                       .to_row = to_row,
                                       .to_slice = to_slice,
                                       .from_row = from->row,
                                       .from_slice = from->slice,
                                       .buffers = { from->buffer },
                                       .counter = &vptr__fake_counted.read };
    set_region(&command->move, region[0], region[1], region[2]);
  }
  return enqueue_command(code, queue, command, "queueing a read of a rect", event_out);
}

vptr_status vptr__fake_enqueue_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                         const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  const unsigned char *source = reach_rect(from, region, "copy of a rect");
  unsigned char *target = reach_rect(to, region, "copy of a rect");
  if (command != NULL) {
    command->move = (vptr__fake_move){ .to = target,
                                       .from = source,
                                       .to_row = to->row,
                                       .to_slice = to->slice,
                                       .from_row = from->row,
                                       .from_slice = from->slice,
                                       .buffers = { from->buffer, to->buffer },
                                       .counter = &vptr__fake_counted.copied };
    set_region(&command->move, region[0], region[1], region[2]);
    if (!is_empty(region))
      check_apart(&command->move);
  }
  return enqueue_command(code, queue, command, "queueing a copy of a rect", event_out);
}

vptr_status vptr__fake_enqueue_call(cl_command_queue queue, vptr__fake_call *call, cl_event *event_out) {
  vptr__fake_command *command;
  cl_int code = begin_command(&command);
  if (code == CL_SUCCESS && call == NULL)
    code = CL_OUT_OF_HOST_MEMORY;
  if (command != NULL)
    command->call = call;
  else
    vptr__fake_call_free(call);
  return enqueue_command(code, queue, command, "queueing a kernel", event_out);
}

vptr_status vptr__fake_enqueue_barrier(vptr__device *device, cl_command_queue queue, cl_uint count,
                                       const cl_event *events, cl_event *event_out) {
  (void)device;
  vptr__fake_command *command;
  vptr__fake_event **waits = calloc(count > 0 ? count : 1, sizeof *waits);
  cl_int code = begin_command(&command);
  if (code == CL_SUCCESS && waits == NULL)
    code = CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < count; i++) {
    vptr__fake_event *event = vptr__fake_event_find(events[i], "barrier");
    if (waits != NULL)
      waits[i] = event;
  }
  if (command != NULL) {
    command->waits = waits;
    command->wait_count = count;
  } else {
    free(waits);
  }
  return enqueue_command(code, queue, command, "queueing a barrier", event_out);
}
