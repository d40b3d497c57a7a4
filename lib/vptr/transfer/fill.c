/* SPDX-License-Identifier: MIT */
/*
 * fill - vptr_memset() and vptr_fill(): one pattern over and over, of any size and at any alignment.
 *
 * OpenCL fills with patterns of 1, 2, 4 ... 128 bytes, at multiples of the pattern. Everything else is brought
 * back to that, or to copies:
 *
 *     up to 4 KiB                          one write from the host: a single command
 *     period 1, 2, 4 ... 128               | head | fill with the pattern, rotated |tail|
 *     period 3, 6, 12, 24, 48              one command, if the device has it
 *     any other period                     | block | copy  |     copy      |    copy ...
 *
 * The period is what counts, not the pattern size: zeroing structs of 24 bytes is a fill with one byte. In the second
 * row, head and tail are written by the host and reach to the multiples of what the device fills with, the period or
 * more of it (width.h); in the last, a block of whole periods is written once and doubled by the device, whose queue
 * runs the copies in order. (A kernel for any period would be one more beside those of device/opencl_blit.c and
 * opencl_blit_set.c, which take what is in the second and third row, and was not worth it.)
 *
 * Blocks until done, behind what streams have to do, and queues that the program named to vptr_use_queue(). No data,
 * and no locks but those of endpoint.h, for a pattern in managed memory vptr__mirror.lock, of rank MIRROR, and for one
 * that lies in two buffers those of copy.c; it allocates nothing but for a pattern in managed memory. Called by
 * programs, and by cudart/module/group.c, which zeroes variables, and cudart/usm/transfer.c, which fills.
 */
#include <stdbool.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/number.h"
#include "mirror/address_index.h"
#include "device/completion.h"
#include "mapper/mapper.h"
#include "transfer/repeat.h"
#include "transfer/endpoint.h"
#include "transfer/width.h"

enum {
  /* What the host writes at once. Up to here a write takes 7 us on a GPU and a fill 9, and it spares head and tail.
   * It is also the block that doubling begins with: 64 KiB instead would save four copies of 10 us each, but it
   * would not fit a stack, and so could fail for want of host memory. */
  BLOCK_BYTES = 4096,
  /* The widest period OpenCL fills with. */
  WIDEST = 128,
  /* What doubling takes at most, from a byte. */
  MOST_COPIES = 64
};

/* The bytes to fill with, by their least period that is found cheaply. */
struct tile {
  const unsigned char *bytes;
  size_t period;
};

/* Writes size bytes of the tile's endless repetition, from the phase-th on. */
VPTR__HOT static void repeat_tile(unsigned char *to, size_t size, const struct tile *tile, size_t phase) {
  size_t done = vptr__smaller(tile->period, size), at = phase % tile->period,
         first = vptr__smaller(tile->period - at, done);
  memcpy(to, tile->bytes + at, first);
  memcpy(to + first, tile->bytes, done - first);
  vptr__repeat_on(to, done, size);
}

static struct tile tile_of(const void *pattern, size_t pattern_size) {
  struct tile found = { pattern, pattern_size };
  if (memcmp(found.bytes, found.bytes + 1, pattern_size - 1) == 0)
    found.period = 1;
  while (found.period % 2 == 0 && memcmp(found.bytes, found.bytes + found.period / 2, found.period / 2) == 0)
    found.period /= 2;
  return found;
}

VPTR__HOT static vptr_status write_repeated(const vptr__endpoint *endpoint, size_t at, size_t size,
                                            const struct tile *tile) {
  unsigned char bytes[BLOCK_BYTES];
  repeat_tile(bytes, size, tile, at);
  return endpoint->device->ops->transfer.write(endpoint->device, endpoint->buffer, endpoint->offset + at, bytes,
                                               size);
}

/* A period that OpenCL can fill with: head, fill, tail. size is more than BLOCK_BYTES. */
VPTR__HOT static vptr_status fill_aligned(const vptr__endpoint *endpoint, size_t size, const struct tile *tile) {
  vptr__device *device = endpoint->device;
  size_t width = vptr__width_of_fill(device, tile->period, endpoint->offset, size);
  size_t head = (width - endpoint->offset % width) % width;
  size_t tail = (size - head) % width;
  vptr_status status = VPTR_SUCCESS;
  if (head > 0)
    status = write_repeated(endpoint, 0, head, tile);
  if (status == VPTR_SUCCESS) {
    unsigned char rotated[WIDEST];
    repeat_tile(rotated, width, tile, head);
    status = device->ops->transfer.fill(device, endpoint->buffer, endpoint->offset + head, size - head - tail,
                                        rotated, width);
  }
  if (status == VPTR_SUCCESS && tail > 0)
    status = write_repeated(endpoint, size - tail, tail, tile);
  return status;
}

/* Copies all that is there, each time twice as much, without waiting in between. The events of what was sent are kept
 * in events, for all of them have to be heard: a command that fails fails its own alone. */
static vptr_status send_doubling(const vptr__endpoint *endpoint, size_t size, size_t done, cl_event *events,
                                 size_t *sent) {
  vptr__device *device = endpoint->device;
  vptr_status status = VPTR_SUCCESS;
  while (status == VPTR_SUCCESS && done < size) {
    size_t more = vptr__smaller(done, size - done);
    status = device->ops->transfer.enqueue_copy(device, device->cl_queue, endpoint->buffer, endpoint->offset,
                                                endpoint->buffer, endpoint->offset + done, more, &events[*sent]);
    *sent += status == VPTR_SUCCESS;
    done += more;
  }
  return status;
}

static vptr_status double_up(const vptr__endpoint *endpoint, size_t size, size_t done) {
  cl_event events[MOST_COPIES];
  size_t sent = 0;
  vptr_status met = send_doubling(endpoint, size, done, events, &sent);
  for (size_t i = 0; i < sent; i++) {
    vptr_status status = vptr__completion_await(endpoint->device, NULL, events[i]);
    met = met == VPTR_SUCCESS ? status : met;
  }
  return met;
}

/* Any period: a block of whole patterns, then copies. */
static vptr_status fill_doubling(const vptr__endpoint *endpoint, size_t size, const struct tile *tile) {
  vptr__device *device = endpoint->device;
  unsigned char block[BLOCK_BYTES];
  const unsigned char *first = tile->bytes;
  size_t done = tile->period;
  if (tile->period <= BLOCK_BYTES / 2) {
    done = BLOCK_BYTES / tile->period * tile->period;
    repeat_tile(block, done, tile, 0);
    first = block;
  }
  done = vptr__smaller(done, size);
  vptr_status status = device->ops->transfer.write(device, endpoint->buffer, endpoint->offset, first, done);
  return status == VPTR_SUCCESS ? double_up(endpoint, size, done) : status;
}

/* 48 bytes hold such a period a whole number of times. false: it has to go another way. */
static bool fill_at_once(const vptr__endpoint *endpoint, size_t size, const struct tile *tile,
                         vptr_status *status_out) {
  vptr__device *device = endpoint->device;
  const vptr__rect to = { endpoint->buffer, endpoint->offset, size, size };
  unsigned char pattern[VPTR__SET_BYTES];
  size_t lead = endpoint->offset % 16; /* what the pattern has before the first byte */
  cl_event event = NULL;
  if (VPTR__SET_BYTES % tile->period != 0)
    return false;
  repeat_tile(pattern, sizeof pattern, tile, VPTR__SET_BYTES - lead);
  if (!device->ops->transfer.enqueue_set(device, device->cl_queue, &to, (size_t[3]){ size, 1, 1 }, pattern, &event))
    return false;
  *status_out = vptr__completion_await(device, NULL, event);
  return true;
}

VPTR__HOT static vptr_status fill_endpoint(const vptr__endpoint *endpoint, size_t size, const struct tile *tile) {
  vptr_status status;
  bool power_of_two = (tile->period & (tile->period - 1)) == 0;
  if (size <= BLOCK_BYTES)
    return write_repeated(endpoint, 0, size, tile);
  if (power_of_two && tile->period <= WIDEST)
    return fill_aligned(endpoint, size, tile);
  return fill_at_once(endpoint, size, tile, &status) ? status : fill_doubling(endpoint, size, tile);
}

VPTR__HOT static vptr_status acquire_and_fill(vptr_mapper *mapper, vptr__endpoint *endpoint, size_t size,
                                              const struct tile *tile) {
  vptr_status status = vptr__endpoint_acquire(mapper, endpoint, size, VPTR_ACCESS_DISCARD_WRITE, NULL, 0);
  if (status == VPTR_SUCCESS)
    status = vptr__endpoint_settle(mapper);
  return status == VPTR_SUCCESS ? fill_endpoint(endpoint, size, tile) : status;
}

/* It is fetched by a call, since a page fault that fails has nobody to report to. */
static vptr_status fetch_pattern(vptr_mapper *mapper, const void *pattern, size_t size) {
  vptr__endpoint from;
  vptr_status status = vptr__endpoint_hold_device(mapper, "vptr_fill, pattern", pattern, size, &from);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__mirror_fetch(from.mirror, from.offset, size, VPTR_ACCESS_READ);
  vptr__endpoint_release(&from);
  return status;
}

/* A pattern in managed memory may be out of the host's reach while what is filled is acquired for the device. */
static vptr_status fill_with_copy(vptr_mapper *mapper, vptr__endpoint *endpoint, const void *pattern,
                                  size_t pattern_size, size_t count) {
  vptr_status status = fetch_pattern(mapper, pattern, pattern_size);
  if (status != VPTR_SUCCESS)
    return status;
  void *copy = vptr__memory_calloc(pattern_size, 1);
  if (copy == NULL)
    return vptr__error_host_memory(pattern_size);
  memcpy(copy, pattern, pattern_size);
  struct tile tile = tile_of(copy, pattern_size);
  status = acquire_and_fill(mapper, endpoint, pattern_size * count, &tile);
  vptr__memory_free(copy);
  return status;
}

/* The pattern is read when all arguments are known to be good. */
static vptr_status fill_with_pattern(vptr_mapper *mapper, vptr__endpoint *endpoint, const void *pattern,
                                     size_t pattern_size, size_t count) {
  if (vptr__address_index_has(pattern))
    return fill_with_copy(mapper, endpoint, pattern, pattern_size, count);
  struct tile tile = tile_of(pattern, pattern_size);
  return acquire_and_fill(mapper, endpoint, pattern_size * count, &tile);
}

/* ---- across seams --------------------------------------------------------------------------------------- */

static vptr_status check_all(vptr_mapper *mapper, const char *what, const void *ptr, size_t size) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate_all(mapper, ptr, size, &location);
  return status == VPTR_SUCCESS ? status : vptr__mapper_explain(mapper, status, what, ptr, size);
}

/* Part by part. */
static vptr_status set_parts(vptr_mapper *mapper, void *ptr, int value, size_t size) {
  vptr_status status = check_all(mapper, "vptr_memset", ptr, size);
  for (size_t done = 0, bytes; done < size && status == VPTR_SUCCESS; done += bytes) {
    vptr_part part;
    char *at = (char *)ptr + done;
    bytes = vptr__heap_part_at(mapper->heap, at, &part) == VPTR_SUCCESS ? vptr__smaller(part.size, size - done) : 1;
    status = vptr_memset(mapper, at, value, bytes); /* which says what was freed meanwhile */
  }
  return status;
}

/* Whole patterns in a part, and then the one that lies in two parts. */
static vptr_status fill_parts(vptr_mapper *mapper, void *ptr, const void *pattern, size_t pattern_size,
                              size_t count) {
  vptr_status status = check_all(mapper, "vptr_fill", ptr, pattern_size * count);
  for (size_t done = 0, whole; done < count && status == VPTR_SUCCESS; done += whole) {
    vptr_part part;
    char *at = (char *)ptr + done * pattern_size;
    whole = 0;
    if (vptr__heap_part_at(mapper->heap, at, &part) == VPTR_SUCCESS)
      whole = vptr__smaller(part.size / pattern_size, count - done);
    if (whole > 0) {
      status = vptr_fill(mapper, at, pattern, pattern_size, whole);
    } else {
      status = vptr_memcpy(mapper, at, pattern, pattern_size);
      whole = 1;
    }
  }
  return status;
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

VPTR__HOT vptr_status vptr_memset(vptr_mapper *mapper, void *ptr, int value, size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    return status;
  if (vptr__heap_has_seam(mapper->heap, ptr, size))
    return set_parts(mapper, ptr, value, size);
  unsigned char byte = (unsigned char)value;
  struct tile tile = { &byte, 1 };
  vptr__endpoint endpoint;
  status = vptr__endpoint_hold_device(mapper, "vptr_memset", ptr, size, &endpoint);
  if (status != VPTR_SUCCESS)
    return status;
  status = acquire_and_fill(mapper, &endpoint, size, &tile);
  vptr__endpoint_release(&endpoint);
  return status;
}

vptr_status vptr_fill(vptr_mapper *mapper, void *ptr, const void *pattern, size_t pattern_size, size_t count) {
  if (pattern_size == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_fill: the pattern has no bytes; its size is at least 1");
  if (count == 0)
    return VPTR_SUCCESS;
  if (count > SIZE_MAX / pattern_size)
    return vptr__error(VPTR_ERROR_INVALID_SIZE, "vptr_fill: %zu times %zu bytes are more than %zu; check the count",
                       count, pattern_size, (size_t)SIZE_MAX);
  vptr_status status = VPTR_SUCCESS;
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    return status;
  status = vptr__endpoint_check_host(mapper, "vptr_fill, pattern", pattern, pattern_size);
  if (status == VPTR_SUCCESS && vptr__heap_has_seam(mapper->heap, ptr, pattern_size * count))
    return fill_parts(mapper, ptr, pattern, pattern_size, count);
  vptr__endpoint endpoint;
  if (status == VPTR_SUCCESS)
    status = vptr__endpoint_hold_device(mapper, "vptr_fill", ptr, pattern_size * count, &endpoint);
  if (status != VPTR_SUCCESS)
    return status;
  status = fill_with_pattern(mapper, &endpoint, pattern, pattern_size, count);
  vptr__endpoint_release(&endpoint);
  return status;
}
