/* SPDX-License-Identifier: MIT */
/*
 * joint_span - which members of a joint device have which bytes of a buffer (joint.h).
 *
 * The spans of a buffer cover it without gaps, in rising order, and neighbours differ. A change splits two spans at
 * most, one at each of its ends. When bytes have been moved their change must not fail, so the room for it is made
 * before, by a promise.
 *
 * Spans belong to their buffer. vptr__joint.lock, of rank LEAF, is held by who calls any function here, but for
 * vptr__joint_spans_make(), whose buffer nobody else knows. Called by joint_buffer.c, joint_use.c and joint_launch.c.
 */
#include "device/joint.h"

#include <string.h>

#include "base/memory.h"

enum { LEAST_ROOM = 8, SPLITS = 2 };

static bool make_room(vptr__joint_buffer *buffer, size_t need) {
  if (need <= buffer->span_room)
    return true;
  const size_t room = need < LEAST_ROOM ? LEAST_ROOM : 2 * need;
  vptr__joint_span *spans = vptr__memory_calloc(room, sizeof *spans);
  if (spans == NULL)
    return false;
  if (buffer->spans != NULL)
    memcpy(spans, buffer->spans, buffer->span_count * sizeof *spans);
  vptr__memory_free(buffer->spans);
  buffer->spans = spans;
  buffer->span_room = room;
  return true;
}

bool vptr__joint_spans_make(vptr__joint_buffer *buffer, uint32_t valid) {
  if (!make_room(buffer, 1))
    return false;
  buffer->spans[0] = (vptr__joint_span){ 0, valid };
  buffer->span_count = 1;
  return true;
}

bool vptr__joint_spans_promise(vptr__joint_buffer *buffer, size_t changes) {
  if (!make_room(buffer, buffer->span_count + SPLITS * (buffer->promised + changes)))
    return false;
  buffer->promised += changes;
  return true;
}

void vptr__joint_spans_waive(vptr__joint_buffer *buffer) {
  buffer->promised--;
}

/* The span that a byte is in. */
static size_t find_span(const vptr__joint_buffer *buffer, size_t at) {
  size_t low = 0, high = buffer->span_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(buffer->spans[middle].begin <= at ? &low : &high) = middle;
  }
  return low;
}

/* The span that begins at a byte, made if need be; behind the last byte, the number of spans. */
static size_t split_at(vptr__joint_buffer *buffer, size_t at) {
  if (at >= buffer->bytes)
    return buffer->span_count;
  const size_t found = find_span(buffer, at);
  vptr__joint_span *spans = buffer->spans;
  if (spans[found].begin == at)
    return found;
  memmove(&spans[found + 2], &spans[found + 1], (buffer->span_count - found - 1) * sizeof *spans);
  spans[found + 1] = (vptr__joint_span){ at, spans[found].valid };
  buffer->span_count++;
  return found + 1;
}

static void join_equals(vptr__joint_buffer *buffer) {
  size_t kept = 1;
  for (size_t i = 1; i < buffer->span_count; i++)
    if (buffer->spans[i].valid != buffer->spans[kept - 1].valid)
      buffer->spans[kept++] = buffer->spans[i];
  buffer->span_count = kept;
}

void vptr__joint_spans_change(vptr__joint_buffer *buffer, size_t begin, size_t end, uint32_t clear, uint32_t set) {
  buffer->promised--;
  if (begin >= end)
    return;
  const size_t first = split_at(buffer, begin), behind = split_at(buffer, end);
  for (size_t i = first; i < behind; i++)
    buffer->spans[i].valid = (buffer->spans[i].valid & ~clear) | set;
  join_equals(buffer);
}

uint32_t vptr__joint_spans_at(const vptr__joint_buffer *buffer, size_t at, size_t end, size_t *end_out) {
  const size_t found = find_span(buffer, at);
  const size_t next = found + 1 < buffer->span_count ? buffer->spans[found + 1].begin : buffer->bytes;
  *end_out = next < end ? next : end;
  return buffer->spans[found].valid;
}

size_t vptr__joint_spans_on(const vptr__joint_buffer *buffer, size_t begin, size_t end, unsigned member) {
  size_t sum = 0, next;
  for (size_t at = begin; at < end; at = next)
    if ((vptr__joint_spans_at(buffer, at, end, &next) >> member & 1) != 0)
      sum += next - at;
  return sum;
}
