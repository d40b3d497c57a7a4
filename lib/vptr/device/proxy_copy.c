/* SPDX-License-Identifier: MIT */
/*
 * proxy_copy - copies the bytes of buffers from one device to another, through memory of the host.
 *
 * Pieces go through a ring of slots: while some are written to the new device, the next are read from the old one, and
 * it does not matter where one buffer ends and another begins. So both links are busy, and the slower one decides. Some
 * reads are sent ahead of the one that is waited for, so that a driver's time to wake this thread is nobody's wait:
 *
 *     read     0 | 1 | 2 | 3 | 4 ...
 *     write        0 | 1 | 2 | 3 ...
 *
 * The slots lie one behind the other, pinned for both devices at once, as far as those take that; it is no error if
 * they do not. Pinning takes a driver longer than copying so much, which is why the ring is small, opened before the
 * proxy's gate closes, and in huge pages where there are any: 24 MiB took two H200 20 ms, and 7 so.
 *
 * A vptr__proxy_copy is made and freed here, and is one exchange's: one thread's at a time, without locks. It uses both
 * devices by queues of its own. Called by proxy_move.c; bytes are copied with the proxy's gate shut. Everything here
 * waits for both devices.
 */
#include "device/proxy.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/completion.h"

enum { SLOTS = 6, READS = 3, SLOT_ALIGNMENT = 4096 };
static const size_t MOST_SLOT = (size_t)4 << 20, HUGE_PAGE = (size_t)2 << 20;

typedef struct slot {
  unsigned char *bytes;
  cl_event read, written; /* NULL: nothing is under way */
  cl_mem to;              /* where its bytes go, once they are read */
  size_t offset, size;
} slot;

struct vptr__proxy_copy {
  vptr__device *from, *to;
  cl_command_queue from_queue, to_queue;
  void *memory;
  size_t mapped;       /* bytes of it */
  unsigned char *ring; /* aligned, in memory */
  cl_mem from_pin, to_pin;
  bool has_from_pin, has_to_pin;
  size_t slot_bytes;
  unsigned turn;    /* the slot that is next */
  unsigned reading; /* slots before it, whose bytes are read and not yet written */
  vptr__proxy_copied copied;
  slot slots[SLOTS];
};

/* ---- opening and closing -------------------------------------------------------------------------------- */

static bool try_pin(vptr__device *device, void *ring, size_t bytes, cl_mem *pin_out) {
  vptr__error_try();
  const bool is_pinned = device->ops->memory.pin_host(device, ring, bytes, pin_out) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return is_pinned;
}

/* The allocator would give, once more, pages that are not huge. */
static vptr_status open_ring(vptr__proxy_copy *copy) {
  const size_t bytes = SLOTS * copy->slot_bytes;
  copy->mapped = bytes + HUGE_PAGE;
  void *memory = mmap(NULL, copy->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return vptr__error_host_memory(copy->mapped);
  copy->memory = memory;
  copy->ring = (unsigned char *)vptr__align_up((uintptr_t)memory, HUGE_PAGE);
  madvise(copy->ring, bytes, MADV_HUGEPAGE); /* a wish */
  copy->has_from_pin = try_pin(copy->from, copy->ring, bytes, &copy->from_pin);
  copy->has_to_pin = try_pin(copy->to, copy->ring, bytes, &copy->to_pin);
  for (unsigned i = 0; i < SLOTS; i++)
    copy->slots[i].bytes = copy->ring + i * copy->slot_bytes;
  return VPTR_SUCCESS;
}

static void close_ring(const vptr__proxy_copy *copy) {
  if (copy->has_from_pin)
    copy->from->ops->memory.unpin_host(copy->from, copy->from_pin, copy->ring);
  if (copy->has_to_pin)
    copy->to->ops->memory.unpin_host(copy->to, copy->to_pin, copy->ring);
  if (copy->memory != NULL)
    munmap(copy->memory, copy->mapped);
}

static void drop_events(const vptr__proxy_copy *copy, const slot *it) {
  if (it->read != NULL)
    copy->from->ops->event.release(copy->from, it->read);
  if (it->written != NULL)
    copy->to->ops->event.release(copy->to, it->written);
}

vptr_status vptr__proxy_copy_open(vptr__device *from, vptr__device *to, size_t most, vptr__proxy_copy **copy_out) {
  vptr__proxy_copy *copy = vptr__memory_calloc(1, sizeof *copy);
  if (copy == NULL)
    return vptr__error_host_memory(sizeof *copy);
  copy->from = from;
  copy->to = to;
  copy->slot_bytes = vptr__align_up(vptr__larger(vptr__smaller(most, MOST_SLOT), 1), SLOT_ALIGNMENT);
  vptr_status status = from->ops->queue.create(from, 0, false, &copy->from_queue);
  if (status == VPTR_SUCCESS)
    status = to->ops->queue.create(to, 0, false, &copy->to_queue);
  if (status == VPTR_SUCCESS)
    status = open_ring(copy);
  if (status == VPTR_SUCCESS)
    *copy_out = copy;
  else
    vptr__proxy_copy_close(copy);
  return status;
}

/* What was sent and failed elsewhere is over before its memory goes. */
void vptr__proxy_copy_close(vptr__proxy_copy *copy) {
  if (copy->from_queue != NULL)
    vptr__completion_drain(copy->from, copy->from_queue);
  if (copy->to_queue != NULL)
    vptr__completion_drain(copy->to, copy->to_queue);
  for (unsigned i = 0; i < SLOTS; i++)
    drop_events(copy, &copy->slots[i]);
  close_ring(copy);
  if (copy->from_queue != NULL)
    copy->from->ops->queue.release(copy->from, copy->from_queue);
  if (copy->to_queue != NULL)
    copy->to->ops->queue.release(copy->to, copy->to_queue);
  vptr__memory_free(copy);
}

/* ---- pieces --------------------------------------------------------------------------------------------- */

static vptr_status await_read(vptr__proxy_copy *copy, cl_event *event) {
  const uint64_t began = vptr__clock_ns();
  vptr_status status = vptr__completion_await(copy->from, copy->from_queue, *event);
  *event = NULL;
  copy->copied.read_ns += vptr__clock_ns() - began;
  return status;
}

static vptr_status await_write(vptr__proxy_copy *copy, cl_event *event) {
  const uint64_t began = vptr__clock_ns();
  vptr_status status = vptr__completion_await(copy->to, copy->to_queue, *event);
  *event = NULL;
  copy->copied.write_ns += vptr__clock_ns() - began;
  return status;
}

/* What was read first goes on its way. */
static vptr_status write_oldest(vptr__proxy_copy *copy) {
  slot *it = &copy->slots[(copy->turn + SLOTS - copy->reading) % SLOTS];
  copy->reading--;
  vptr_status status = await_read(copy, &it->read);
  if (status == VPTR_SUCCESS)
    status = copy->to->ops->transfer.enqueue_write(copy->to, copy->to_queue, it->to, it->offset, it->bytes, it->size,
                                                   &it->written);
  return status == VPTR_SUCCESS ? copy->to->ops->queue.flush(copy->to, copy->to_queue) : status;
}

static vptr_status read_piece(vptr__proxy_copy *copy, slot *it, cl_mem from) {
  vptr_status status = copy->from->ops->transfer.enqueue_read(copy->from, copy->from_queue, from, it->offset,
                                                              it->bytes, it->size, &it->read);
  return status == VPTR_SUCCESS ? copy->from->ops->queue.flush(copy->from, copy->from_queue) : status;
}

static vptr_status send_piece(vptr__proxy_copy *copy, cl_mem from, cl_mem to, size_t offset, size_t size) {
  slot *it = &copy->slots[copy->turn];
  vptr_status status = await_write(copy, &it->written);
  if (status != VPTR_SUCCESS)
    return status;
  it->to = to;
  it->offset = offset;
  it->size = size;
  status = read_piece(copy, it, from);
  if (status != VPTR_SUCCESS)
    return status;
  copy->turn = (copy->turn + 1) % SLOTS;
  copy->reading++;
  copy->copied.bytes += size;
  return copy->reading > READS ? write_oldest(copy) : status;
}

vptr_status vptr__proxy_copy_bytes(vptr__proxy_copy *copy, cl_mem from, cl_mem to, size_t bytes) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t at = 0; at < bytes && status == VPTR_SUCCESS; at += copy->slot_bytes)
    status = send_piece(copy, from, to, at, vptr__smaller(bytes - at, copy->slot_bytes));
  return status;
}

vptr_status vptr__proxy_copy_finish(vptr__proxy_copy *copy) {
  vptr_status status = VPTR_SUCCESS;
  while (copy->reading > 0 && status == VPTR_SUCCESS)
    status = write_oldest(copy);
  for (unsigned i = 0; i < SLOTS; i++) {
    vptr_status outcome = await_write(copy, &copy->slots[i].written);
    if (status == VPTR_SUCCESS)
      status = outcome;
  }
  return status;
}

vptr__proxy_copied vptr__proxy_copy_told(const vptr__proxy_copy *copy) {
  return copy->copied;
}

/* ---- images --------------------------------------------------------------------------------------------- */

static vptr_status move_elements(vptr__proxy_copy *copy, const vptr__image *from, const vptr__image *to, void *bytes,
                                 size_t row) {
  static const size_t origin[3] = { 0, 0, 0 };
  const size_t slice = row * from->extent[1];
  cl_event event = NULL;
  vptr_status status = copy->from->ops->image.enqueue_read(copy->from, copy->from_queue, from, origin, from->extent,
                                                           bytes, row, slice, &event);
  if (status == VPTR_SUCCESS)
    status = await_read(copy, &event);
  if (status == VPTR_SUCCESS)
    status = copy->to->ops->image.enqueue_write(copy->to, copy->to_queue, to, origin, to->extent, bytes, row, slice,
                                                &event);
  return status == VPTR_SUCCESS ? await_write(copy, &event) : status;
}

vptr_status vptr__proxy_copy_image(vptr__proxy_copy *copy, const vptr__image *from, const vptr__image *to) {
  const size_t row = from->extent[0] * from->element;
  void *bytes = vptr__memory_calloc(row * from->extent[1], from->extent[2]);
  if (bytes == NULL)
    return vptr__error_host_memory(row * from->extent[1] * from->extent[2]);
  vptr_status status = move_elements(copy, from, to, bytes, row);
  copy->copied.bytes += row * from->extent[1] * from->extent[2];
  vptr__memory_free(bytes);
  return status;
}
