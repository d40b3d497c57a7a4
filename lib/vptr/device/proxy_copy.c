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
 * A device that lives in the host's memory has no copy engine: a thread of its driver copies, one for a queue at a
 * time. So it has several queues here, and the slots take turns on them. PoCL wrote 8 GiB of an H200's in 2.4 s by one,
 * and in 0.7 to 0.9 s by four.
 *
 * Where both devices stay open when the exchange is over, the ring does too, for the next between the two: NVIDIA's
 * driver takes 8 ms to pin it for both, and some to let go of it.
 *
 * A vptr__proxy_copy is made and freed here, and is one exchange's: one thread's at a time, without locks. Between two
 * exchanges it is in a vptr__proxy_ring, whose lock, of rank ARRAY, guards it. It uses both devices by queues of its
 * own. Called by proxy_move.c, and by mapper/standby.c, which has the vptr__proxy_ring; bytes are copied with the
 * proxy's gate shut. Everything here waits for both devices.
 */
#include "device/proxy.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/page.h"
#include "device/completion.h"

enum { SLOTS = 8, READS = 3, MOST_QUEUES = 4, SLOT_ALIGNMENT = 4096 };
static const size_t MOST_SLOT = (size_t)4 << 20;

typedef struct slot {
  unsigned char *bytes;
  cl_event read, written; /* NULL: nothing is under way */
  cl_mem to;              /* where its bytes go, once they are read */
  size_t offset, size;
} slot;

/* One of the two devices, and what the copy has there. */
typedef struct side {
  vptr__device *device;
  cl_command_queue queues[MOST_QUEUES];
  unsigned queue_count;
  cl_mem pin;
  bool has_pin;
} side;

struct vptr__proxy_copy {
  side from, to;
  void *memory;
  size_t mapped;       /* bytes of it */
  unsigned char *ring; /* aligned, in memory */
  size_t slot_bytes;
  bool is_resting;  /* nothing is under way */
  unsigned turn;    /* the slot that is next */
  unsigned reading; /* slots before it, whose bytes are read and not yet written */
  vptr__proxy_copied copied;
  slot slots[SLOTS];
};

/* ---- opening and closing -------------------------------------------------------------------------------- */

static void try_pin(side *of, void *ring, size_t bytes) {
  vptr__error_try();
  of->has_pin = of->device->ops->memory.pin_host(of->device, ring, bytes, &of->pin) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
}

/* The allocator would give, once more, pages that are not huge. */
static vptr_status open_ring(vptr__proxy_copy *copy) {
  const size_t bytes = SLOTS * copy->slot_bytes;
  copy->mapped = bytes + VPTR__HUGE_PAGE;
  void *memory = mmap(NULL, copy->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return vptr__error_host_memory(copy->mapped);
  copy->memory = memory;
  copy->ring = (unsigned char *)vptr__align_up((uintptr_t)memory, VPTR__HUGE_PAGE);
  vptr__page_want_huge(copy->ring, bytes);
  try_pin(&copy->from, copy->ring, bytes);
  try_pin(&copy->to, copy->ring, bytes);
  for (unsigned i = 0; i < SLOTS; i++)
    copy->slots[i].bytes = copy->ring + i * copy->slot_bytes;
  return VPTR_SUCCESS;
}

static void unpin(const side *of, void *ring) {
  if (of->has_pin)
    of->device->ops->memory.unpin_host(of->device, of->pin, ring);
}

static void close_ring(const vptr__proxy_copy *copy) {
  unpin(&copy->from, copy->ring);
  unpin(&copy->to, copy->ring);
  if (copy->memory != NULL)
    munmap(copy->memory, copy->mapped);
}

static vptr_status open_queues(side *of) {
  const unsigned wanted = of->device->host_unified ? MOST_QUEUES : 1;
  vptr_status status = VPTR_SUCCESS;
  while (of->queue_count < wanted && status == VPTR_SUCCESS) {
    status = of->device->ops->queue.create(of->device, 0, false, &of->queues[of->queue_count]);
    of->queue_count += status == VPTR_SUCCESS;
  }
  return status;
}

static void drop_event(const side *of, cl_event *event) {
  if (*event != NULL)
    of->device->ops->event.release(of->device, *event);
  *event = NULL;
}

static size_t slot_for(size_t most) {
  return vptr__align_up(vptr__larger(vptr__smaller(most, MOST_SLOT), 1), SLOT_ALIGNMENT);
}

vptr_status vptr__proxy_copy_open(vptr__device *from, vptr__device *to, size_t most, vptr__proxy_copy **copy_out) {
  vptr__proxy_copy *copy = vptr__memory_calloc(1, sizeof *copy);
  if (copy == NULL)
    return vptr__error_host_memory(sizeof *copy);
  copy->from.device = from;
  copy->to.device = to;
  copy->slot_bytes = slot_for(most);
  vptr_status status = open_queues(&copy->from);
  if (status == VPTR_SUCCESS)
    status = open_queues(&copy->to);
  if (status == VPTR_SUCCESS)
    status = open_ring(copy);
  if (status == VPTR_SUCCESS)
    *copy_out = copy;
  else
    vptr__proxy_copy_close(copy);
  return status;
}

static void drain(const side *of) {
  for (unsigned i = 0; i < of->queue_count; i++)
    vptr__completion_drain(of->device, of->queues[i]);
}

/* What was sent and failed elsewhere is over before its memory goes, or serves again. */
static void rest(vptr__proxy_copy *copy) {
  if (copy->is_resting)
    return;
  drain(&copy->from);
  drain(&copy->to);
  for (unsigned i = 0; i < SLOTS; i++) {
    drop_event(&copy->from, &copy->slots[i].read);
    drop_event(&copy->to, &copy->slots[i].written);
  }
  copy->turn = copy->reading = 0;
  copy->copied = (vptr__proxy_copied){ 0 };
  copy->is_resting = true;
}

static void release_queues(const side *of) {
  for (unsigned i = 0; i < of->queue_count; i++)
    of->device->ops->queue.release(of->device, of->queues[i]);
}

void vptr__proxy_copy_close(vptr__proxy_copy *copy) {
  rest(copy);
  close_ring(copy);
  release_queues(&copy->from);
  release_queues(&copy->to);
  vptr__memory_free(copy);
}

/* ---- kept between exchanges ------------------------------------------------------------------------------ */

void vptr__proxy_ring_init(vptr__proxy_ring *ring) {
  vptr__lock_init(&ring->lock, VPTR__RANK_ARRAY);
  ring->copy = NULL;
}

void vptr__proxy_ring_fini(vptr__proxy_ring *ring) {
  vptr__proxy_ring_drop(ring);
  vptr__lock_fini(&ring->lock);
}

/* Whether it serves from the one to the other; it does so then. */
static bool turn_to(vptr__proxy_copy *copy, const vptr__device *from, const vptr__device *to, size_t most) {
  const side was_from = copy->from;
  const bool goes_on = was_from.device == from && copy->to.device == to;
  const bool goes_back = was_from.device == to && copy->to.device == from;
  if (copy->slot_bytes < slot_for(most) || !(goes_on || goes_back))
    return false;
  if (goes_back) {
    copy->from = copy->to;
    copy->to = was_from;
  }
  copy->is_resting = false;
  return true;
}

/* With the lock. */
static void replace(vptr__proxy_ring *ring, vptr__proxy_copy *copy) {
  if (ring->copy != NULL)
    vptr__proxy_copy_close(ring->copy);
  ring->copy = copy;
}

vptr__proxy_copy *vptr__proxy_ring_take(vptr__proxy_ring *ring, const vptr__device *from, const vptr__device *to,
                                        size_t most) {
  vptr__lock_take(&ring->lock);
  vptr__proxy_copy *copy = ring->copy != NULL && turn_to(ring->copy, from, to, most) ? ring->copy : NULL;
  if (copy != NULL)
    ring->copy = NULL;
  replace(ring, NULL);
  vptr__lock_give(&ring->lock);
  return copy;
}

void vptr__proxy_ring_give(vptr__proxy_ring *ring, vptr__proxy_copy *copy) {
  rest(copy);
  vptr__lock_take(&ring->lock);
  replace(ring, copy);
  vptr__lock_give(&ring->lock);
}

void vptr__proxy_ring_drop(vptr__proxy_ring *ring) {
  vptr__lock_take(&ring->lock);
  replace(ring, NULL);
  vptr__lock_give(&ring->lock);
}

/* ---- pieces --------------------------------------------------------------------------------------------- */

static cl_command_queue queue_of(const vptr__proxy_copy *copy, const side *of, const slot *it) {
  return of->queues[(size_t)(it - copy->slots) % of->queue_count];
}

static vptr_status await(const side *of, cl_command_queue queue, cl_event *event, uint64_t *waited_ns) {
  const uint64_t began = vptr__clock_ns();
  vptr_status status = vptr__completion_await(of->device, queue, *event);
  *event = NULL;
  *waited_ns += vptr__clock_ns() - began;
  return status;
}

static vptr_status await_read(vptr__proxy_copy *copy, slot *it) {
  return await(&copy->from, queue_of(copy, &copy->from, it), &it->read, &copy->copied.read_ns);
}

static vptr_status await_written(vptr__proxy_copy *copy, slot *it) {
  return await(&copy->to, queue_of(copy, &copy->to, it), &it->written, &copy->copied.write_ns);
}

static vptr_status write_piece(vptr__proxy_copy *copy, slot *it) {
  vptr__device *to = copy->to.device;
  cl_command_queue queue = queue_of(copy, &copy->to, it);
  vptr_status status =
      to->ops->transfer.enqueue_write(to, queue, it->to, it->offset, it->bytes, it->size, &it->written);
  return status == VPTR_SUCCESS ? to->ops->queue.flush(to, queue) : status;
}

static vptr_status read_piece(vptr__proxy_copy *copy, slot *it, cl_mem buffer) {
  vptr__device *from = copy->from.device;
  cl_command_queue queue = queue_of(copy, &copy->from, it);
  vptr_status status =
      from->ops->transfer.enqueue_read(from, queue, buffer, it->offset, it->bytes, it->size, &it->read);
  return status == VPTR_SUCCESS ? from->ops->queue.flush(from, queue) : status;
}

/* What was read first goes on its way. */
static vptr_status write_oldest(vptr__proxy_copy *copy) {
  slot *it = &copy->slots[(copy->turn + SLOTS - copy->reading) % SLOTS];
  copy->reading--;
  vptr_status status = await_read(copy, it);
  return status == VPTR_SUCCESS ? write_piece(copy, it) : status;
}

static vptr_status send_piece(vptr__proxy_copy *copy, cl_mem from, cl_mem to, size_t offset, size_t size) {
  slot *it = &copy->slots[copy->turn];
  vptr_status status = await_written(copy, it);
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
    vptr_status outcome = await_written(copy, &copy->slots[i]);
    if (status == VPTR_SUCCESS)
      status = outcome;
  }
  return status;
}

vptr__proxy_copied vptr__proxy_copy_told(const vptr__proxy_copy *copy) {
  return copy->copied;
}

/* ---- images --------------------------------------------------------------------------------------------- */

/* In one piece, on the first queues. */
static vptr_status move_elements(vptr__proxy_copy *copy, const vptr__image *from, const vptr__image *to, void *bytes,
                                 size_t row) {
  static const size_t origin[3] = { 0, 0, 0 };
  const size_t slice = row * from->extent[1];
  const side *source = &copy->from, *target = &copy->to;
  cl_event event = NULL;
  vptr_status status = source->device->ops->image.enqueue_read(source->device, source->queues[0], from, origin,
                                                               from->extent, bytes, row, slice, &event);
  if (status == VPTR_SUCCESS)
    status = await(source, source->queues[0], &event, &copy->copied.read_ns);
  if (status == VPTR_SUCCESS)
    status = target->device->ops->image.enqueue_write(target->device, target->queues[0], to, origin, to->extent,
                                                      bytes, row, slice, &event);
  return status == VPTR_SUCCESS ? await(target, target->queues[0], &event, &copy->copied.write_ns) : status;
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
